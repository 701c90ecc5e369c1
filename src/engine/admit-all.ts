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
  try {
    for (const submission of events) {
      checkWanted();
      admitted.push(await admit(bearer, caller, submission, request_id));
    }
    return admitted;
  } catch (error) {
    await releaseAll(admitted);
    throw error instanceof WeirError ? named(error, admitted.length) : error;
  }
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
