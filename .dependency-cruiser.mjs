/** The checker of imports: the table of rooms, and what holds for all of them. */
import { rooms } from './tools/rooms/table.ts';

const escaped = (path) => path.replaceAll('.', '\\.').replaceAll('/', '\\/');
const below = (path) => (path.endsWith('.ts') ? `^${escaped(path)}$` : `^${escaped(path)}\\/`);
/** The room's own files: those below its path that are in no room below it. */
const inner = ({ path }) =>
  rooms.filter((other) => other.path !== path && other.path.startsWith(`${path}/`)).map((other) => below(other.path));
const TESTS = '\\.test\\.ts$';
const pure = rooms.filter((room) => room.is_pure);

const arrows = rooms.flatMap((from) =>
  rooms
    .filter((to) => to !== from && !from.may_import.includes(to.path))
    .map((to) => ({
      name: `${from.path} may not import ${to.path}`,
      severity: 'error',
      comment: 'tools/rooms/table.ts says which rooms each room may import.',
      from: { path: below(from.path), pathNot: [...inner(from), TESTS] },
      to: { path: below(to.path), pathNot: inner(to) },
    })),
);
/** What stands beside the rooms (`compose.ts`, `roles.ts`, the command line) puts them together: no room may know it. */
const outside = {
  name: 'rooms-do-not-know-who-composes-them',
  severity: 'error',
  from: { path: rooms.map(({ path }) => below(path)), pathNot: [TESTS] },
  to: { path: '^(src|tools|test|examples)\\/', pathNot: rooms.map(({ path }) => below(path)) },
};

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-rings',
      severity: 'error',
      comment: 'An import ring has no first file to read.',
      from: {},
      to: { circular: true },
    },
    ...arrows,
    outside,
    {
      name: 'pure-rooms-know-no-host',
      severity: 'error',
      from: { path: pure.map((room) => below(room.path)), pathNot: [TESTS] },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'only-compose-names-a-backend',
      severity: 'error',
      comment: 'Everything else uses the ports.',
      from: { path: '^src\\/', pathNot: ['^src\\/compose\\.ts$', '^src\\/storage\\/', TESTS] },
      to: { path: '^src\\/storage\\/', pathNot: '^src\\/storage\\/ports\\/' },
    },
    {
      name: 'product-code-needs-no-dev-package',
      severity: 'error',
      from: { path: '^(src|tools\\/evaluation)\\/', pathNot: TESTS },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
