/**
 * Runs the tests. Files that wait most (servers that start and stop, leases and deadlines that run out) come first, so that
 * none of them is alone at the end; several files run at once, because most of their time is waiting. Files of the pure rooms
 * share processes (test/support/shared-processes.ts).
 *
 *   node test/run.ts            every test
 *   node test/run.ts --pure     tests of the pure rooms: no server, no database, no file of the product but its data
 *   node test/run.ts GLOB…      of these, the files that fit one of the patterns: 'test/api/*'
 *
 * TEST_CONCURRENCY sets how many files run at once (default: one and a half for each processor; of the pure rooms one; at least two).
 */
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, matchesGlob, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { parseArgs } from 'node:util';
import { V8_FLAGS } from '../src/platform/v8-flags.ts';
import { buildPrograms } from './support/build-programs.ts';
import { embeddedTemplate } from './support/embedded-template.ts';
import { keepTemporaryFilesInMemory } from './support/memory-folder.ts';
import { inSharedProcesses, sharesServer } from './support/shared-processes.ts';
import { makeTemplate, NO_SERVER } from './support/test-database.ts';

const ROOT = join(import.meta.dirname, '..');
const PURE = 'src/{lang,ontology,effects,scoring,records,events}/**/*.test.ts';
const ALL = ['src/**/*.test.ts', 'test/**/*.test.ts', 'tools/**/*.test.ts'];
/** Of one suite. The contract of a store takes three minutes, and a shared machine may be several times slower. */
const TIMEOUT_MS = 1_800_000;

/** The files that take longest, longest first, as measured; every other file comes after them, in the order of names. */
const LONGEST = [
  'test/faults/kill-holds.test.ts',
  'test/leftovers/leftovers.test.ts',
  'test/api/start.test.ts',
  'test/api/stop.test.ts',
  'test/cli/tokens.test.ts',
  'test/clients/weir-package.test.ts',
  'test/grpc/server.test.ts',
  'test/grpc/arrival.test.ts',
  'test/api/nats-away.test.ts',
  'test/cli/eval.test.ts',
  'test/cli/queue.test.ts',
  'test/cli/rules.test.ts',
  'src/effects/hostile-readers.test.ts',
  'test/scoring/rule-examples.props.test.ts',
  'test/scoring/score.props.test.ts',
  'test/faults/kill-batch.test.ts',
  'test/faults/memories.test.ts',
  'test/faults/many-workers.test.ts',
  'test/faults/start-together.test.ts',
  'test/faults/rolling-restart.test.ts',
  'test/faults/poison.test.ts',
  'test/storage/kill.test.ts',
  'test/grpc/tokens.test.ts',
  'test/scoring/additions.props.test.ts',
  'src/engine/making/threads/pool.test.ts',
  'src/storage/postgres/postgres.test.ts',
  'src/storage/embedded/embedded.test.ts',
  'src/storage/embedded/lifecycle.test.ts',
];

const { values, positionals } = parseArgs({
  options: { pure: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const found = globSync(values.pure ? [PURE] : ALL, { cwd: ROOT })
  .filter((file) => positionals.length === 0 || positionals.some((glob) => matchesGlob(file, glob)))
  .toSorted();
/** They start no server, and most of them take less time than the start of a process that loads the ontology. */
const SHARING = [
  PURE,
  'src/{doors,engine,guards,holds,llm,people,platform,tokens,webhooks}/**/*.test.ts',
  'test/docs/*.test.ts',
  'test/scoring/*.test.ts',
  'tools/**/*.test.ts',
];
const sharing = found.filter((file) => !LONGEST.includes(file) && SHARING.some((glob) => matchesGlob(file, glob)));
const others = found.filter((file) => !LONGEST.includes(file) && !sharing.includes(file));
const at_one_server = others.filter(sharesServer);
const alone = others.filter((file) => !at_one_server.includes(file));
/** A few files for each server, so that the last one does not run alone at the end. */
const AT_ONE_SERVER = 8;
const files = [
  ...LONGEST.filter((file) => found.includes(file)),
  ...inSharedProcesses(at_one_server, AT_ONE_SERVER),
  ...inSharedProcesses(sharing),
  ...alone,
];

// What one test file has compiled is there for the next.
process.env['NODE_COMPILE_CACHE'] ??= join(ROOT, 'node_modules/.cache/weir-test/compiled');
if (!values.pure) {
  keepTemporaryFilesInMemory();
  // Made before the first file, so that files that start together do not each make one.
  await Promise.all([embeddedTemplate(), buildPrograms()]);
  if (NO_SERVER === undefined) await makeTemplate();
}
const processors = availableParallelism();
const concurrency = Number(
  process.env['TEST_CONCURRENCY'] || Math.max(2, values.pure ? processors : Math.ceil(1.5 * processors)),
);
const start = performance.now();
const seconds = new Map<string, number>();
const events = run({
  cwd: ROOT,
  files: files.map((file) => resolve(ROOT, file)),
  concurrency,
  timeout: TIMEOUT_MS,
  // Those of the program, of which some tests start the sources: neither then has to compile anew what the other has compiled.
  execArgv: [...V8_FLAGS],
});
events.on('test:fail', () => {
  process.exitCode = 1;
});
for (const event of ['test:pass', 'test:fail'] as const) {
  events.on(event, ({ file, nesting, details }) => {
    if (nesting === 0 && file) seconds.set(file, (seconds.get(file) ?? 0) + details.duration_ms / 1_000);
  });
}
events.compose(new spec()).pipe(process.stdout);
events.once('close', report);
events.once('end', report);

let is_told = false;
function report(): void {
  if (is_told) return;
  is_told = true;
  const slowest = [...seconds].toSorted((one, other) => other[1] - one[1]).slice(0, 12);
  const lines = slowest.map(([file, took]) => `  ${took.toFixed(1).padStart(6)} s  ${file.slice(ROOT.length + 1)}`);
  process.once('exit', () => {
    console.log(
      `\n${found.length} files in ${files.length} processes, ${concurrency} at once, ${((performance.now() - start) / 1_000).toFixed(0)} s`,
    );
    console.log(`The longest by the sum of their tests:\n${lines.join('\n')}`);
  });
}
