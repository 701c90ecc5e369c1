/** Whether an action reaches things of other people than the user of the session. */

import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import { asciiLower } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';

const names = perOntology((ontology) => ({
  owners: new Set(ontology.name_keys.get('owner')),
  own_user: setOf(ontology, 'own_user_words'),
  /** Spaces that everybody reads. */
  shared: setOf(ontology, 'shared_space_words'),
  spaces: setOf(ontology, 'space_parameters'),
}));

/** The owner that a parameter names, when it is not the user of the session; '' when both are not known. */
export function foreignOwner(event: AgentEvent, ontology: Ontology): string {
  const own = asciiLower((event.session?.user_id ?? '').trim());
  if (own === '') return '';
  const { owners, own_user } = names(ontology);
  for (const { name, value } of parametersOf(event).leaves) {
    if (!owners.has(name) || typeof value === 'boolean') continue;
    const owner = asciiLower(String(value).trim());
    const is_own = owner === own || owner === own.split('@', 1)[0] || own_user.has(owner);
    // An owner is an id or an address; a word such as `admin` may be a role.
    if (owner !== '' && !is_own && (/[@\d_-]/.test(owner) || owner.length >= 8)) return owner;
  }
  return '';
}

/** A parameter puts the thing into a space that all users share. */
export function isInSharedSpace(event: AgentEvent, ontology: Ontology): boolean {
  const { spaces, shared } = names(ontology);
  return parametersOf(event).leaves.some(
    ({ name, value }) => spaces.has(name) && typeof value === 'string' && shared.has(asciiLower(value.trim())),
  );
}
