/** POST /events/batch: many events at once, scored in the background. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Semaphore } from 'async-mutex';
import { Type } from 'typebox';
import type { Accept } from '../../engine/accept.ts';
import { EXAMPLE_EVENT, eventSchema } from '../../events/event-schema.ts';
import { ignoredHeader, type ReadEvent, readEvent } from '../../events/read-event.ts';
import type { Clock } from '../../platform/clock.ts';
import { WeirError } from '../../platform/errors.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { VALUE_BYTES } from '../../platform/http/intake.ts';
import { compileValidator } from '../../platform/http/validate.ts';
import { parseJson } from '../../platform/json/json.ts';
import { cutEntries, type Entries } from '../../platform/json/json-entries.ts';

/** Most events of one batch. */
export const MAX_BATCH = 1_000;
const MAX_BATCH_BYTES = 16 * 2 ** 20;
/** Limit over all events together: what a process of 512 MB can hold of one batch. */
const MAX_BATCH_VALUES = 2_000_000;
/** One event may be as large as in POST /events. */
const MAX_EVENT_BYTES = 2 ** 20;
/** Bytes of events that are read before other work gets the event loop. */
const BYTES_PER_TURN = 2 ** 15;
/** An event as read and as stored, each with two bytes per character when one of them is beyond Latin-1. */
const TEXT_BYTES = 4;
/**
 * Memory for the batches that are read at a time, of the 512 MB that V8 takes in a container of 1 GiB: for large
 * batches, of which the largest needs 211 MiB and runs alone, and for small ones, which do not wait behind those.
 */
const LARGE_ROOM = 128 * 2 ** 20;
const SMALL_ROOM = 32 * 2 ** 20;
/** A thousand ordinary events are small. */
const SMALL = 12 * 2 ** 20;
/** Unit of the room: each release makes the semaphore count from the free units down to one. */
const UNIT = 2 ** 16;

const batchSchema = Type.Object(
  { events: Type.Array(eventSchema, { minItems: 1, maxItems: MAX_BATCH, description: 'each as in POST /events' }) },
  { additionalProperties: false, examples: [{ events: [EXAMPLE_EVENT, { action: 'github:pulls:merge' }] }] },
);

const answerSchema = Type.Object({
  event_ids: Type.Array(Type.String(), { description: 'in the order of the events' }),
  count: Type.Integer(),
});

/** Only the frame: each event is read alone, so that a fault names its event. */
const frame = Type.Object(
  { events: Type.Array(Type.Unknown(), { minItems: 1, maxItems: MAX_BATCH }) },
  { additionalProperties: false },
);
const validateFrame = compileValidator(frame, 'the body');

interface SentBatch {
  /** The JSON text of each event, not validated. */
  events: Buffer[];
  /** Bytes that they take once they are read. */
  weight: number;
}

export function submitBatch({ accept, clock }: { accept: Accept; clock: Clock }) {
  // First come, first served.
  const [large, small] = [new Semaphore(LARGE_ROOM / UNIT), new Semaphore(SMALL_ROOM / UNIT)];
  return endpoint({
    method: 'POST',
    path: '/events/batch',
    operation: 'submit_batch',
    summary: 'Accept up to 1,000 events, to be scored in the background',
    description: `All or none: 202 means that every event is durable and will be scored exactly once, those of one session in order. Until then GET /scores/event/{event_id} answers 202. One invalid event refuses the batch and is named by its index. At most ${MAX_BATCH} events, 16 MiB and ${MAX_BATCH_VALUES} values together; each event is read by the limits of POST /events. Unknown fields of all events are named in the \`Weir-Ignored-Fields\` header.`,
    tag: 'events',
    access: 'api_key',
    scope: 'events:write',
    takes_token: true,
    body: { schema: batchSchema, max_bytes: MAX_BATCH_BYTES, parse: cutEvents, read: readFrame },
    answers: { 202: { description: 'durable', schema: answerSchema } },
    errors: ['event_conflict', 'forbidden'],
    handle: async ({ caller, body, request }) => {
      const room = body.weight < SMALL ? small : large;
      return room.runExclusive(
        async () => {
          request.checkWanted();
          const events = await readEvents(body, clock);
          request.checkWanted();
          const event_ids = await accept(request.bearer, caller, events, request.request_id);
          const headers = ignoredHeader(ignoredNames(events));
          return { status: 202, headers, body: { event_ids, count: event_ids.length } };
        },
        Math.ceil(Math.min(body.weight, LARGE_ROOM) / UNIT),
      );
    },
  });
}

const cutEvents = (raw: Buffer): Entries => cutEntries(raw, { max_entries: MAX_BATCH, max_values: MAX_BATCH_VALUES });

/** In the frame, the number of events stands in for them. */
function readFrame({ frame, entries, values }: Entries): SentBatch {
  validateFrame(frame.value);
  const bytes = entries.reduce((sum, { length }) => sum + length, 0);
  return { events: entries, weight: TEXT_BYTES * bytes + VALUE_BYTES * values };
}

/** Each name once, and no more names than the header shows. */
function* ignoredNames(events: readonly ReadEvent[]): Iterable<string> {
  const named = new Set<string>();
  for (const { ignored_fields } of events) {
    for (const name of ignored_fields) {
      if (named.has(name)) continue;
      named.add(name);
      yield name;
    }
  }
}

/** Throws `invalid` for the first event that is not valid, with paths from the root of the body. */
async function readEvents({ events }: SentBatch, clock: Clock): Promise<ReadEvent[]> {
  const read: ReadEvent[] = [];
  let bytes = 0;
  for (const [index, raw] of events.entries()) {
    bytes += raw.length;
    if (bytes > BYTES_PER_TURN) {
      await nextTurn();
      bytes = raw.length;
    }
    read.push(readOne(raw, index, clock));
  }
  return read;
}

/** Refuses what POST /events would refuse. */
function readOne(raw: Buffer, index: number, clock: Clock): ReadEvent {
  try {
    if (raw.length > MAX_EVENT_BYTES) throw new WeirError('invalid', { detail: 'it is larger than 1 MiB; send less' });
    return readEvent(parseJson(raw), clock);
  } catch (error) {
    if (!(error instanceof WeirError) || error.code !== 'invalid') throw error;
    const errors = error.errors ?? [{ path: '', message: error.detail }];
    throw new WeirError('invalid', {
      detail: `event ${index} of the batch: ${ofEvent(error.detail)}; nothing was accepted`,
      errors: errors.map(({ path, message }) => ({ path: `/events/${index}${path}`, message: ofEvent(message) })),
    });
  }
}

/** The JSON parser's messages speak of a body, because most of its input is one. */
const ofEvent = (text: string): string => text.replace(/^the body /, 'it ');
