/**
 * Which files and functions of `src/` one `POST /events` runs: `node tools/scripts/trace-request.ts [--large] [--functions]`.
 *
 * Starts the API in this process on a new database of the server at TEST_DATABASE_URL, warms it up, and takes V8's precise
 * coverage around single requests, in the main thread and in the scoring threads. A function counts when it ran in every one
 * of `ROUNDS` requests, each with a new event: timers and connections that happened to wake up meanwhile are not the request's.
 *
 * `--large`: an event over 32 kB, which a scoring thread scores. `--functions`: lists the functions of each file as well.
 */
import { randomUUID } from 'node:crypto';
import type { InspectorNotification } from 'node:inspector';
import { type NodeWorker, type Profiler, Session } from 'node:inspector/promises';
import { relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compose } from '../../src/compose.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createLog } from '../../src/platform/log.ts';
import { readSettings } from '../../src/platform/settings.ts';
import { roles, startRole } from '../../src/roles.ts';
import { makeDatabase } from '../../test/support/test-database.ts';
import { rooms } from '../rooms/table.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const ROUNDS = 3;
const WARM_UPS = 40;
/** Larger than what is scored where it was read. */
const LARGE = 40_000;

/** Function names by file, of one request. */
type Trace = Map<string, Set<string>>;

const { values: options } = parseArgs({
  options: { large: { type: 'boolean', default: false }, functions: { type: 'boolean', default: false } },
});

/** A new event each time, so that no score comes from the cache. It names an agent and a session, as most do. */
function event(): string {
  const id = randomUUID();
  return JSON.stringify({
    event_id: id,
    action: 'email:message:send',
    agent: { agent_id: 'trace', agent_type: 'assistant' },
    session: { session_id: 'trace' },
    parameters: { to: 'ana@north.test', body: `Hello ${id} ${options.large ? 'word '.repeat(LARGE / 5) : ''}` },
    user_context: 'Send a mail to ana@north.test.',
  });
}

/** Calls the profiler of each thread of this process. */
interface Profilers {
  callAll(method: string, params?: object): Promise<unknown[]>;
}

async function attach(): Promise<Profilers> {
  const session = new Session();
  session.connect();
  const workers: string[] = [];
  const waiting = new Map<string, (result: unknown) => void>();
  session.on(
    'NodeWorker.attachedToWorker',
    ({ params }: InspectorNotification<NodeWorker.AttachedToWorkerEventDataType>) => {
      workers.push(params.sessionId);
    },
  );
  session.on(
    'NodeWorker.receivedMessageFromWorker',
    ({ params }: InspectorNotification<NodeWorker.ReceivedMessageFromWorkerEventDataType>) => {
      const { id, result } = JSON.parse(params.message) as { id: number; result: unknown };
      waiting.get(`${params.sessionId} ${id}`)?.(result);
    },
  );
  await session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  let id = 0;
  const callWorker = (sessionId: string, method: string, params: object): Promise<unknown> => {
    id += 1;
    const answer = new Promise((done) => waiting.set(`${sessionId} ${id}`, done));
    const message = JSON.stringify({ id, method, params });
    return session.post('NodeWorker.sendMessageToWorker', { sessionId, message }).then(() => answer);
  };
  return {
    callAll: (method, params = {}) =>
      Promise.all([
        (session.post as (method: string, params: object) => Promise<unknown>)(method, params),
        ...workers.map((worker) => callWorker(worker, method, params)),
      ]),
  };
}

function readCoverage(results: readonly unknown[]): Trace {
  const trace: Trace = new Map();
  for (const { result } of results as Profiler.TakePreciseCoverageReturnType[]) {
    for (const { url, functions } of result) {
      const path = url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)) : '';
      if (!path.startsWith('src/')) continue;
      for (const { functionName, ranges } of functions) {
        const { count, startOffset } = ranges[0]!;
        if (count === 0) continue;
        const names = trace.get(path) ?? new Set();
        trace.set(path, names.add(functionName === '' ? `(anonymous at ${startOffset})` : functionName));
      }
    }
  }
  return trace;
}

/** What every one of the traces has. */
function common([first, ...others]: readonly Trace[]): Trace {
  const all: Trace = new Map();
  for (const [path, names] of first!) {
    const kept = [...names].filter((name) => others.every((trace) => trace.get(path)?.has(name)));
    if (kept.length > 0) all.set(path, new Set(kept));
  }
  return all;
}

/** Whether the room of the table that a file belongs to is pure. */
function isPure(path: string): boolean {
  const around = rooms.filter((room) => path === room.path || path.startsWith(`${room.path}/`));
  return around.sort((a, b) => b.path.length - a.path.length)[0]?.is_pure === true;
}

function print(trace: Trace): void {
  const shell = [...trace.keys()].filter((path) => !isPure(path)).sort();
  const functionsOf = (paths: Iterable<string>): number =>
    [...paths].reduce((sum, path) => sum + trace.get(path)!.size, 0);
  const pure = [...trace.keys()].filter(isPure);
  console.log(
    `shell ${shell.length} files, ${functionsOf(shell)} functions; pure ${pure.length} files, ${functionsOf(pure)} functions`,
  );
  for (const [room, paths] of Map.groupBy(shell, (path) => path.split('/').slice(0, 2).join('/'))) {
    console.log(`\n${room}: ${paths.length} files, ${functionsOf(paths)} functions`);
    for (const path of paths) {
      const names = [...trace.get(path)!];
      console.log(`  ${path}  ${options.functions ? names.join(', ') : names.length}`);
    }
  }
}

const database = await makeDatabase();
const log = createLog('silent');
const settings = readSettings({
  STORAGE: 'postgres',
  DATABASE_URL: database.url,
  PORT: '0',
  HOST: '127.0.0.1',
  SCORING_THREADS: options.large ? '1' : '0',
});
const parts = await compose(settings, { log, clock: systemClock });
const api = await startRole(
  roles.find(({ name }) => name === 'api')!,
  { ...parts, most_connections: 100, admin_key: null, started: Promise.resolve() },
  settings,
  log,
);
try {
  const { api_key } = await parts.api_keys.issue(randomUUID(), 'trace');
  const headers = { 'content-type': 'application/json', 'x-api-key': api_key };
  const send = async (): Promise<void> => {
    const answer = await fetch(`${api.url}/events`, { method: 'POST', headers, body: event() });
    if (answer.status !== 200) throw new Error(`POST /events answered ${answer.status}: ${await answer.text()}`);
    await answer.text();
  };
  for (let n = 0; n < WARM_UPS; n += 1) await send();
  // A thread that starts takes some seconds; until then events are scored in the main thread.
  if (options.large) await sleep(10_000);
  const profilers = await attach();
  for (let n = 0; n < WARM_UPS; n += 1) await send();
  await profilers.callAll('Profiler.enable');
  await profilers.callAll('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const traces: Trace[] = [];
  for (let n = 0; n < ROUNDS; n += 1) {
    await profilers.callAll('Profiler.takePreciseCoverage');
    await send();
    traces.push(readCoverage(await profilers.callAll('Profiler.takePreciseCoverage')));
  }
  print(common(traces));
} finally {
  await api.stop(1_000);
  await parts.close();
  await database.drop();
}
