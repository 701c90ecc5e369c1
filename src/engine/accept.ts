/** Accepts many events for later: they are made durable together, and a worker scores them (worker/score-batch.ts). */

import type { AgentEvent } from '../events/event.ts';
import type { Submission } from '../events/submission.ts';
import type { Caller } from '../platform/caller.ts';
import { sha256 } from '../platform/ids.ts';
import { type Dispatch, LANES, type QueuedEvent, type QueueStore } from '../storage/ports/queue.ts';
import type { PermitAll } from '../tokens/admit.ts';
import { conflictInBatch, isConflict } from './conflict.ts';

/**
 * Resolves with the ids in order when every event is durable; an event that was sent before, alone or in a batch, is not scored
 * twice. Throws `event_conflict` with the index of the first event whose id was used for other content. With a token every event
 * must be permitted, and a session must have room for all that are new: throws what `PermitAll` and `AdmitAll` throw. Nothing is
 * accepted in all these cases.
 */
export type Accept = (
  bearer: string | null,
  caller: Caller,
  events: readonly Submission[],
  request_id: string,
) => Promise<string[]>;

export interface AcceptParts {
  queue: Pick<QueueStore, 'accept'>;
  /** Tells workers which lanes have work; null: the database does. */
  dispatch: Pick<Dispatch, 'announce'> | null;
  permitAll: PermitAll;
}

export function createAccept({ queue, dispatch, permitAll }: AcceptParts): Accept {
  return async (bearer, caller, sent, request_id) => {
    const { customer_id } = caller;
    const permitted = bearer === null ? null : await permitAll(bearer, caller, sent, request_id);
    const events = permitted?.events ?? sent;
    const session = permitted?.session ?? null;
    const first = firstOfEach(events);
    // The transaction that makes the ids known also counts them for the session, so a count never has to be given back.
    const outcome = await queue.accept(
      customer_id,
      first.map((one) => toQueued(one, caller.key_id)),
      session?.jti ?? null,
    );
    if (outcome.kind === 'no_room') throw await session!.refusal(outcome);
    if (outcome.kind === 'conflict') {
      const one = first[outcome.index]!;
      throw conflictInBatch(one.event.event_id, events.indexOf(one));
    }
    if (dispatch !== null) {
      const lanes = [...new Set(first.map(({ event }) => laneOf(event)))];
      // The events are durable already: workers find lanes of which no notice arrived.
      void dispatch.announce(lanes.map((lane) => ({ customer_id, lane }))).catch(() => {});
    }
    return sent.map(({ event }) => event.event_id);
  };
}

/** The first event with each id. The same event twice is one event; two events with one id are a conflict. */
function firstOfEach(events: readonly Submission[]): Submission[] {
  const first = new Map<string, Submission>();
  for (const [index, event] of events.entries()) {
    const known = first.get(event.event.event_id);
    if (known === undefined) first.set(event.event.event_id, event);
    else if (isConflict(event, known)) throw conflictInBatch(event.event.event_id, index);
  }
  return [...first.values()];
}

/** The event is queued as text and parsed when a worker asks for it, because it may wait for long. */
function toQueued(
  { event, content_hash, scored_hash, scored_length, json = JSON.stringify(event) }: Submission,
  key_id: string,
): QueuedEvent {
  return {
    event_id: event.event_id,
    key_id,
    lane: laneOf(event),
    content_hash,
    ...(scored_hash !== undefined && { scored_hash }),
    ...(scored_length !== undefined && { scored_length }),
    json,
    get event() {
      return JSON.parse(json) as AgentEvent;
    },
  };
}

/** Events of one session share a lane, so that they keep their order; the others are spread. */
function laneOf({ event_id, session }: AgentEvent): number {
  const key = session?.session_id ?? event_id;
  return Number.parseInt(sha256(key).slice(0, 8), 16) % LANES;
}
