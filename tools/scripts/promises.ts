/**
 * `npm run test:promises`: runs the races and the kills as often as docs/performance.md promises and writes what came of them to
 * bench/results/YYYY-MM-DD-promises.md, after each loop anew. Takes hours; TEST_DATABASE_URL must be set. `--races`, `--kills` and
 * `--system-calls` change the counts, `--at-once` says how many loops run beside each other (default 1).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
/** Milliseconds for one round of the slowest loop; only so that a loop that hangs ends some day. */
const PER_ROUND_MS = 60_000;

interface Loop {
  promise: string;
  file: string;
  /** Times that the loop runs: the races, or its share of the kills. */
  rounds: number;
}

const { values } = parseArgs({
  options: {
    races: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '500' },
    'system-calls': { type: 'string', default: '200' },
    'at-once': { type: 'string', default: '1' },
  },
});
const races = Number(values.races);
const at_once = Number(values['at-once']);
const kills = Math.ceil(Number(values.kills) / 3);

const system_calls = Number(values['system-calls']);

const LOOPS: readonly Loop[] = [
  {
    promise: 'after a cascade or a decision no process accepts what it ended: two processes race',
    file: 'test/auth/races.test.ts',
    rounds: races,
  },
  { promise: 'a hold is decided once: two processes race', file: 'test/auth/decisions.test.ts', rounds: races },
  {
    promise: 'a session never exceeds its limit: two processes race',
    file: 'test/auth/session-counts.test.ts',
    rounds: races,
  },
  {
    promise: 'an answered event is stored, once: kill -9 of the server',
    file: 'test/faults/kill-serve.test.ts',
    rounds: kills,
  },
  {
    promise: 'an accepted batch is scored, once: kill -9 of the server',
    file: 'test/faults/kill-batch.test.ts',
    rounds: kills,
  },
  {
    promise: 'an accepted batch is scored, once: kill -9 of a worker',
    file: 'test/faults/many-workers.test.ts',
    rounds: kills,
  },
  {
    promise: 'what was acknowledged is there, once: SIGKILL at a random system call of server or database',
    file: 'test/faults/kill-system-calls.test.ts',
    rounds: system_calls,
  },
];

/** Properties of which `npm test` tries a share of the cases; any count above 1 tries all of them. */
const WHOLE: readonly Loop[] = [
  {
    promise: 'text in any field never lowers score, level or violations: every text, place and event',
    file: 'test/scoring/score.props.test.ts',
    rounds: 2,
  },
  {
    promise: 'text of outsiders never silences a rule: every text on every example',
    file: 'test/scoring/rule-examples.props.test.ts',
    rounds: 2,
  },
  {
    promise: 'nothing that outsiders write takes a finding away: every text on every example',
    file: 'test/scoring/findings.props.test.ts',
    rounds: 2,
  },
  {
    promise: 'text from anyone but the user does not reduce a finding: every text, place and event',
    file: 'src/scoring/rules/reducers.test.ts',
    rounds: 2,
  },
  {
    promise: 'the time of a reader follows from the length of what it reads: four times the pairs',
    file: 'src/effects/hostile-readers.test.ts',
    rounds: 2,
  },
];

interface Outcome extends Loop {
  passed: number;
  failed: number;
  skipped: number;
  seconds: number;
  failures: string[];
}

/** Runs one file with its count and reads the figures that Node's test runner prints. */
async function runLoop(loop: Loop): Promise<Outcome> {
  const start = performance.now();
  const timeout = 300_000 + loop.rounds * PER_ROUND_MS;
  const child = spawn(process.execPath, ['--test', '--test-reporter=tap', `--test-timeout=${timeout}`, loop.file], {
    cwd: ROOT,
    env: { ...process.env, TEST_ROUNDS: String(loop.rounds) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  const count = (name: string): number => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(said)?.[1] ?? 0);
  const failures = [...said.matchAll(/^ *not ok \d+ - (.*)$/gm)].map((match) => match[1]!);
  const seconds = Math.round((performance.now() - start) / 1_000);
  return { ...loop, passed: count('pass'), failed: count('fail'), skipped: count('skipped'), seconds, failures };
}

function report(outcomes: readonly Outcome[], date: string): string {
  const rows = outcomes.map(
    (one) =>
      `| ${one.promise} | \`${one.file}\` | ${one.rounds} | ${one.passed} | ${one.failed} | ${one.skipped} | ${one.seconds} |`,
  );
  const failures = outcomes.flatMap(({ file, failures }) => failures.map((name) => `- \`${file}\`: ${name}`));
  return [
    `# Promises, ${date}`,
    '',
    `Node ${process.version}, ${availableParallelism()} processors (${cpus()[0]?.model ?? 'unknown'}). Made by`,
    `\`npm run test:promises -- --races ${races} --kills ${values.kills} --system-calls ${system_calls} --at-once ${at_once}\`. A loop passes when no round of it breaks the promise.`,
    '',
    '| promise | test | rounds | tests passed | failed | skipped | seconds |',
    '|---|---|---:|---:|---:|---:|---:|',
    ...rows,
    ...(failures.length > 0 ? ['', '## Failures', '', ...failures] : []),
    '',
  ].join('\n');
}

if (process.env['TEST_DATABASE_URL'] === undefined) {
  console.error('promises: set TEST_DATABASE_URL; the races need a PostgreSQL server');
  process.exit(2);
}
const date = new Date().toISOString().slice(0, 10);
const folder = join(ROOT, 'bench/results');
mkdirSync(folder, { recursive: true });
const file = join(folder, `${date}-promises.md`);
const outcomes: Outcome[] = [];
const waiting = [...LOOPS, ...WHOLE];

/** Runs the loops that wait, in turn, and writes the report after each, so that an end by force loses one loop. */
async function runWaiting(): Promise<void> {
  for (let loop = waiting.shift(); loop !== undefined; loop = waiting.shift()) {
    console.log(`${loop.file}, ${loop.rounds} rounds: ${loop.promise}`);
    const outcome = await runLoop(loop);
    const { passed, failed, skipped, seconds } = outcome;
    console.log(`${loop.file}: ${passed} passed, ${failed} failed, ${skipped} skipped, ${seconds} s`);
    outcomes.push(outcome);
    writeFileSync(file, report(outcomes, date));
  }
}

await Promise.all(Array.from({ length: at_once }, runWaiting));
console.log(`\nwritten to ${file}`);
process.exitCode = outcomes.every(({ failed, skipped }) => failed === 0 && skipped === 0) ? 0 : 1;
