/** Values that a tool's text brought in, meant to be plain names, with signs of another language in them. */
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import type { Argument } from './argument.ts';

/** Roles whose value is a name of something; a command or a query is full of such signs by its nature. */
const namingRoles = perOntology((ontology) => setOf(ontology, 'naming_roles'));
const LONGEST = 512;

export interface InjectedSign {
  role: string;
  /** shell, sql, path, template or directory */
  language: string;
}

/** One sign for each argument that has one, in the order of the arguments. */
export function injectedSigns(args: readonly Argument[], ontology: Ontology): InjectedSign[] {
  const naming = namingRoles(ontology);
  const patterns = ontology.patterns.get('metacharacters');
  const signs: InjectedSign[] = [];
  for (const { role, value, provenance, path } of args) {
    // A value found inside a longer text is not an argument of its own.
    if (provenance !== 'tool' || !naming.has(role) || value.length > LONGEST || path.includes('#')) continue;
    const found = [...(patterns ?? [])].find(([, pattern]) => pattern.test(value));
    if (found !== undefined) signs.push({ role, language: found[0] });
  }
  return signs;
}
