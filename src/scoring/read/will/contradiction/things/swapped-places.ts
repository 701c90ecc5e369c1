/** Copies and moves in the wrong direction: what the user named as the goal is the source, and the source is written over. */
import type { AgentEvent } from '../../../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../../../events/parameters.ts';
import { wordsOf } from '../../../../../lang/names.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../../ontology/words.ts';
import type { ContentReading } from '../../../action/content/content.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { userWords } from '../../../conversation/user-words.ts';
import { foldText } from '../../../words/fold.ts';
import type { Contradiction } from '../contradicted.ts';

const words = perOntology((ontology) => ({
  programs: setOf(ontology, 'copying_programs'),
  sources: setOf(ontology, 'source_parameters'),
  destinations: setOf(ontology, 'destination_parameters'),
  from: setOf(ontology, 'from_words'),
  to: setOf(ontology, 'to_words'),
  leaving: setOf(ontology, 'leaving_parameters'),
  reaching: setOf(ontology, 'reaching_parameters'),
}));

interface Move {
  /** The program, or the parameter with the goal. */
  by: string;
  source: string;
  goal: string;
}

const LONGEST = 256;
const SHORTEST = 3;
const MAX_SAID = 8_192;
const MAX_MOVES = 8;
/** Mentions of one place that are looked at. */
const MAX_MENTIONS = 8;
/** Words before a place among which one says whether it is the source or the goal: «to the new disk at /mnt/new». */
const REACH = 6;

/** Places that the request names the other way round. */
export function swappedPlaces(
  event: AgentEvent,
  ontology: Ontology,
  content: ContentReading,
  text: TextReading,
): readonly Contradiction[] {
  const moves = movesOf(event, ontology, content);
  if (moves.length === 0) return [];
  const heard = foldText(userWords(text).slice(0, MAX_SAID));
  return moves.flatMap(({ by, source, goal }) => {
    if (!isSwapped(source, goal, heard, ontology)) return [];
    const asked = `${goal} → ${source}`;
    return [{ parameter: by, asked, used: `${source} → ${goal}`, kind: 'direction', factor: 1, is_less: false }];
  });
}

function movesOf(event: AgentEvent, ontology: Ontology, content: ContentReading): readonly Move[] {
  const { programs, sources, destinations } = words(ontology);
  const moves: Move[] = [];
  for (const { program, words: given } of content.calls) {
    if (!programs.has(program) || moves.length === MAX_MOVES) continue;
    const operands = given.filter(({ text, is_known }) => is_known && !text.startsWith('-')).map(({ text }) => text);
    const [source, goal] = operands.slice(-2);
    if (source !== undefined && goal !== undefined) moves.push({ by: program, source, goal });
  }
  const { leaves } = parametersOf(event);
  const { leaving, reaching } = words(ontology);
  const end = (whole: ReadonlySet<string>, parts: ReadonlySet<string>): Leaf | undefined => {
    const exact = leaves.find(({ name, value }) => whole.has(name) && typeof value === 'string');
    if (exact !== undefined) return exact;
    const told = leaves.filter(({ name, is_element }) => !is_element && wordsOf(name).some((word) => parts.has(word)));
    return told.length === 1 ? told[0] : undefined;
  };
  const source = end(sources, leaving);
  const goal = end(destinations, reaching);
  if (source !== undefined && goal !== undefined)
    moves.push({ by: goal.path, source: String(source.value), goal: String(goal.value) });
  return moves.map((move) => ({ ...move, source: plain(move.source), goal: plain(move.goal) })).filter(isComparable);
}

/**
 * The goal is named as the source, or the source as the goal, and the other one stands so too, or is named before it without either word:
 * «Dr. Weiss takes over from Dr. Kern», «merge 880 into 412».
 */
function isSwapped(source: string, goal: string, heard: string, ontology: Ontology): boolean {
  const of_goal = directionOf(goal, heard, ontology);
  const of_source = directionOf(source, heard, ontology);
  const isBefore = (one: string, other: string): boolean => {
    const at = heard.indexOf(one);
    return at >= 0 && at < heard.indexOf(other);
  };
  if (of_goal === 'from') return of_source === 'to' || (of_source === '' && isBefore(source, goal));
  return of_source === 'to' && of_goal === '' && isBefore(goal, source);
}

const plain = (place: string): string => foldText(place.slice(0, LONGEST)).replace(/\/(?:\*{1,2})?$/, '');

const isComparable = ({ source, goal }: Move): boolean =>
  source.length >= SHORTEST && goal.length >= SHORTEST && !source.includes(goal) && !goal.includes(source);

/** Whether the request names a place as the source or as the goal; '' where it names it not at all, or both ways. */
function directionOf(place: string, heard: string, ontology: Ontology): 'from' | 'to' | '' {
  const { from, to } = words(ontology);
  const found = new Set<'from' | 'to'>();
  let at = heard.indexOf(place);
  for (let n = 0; at >= 0 && n < MAX_MENTIONS; n += 1, at = heard.indexOf(place, at + place.length)) {
    const before = heard
      .slice(Math.max(0, at - LONGEST), at)
      .split(/[^\p{L}\d/._:-]+/u)
      .filter((word) => word !== '')
      .slice(-REACH);
    const word = before.findLast((one) => from.has(one) || to.has(one));
    if (word !== undefined) found.add(from.has(word) ? 'from' : 'to');
  }
  return found.size === 1 ? [...found][0]! : '';
}
