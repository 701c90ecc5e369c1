/** Roles of parameters: what the name of a parameter says about its text. */
import { remembering } from '../../lang/remember.ts';
import { type Ontology, OntologyError } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { tableOf } from '../../ontology/words.ts';

/**
 * shell, code, sql: the text is code. carrier: the text is code when the tool runs code, otherwise prose. prose: never code.
 * arguments: words of a command, or parameters as JSON. other: code when the text looks like code.
 */
export type Role =
  | 'shell'
  | 'code'
  | 'sql'
  | 'carrier'
  | 'prose'
  | 'arguments'
  | 'url'
  | 'method'
  | 'payload'
  | 'other';

const ROLES: readonly string[] = Object.keys({
  shell: true,
  code: true,
  sql: true,
  carrier: true,
  prose: true,
  arguments: true,
  url: true,
  method: true,
  payload: true,
  other: true,
} satisfies Record<Role, true>);

/** The function that returns the role of a key, in any case. Memoized per ontology, and per key. */
export const rolesOf: (ontology: Ontology) => (key: string) => Role = perOntology((ontology) => {
  const roles = new Map<string, Role>();
  for (const [role, keys] of tableOf(ontology, 'parameter_roles')) {
    if (!ROLES.includes(role)) throw new OntologyError([`lists: \`parameter_roles\` has the unknown role \`${role}\``]);
    for (const key of keys) roles.set(key, role as Role);
  }
  return remembering((key) => roles.get(key.toLowerCase()) ?? 'other');
});
