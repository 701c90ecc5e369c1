/** Sends events from a thread of its own, so that a flood does not hold up the one who measures somebody else. */
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type Answered, type Arrivals, arrive } from './open-loop.ts';

if (!isMainThread) parentPort!.postMessage(await arrive(workerData as Arrivals));

export async function arriveElsewhere(arrivals: Arrivals): Promise<Answered> {
  const worker = new Worker(new URL(import.meta.url), { workerData: arrivals });
  return ((await once(worker, 'message')) as [Answered])[0];
}
