/** The one place that compares the contents of two events with one id: equal contents are a retry, others a conflict (409). */
import { WeirError } from '../platform/errors.ts';

/** What identifies the content of an event, as sent or as known to the store. */
interface Content {
  content_hash: string;
}

export const isConflict = (sent: Content, known: Content): boolean => sent.content_hash !== known.content_hash;

/** The error for an event whose id `known` has already; null when its content is the same. */
export function conflictOf(event_id: string, sent: Content, known: Content): WeirError | null {
  return isConflict(sent, known) ? new WeirError('event_conflict', { detail: reasonOf(event_id) }) : null;
}

/** The error for the event at this place of a batch, of which nothing was accepted. */
export function conflictInBatch(event_id: string, index: number): WeirError {
  return new WeirError('event_conflict', {
    detail: `event ${index} of the batch: ${reasonOf(event_id)}; nothing was accepted`,
    errors: [{ path: `/events/${index}/event_id`, message: 'was used before for other content' }],
  });
}

const reasonOf = (event_id: string): string =>
  `event_id \`${event_id}\` was used before for an event with other content; use a new event_id`;
