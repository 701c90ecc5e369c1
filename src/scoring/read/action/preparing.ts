/** Whether an action is usual on the way to any wish of the user: it looks, or logs in. */
import { snakeCase } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import type { ActionReading } from './action.ts';

const words = perOntology((ontology) => ({
  groups: setOf(ontology, 'preparing_groups'),
  takeovers: setOf(ontology, 'account_changing_verbs'),
  codes: setOf(ontology, 'one_time_codes'),
}));

/** What changes an account, such as its password, is of the group of logins and on the way to nothing. */
export function isPreparing({ effective_group, verbs }: ActionReading, ontology: Ontology): boolean {
  const { groups, takeovers } = words(ontology);
  return groups.has(effective_group) && !verbs.some((verb) => takeovers.has(verb));
}

/** What is asked of a value of the call: under which name it stands, and who gave it. */
interface Given {
  path: string;
  provenance: string;
}

/** The user gave the code that the service sent for this change of an account: nobody gives it for anything else. */
export function isConfirmedByCode({ verbs }: ActionReading, args: readonly Given[], ontology: Ontology): boolean {
  const { takeovers, codes } = words(ontology);
  return (
    verbs.some((verb) => takeovers.has(verb)) &&
    args.some(({ path, provenance }) => provenance === 'user' && codes.has(snakeCase(path)))
  );
}
