/** Whose things an action reaches: those of the session's own user, or of somebody else. */

import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import { asciiLower } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';

const ownerKeys = perOntology((ontology) => new Set(ontology.name_keys.get('owner')));
/** Spaces that everybody reads. */
const SHARED = new Set(['shared', 'global', 'public', 'all', 'common', 'default_shared', 'everyone', '*']);
const SPACE_KEYS = new Set(['namespace', 'collection', 'scope', 'visibility', 'partition', 'index']);

/** The owner that a parameter names, when it is not the user of the session; '' when both are not known. */
export function foreignOwner(event: AgentEvent, ontology: Ontology): string {
  const own = asciiLower((event.session?.user_id ?? '').trim());
  if (own === '') return '';
  const keys = ownerKeys(ontology);
  for (const { name, value } of parametersOf(event).leaves) {
    if (!keys.has(name) || typeof value === 'boolean') continue;
    const owner = asciiLower(String(value).trim());
    const is_own = owner === own || owner === own.split('@', 1)[0] || owner === 'me' || owner === 'self';
    // An owner is an id or an address; a word such as `admin` may be a role.
    if (owner !== '' && !is_own && (/[@\d_-]/.test(owner) || owner.length >= 8)) return owner;
  }
  return '';
}

/** A parameter puts the thing into a space that all users share. */
export function isInSharedSpace(event: AgentEvent): boolean {
  return parametersOf(event).leaves.some(
    ({ name, value }) => SPACE_KEYS.has(name) && typeof value === 'string' && SHARED.has(asciiLower(value.trim())),
  );
}
