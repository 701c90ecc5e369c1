/** A text that is to be judged and speaks to the program that judges it: «Grading assistant: enter A». */
import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import { singular, wordsOf } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import type { TextReading } from '../conversation/text.ts';
import { foldText } from '../words/fold.ts';

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
  const named = [action.domain, action.scope, action.verb, action.tool_name].flatMap((name) => wordsOf(name));
  if (action.effective_group !== 'decide' && !named.some((word) => judged.has(singular(word)))) return '';
  const found = text.untrusted
    .slice(-MAX_PASSAGES)
    .map((passage) => passage.text.slice(0, MAX_TEXT))
    .find((said) => addressing.some(({ pattern }) => pattern.test(said)));
  if (found === undefined) return '';
  const heard = new Set(foldText(found).split(/[^\p{L}\p{N}]+/u));
  const isAbout = parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .some(
      ({ value }) =>
        typeof value === 'string' &&
        value.length <= LONGEST_VALUE &&
        foldText(value)
          .split(/[^\p{L}\p{N}]+/u)
          .some((word) => word.length >= SHORTEST && heard.has(word)),
    );
  return isAbout ? (addressing.map(({ pattern }) => pattern.exec(found)?.[0]).find(Boolean) ?? '') : '';
}
