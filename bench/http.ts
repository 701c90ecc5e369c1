/** POST /events over HTTP: each case is a server process, measured in short slices taken in turn. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import autocannon from 'autocannon';
import { benchEvents } from './events.ts';

const ROOT = resolve(import.meta.dirname, '..');
const CONNECTIONS = 64;
const BODIES = 200;
/** Until the compiler has seen the code often enough; the same for every case. */
const WARM_UP_S = 8;
const CUSTOMER = '0197a2c4-7e10-7c00-8000-000000000001';
const API_KEY = 'weir_key_bench-only-key-that-never-leaves-this-machine-000000';

export interface HttpCase {
  key: string;
  name: string;
  /** Module below the project's root, and arguments. */
  start: readonly string[];
  env: Readonly<Record<string, string>>;
}

export interface HttpFigures {
  case: HttpCase;
  /** One entry a round. */
  per_second: number[];
  p50_ms: number[];
  p99_ms: number[];
  errors: number;
}

/** The cases for one database: the same one for the naive route and for Weir. */
export function httpCases(database_url: string, data_dir: string): HttpCase[] {
  const baseline = ['bench/baseline-server.ts'];
  const weir = ['src/main.ts', 'serve', '--roles', 'api'];
  const key = { BOOTSTRAP_CUSTOMER_ID: CUSTOMER, BOOTSTRAP_API_KEY: API_KEY, LOG_LEVEL: 'error', RATE_LIMIT_RPM: '0' };
  return [
    { key: 'bare', name: 'bare Fastify route, same schemas, no storage', start: baseline, env: { BENCH_CASE: 'bare' } },
    {
      key: 'insert',
      name: 'the same, one insert per request',
      start: baseline,
      env: { BENCH_CASE: 'insert', BENCH_DATABASE_URL: database_url },
    },
    { key: 'weir', name: 'Weir on that PostgreSQL', start: weir, env: { ...key, DATABASE_URL: database_url } },
    { key: 'embedded', name: 'Weir, embedded PostgreSQL', start: weir, env: { ...key, DATA_DIR: data_dir } },
  ];
}

async function startServer(one: HttpCase, port: number): Promise<ChildProcess> {
  const env = { ...process.env, ...one.env, BENCH_PORT: String(port), PORT: String(port) };
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...one.start], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (let tries = 0; tries < 200; tries += 1) {
    if (child.exitCode !== null) throw new Error(`the server of case \`${one.key}\` ended with ${child.exitCode}`);
    const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => null);
    if (answer !== null) return child;
    await new Promise((done) => setTimeout(done, 100));
  }
  child.kill();
  throw new Error(`the server of case \`${one.key}\` did not answer on port ${port}`);
}

async function stopServer(child: ChildProcess): Promise<void> {
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await ended;
}

function load(port: number, seconds: number): Promise<autocannon.Result> {
  const bodies = benchEvents(BODIES).map((event) => JSON.stringify({ event_id: '[<id>]', ...event }));
  const headers = { 'content-type': 'application/json', 'x-api-key': API_KEY };
  const requests = bodies.map((body) => ({ method: 'POST' as const, path: '/events', headers, body }));
  return autocannon({
    url: `http://127.0.0.1:${port}`,
    connections: CONNECTIONS,
    duration: seconds,
    idReplacement: true,
    requests,
  });
}

/** Measures every case in turn, round by round, the order rotated each time. */
export async function measureHttp(cases: readonly HttpCase[], rounds: number, seconds: number): Promise<HttpFigures[]> {
  const figures = cases.map((one): HttpFigures => ({ case: one, per_second: [], p50_ms: [], p99_ms: [], errors: 0 }));
  for (let round = 0; round < rounds; round += 1) {
    for (let at = 0; at < cases.length; at += 1) {
      const figure = figures[(at + round) % figures.length]!;
      const port = 18_100 + round * 10 + at;
      const child = await startServer(figure.case, port);
      try {
        await load(port, WARM_UP_S);
        const result = await load(port, seconds);
        figure.per_second.push(result['2xx'] / result.duration);
        figure.p50_ms.push(result.latency.p50);
        figure.p99_ms.push(result.latency.p99);
        figure.errors += result.errors + result.non2xx + result.timeouts;
      } finally {
        await stopServer(child);
      }
    }
  }
  return figures;
}

/** A scratch folder for embedded data that `remove` takes away again. */
export function scratchFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'weir-bench-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
