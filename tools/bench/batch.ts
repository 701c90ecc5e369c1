/** POST /events/batch beside POST /events on the same server, in turns: events a second, and how long one batch takes. */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventsOfAgents } from './events.ts';
import { load } from './http.ts';
import { API_KEY, benchKey, CUSTOMER } from './http-cases.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const BATCH = 1_000;
/** Batches of one round: long enough that the first and the last events do not count. */
const BATCHES = 4;
const headers = { 'content-type': 'application/json', 'x-api-key': API_KEY };

export interface BatchFigures {
  /** One entry a round, here and below. */
  single_per_second: number[];
  batch_per_second: number[];
  /** From the request of one batch of 1,000 to its last score. */
  one_batch_ms: number[];
  single_cpu_us: number[];
  batch_cpu_us: number[];
}

let batches_made = 0;

const makeBatch = (): string =>
  JSON.stringify({
    events: eventsOfAgents(BATCH, BATCH * batches_made++).map((event) => ({
      event_id: randomUUID(),
      ...event,
      agent: { ...event.agent, model: randomUUID() },
    })),
  });

async function scoredSoFar(url: string): Promise<number> {
  const answer = await fetch(`${url}/scores/${CUSTOMER}/summary`, { headers });
  return ((await answer.json()) as { total_events: number }).total_events;
}

/** Submits batches at once and waits until all their events are scored; the time that took, in ms. */
async function submitAndWait(url: string, batches: readonly string[]): Promise<number> {
  const goal = (await scoredSoFar(url)) + batches.length * BATCH;
  const start = performance.now();
  const submit = async (body: string): Promise<void> => {
    const answer = await fetch(`${url}/events/batch`, { method: 'POST', headers, body });
    if (answer.status !== 202) throw new Error(`a batch was answered with ${answer.status}: ${await answer.text()}`);
  };
  await Promise.all(batches.map(submit));
  while ((await scoredSoFar(url)) < goal) await sleep(10);
  return performance.now() - start;
}

async function measureRound(server: ServerProcess, figures: BatchFigures, seconds: number): Promise<void> {
  const batches = Array.from({ length: BATCHES }, makeBatch);
  const one = [makeBatch()];
  const before = await server.cpuMicros();
  const single = await load(server.url, seconds);
  const between = await server.cpuMicros();
  const took_ms = await submitAndWait(server.url, batches);
  const after = await server.cpuMicros();
  figures.single_per_second.push(single['2xx'] / single.duration);
  figures.single_cpu_us.push((between - before) / single['2xx']);
  figures.batch_per_second.push((BATCHES * BATCH) / (took_ms / 1_000));
  figures.batch_cpu_us.push((after - between) / (BATCHES * BATCH));
  figures.one_batch_ms.push(await submitAndWait(server.url, one));
}

/** Measures both doors of one server with an API and a worker in one process, in turns. */
export async function measureBatch(database_url: string, rounds: number, seconds: number): Promise<BatchFigures> {
  const server = await startServer({
    key: 'batch',
    name: 'Weir',
    start: ['src/main.ts', 'serve', '--roles', 'api,worker'],
    env: { ...benchKey, DATABASE_URL: database_url },
  });
  const figures: BatchFigures = {
    single_per_second: [],
    batch_per_second: [],
    one_batch_ms: [],
    single_cpu_us: [],
    batch_cpu_us: [],
  };
  try {
    await load(server.url, 8);
    await submitAndWait(server.url, [makeBatch(), makeBatch()]);
    for (let round = 0; round < rounds; round += 1) await measureRound(server, figures, seconds);
  } finally {
    await server.stop();
  }
  return figures;
}
