/** Half an hour of steady load on one server with an API and a worker: memory must not grow. Read from its own metrics. */
import { setTimeout as sleep } from 'node:timers/promises';
import { API_KEY, benchKey } from './http-cases.ts';
import { type Answered, arrive, type Percentiles, percentilesOf } from './open-loop.ts';
import { freePort, type ServerProcess, startServer } from './server-process.ts';

/** Between two looks at the memory. */
const EVERY_S = 20;
/** The first part of the run fills caches and lets the compiler finish; it is not in the slope. */
const WARM_UP_SHARE = 1 / 3;

interface MemorySample {
  minute: number;
  resident_mb: number;
  /** What is alive on the main thread's heap: a full collection came before. */
  heap_mb: number;
  external_mb: number;
}

export interface SoakFigures {
  samples: MemorySample[];
  /** By least squares over the samples after the warm-up, MB an hour. */
  resident_slope: number;
  heap_slope: number;
  answered: Answered;
  percentiles: Percentiles;
}

async function readMemory(server: ServerProcess, url: string, minute: number): Promise<MemorySample> {
  const heap_mb = (await server.liveHeap()) / 2 ** 20;
  const text = await (await fetch(url)).text();
  const mb = (name: string): number => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]) / 2 ** 20;
  return {
    minute,
    resident_mb: mb('process_resident_memory_bytes'),
    heap_mb,
    external_mb: mb('nodejs_external_memory_bytes'),
  };
}

/** MB an hour. */
function slopeOf(points: readonly { minute: number; mb: number }[]): number {
  const mean = (of: (point: { minute: number; mb: number }) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const x = mean(({ minute }) => minute);
  const y = mean(({ mb }) => mb);
  const covariance = mean(({ minute, mb }) => (minute - x) * (mb - y));
  return (covariance / mean(({ minute }) => (minute - x) ** 2)) * 60;
}

/** `say` is told of every look, so that a run that is cut short has said something. */
export async function measureSoak(
  database_url: string,
  per_second: number,
  minutes: number,
  say: (sample: MemorySample) => void,
): Promise<SoakFigures> {
  const metrics_port = await freePort();
  const server = await startServer({
    key: 'soak',
    name: 'Weir',
    start: ['src/main.ts', 'serve', '--roles', 'api,worker'],
    env: { ...benchKey, DATABASE_URL: database_url, METRICS_PORT: String(metrics_port) },
  });
  const samples: MemorySample[] = [];
  try {
    let is_over = false;
    const looking = (async () => {
      for (let n = 0; !is_over; n += 1) {
        const sample = await readMemory(server, `http://127.0.0.1:${metrics_port}/metrics`, (n * EVERY_S) / 60);
        samples.push(sample);
        say(sample);
        await sleep(EVERY_S * 1_000);
      }
    })();
    const answered = await arrive({ url: server.url, api_key: API_KEY, per_second, seconds: minutes * 60 });
    is_over = true;
    await looking;
    const late = samples.filter(({ minute }) => minute >= minutes * WARM_UP_SHARE);
    return {
      samples,
      resident_slope: slopeOf(late.map(({ minute, resident_mb }) => ({ minute, mb: resident_mb }))),
      heap_slope: slopeOf(late.map(({ minute, heap_mb }) => ({ minute, mb: heap_mb }))),
      answered,
      percentiles: percentilesOf(answered),
    };
  } finally {
    await server.stop();
  }
}
