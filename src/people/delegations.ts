/** A person lends the right to decide to another for a time, such as a holiday. */
import { WeirError } from '../platform/errors.ts';
import { newId, parseUuid } from '../platform/ids.ts';
import type { PeopleStore, StoredDelegation, StoredPerson } from '../storage/ports/people.ts';
import { auditLine, type Requester } from '../tokens/audit.ts';
import { scopesOf } from './roles.ts';

export interface Delegations {
  /** `minutes`: how long. Throws `invalid`: to oneself, or between people who may not decide. */
  lend(from: StoredPerson, to: StoredPerson, minutes: number, by: Requester): Promise<{ delegation_id: string }>;
  /** Those in force. */
  list(customer_id: string): Promise<StoredDelegation[]>;
  /** Throws `not_found`. */
  end(customer_id: string, delegation_id: string, by: Requester): Promise<void>;
}

export function createDelegations(store: PeopleStore): Delegations {
  return {
    lend: async (from, to, minutes, by) => {
      const { customer_id } = from;
      if (to.customer_id !== customer_id || to.person_id === from.person_id)
        throw refused('must be another person of the same customer');
      for (const one of [from, to])
        if (!scopesOf(one.role).includes('holds:decide'))
          throw refused(`\`${one.email}\` has the role ${one.role}, which decides nothing`);
      const delegation_id = newId();
      const details = { from: from.email, to: to.email, minutes };
      const line = auditLine(by, 'delegation.made', { customer_id, subject: delegation_id, details });
      const lent = { delegation_id, customer_id, from: from.person_id, to: to.person_id, ttl_minutes: minutes };
      await store.delegate(lent, line);
      return { delegation_id };
    },
    list: (customer_id) => store.delegations(customer_id),
    end: async (customer_id, text, by) => {
      const delegation_id = parseUuid(text);
      const line = auditLine(by, 'delegation.ended', { customer_id, subject: delegation_id });
      if (delegation_id === null || !(await store.endDelegation(customer_id, delegation_id, line)))
        throw new WeirError('not_found', { detail: 'this customer has no such delegation in force' });
    },
  };
}

function refused(message: string): WeirError {
  return new WeirError('invalid', { detail: `\`/to\` ${message}`, errors: [{ path: '/to', message }] });
}
