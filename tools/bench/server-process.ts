/** A measured server: started on a free port, asked for its processor time, loaded, stopped. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { type KeptProcess, startKept, stopBeforeEnd } from '../kept/kept-process.ts';
import type { HttpCase } from './http-cases.ts';

const REPORT_CPU = resolve(import.meta.dirname, 'report-cpu.ts');
const START_TRIES = 600;
const BETWEEN_TRIES_MS = 100;

export interface ServerProcess {
  url: string;
  /** Processor time of the server's Node process so far, user and system, all threads, in µs. */
  cpuMicros(): Promise<number>;
  /** Bytes alive on the heap of its main thread, after a collection. */
  liveHeap(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a case's server and waits for its first answer; throws when it ends or stays silent for a minute. */
export async function startServer(one: HttpCase): Promise<ServerProcess> {
  const port = await freePort();
  const server = await startKept({
    args: ['--disable-warning=ExperimentalWarning', '--expose-gc', '--import', REPORT_CPU, ...one.start],
    env: { ...process.env, ...one.env, BENCH_PORT: String(port), PORT: String(port) },
  });
  stopBeforeEnd(server.stop);
  const url = `http://127.0.0.1:${port}`;
  await firstAnswer(one, server, url);
  const ask = async (what: 'cpu' | 'heap'): Promise<number> => Number(await server.ask(what));
  return { url, cpuMicros: () => ask('cpu'), liveHeap: () => ask('heap'), stop: server.stop };
}

async function firstAnswer(one: HttpCase, server: KeptProcess, url: string): Promise<void> {
  for (let tries = 0; tries < START_TRIES; tries += 1) {
    if (server.code() !== null) throw new Error(`the server of case \`${one.key}\` ended with ${server.code()}`);
    const answer = await fetch(`${url}/health`).catch(() => null);
    if (answer !== null) return;
    await new Promise((done) => setTimeout(done, BETWEEN_TRIES_MS));
  }
  await server.stop();
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
