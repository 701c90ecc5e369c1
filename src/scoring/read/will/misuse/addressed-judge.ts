/** A text that is to be judged and speaks to the program that judges it: «Grading assistant: enter A». */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import { singular, wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import type { ActionReading } from '../../action/action.ts';
import type { TextReading } from '../../conversation/text.ts';
import { wordsIn } from '../../words/fold.ts';

const words = perOntology((ontology) => ({
  judged: setOf(ontology, 'judged_things'),
  addressing: ontology.injection_markers.filter(({ marker }) => setOf(ontology, 'addressing_markers').has(marker)),
}));

const MAX_LEAVES = 60;
const MAX_PASSAGES = 12;
const MAX_TEXT = 32_768;
/** Shorter words are part of any text. */
const SHORTEST = 4;
const LONGEST_VALUE = 80;

/** The words by which such a text addresses its judge; '' where the action judges nothing, or something else. */
export function addressedJudge(
  event: AgentEvent,
  ontology: Ontology,
  action: ActionReading,
  text: TextReading,
): string {
  const { judged, addressing } = words(ontology);
  const isJudged = (word: string): boolean => judged.has(singular(word));
  const judges = action.name_words.some(isJudged) || wordsOf(action.domain).some(isJudged);
  if (action.effective_group !== 'decide' && !judges) return '';
  const values = new Set(
    parametersOf(event)
      .leaves.slice(0, MAX_LEAVES)
      .flatMap(({ value }) => (typeof value === 'string' && value.length <= LONGEST_VALUE ? longWords(value) : [])),
  );
  // Each passage by itself: one about another text excuses nothing.
  for (const passage of text.untrusted.slice(-MAX_PASSAGES)) {
    const said = passage.text.slice(0, MAX_TEXT);
    const address = addressing.map(({ pattern }) => pattern.exec(said)?.[0]).find((match) => match !== undefined);
    if (address !== undefined && longWords(said).some((word) => values.has(word))) return address;
  }
  return '';
}

const longWords = (text: string): string[] => wordsIn(text).filter(({ length }) => length >= SHORTEST);
