/** Events to put into a queue, and workers that take them out. */
import assert from 'node:assert/strict';
import type { Lane, QueuedEvent } from '../../src/storage/ports/queue.ts';
import type { Storage } from '../../src/storage/ports/storage.ts';
import { makeRecord, range } from './start.ts';

interface QueuedParts {
  event_id?: string;
  text?: string;
  lane?: number;
}

/** An event as the batch endpoint queues it, equal to the one of `makeRecord` with the same parts. */
export function makeQueued(customer_id: string, { lane = 0, ...parts }: QueuedParts = {}): QueuedEvent {
  const { event_id, content_hash, event } = makeRecord(customer_id, parts);
  return { event_id, content_hash, event, lane };
}

/** Accepts so many events of one lane, `e-0` and on. */
export async function acceptNumbered(node: Storage, customer_id: string, count: number): Promise<void> {
  const events = range(count).map((n) => makeQueued(customer_id, { event_id: `e-${n}` }));
  await node.queue.accept(customer_id, events);
}

/** Leases until the customer's own lane comes up; lanes of other tests are given back. */
export async function leaseOf(node: Storage, customer_id: string, worker: string, lease_ms = 10_000): Promise<Lane> {
  const others: Lane[] = [];
  let found: Lane | null = null;
  for (;;) {
    found = await node.queue.lease(worker, lease_ms);
    if (found === null || found.customer_id === customer_id) break;
    others.push(found);
  }
  for (const lane of others) await node.queue.release(lane, worker);
  if (found === null) throw new Error('no lane of this customer has work');
  return found;
}

export async function drain(node: Storage, lane: Lane, worker: string): Promise<string[]> {
  const seen: string[] = [];
  for (;;) {
    const events = await node.queue.take(lane, worker, 10);
    if (events.length === 0) return seen;
    for (const { customer_id, event_id, content_hash, event } of events) {
      seen.push(event_id);
      const outcome = await node.scores.record({ ...recordOf(customer_id, event_id), content_hash, event });
      assert.equal(outcome.kind, 'stored');
    }
  }
}

/** The record of a queued event that was made with its id alone. */
export const recordOf = (customer_id: string, event_id: string) => makeRecord(customer_id, { event_id });
