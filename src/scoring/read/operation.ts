/** Verbs that a parameter names: tools such as `manage_record` or `control_device` take what to do as an argument. */
import type { Ontology, VerbEntry } from '../ontology.ts';
import type { AgentEvent } from '../types.ts';
import { parametersOf } from './parameters.ts';
import { perOntology } from './remember.ts';
import { type VerbLookup, verbOfName } from './verb-lookup.ts';

const operationKeys = perOntology((ontology) => new Set(ontology.name_keys.get('operation')));
/** `turn off`, `force_unlock`: more is a sentence. */
const OPERATION = /^[A-Za-z]{2,24}(?:[ _-][A-Za-z]{1,24}){0,3}$/;

/** The ontology's verbs for what `action`, `operation` and the like say; unknown words say nothing. */
export function namedOperations(event: AgentEvent, ontology: Ontology, lookup: VerbLookup): VerbEntry[] {
  const keys = operationKeys(ontology);
  const found: VerbEntry[] = [];
  for (const { name, value } of parametersOf(event).leaves) {
    if (typeof value !== 'string' || value.length > 64 || !keys.has(name) || !OPERATION.test(value)) continue;
    const verb = verbOfName(value, lookup);
    if (verb !== undefined) found.push(verb);
  }
  return found;
}
