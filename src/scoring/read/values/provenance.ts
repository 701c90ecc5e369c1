/** Where a value comes from: the user's words, text from outside, or nowhere. */
import { perOntology } from '../../../ontology/per-ontology.ts';
import { anyOf } from '../../../ontology/words.ts';
import type { Corpus } from '../conversation/corpus.ts';
import { longestNearRun, longestRun, overlapOf } from '../conversation/transcript/words-of-text.ts';
import { lex } from '../words/lexer.ts';
import type { Value } from '../words/normalise.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import { isDerived } from './derived.ts';
import { locate, locateHost, NOWHERE, type Place, wordsOfValue } from './locate.ts';

/**
 * `user`: stands in the user's own words. `tool`: only in text that tools or documents brought in.
 * `none`: nowhere. `short`: too short to tell. What the agent said itself is not a source: it may have read the value or made it up,
 * and anyone who steers it could make it say the value first.
 */
export type Provenance = 'user' | 'tool' | 'none' | 'short';

export interface Trace {
  provenance: Provenance;
  /** Places in text from outside; not looked for when the value is the user's or too short. */
  outside: readonly Place[];
}

const SHORT: Trace = { provenance: 'short', outside: NOWHERE };
const THE_USERS: Trace = { provenance: 'user', outside: NOWHERE };
const SHORTEST = 4;
/** Longer prose is judged by its beginning. */
const MAX_PROSE = 16_384;
/** A run of words this long is not a coincidence: it was copied. */
const COPIED_RUN = 8;
/** Of a long command a run of so many words is no coincidence: one in this many of all of its words. */
const LEAST_PART = 4;
/** A manual says `planr status set <id> DOING`: of a short command so large a part, with so many other words between two of its own. */
const SHORT_PART = 0.75;
const LARGEST_HOLE = 2;

export function traceValue(corpus: Corpus, vocabulary: Vocabulary, value: Value, role: string): Trace {
  if (value.kind === 'flag' || isShort(value, role)) return SHORT;
  if (locate(corpus, 'user', value).length > 0) return THE_USERS;
  const outside = locate(corpus, 'tool', value);
  if (value.kind === 'command') return ofCommand(corpus, vocabulary, value, outside);
  if (value.kind === 'phrase') return { provenance: ofProse(corpus, vocabulary, value, outside), outside };
  if (isDerived(corpus, vocabulary, value, outside.length > 0)) return { provenance: 'user', outside };
  return { provenance: outside.length > 0 ? 'tool' : ofHost(corpus, value), outside };
}

/** What parts the statements of a command line, comments included: they change nothing about where the rest comes from. */
const BETWEEN = /(?:^|\s)#[^\n]*|\n|;|&&|\|\|?/;
const MAX_PARTS = 64;
/** Statements that say where a command runs. */
const place = perOntology((ontology) => anyOf(ontology, 'place_statements'));
/** A shorter statement, such as `reboot`, stands in many texts. */
const LEAST_WORDS = 2;

/**
 * A command comes from where the most suspicious of its statements comes from: whatever else is run, printed or remarked beside
 * it, in the user's words or not, makes no statement more the user's.
 */
function ofCommand(corpus: Corpus, vocabulary: Vocabulary, value: Value, whole: readonly Place[]): Trace {
  const said = ofProse(corpus, vocabulary, value, whole);
  const own: Trace = { provenance: taken(said, corpus, value, whole), outside: whole };
  const parts = value.text.slice(0, MAX_PROSE).split(BETWEEN, MAX_PARTS);
  if (own.provenance === 'tool' || parts.length === 1) return own;
  let most = own;
  for (const part of parts) {
    const text = part.trim();
    if (text === '' || lex(text).count < LEAST_WORDS || place(vocabulary.ontology).test(text)) continue;
    const one: Value = { kind: 'command', text, normal: text };
    if (locate(corpus, 'user', one).length > 0) continue;
    const outside = locate(corpus, 'tool', one);
    const provenance = taken(ofProse(corpus, vocabulary, one, outside), corpus, one, outside);
    // Of a command whose words stand everywhere, the places of one statement are those of no order.
    if (provenance === 'tool') return { provenance, outside: said === 'tool' ? whole : outside };
    if (provenance === 'none') most = { provenance, outside };
  }
  return most;
}

/** A command was taken from a text when a good part of it stands there in one piece: its words, one here and one there, stand in any long text. */
function taken(said: Provenance, corpus: Corpus, value: Value, outside: readonly Place[]): Provenance {
  return said !== 'tool' || outside.length > 0 || isInOnePiece(corpus, value) ? said : 'none';
}

function isInOnePiece(corpus: Corpus, { text }: Value): boolean {
  const words = lex(text.slice(0, MAX_PROSE));
  if (words.count < COPIED_RUN)
    return longestNearRun(corpus.tool, words, LARGEST_HOLE) >= Math.ceil(words.count * SHORT_PART);
  const least = Math.max(COPIED_RUN, words.count / LEAST_PART);
  return longestRun(corpus.tool, words) >= Math.min(words.count, least);
}

/** Numbers say nothing while they are small; amounts are compared by value, since every payment has one. */
function isShort(value: Value, role: string): boolean {
  if (value.kind === 'amount') return false;
  if (value.kind === 'number') return role !== 'amount' && value.normal.length < SHORTEST;
  return value.normal.length < SHORTEST;
}

/** An address that stands nowhere as a whole is judged by its host. */
function ofHost(corpus: Corpus, value: Value): Provenance {
  if (value.kind !== 'url') return 'none';
  if (locateHost(corpus, 'user', value).length > 0) return 'user';
  return locateHost(corpus, 'tool', value).length > 0 ? 'tool' : 'none';
}

function ofProse(corpus: Corpus, vocabulary: Vocabulary, value: Value, outside: readonly Place[]): Provenance {
  const { text } = value;
  const words = text.length <= MAX_PROSE ? wordsOfValue(value, text) : lex(text.slice(0, MAX_PROSE));
  const { telling, user, tool } = overlapOf(corpus, words, vocabulary.words);
  if (telling === 0) return outside.length > 0 ? 'tool' : 'none';
  const share = user / telling;
  if (outside.length > 0 && share < 0.75) return 'tool';
  if (share < 0.6 && words.count >= COPIED_RUN && longestRun(corpus.tool, words) >= COPIED_RUN) return 'tool';
  if (share >= 0.6) return 'user';
  // One word in common, such as the number of a port, is not a copy; the only word that tells anything is.
  if (outside.length === 0 && tool === 1 && telling > 1) return 'none';
  const fromTool = tool / telling;
  if (fromTool >= 0.5) return 'tool';
  // Words of the source beside the user's make a text no more the user's.
  return share + fromTool >= 0.7 && fromTool > share ? 'tool' : 'none';
}
