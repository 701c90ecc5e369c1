/** A measured server: started on a free port, asked for its processor time, loaded, stopped. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import type { HttpCase } from './http-cases.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const REPORT_CPU = resolve(import.meta.dirname, 'report-cpu.ts');
const START_TRIES = 200;
const BETWEEN_TRIES_MS = 100;

export interface ServerProcess {
  url: string;
  /** Processor time of the server's Node process so far, user and system, all threads, in µs. */
  cpuMicros(): Promise<number>;
  /** Bytes alive on the heap of its main thread, after a collection. */
  liveHeap(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a case's server and waits for its first answer; throws when it ends or stays silent for 20 s. */
export async function startServer(one: HttpCase): Promise<ServerProcess> {
  const port = await freePort();
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--expose-gc', '--import', REPORT_CPU, ...one.start],
    {
      cwd: ROOT,
      env: { ...process.env, ...one.env, BENCH_PORT: String(port), PORT: String(port) },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  );
  const url = `http://127.0.0.1:${port}`;
  await firstAnswer(one, child, url);
  const ask = async (what: 'cpu' | 'heap'): Promise<number> => {
    child.send(what);
    return ((await once(child, 'message')) as [number])[0];
  };
  return {
    url,
    cpuMicros: () => ask('cpu'),
    liveHeap: () => ask('heap'),
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function firstAnswer(one: HttpCase, child: ChildProcess, url: string): Promise<void> {
  for (let tries = 0; tries < START_TRIES; tries += 1) {
    if (child.exitCode !== null) throw new Error(`the server of case \`${one.key}\` ended with ${child.exitCode}`);
    const answer = await fetch(`${url}/health`).catch(() => null);
    if (answer !== null) return;
    await new Promise((done) => setTimeout(done, BETWEEN_TRIES_MS));
  }
  child.kill();
  throw new Error(`the server of case \`${one.key}\` did not answer at ${url}`);
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
