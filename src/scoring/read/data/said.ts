/** Finds phrases of the ontology's lists in parameters and results. */

import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import { segmentsOf, type TextReading } from '../conversation/text.ts';
import { refusingParts } from '../past/denial.ts';
import { foldText } from '../words/fold.ts';

/** Texts are read up to this length, from both ends. */
const MAX_TEXT = 32_768;

const phrases = perOntology((ontology) => {
  const known = new Map<string, readonly string[]>();
  return (list: string): readonly string[] => {
    let folded = known.get(list);
    if (folded === undefined)
      known.set(list, (folded = (ontology.lists.get(list) ?? []).map((p) => foldText(p).trim())));
    return folded;
  };
});

const ends = (text: string): string =>
  text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT / 2)}\n${text.slice(-MAX_TEXT / 2)}`;

/** Does one of the phrases stand in the text, not as a part of a longer word? */
function saysAny(text: string, wanted: readonly string[]): string {
  const folded = foldText(ends(text));
  return (
    wanted.find((phrase) => {
      for (let at = folded.indexOf(phrase); at >= 0; at = folded.indexOf(phrase, at + 1)) {
        const around = `${folded.charAt(at - 1)} ${folded.charAt(at + phrase.length)}`;
        if (!/[\p{L}\p{N}]/u.test(around)) return true;
      }
      return false;
    }) ?? ''
  );
}

/** A result says that a control refused or holds an action, and the user has not spoken since. */
export function wasDenied(text: TextReading, ontology: Ontology): boolean {
  if (text.user_spoke_after_untrusted) return false;
  const wanted = phrases(ontology)('denial_phrases');
  const spoke = segmentsOf(text).reduce(
    (last, { speaker, index }) => (speaker === 'user' ? Math.max(last, index) : last),
    -1,
  );
  return text.untrusted.some(
    (passage) => passage.index > spoke && refusingParts(passage.text).some((part) => saysAny(part, wanted) !== ''),
  );
}

/** A text among the parameters is meant to hold for ever («always», «from now on»). */
export function isStandingOrder(event: AgentEvent, ontology: Ontology): boolean {
  const wanted = phrases(ontology)('standing_words');
  return parametersOf(event).leaves.some(
    ({ value }) => typeof value === 'string' && value.length >= 12 && saysAny(value, wanted) !== '',
  );
}

const searchKeys = perOntology((ontology) => setOf(ontology, 'search_parameters'));

/** What secret or very private thing a search looks for that the user did not speak of; '' when none. */
export function sensitiveSearch(event: AgentEvent, text: TextReading, ontology: Ontology): string {
  const keys = searchKeys(ontology);
  const wanted = phrases(ontology)('sensitive_search_words');
  for (const { name, value } of parametersOf(event).leaves) {
    if (typeof value !== 'string' || value.length > 512 || !keys.has(name)) continue;
    const found = saysAny(value, wanted);
    if (found !== '' && saysAny(text.trusted, [found]) === '') return found;
  }
  return '';
}

const recurrence = perOntology((ontology) => ({
  keys: new Set(ontology.name_keys.get('recurrence')),
  once: setOf(ontology, 'once_words'),
}));

/** A parameter says that this will happen again and again. */
export function isRecurring(event: AgentEvent, ontology: Ontology): boolean {
  const { keys, once } = recurrence(ontology);
  return parametersOf(event).leaves.some(({ name, value }) => {
    if (!keys.has(name) || value === false) return false;
    const text = String(value).trim().toLowerCase();
    return text !== '' && !once.has(text);
  });
}
