/**
 * The programs that tests start, each as one file with all that it imports: a server loads 2,200 modules, which takes half of the
 * processor time of its start, and tests start hundreds.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { BUILT } from './programs.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const CACHE = join(ROOT, 'node_modules/.cache/weir-test');
/** Files are named by what they are made from, so that those of older sources stay until nobody uses them. */
const KEPT_MS = 24 * 3_600_000;
/** Packages that look for files beside their own code. */
const LOOKS_BESIDE = [
  'pino',
  'thread-stream',
  '@fastify/swagger',
  '@fastify/swagger-ui',
  '@grpc/grpc-js',
  '@grpc/reflection',
  'grpc-health-check',
  'ioredis',
];

/** What a scoring thread of a server runs, and the file that looks for it beside itself. */
const THREAD = 'src/engine/making/threads/thread.ts';
const THREAD_STARTER = 'src/engine/making/threads/scoring-thread.ts';
/** The same thread as tests make it die and hang. */
const HOSTILE_THREAD = 'test/engine/hostile-thread.ts';

/** Makes the files, unless they are there, and lets the processes that this one starts use them. */
export async function buildPrograms(): Promise<void> {
  const programs = ['src/main.ts', THREAD, HOSTILE_THREAD, ...globSync('test/**/*-child.ts', { cwd: ROOT }).toSorted()];
  const sources = globSync(['{src,test,tools}/**/*.ts', 'package-lock.json'], {
    cwd: ROOT,
    exclude: ['**/*.test.ts'],
  }).toSorted();
  const texts = new Map(sources.map((file) => [join(ROOT, file), readFileSync(join(ROOT, file), 'utf8')]));
  const hash = createHash('sha256').update(JSON.stringify([ROOT, programs, ...texts]));
  const folder = join(CACHE, `built-${hash.digest('hex').slice(0, 16)}`);
  process.env[BUILT] = folder;
  if (existsSync(folder)) return;
  removeOld();
  const made = `${folder}.new-${process.pid}`;
  await build({
    entryPoints: programs.map((file) => join(ROOT, file)),
    outbase: ROOT,
    outdir: made,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    // Errors are told apart by the names of their classes.
    keepNames: true,
    logLevel: 'error',
    banner: {
      js: `import { createRequire as requireOf } from 'node:module';\nconst require = requireOf(${JSON.stringify(join(ROOT, 'package.json'))});`,
    },
    plugins: [ownPlaces(texts, folder)],
  });
  writeFileSync(join(made, 'package.json'), '{"type":"module"}');
  try {
    renameSync(made, folder);
  } catch (error) {
    // Another run was first.
    rmSync(made, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}

/** Code finds the files beside its source, and not beside what is made of it; but a server's threads run what is made, too. */
function ownPlaces(texts: ReadonlyMap<string, string>, folder: string): Plugin {
  const places = new Map([[join(ROOT, THREAD_STARTER), join(folder, THREAD_STARTER.replace(/\.ts$/, '.js'))]]);
  const asking = [...texts].filter(([, text]) => text.includes('import.meta.')).map(([path]) => basename(path, '.ts'));
  return {
    name: 'own-places',
    setup({ onLoad }) {
      onLoad({ filter: new RegExp(`/(${asking.join('|')})\\.ts$`) }, ({ path }) => ({
        contents: (texts.get(path) ?? readFileSync(path, 'utf8'))
          .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(places.get(path) ?? path).href)),
        loader: 'ts',
      }));
      onLoad({ filter: new RegExp(`/node_modules/(${LOOKS_BESIDE.join('|')})/.*\\.js$`) }, ({ path }) => ({
        contents: readFileSync(path, 'utf8')
          .replaceAll(/\b__dirname\b/g, JSON.stringify(dirname(path)))
          .replaceAll(/\b__filename\b/g, JSON.stringify(path)),
        loader: 'js',
      }));
    },
  };
}

function removeOld(): void {
  mkdirSync(CACHE, { recursive: true });
  for (const name of readdirSync(CACHE).filter((each) => each.startsWith('built-'))) {
    const path = join(CACHE, name);
    if (statSync(path).mtimeMs < Date.now() - KEPT_MS) rmSync(path, { recursive: true, force: true });
  }
}
