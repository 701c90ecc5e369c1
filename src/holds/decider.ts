/** Who decides, for the record: from the caller of a request or of the command line. */
import { type Caller, isOperator } from '../platform/caller.ts';
import type { Decider } from '../records/hold.ts';
import type { Who } from './approval.ts';

export function whoIs(caller: Caller, address: string): Who {
  const { person = null, key_id } = caller;
  if (person !== null) {
    const { person_id, email, name, signed_in } = person;
    return { decider: { kind: 'person', id: person_id, name, email, signed_in, address }, person };
  }
  const nobody = { name: null, email: null, address };
  const decider: Decider = isOperator(caller)
    ? { kind: 'operator', id: null, signed_in: 'admin_key', ...nobody }
    : { kind: 'api_key', id: key_id, signed_in: 'api_key', ...nobody };
  return { decider, person: null };
}
