/** Finds an event that can still be decided, or says why it cannot. */
import { WeirError } from '../platform/errors.ts';
import { decisionBehind, type HeldEvent } from '../records/hold.ts';
import type { FoundEvent, HoldStore } from '../storage/ports/holds.ts';

/**
 * Throws `not_found` when this customer has no such event, which is also the answer for another customer's, and
 * `conflict` when there is nothing to decide: the error names the decision that stands.
 */
export async function findHeldEvent(
  store: Pick<HoldStore, 'find'>,
  customer_id: string,
  event_id: string,
): Promise<HeldEvent> {
  const found = await store.find(customer_id, event_id);
  if (found === null) throw new WeirError('not_found', { detail: 'this customer has no event with this event_id' });
  const { hold, now, held_at, risk_level, session_user } = found;
  if (hold === null || hold.state !== 'held') throw nothingToDecide(found);
  // A hold has both.
  return { hold, now, held_at: held_at!, risk_level: risk_level!, session_user };
}

/** `findHeldEvent` in one store. */
export const heldEventsIn =
  (store: Pick<HoldStore, 'find'>) =>
  (customer_id: string, event_id: string): Promise<HeldEvent> =>
    findHeldEvent(store, customer_id, event_id);

function nothingToDecide({ hold, is_scored }: FoundEvent): WeirError {
  if (hold === null) {
    const detail = is_scored
      ? 'this event is not held: its risk is below the level from which events wait for a person'
      : 'this event is accepted and not scored yet; try again when it is';
    return new WeirError('conflict', { detail });
  }
  const { state, decided_at, decided_by, reason, expires_at } = hold;
  const decision = decisionBehind(state);
  const detail =
    decision === null
      ? `nobody decided about this event until ${expires_at}, so it has expired; send the action as a new event`
      : `this event was ${state} at ${decided_at}, and that stands`;
  return new WeirError('conflict', { detail, members: { state, decision, decided_at, decided_by, reason } });
}
