/** A message that tells data of a person to somebody of whom the last check says that the identity was not confirmed. */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { anyOf, setOf } from '../../../../ontology/words.ts';
import { perPassage } from '../../conversation/kept-passages.ts';
import type { TextReading } from '../../conversation/text.ts';
import { foldText } from '../../words/fold.ts';

const words = perOntology((ontology) => ({
  failed: anyOf(ontology, 'unidentified'),
  passed: anyOf(ontology, 'identified'),
  withheld: anyOf(ontology, 'withheld_answers'),
  personal: setOf(ontology, 'personal_nouns'),
}));

const MAX_LEAVES = 60;
const MAX_PASSAGES = 12;
const MAX_TEXT = 8_192;
const SHORTEST = 20;

/** The words of a check that failed, '' of one that was passed; null where the result tells of no check. */
const checkIn = perPassage((said, ontology): string | null => {
  const { failed, passed } = words(ontology);
  const folded = foldText(said.slice(0, MAX_TEXT));
  return failed.exec(folded)?.[0] ?? (passed.test(folded) ? '' : null);
});

/** The words of the check; '' where none failed, a later one was passed, or the message tells nothing. */
export function toldUnidentified(event: AgentEvent, ontology: Ontology, text: TextReading): string {
  const { withheld, personal } = words(ontology);
  const checks = text.untrusted.slice(-MAX_PASSAGES).map((passage) => checkIn(passage, ontology));
  const check = checks.findLast((one) => one !== null) ?? '';
  if (check === '') return '';
  const told = parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .flatMap(({ value }) =>
      typeof value === 'string' && value.length >= SHORTEST ? [foldText(value.slice(0, MAX_TEXT))] : [],
    );
  const isTelling = (said: string): boolean =>
    /\d/.test(said) && said.split(/[^\p{L}]+/u).some((word) => personal.has(word)) && !withheld.test(said);
  return told.some(isTelling) ? check.slice(0, 160) : '';
}
