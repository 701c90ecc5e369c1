/** What names speak of: kinds of things (`safety_alarm`, `clinical_item`), by the ontology's words for them. */

import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import { inOrder } from '../../../lang/in-order.ts';
import { isPlausibleName, singular, singularsOf } from '../../../lang/names.ts';
import { joinedName, Recall, remembering } from '../../../lang/remember.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { patternOf } from '../../../ontology/words.ts';
import type { TextReading } from '../conversation/text.ts';
import { verbLookup } from '../words/verb-table.ts';
import type { ActionReading } from './action.ts';
import { dispatchedTools, onlyDispatches } from './naming/operation.ts';
import { recordLabels } from './resolved-ids.ts';

interface Entry {
  kind: string;
  /** Words that must follow the first one. */
  rest: readonly string[];
}

/** First word of each entry → what may follow and which kind that is. */
const entriesByWord = perOntology((ontology) => {
  const entries = new Map<string, Entry[]>();
  for (const [kind, names] of ontology.subject_words) {
    for (const name of names) {
      const [first = '', ...rest] = name.split('_').map(singular);
      entries.set(first, [...(entries.get(first) ?? []), { kind, rest }]);
    }
  }
  return entries;
});

const kindsByName = perOntology((ontology) => {
  const entries = entriesByWord(ontology);
  return remembering((name): readonly string[] => {
    const words = singularsOf(name);
    const kinds = new Set<string>();
    for (const [i, word] of words.entries()) {
      for (const { kind, rest } of entries.get(word) ?? [])
        if (rest.every((next, k) => words[i + 1 + k] === next)) kinds.add(kind);
    }
    return [...kinds];
  });
});

/** Kinds of things that one name speaks of. */
export const subjectsOfName = (name: string, ontology: Ontology): readonly string[] => kindsByName(ontology)(name);

const LONGEST_LABEL = 64;
/** Names that are read of one event, half from each end: more must not hide the first ones, nor cost more. */
const MAX_NAMES = 4_096;

/** Six gaps, at the ends or between words. */
const SEVEN_WORDS = /^\S*(?:\s+\S+){5}\s/;

/** Something a program or a person could use as a name; no path, address or sentence. */
const isLabel = (text: string): boolean =>
  text.length > 0 && text.length <= LONGEST_LABEL && !/[/\\@\n]/.test(text) && !SEVEN_WORDS.test(text);

function collect(names: Iterable<string>, ontology: Ontology, into: Set<string>): Set<string> {
  const kinds = kindsByName(ontology);
  for (const name of names) for (const kind of kinds(name)) into.add(kind);
  return into;
}

const kindsByAction = perOntology(() => new Recall<readonly string[]>());

/** Kinds that the names of action, tool and type of target speak of, sorted. */
export function subjectsOfAction(event: AgentEvent, action: ActionReading, ontology: Ontology): readonly string[] {
  const called = dispatchedTools(event, ontology);
  // A dispatcher speaks of tools and works on what the tool that it calls works on.
  if (called.length > 0 && onlyDispatches(event, ontology, verbLookup(ontology)))
    return inOrder([...collect([action.domain, ...called], ontology, new Set())]);
  const { domain, scope, verb, tool_name } = action;
  const resource_type = event.target?.resource_type ?? '';
  return kindsByAction(ontology).get(joinedName(event.action, tool_name, resource_type), () => {
    const names = [domain, scope, verb, `${domain}_${scope}`, `${scope}_${verb}`, ...[resource_type].filter(isLabel)];
    if (isPlausibleName(tool_name)) names.push(tool_name);
    return inOrder([...collect(names, ontology, new Set())]);
  });
}

const isLabelKeyOf = perOntology((ontology) => {
  const names = new Set(ontology.name_keys.get('label'));
  const ending = patternOf(ontology, 'parameter_names', 'label');
  return remembering((name) => names.has(name) || ending.test(name));
});

/** Does the value under this key say what kind of thing is meant? */
const isLabelKey = (name: string, ontology: Ontology): boolean => isLabelKeyOf(ontology)(name);

const both = <T>(all: readonly T[]): readonly T[] =>
  all.length <= MAX_NAMES ? all : [...all.slice(0, MAX_NAMES / 2), ...all.slice(-MAX_NAMES / 2)];

/** Kinds that the target's id, parameters and data fields speak of, and what earlier results call the ids that are used; sorted. */
export function subjectsOfParameters(event: AgentEvent, text: TextReading, ontology: Ontology): string[] {
  const kindsOf = kindsByName(ontology);
  const kinds: string[] = [];
  const id = event.target?.resource_id ?? '';
  if (isLabel(id)) addNew(kindsOf(id), kinds);
  const { entries, leaves } = parametersOf(event);
  for (const { name } of both(entries)) addNew(kindsOf(name), kinds);
  for (const { name, value } of both(leaves))
    if (typeof value === 'string' && isLabelKey(name, ontology) && isLabel(value)) addNew(kindsOf(value), kinds);
  for (const field of both(event.data_fields_accessed ?? []))
    addNew(kindsOf(typeof field === 'string' ? field : field.field), kinds);
  if (text.untrusted.length > 0)
    for (const label of recordLabels(event, text, isLabelKeyOf(ontology))) addNew(kindsOf(label), kinds);
  return inOrder(kinds);
}

/** There are some dozen kinds in all, and none or one in most events. */
function addNew(kinds: readonly string[], into: string[]): void {
  for (const kind of kinds) if (!into.includes(kind)) into.push(kind);
}
