/** Chunks of the queue: events of one lane that were accepted together, in one row. */
import type pg from 'pg';
import type { AgentEvent } from '../../../events/event.ts';
import type { QueuedEvent } from '../../ports/queue.ts';
import { bulkQuery } from '../connection/bulk-query.ts';

/** Channel on which a node announces accepted events. */
export const CHANNEL = 'weir_queue';

/** Events of one chunk: as many as one group of the store (`GroupLimits.rows`). */
const CHUNK_EVENTS = 256;
/** JSON text of one chunk; a single larger event is a chunk of its own. */
const CHUNK_LENGTH = 2 ** 20;

/** Locks lanes in one order, as keys are claimed in one, so that two batches cannot deadlock. */
const ENQUEUE = {
  name: 'enqueue-chunks',
  text: `with queued as (
  insert into queue_chunks (customer_id, lane, size, event_ids, events)
  select $1, * from unnest($2::smallint[], $3::int[], $4::text[], $5::text[])
  returning lane, seq
), woken as (
  insert into queue_lanes as l (customer_id, lane, has_work)
  select distinct $1::uuid, lane, true from queued order by lane
  on conflict (customer_id, lane) do update set has_work = true,
    served_at = case when l.has_work then l.served_at else clock_timestamp() end
)
select array(select seq from queued order by seq)::text[] as seqs, pg_notify('${CHANNEL}', '')`,
};

export interface Chunk {
  customer_id: string;
  lane: number;
  events: QueuedEvent[];
  /** JSON of the events with their hashes, as in the row. */
  text: string;
}

/** One event in the text of a chunk. */
export interface ChunkEvent {
  content_hash: string;
  /** Absent in chunks of earlier releases. */
  key_id?: string;
  event: AgentEvent;
}

export const toQueued =
  (lane: number) =>
  ({ content_hash, key_id, event }: ChunkEvent): QueuedEvent => ({
    event_id: event.event_id,
    content_hash,
    ...(key_id !== undefined && { key_id }),
    event,
    lane,
  });

export function toChunks(customer_id: string, events: readonly QueuedEvent[]): Chunk[] {
  const chunks: Chunk[] = [];
  const open = new Map<number, { events: QueuedEvent[]; texts: string[]; length: number }>();
  const close = (lane: number): void => {
    const { events, texts } = open.get(lane)!;
    chunks.push({ customer_id, lane, events, text: `[${texts.join()}]` });
    open.delete(lane);
  };
  for (const event of events) {
    const { lane, content_hash, key_id } = event;
    const key = key_id === undefined ? '' : `"key_id":${JSON.stringify(key_id)},`;
    const text = `{"content_hash":${JSON.stringify(content_hash)},${key}"event":${event.json ?? JSON.stringify(event.event)}}`;
    const chunk = open.get(lane);
    if (chunk !== undefined && (chunk.events.length === CHUNK_EVENTS || chunk.length + text.length > CHUNK_LENGTH)) {
      close(lane);
    }
    const { events, texts, length } = open.get(lane) ?? { events: [], texts: [], length: 0 };
    events.push(event);
    texts.push(text);
    open.set(lane, { events, texts, length: length + text.length });
  }
  for (const lane of [...open.keys()]) close(lane);
  return chunks;
}

/** Returns each by its `seq`, and notifies every node. */
export async function enqueue(client: pg.PoolClient, chunks: readonly Chunk[]): Promise<Map<string, Chunk>> {
  if (chunks.length === 0) return new Map();
  const idsOf = ({ events }: Chunk): string => JSON.stringify(events.map(({ event_id }) => event_id));
  const [queued] = await bulkQuery<{ seqs: string[] }>(client, ENQUEUE, [
    chunks[0]!.customer_id,
    { type: 'int2', items: chunks.map(({ lane }) => lane) },
    { type: 'int4', items: chunks.map(({ events }) => events.length) },
    { type: 'text', items: chunks.map(idsOf) },
    { type: 'text', items: chunks.map(({ text }) => text) },
  ]);
  return new Map(queued!.seqs.map((seq, index) => [seq, chunks[index]!]));
}
