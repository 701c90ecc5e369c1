/**
 * POST /events over HTTP. All servers run at the same time and are loaded in short slices taken in turn, so that the
 * noise of a shared machine hits all alike; the processor time that a server's own process used per request is the
 * figure that depends least on what else runs.
 */
import autocannon from 'autocannon';
import { newTemporaryPath, startKept, stopBeforeEnd } from '../kept/kept-process.ts';
import { eventsOfAgents } from './events.ts';
import { API_KEY, type HttpCase } from './http-cases.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const CONNECTIONS = 64;
/** Until the compiler has seen the code often enough; the same for every case. */
const WARM_UP_S = 10;

export interface HttpFigures {
  case: HttpCase;
  /** One entry a round, here and below. */
  per_second: number[];
  /** Processor time of the server's Node process; the database's and the load generator's are not in it. */
  cpu_us: number[];
  p50_ms: number[];
  p99_ms: number[];
  errors: number;
}

/** 64 connections that post one event after the other. */
export function load(url: string, seconds: number, repeats = false): Promise<autocannon.Result> {
  // No two requests alike, so that no score comes from a cache, unless that is what is measured.
  const bodies = eventsOfAgents().map((event) => {
    const agent = repeats ? event.agent : { ...event.agent, model: 'model-[<id>]' };
    return JSON.stringify({ event_id: '[<id>]', ...event, agent });
  });
  const headers = { 'content-type': 'application/json', 'x-api-key': API_KEY };
  const requests = bodies.map((body) => ({ method: 'POST' as const, path: '/events', headers, body }));
  return autocannon({ url, connections: CONNECTIONS, duration: seconds, idReplacement: true, requests });
}

async function measureSlice(server: ServerProcess, figure: HttpFigures, seconds: number): Promise<void> {
  const before = await server.cpuMicros();
  const result = await load(server.url, seconds, figure.case.repeats);
  const used = (await server.cpuMicros()) - before;
  figure.per_second.push(result['2xx'] / result.duration);
  figure.cpu_us.push(used / result['2xx']);
  figure.p50_ms.push(result.latency.p50);
  figure.p99_ms.push(result.latency.p99);
  figure.errors += result.errors + result.non2xx + result.timeouts;
}

/** Measures every case in each round, the order rotated, one slice of so many seconds at a time. */
export async function measureHttp(cases: readonly HttpCase[], rounds: number, seconds: number): Promise<HttpFigures[]> {
  const measured: { server: ServerProcess; figure: HttpFigures }[] = [];
  try {
    for (const one of cases) {
      const figure = { case: one, per_second: [], cpu_us: [], p50_ms: [], p99_ms: [], errors: 0 };
      measured.push({ server: await startServer(one), figure });
    }
    for (const { server, figure } of measured) await load(server.url, WARM_UP_S, figure.case.repeats);
    for (let round = 0; round < rounds; round += 1) {
      for (let at = 0; at < measured.length; at += 1) {
        const { server, figure } = measured[(at + round) % measured.length]!;
        await measureSlice(server, figure, seconds);
      }
    }
  } finally {
    for (const { server } of measured) await server.stop();
  }
  return measured.map(({ figure }) => figure);
}

/** A scratch folder for embedded data, removed by `remove` or when this process ends in any other way. */
export async function scratchFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = newTemporaryPath('weir-bench-');
  const keeper = await startKept({ args: null, folders: [path] });
  stopBeforeEnd(keeper.stop);
  return { path, remove: keeper.stop };
}
