/** POST /events/batch: many events at once, scored in the background. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Static, Type } from 'typebox';
import { bearerOf } from '../auth/enforce.ts';
import type { AcceptBatchAs } from '../engine/accept-as.ts';
import type { Submission } from '../engine/submission.ts';
import type { Clock } from '../platform/clock.ts';
import { endpoint } from '../platform/endpoint.ts';
import { WeirError } from '../platform/errors.ts';
import { countKeys, defaultJsonLimits, type ParsedJson } from '../platform/json.ts';
import { compileValidator } from '../platform/validate.ts';
import type { Json } from '../scoring/types.ts';
import { eventSchema } from './event-schema.ts';
import { readEvent } from './read-event.ts';

/** Most events of one batch. */
export const MAX_BATCH = 1_000;
const MAX_BATCH_BYTES = 16 * 2 ** 20;
const MAX_BATCH_KEYS = 500_000;
/** One event may be as large as in POST /events. */
const MAX_EVENT_BYTES = 2 ** 20;
/** JSON of an event up to so many characters breaks neither that limit nor the one on keys: a key takes four at least. */
const SMALL = Math.min(MAX_EVENT_BYTES / 3, 4 * defaultJsonLimits.max_keys);
/** Events that are read before others get their turn. */
const EVENTS_PER_TURN = 32;

const batchSchema = Type.Object(
  { events: Type.Array(eventSchema, { minItems: 1, maxItems: MAX_BATCH, description: 'each as in POST /events' }) },
  { additionalProperties: false },
);

const answerSchema = Type.Object({
  event_ids: Type.Array(Type.String(), { description: 'in the order of the events' }),
  count: Type.Integer(),
});

/** Only the frame: each event is read alone, so that what is wrong with it says which it is. */
const frame = Type.Object(
  { events: Type.Array(Type.Unknown(), { minItems: 1, maxItems: MAX_BATCH }) },
  { additionalProperties: false },
);
const validateFrame = compileValidator(frame, 'the body');

interface SentBatch {
  events: Json[];
  has_odd_characters: boolean;
}

export function submitBatch({ accept_batch_as, clock }: { accept_batch_as: AcceptBatchAs; clock: Clock }) {
  return endpoint({
    method: 'POST',
    path: '/events/batch',
    operation: 'submit_batch',
    summary: 'Accept up to 1,000 events, to be scored in the background',
    description:
      'All or none: 202 means that every event is durable and will be scored exactly once, those of one session in order. Until then GET /scores/event/{event_id} answers 202. One invalid event refuses the batch and is named by its index.',
    tag: 'events',
    access: 'api_key',
    takes_token: true,
    body: { schema: batchSchema, max_bytes: MAX_BATCH_BYTES, max_keys: MAX_BATCH_KEYS, read: readFrame },
    answers: { 202: { description: 'durable', schema: answerSchema } },
    errors: ['event_conflict', 'forbidden'],
    handle: async ({ caller, body, request }) => {
      const bearer = bearerOf(request.authorization);
      const events = await readEvents(body, clock);
      request.checkWanted();
      const event_ids = await accept_batch_as(bearer, caller, events, request.request_id);
      return { status: 202, body: { event_ids, count: event_ids.length } };
    },
  });
}

function readFrame({ value, has_odd_characters }: ParsedJson): SentBatch {
  const { events } = validateFrame(value) as Static<typeof frame>;
  return { events: events as Json[], has_odd_characters };
}

/** Throws `invalid` for the first event that is not valid, with paths from the root of the body. */
async function readEvents({ events, has_odd_characters }: SentBatch, clock: Clock): Promise<Submission[]> {
  const read: Submission[] = [];
  for (const [index, value] of events.entries()) {
    if (index % EVENTS_PER_TURN === EVENTS_PER_TURN - 1) await nextTurn();
    read.push(readOne(value, index, has_odd_characters, clock));
  }
  return read;
}

function readOne(value: Json, index: number, has_odd_characters: boolean, clock: Clock): Submission {
  try {
    const event = readEvent({ value, has_odd_characters }, clock);
    if ((event.json?.length ?? Number.POSITIVE_INFINITY) > SMALL) checkSize(value);
    return event;
  } catch (error) {
    if (!(error instanceof WeirError) || error.code !== 'invalid') throw error;
    const errors = error.errors?.map(({ path, message }) => ({ path: `/events/${index}${path}`, message }));
    throw new WeirError('invalid', {
      detail: `event ${index} of the batch: ${error.detail}; nothing was accepted`,
      ...(errors && { errors }),
    });
  }
}

/** What POST /events would refuse is refused here too. */
function checkSize(value: Json): void {
  const { max_keys } = defaultJsonLimits;
  if (countKeys(value) > max_keys) throw tooBig(`has more than ${max_keys} keys; send fewer`);
  if (Buffer.byteLength(JSON.stringify(value)) > MAX_EVENT_BYTES) throw tooBig(`is larger than 1 MiB; send less`);
}

function tooBig(message: string): WeirError {
  return new WeirError('invalid', { detail: `it ${message}`, errors: [{ path: '', message }] });
}
