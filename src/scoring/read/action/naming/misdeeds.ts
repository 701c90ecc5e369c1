/** A misdeed that the name of the tool or of the action says: `EvidenceTampering`, `market_manipulation`. */
import { wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf, tableOf } from '../../../../ontology/words.ts';
import type { ActionReading } from '../action.ts';

const words = perOntology((ontology) => ({
  nouns: setOf(ontology, 'misdeed_nouns'),
  adjectives: setOf(ontology, 'misdeed_adjectives'),
  doing: setOf(ontology, 'doing_verbs'),
  tails: setOf(ontology, 'name_tails'),
  countering: setOf(ontology, 'countering_words'),
  pairs: new Map([...tableOf(ontology, 'misdeed_pairs')].map(([noun, before]) => [noun, new Set(before)])),
}));

const MAX_WORDS = 12;

/** The misdeed as words that people read («market manipulation»); '' if the name says none, or speaks of working against one. */
export function misdeedNamed({ tool_name, scope, verb }: ActionReading, ontology: Ontology): string {
  const { nouns, adjectives, doing, tails, countering, pairs } = words(ontology);
  const all = [tool_name, doing.has(verb) ? scope : `${scope}_${verb}`];
  for (const name of all) {
    // «theft» in the scope of `police:theft:report`, and a tool that the action only looks at.
    if ([...wordsOf(name), ...wordsOf(verb)].some((word) => countering.has(word))) continue;
    const named = wordsOf(name).slice(0, MAX_WORDS);
    while (named.length > 1 && tails.has(named.at(-1)!)) named.pop();
    const head = named.at(-1) ?? '';
    const before = named.slice(0, -1);
    const isMisdeed =
      nouns.has(head) || before.some((word) => pairs.get(head)?.has(word) === true || adjectives.has(word));
    if (isMisdeed) return named.join(' ');
  }
  return '';
}
