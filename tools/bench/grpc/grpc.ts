/** gRPC: Weir and a bare grpc-js echo with the same messages, one call a message and as a stream, in turns. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type KeptProcess, startKept, stopBeforeEnd } from '../../kept/kept-process.ts';
import { API_KEY, benchKey } from '../http-cases.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const QUIET = '--disable-warning=ExperimentalWarning';
const WARM_UP_S = 6;
const MODES = ['unary', 'stream'] as const;

export interface GrpcFigures {
  server: 'echo' | 'weir';
  mode: (typeof MODES)[number];
  /** One entry a round. */
  per_second: number[];
  p50_ms: number[];
  p99_ms: number[];
  /** CPU time of the server's own process for each message; NaN where /proc does not tell. */
  cpu_us: number[];
  errors: number;
}

interface LoadResult {
  per_second: number;
  count: number;
  errors: number;
  p50_ms: number;
  p99_ms: number;
}

/** `database_url` null: the embedded database in `data_dir`. */
export async function measureGrpc(
  database_url: string | null,
  data_dir: string,
  rounds: number,
  seconds: number,
): Promise<GrpcFigures[]> {
  const storage = database_url === null ? { DATA_DIR: data_dir } : { DATABASE_URL: database_url };
  const ports = { echo: await freePort(), weir: await freePort() };
  const servers = {
    echo: await start(['tools/bench/grpc/grpc-echo.ts'], { BENCH_PORT: String(ports.echo) }),
    weir: await start(['src/main.ts', 'serve', '--roles', 'engine'], {
      ...benchKey,
      ...storage,
      GRPC_PORT: String(ports.weir),
    }),
  };
  const figures = MODES.flatMap((mode) =>
    (['echo', 'weir'] as const).map(
      (server): GrpcFigures => ({ server, mode, per_second: [], p50_ms: [], p99_ms: [], cpu_us: [], errors: 0 }),
    ),
  );
  try {
    await Promise.all([reachable(ports.echo, servers.echo), reachable(ports.weir, servers.weir)]);
    for (const { mode, server } of figures) await load(mode, ports[server], WARM_UP_S);
    for (let round = 0; round < rounds; round += 1) {
      for (let i = 0; i < figures.length; i += 1) {
        const figure = figures[(i + round) % figures.length]!;
        await measure(figure, servers[figure.server], ports[figure.server], seconds);
      }
    }
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
  }
  return figures;
}

async function measure(figure: GrpcFigures, server: KeptProcess, port: number, seconds: number): Promise<void> {
  const before = cpuMs(server.pid);
  const result = await load(figure.mode, port, seconds);
  figure.per_second.push(result.per_second);
  figure.p50_ms.push(result.p50_ms);
  figure.p99_ms.push(result.p99_ms);
  figure.cpu_us.push(((cpuMs(server.pid) - before) * 1_000) / result.count);
  figure.errors += result.errors;
}

async function load(mode: string, port: number, seconds: number): Promise<LoadResult> {
  const args = [
    QUIET,
    join(ROOT, 'tools/bench/grpc/grpc-load.ts'),
    mode,
    `127.0.0.1:${port}`,
    String(seconds),
    API_KEY,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as LoadResult;
}

async function start(args: string[], env: Record<string, string>): Promise<KeptProcess> {
  const server = await startKept({ args: [QUIET, ...args], env: { ...process.env, ...env } });
  stopBeforeEnd(server.stop);
  return server;
}

/** User and system time of a process in milliseconds, in ticks of 10 ms. */
function cpuMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Number.NaN;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

async function reachable(port: number, server: KeptProcess): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (server.code() !== null) throw new Error(`a gRPC server ended with ${server.code()}`);
    const is_open = await new Promise<boolean>((done) => {
      const socket = connect(port, '127.0.0.1', () => done(true)).on('error', () => done(false));
      socket.unref();
      socket.once('connect', () => socket.destroy());
    });
    if (is_open) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`nothing answers on port ${port}`);
}
