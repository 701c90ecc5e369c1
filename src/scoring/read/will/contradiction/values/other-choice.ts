/** Another choice than the user's from a closed set: an MX record where the user spoke of the TXT record, first class for economy. */
import type { AgentEvent } from '../../../../../events/event.ts';
import { parametersOf } from '../../../../../events/parameters.ts';
import { snakeCase } from '../../../../../lang/names.ts';
import { standsAlone, wordsBefore } from '../../../../../lang/stands-alone.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { setOf, tableOf } from '../../../../../ontology/words.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { foldedUserWords } from '../../../conversation/user-words.ts';
import { foldText } from '../../../words/fold.ts';
import type { Contradiction } from '../contradicted.ts';

const words = perOntology((ontology) => ({
  /** Name of a parameter → the sets of which it takes one. */
  sets: setsByName(ontology),
  excluding: setOf(ontology, 'leading_to_others'),
  giving: setOf(ontology, 'choice_giving_words'),
}));

function setsByName(ontology: Ontology): ReadonlyMap<string, readonly (readonly string[])[]> {
  const choices = tableOf(ontology, 'choices');
  const sets = new Map<string, (readonly string[])[]>();
  for (const [set, of_set] of tableOf(ontology, 'choice_names'))
    for (const name of new Set(of_set)) sets.set(name, [...(sets.get(name) ?? []), choices.get(set) ?? []]);
  return sets;
}

const MAX_LEAVES = 100;
const LONGEST = 40;
/** Words before a choice that may say that it is not meant. */
const BEFORE = 3;

export function otherChoices(event: AgentEvent, ontology: Ontology, text: TextReading): readonly Contradiction[] {
  const { sets } = words(ontology);
  const found: Contradiction[] = [];
  for (const { path, name, value } of parametersOf(event).leaves.slice(0, MAX_LEAVES)) {
    const of_name = sets.get(name);
    if (of_name === undefined || typeof value !== 'string' || value.length > LONGEST) continue;
    const folded = foldedUserWords(text);
    const used = foldText(snakeCase(value).replaceAll('_', ' '));
    for (const members of of_name) {
      if (!members.some((member) => isSame(member, used))) continue;
      const named = members.filter((member) => standsAlone(member, folded));
      const [asked] = named;
      if (asked === undefined || named.some((member) => isSame(member, used)) || isExcluded(asked, folded, ontology))
        continue;
      found.push({ parameter: path, asked, used: value, kind: 'name', factor: 1, is_less: false });
    }
  }
  return found;
}

/** `first` is «first class», which people write in full: the word alone is everywhere. */
const isSame = (member: string, used: string): boolean =>
  member === used || member.startsWith(`${used} `) || used.startsWith(`${member} `);

function isExcluded(member: string, said: string, ontology: Ontology): boolean {
  const { excluding, giving } = words(ontology);
  const before = [...wordsBefore(said, said.indexOf(member), BEFORE)];
  // «Upload it as unlisted» gives the choice, whatever «as» means before a name.
  if (giving.has(before.at(-1) ?? '')) before.splice(-1);
  return before.some((word) => excluding.has(word));
}
