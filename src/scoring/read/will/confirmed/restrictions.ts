/** What an answer keeps out of the act: things, times, and conditions that have to hold first. */
import { parametersOf } from '../../../../events/parameters.ts';
import { wordsOf } from '../../../../lang/names.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { anyOf, patternOf, setOf } from '../../../../ontology/words.ts';
import { lastUserIndex } from '../../conversation/text.ts';
import { foldText } from '../../words/fold.ts';
import type { OrderParts } from '../asked/exact-order.ts';
import { toldBefore } from './shown-values.ts';
import { MAX_LEAVES } from './telling-values.ts';

const words = perOntology((ontology) => ({
  restricted: patternOf(ontology, 'approval', 'restricted'),
  left_out: patternOf(ontology, 'approval', 'left_out'),
  successes: anyOf(ontology, 'success_results'),
  failures: anyOf(ontology, 'failure_results'),
  times: setOf(ontology, 'time_parameters'),
  excluding: setOf(ontology, 'excluding_parameters'),
}));

/** Whether a result after the answer tells of success and of no failure, so that a condition of the answer holds. */
export function holdsSince({ ontology, heeded_text: text }: OrderParts): boolean {
  const last = lastUserIndex(text);
  const { successes, failures } = words(ontology);
  return text.untrusted.some(({ index, text: said }) => index > last && successes.test(said) && !failures.test(said));
}

/**
 * Whether the answer keeps something out and the act may take it: a name of that clause is in the act, or in the line of a result that
 * tells of one of its values. A restriction whose thing cannot be told may mean any.
 */
export function takesWhatIsKept({ event, ontology, heeded_text: text }: OrderParts): boolean {
  const { restricted, left_out, excluding } = words(ontology);
  const clauses = foldText(text.last_user_message)
    .split(/[.,;:!。、，！؛،\n]+/)
    .filter((clause) => restricted.test(clause) && clause.trim().split(/\s+/).length <= MOST_WORDS);
  if (clauses.length === 0) return false;
  // What the call itself leaves out is not taken.
  const values = parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .flatMap(({ path, value }) =>
      typeof value === 'boolean' || wordsOf(path).some((word) => excluding.has(word))
        ? []
        : [foldText(String(value).slice(0, MAX_VALUE))],
    );
  const isAll = values.some((value) => value.includes('*'));
  const lines = toldBefore(text).flatMap((result) =>
    result.split(/\n|\},|\),\s|\|/, MAX_LEAVES).map((line) => line.slice(0, MAX_VALUE)),
  );
  return clauses.some((clause) => {
    const names = (clause.replace(restricted, ' ').match(NAMES) ?? []).filter((name) => !restricted.test(name));
    const isIn = (said: string): boolean =>
      names.some((name) => said.includes(name) && !isLeftOut(name, said, left_out));
    const isTaken = (line: string): boolean => values.some((value) => value.length > 2 && line.includes(value));
    return values.some(isIn) || lines.some((line) => isIn(line) && (isAll || isTaken(line)));
  });
}

/** `! -name raw`, `--exclude=raw`, `NOT IN ('raw')`: a command itself leaves it out. */
function isLeftOut(name: string, said: string, left_out: RegExp): boolean {
  const at = said.indexOf(name);
  return left_out.test(said.slice(Math.max(0, at - LEFT_OUT_REACH), at));
}

const LEFT_OUT_REACH = 40;
/** Characters of a value and of a line that are compared. */
const MAX_VALUE = 2_000;
/** A longer clause tells something else. */
const MOST_WORDS = 6;
const NAMES = /[\p{L}\p{N}][\p{L}\p{N}_.-]{3,60}/gu;

/** Whether the user said at what time, and the act is for another one. */
export function isAtAnotherTime({ event, ontology, heeded_text: text }: OrderParts): boolean {
  const [said] = TIME.exec(text.last_user_message) ?? [];
  if (said === undefined) return false;
  const { times } = words(ontology);
  return parametersOf(event).leaves.some(
    ({ name, value }) => times.has(name) && typeof value === 'string' && !value.includes(said.padStart(5, '0')),
  );
}

const TIME = /(?<![\d:])\d{1,2}:\d{2}(?![\d:])/;
