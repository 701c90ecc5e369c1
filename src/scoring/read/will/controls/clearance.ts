/**
 * A check, permission or test that the results say was not passed, where the action goes ahead all the same or puts on record that it
 * was: «brake test: FAIL» before `lift:return_to_service`, «nicht bestanden» before `ergebnis: bestanden`.
 */
import type { AgentEvent } from '../../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../../events/parameters.ts';
import { singular, wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../../../ontology/words.ts';
import type { ActionReading } from '../../action/action.ts';
import type { Call } from '../../conversation/calls.ts';
import { perPassage } from '../../conversation/kept-passages.ts';
import type { TextReading } from '../../conversation/text.ts';
import { answersOf } from '../../conversation/transcript/answered-calls.ts';
import { foldText, wordsIn } from '../../words/fold.ts';

const words = perOntology((ontology) => ({
  on: setOf(ontology, 'on_words'),
  gates: setOf(ontology, 'gate_nouns'),
  failing: setOf(ontology, 'failing_words'),
  passing: setOf(ontology, 'passing_words'),
  negating: setOf(ontology, 'negating_words'),
  compounds: setOf(ontology, 'gate_compounds'),
  ahead: setOf(ontology, 'going_ahead_verbs'),
  back: setOf(ontology, 'keeping_back_words'),
  waiting: setOf(ontology, 'waiting_clauses'),
  unspaced_failing: patternOf(ontology, 'unspaced_verdicts', 'failing'),
  unspaced_passing: patternOf(ontology, 'unspaced_verdicts', 'passing'),
}));

const MAX_PASSAGES = 4;
const MAX_PASSAGE = 4_096;
const MAX_CLAUSES = 128;
const MAX_LEAVES = 100;
const LONGEST_VALUE = 120;
/** A passing word in a longer value tells a story. */
const MAX_VALUE_WORDS = 8;
/** A value that keeps the thing back says so at once («gesperrt, …», «hold until signed»); later words tell of something else. */
const FIRST_WORDS = 3;
/** Words between a negation and what it turns. */
const NEGATION_REACH = 2;
/** A clause of more words has its verdict on something else than its noun. */
const MAX_CLAUSE_WORDS = 16;
const MAX_VERDICT = 120;
/** Between two words of a clause: no negation reaches over it. */
const COMMA = ',';

interface Verdict {
  is_passed: boolean;
  /** The clause as it stands in the result. */
  clause: string;
  /** The last id before it in the result: what the verdict is about; '' if none stands there. */
  subject: string;
}

/** The clause of a result by which a clearance is missing; '' where none is, or where the action does not go ahead. */
export function missingClearance(
  event: AgentEvent,
  ontology: Ontology,
  action: ActionReading,
  text: TextReading,
): string {
  if (text.untrusted.length === 0) return '';
  const leaves = parametersOf(event).leaves.slice(0, MAX_LEAVES);
  // Few actions do, and results are long.
  if (!claimsPass(leaves, ontology) && !goesAhead(event, leaves, action, ontology)) return '';
  const passages = text.untrusted.slice(-MAX_PASSAGES);
  const told = passages
    .map((passage) => ({ index: passage.index, found: verdictsOf(passage, ontology) }))
    .filter(({ found }) => found.length > 0);
  if (told.length === 0) return '';
  const own = told.length === 1 ? NO_MESSAGES : answersOf(text, isSameAct(leaves, action));
  const lacking = told.flatMap(({ found }) => found.filter(isMissing));
  const counts = ({ index, found }: (typeof told)[number]): boolean =>
    found.some(isMissing) || (!own.has(index) && isOfSameThing(found, lacking, ontology));
  const verdicts = (told.findLast(counts) ?? told.at(-1)!).found;
  return verdicts.find((verdict) => !verdict.is_passed && concerns(verdict, verdicts, leaves))?.clause ?? '';
}

const NO_MESSAGES: ReadonlySet<number> = new Set();
const isMissing = ({ is_passed }: Verdict): boolean => !is_passed;

/** A clearance of something else («the owner of the data has given consent») does not lift what was found lacking. */
function isOfSameThing(passed: readonly Verdict[], lacking: readonly Verdict[], ontology: Ontology): boolean {
  if (lacking.length === 0) return true;
  const { passing, failing, negating } = words(ontology);
  const thingsOf = ({ clause }: Verdict): string[] =>
    wordsIn(clause).filter(
      (word) => word.length >= SHORTEST_THING && ![passing, failing, negating].some((list) => list.has(word)),
    );
  const things = new Set(lacking.flatMap(thingsOf));
  return passed.some((verdict) => thingsOf(verdict).some((word) => things.has(word)));
}

const SHORTEST_THING = 4;

/** A call of the tool itself, or with the same values under another name: what it answered is not a check of the act. */
function isSameAct(leaves: readonly Leaf[], { tool_name }: ActionReading): (call: Call) => boolean {
  const name = wordsOf(tool_name).join('_');
  const given = new Set(leaves.map(({ value }) => String(value)));
  return ({ name: called, args }) =>
    (name !== '' && wordsOf(called).join('_') === name) ||
    (args.size > 0 && args.size === given.size && [...args.values()].every((value) => given.has(String(value))));
}

/** What the clauses of one result say of clearances. */
const verdictsOf = perPassage((text, ontology): readonly Verdict[] => {
  const found: Verdict[] = [];
  let subject = '';
  for (const clause of text
    .slice(0, MAX_PASSAGE)
    .split(/[.!?](?=\s)|[;|\n(){}]|\/\//)
    .slice(0, MAX_CLAUSES)) {
    const is_passed = verdictOf(clause, ontology);
    subject = idsIn(clause).at(-1) ?? subject;
    if (is_passed !== null) found.push({ is_passed, clause: clause.trim().slice(0, MAX_VERDICT), subject });
  }
  return found;
});

/** Whether a clause says that a clearance is there; `null` if it says nothing of one. */
function verdictOf(clause: string, ontology: Ontology): boolean | null {
  const { gates, failing, passing, negating, compounds, unspaced_failing } = words(ontology);
  if (unspaced_failing.test(clause)) return false;
  const of_clause = clause.split(',').flatMap((part, i) => (i === 0 ? wordsIn(part) : [COMMA, ...wordsIn(part)]));
  if (of_clause.length < 2 || of_clause.length > MAX_CLAUSE_WORDS) return null;
  let hasGate = false;
  let isPassed = false;
  let isFailing = false;
  for (const [i, word] of of_clause.entries()) {
    const isGate = gates.has(word) || gates.has(singular(word));
    const before = of_clause.slice(Math.max(0, i - NEGATION_REACH), i);
    const isTurned = before.slice(before.lastIndexOf(COMMA) + 1).some((one) => negating.has(one));
    // «[no test files]» says that there are none, and not that a test was missed.
    const isPart = isGate && compounds.has(singular(of_clause[i + 1] ?? ''));
    if (isTurned && ((isGate && !isPart) || passing.has(word))) return false;
    hasGate ||= isGate;
    isPassed ||= passing.has(word);
    isFailing ||= failing.has(word);
  }
  if (!hasGate) return null;
  if (isFailing) return false;
  return isPassed ? true : null;
}

const ID =
  /(?=[\p{L}\p{N}._/-]{0,40}\d)(?=[\p{L}\p{N}._/-]{0,40}[\p{L}._/-])[\p{L}\p{N}][\p{L}\p{N}._/-]{2,40}|\d{4,16}/gu;
const NO_ID = /^(?:\d{1,4}[./:-]\d{1,2}(?:[./:-]\d{1,4})?|\d+[.,]\d+|\d+\p{L}{1,3})\.?$/u;

const idsIn = (clause: string): readonly string[] =>
  [...clause.matchAll(ID)].map(([id]) => id.replace(/\.$/, '')).filter((id) => !NO_ID.test(id));

/** A verdict on another thing than the action's does not count: the action names one that the results tell apart from it. */
function concerns({ subject }: Verdict, verdicts: readonly Verdict[], leaves: readonly Leaf[]): boolean {
  if (subject === '') return true;
  const holds = (id: string): boolean => leaves.some(({ value }) => String(value).includes(id));
  return holds(subject) || !verdicts.some((other) => other.subject !== '' && holds(other.subject));
}

/** A short value that says that it was passed, and not that it is to be. */
function claimsPass(leaves: readonly Leaf[], ontology: Ontology): boolean {
  const { passing, failing, waiting, unspaced_passing, gates } = words(ontology);
  return leaves.some(({ name, value }) => {
    if (typeof value === 'number') return false;
    if (typeof value === 'boolean')
      return value && wordsOf(name).some((word) => passing.has(word)) && wordsOf(name).length <= NEGATION_REACH;
    if (value.length > LONGEST_VALUE) return false;
    if (unspaced_passing.test(value)) return true;
    const said = wordsIn(value);
    if (said.length > MAX_VALUE_WORDS || said.some((word) => waiting.has(word) || failing.has(word))) return false;
    const isOfState = said.length === 1 || wordsOf(name).some((word) => gates.has(singular(word)));
    return said.some((word) => passing.has(word)) && isOfState;
  });
}

/** By its own name the action lets something through, and neither its name nor a value keeps it back. */
function goesAhead(event: AgentEvent, leaves: readonly Leaf[], action: ActionReading, ontology: Ontology): boolean {
  const { ahead, back } = words(ontology);
  const named = [...wordsOf(event.action.split(':').at(-1)!), ...wordsOf(action.tool_name)].map(foldText);
  if (!named.some((word) => ahead.has(word)) || named.some((word) => back.has(word))) return false;
  return !leaves.some(({ value }) => {
    if (typeof value !== 'string' || value.length > LONGEST_VALUE) return false;
    return wordsIn(value)
      .slice(0, FIRST_WORDS)
      .some((word) => back.has(word));
  });
}
