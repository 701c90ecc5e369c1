/**
 * Admission of events for the holder of a token: each event must be permitted, and a session must have room for all new
 * ones.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Submission } from '../events/submission.ts';
import type { Caller } from '../platform/caller.ts';
import { WeirError } from '../platform/errors.ts';
import type { CountedEvent, TokenStore } from '../storage/ports/auth.ts';
import type { CountedSession, PermitEvent } from './enforce.ts';

/** Events that are checked before other work gets the event loop. */
const EVENTS_PER_TURN = 32;

/** Events that may be scored, with the identities of the token. */
export interface PermittedEvents {
  events: Submission[];
  /** Null when they are not counted. */
  session: CountedSession | null;
}

/**
 * Throws what `PermitEvent` throws, naming the event by its index. `checkWanted` throws when the client has
 * disconnected.
 */
export type PermitAll = (
  bearer: string,
  caller: Caller,
  events: readonly Submission[],
  request_id: string,
  checkWanted?: () => void,
) => Promise<PermittedEvents>;

/** Permitted events that are counted. */
export interface AdmittedEvents {
  events: Submission[];
  /**
   * Returns the count of events that added no record. Never rejects: a count that cannot be returned stays spent, which
   * is the safe side.
   */
  release(events: readonly Submission[]): Promise<void>;
}

/** As `PermitEvent`, and throws `rate_limited` (429) when the session has no room; the audit log records that. */
export type AdmitEvent = (
  bearer: string,
  caller: Caller,
  submission: Submission,
  request_id: string,
) => Promise<AdmittedEvents>;

/** As `PermitAll`, and throws `rate_limited` (429) when the session has no room for all; then no event is counted. */
export type AdmitAll = (...given: Parameters<PermitAll>) => Promise<AdmittedEvents>;

export interface Admission {
  permitAll: PermitAll;
  admit: AdmitEvent;
  admitAll: AdmitAll;
}

export function createAdmission(
  permit: PermitEvent,
  tokens: Pick<TokenStore, 'countEvents' | 'uncountEvents'>,
): Admission {
  const permitAll: PermitAll = async (bearer, caller, events, request_id, checkWanted = () => {}) => {
    const permitted: PermittedEvents = { events: [], session: null };
    for (const [index, submission] of events.entries()) {
      if (index % EVENTS_PER_TURN === EVENTS_PER_TURN - 1) await nextTurn();
      checkWanted();
      const one = await permit(bearer, caller, submission, request_id).catch((error: unknown) => {
        throw error instanceof WeirError ? named(error, index) : error;
      });
      permitted.events.push(one.submission);
      permitted.session ??= one.session;
    }
    return permitted;
  };

  const count = async ({ customer_id }: Caller, { events, session }: PermittedEvents): Promise<AdmittedEvents> => {
    if (session === null) return { events, release: async () => {} };
    const outcome = await tokens.countEvents(session.jti, customer_id, events.map(toCounted));
    if (outcome.kind === 'no_room') throw await session.refusal(outcome);
    const counted = new Set(events.filter((_, index) => outcome.is_new[index]));
    const release = async (of: readonly Submission[]): Promise<void> => {
      const given_back = of.filter((one) => counted.delete(one)).map(toCounted);
      if (given_back.length > 0) await tokens.uncountEvents(session.jti, given_back).catch(() => {});
    };
    return { events, release };
  };

  return {
    permitAll,
    async admit(bearer, caller, submission, request_id) {
      const permitted = await permit(bearer, caller, submission, request_id);
      return count(caller, { events: [permitted.submission], session: permitted.session });
    },
    async admitAll(bearer, caller, ...given) {
      return count(caller, await permitAll(bearer, caller, ...given));
    },
  };
}

function toCounted({ event, content_hash }: Submission): CountedEvent {
  return { event_id: event.event_id, content_hash };
}

function named({ code, detail, members, retry_after_s }: WeirError, index: number): WeirError {
  return new WeirError(code, {
    detail: `event ${index}: ${detail}`,
    ...(members !== undefined && { members }),
    ...(retry_after_s !== undefined && { retry_after_s }),
  });
}
