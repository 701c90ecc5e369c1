/** Many events for later: made durable together, and scored by a worker (tasks/score-batch.ts). */

import type { AgentEvent } from '../events/event.ts';
import type { Submission } from '../events/submission.ts';
import { sha256 } from '../platform/ids.ts';
import type { NoRoom } from '../storage/ports/auth.ts';
import { type Dispatch, LANES, type QueuedEvent, type QueueStore } from '../storage/ports/queue.ts';
import { eventConflict } from './evaluate.ts';

/**
 * Resolves when every event is durable; one that was sent before, alone or in a batch, is not scored twice. Throws
 * `event_conflict` with the index of the first event whose id was used for other content. `session_jti`: the session token
 * that counts them; answers when it has no room for those that are new. Nothing is kept in both cases.
 */
export type AcceptBatch = (
  customer_id: string,
  events: readonly Submission[],
  session_jti: string | null,
) => Promise<NoRoom | null>;

export interface AcceptParts {
  queue: QueueStore;
  dispatch: Dispatch | null;
}

export function createAcceptBatch({ queue, dispatch }: AcceptParts): AcceptBatch {
  return async (customer_id, events, session_jti) => {
    const first = firstOfEach(events);
    const wanted = [...first.values()];
    const outcome = await queue.accept(customer_id, wanted.map(toQueued), session_jti);
    if (outcome.kind === 'no_room') return outcome;
    if (outcome.kind === 'conflict') {
      throw eventConflict(wanted[outcome.index]!.event.event_id, events.indexOf(wanted[outcome.index]!));
    }
    if (dispatch !== null) {
      const lanes = new Set(wanted.map(({ event }) => laneOf(event)));
      // Durable is durable: workers find what nobody told them of.
      void dispatch.announce([...lanes].map((lane) => ({ customer_id, lane }))).catch(() => {});
    }
    return null;
  };
}

/** The event is kept as text and parsed when it is asked for: the store may keep it for its worker long after it was accepted. */
function toQueued({
  event,
  content_hash,
  deed_hash,
  deed_length,
  json = JSON.stringify(event),
}: Submission): QueuedEvent {
  return {
    event_id: event.event_id,
    lane: laneOf(event),
    content_hash,
    ...(deed_hash !== undefined && { deed_hash }),
    ...(deed_length !== undefined && { deed_length }),
    json,
    get event() {
      return JSON.parse(json) as AgentEvent;
    },
  };
}

/** The first event with each id; the same event twice is one, two events with one id are a conflict. */
function firstOfEach(events: readonly Submission[]): Map<string, Submission> {
  const first = new Map<string, Submission>();
  for (const [index, event] of events.entries()) {
    const known = first.get(event.event.event_id);
    if (known === undefined) first.set(event.event.event_id, event);
    else if (known.content_hash !== event.content_hash) throw eventConflict(event.event.event_id, index);
  }
  return first;
}

/** Events of one session share a lane, hence keep their order; the others are spread. */
function laneOf({ event_id, session }: AgentEvent): number {
  const key = session?.session_id ?? event_id;
  return Number.parseInt(sha256(key).slice(0, 8), 16) % LANES;
}
