/** Several events for the holder of a token: all are permitted, or none is. */
import type { AdmitEvent, AdmittedEvent } from '../auth/enforce.ts';
import type { Caller } from '../platform/endpoint.ts';
import { WeirError } from '../platform/errors.ts';
import type { Submission } from './submission.ts';

/**
 * The events as the token has them, in order. Throws what `AdmitEvent` throws, naming the event by its index; then no
 * event is counted. `checkWanted` throws when nobody waits any more.
 */
export async function admitAll(
  admit: AdmitEvent,
  bearer: string,
  caller: Caller,
  events: readonly Submission[],
  request_id: string,
  checkWanted = (): void => {},
): Promise<AdmittedEvent[]> {
  const admitted: AdmittedEvent[] = [];
  const firsts = new Map<string, AdmittedEvent>();
  // Retries are counted like all others at first, because to ask for each is a question to the database.
  const makeRoom = async (): Promise<boolean> => {
    let has_room = false;
    for (const one of admitted) if (await one.releaseRetry()) has_room = true;
    return has_room;
  };
  try {
    for (const submission of events) {
      checkWanted();
      const key = `${submission.content_hash} ${submission.event.event_id}`;
      const first = firsts.get(key);
      const one = first ? uncounted(first) : await admit(bearer, caller, submission, request_id, makeRoom);
      if (!first) firsts.set(key, one);
      admitted.push(one);
    }
    return admitted;
  } catch (error) {
    await releaseAll(admitted);
    throw error instanceof WeirError ? named(error, admitted.length) : error;
  }
}

/** The same event again: it is one event, and counted once. */
function uncounted(first: AdmittedEvent): AdmittedEvent {
  return { ...first, release: async () => {}, releaseRetry: async () => false };
}

/** Gives back what nothing came of. A count that cannot be given back stays spent, which is the safe side. */
export async function releaseAll(admitted: readonly AdmittedEvent[]): Promise<void> {
  for (const one of admitted) await one.release().catch(() => {});
}

function named({ code, detail, members, retry_after_s }: WeirError, index: number): WeirError {
  return new WeirError(code, {
    detail: `event ${index}: ${detail}`,
    ...(members !== undefined && { members }),
    ...(retry_after_s !== undefined && { retry_after_s }),
  });
}
