/** What the user agreed to: the agent's last words, if the user's next ones are a plain yes. */
import { isObject } from '../../../lang/json.ts';
import { standsAlone, UNSPACED } from '../../../lang/stands-alone.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { listOf, patternOf } from '../../../ontology/words.ts';
import { foldText } from '../words/fold.ts';
import { goesAhead } from '../words/limits.ts';
import { callsIn } from './calls.ts';
import { eventOfText, memoOf, segmentsOf, type TextReading } from './text.ts';
import type { Segment } from './transcript/transcript.ts';

/** Characters of a proposal that are read, from its end. */
export const MAX_PROPOSAL = 4_096;
/** Characters of a proposal whose values the user is taken to have read, from its end. */
export const MAX_READ = 1_024;
const LONGEST_YES = 240;
/** Folded; a longer answer says more than yes. */
const LONGEST_FOLDED = 200;
/** The same, in languages whose conditions no list holds. */
const LONGEST_OTHER = 24;
/** Shorter values stand in any text. */
const SHORTEST = 4;
/** From this length on, blanks and hyphens do not part a value: `DE89 3704 0044`. */
const LEAST_GROUPED = 7;

/**
 * The agent's last proposal, if the user then agreed to it with a plain yes; else null. Messages of tools before or after do not
 * matter, so that text from outside cannot hide an agreement.
 */
export function approvedProposal(ontology: Ontology, text: TextReading): string | null {
  return memoOf(text).get('approved proposal', () => {
    if (!isPlainYes(ontology, text)) return null;
    return proposalBefore(text)?.text.slice(-MAX_PROPOSAL) ?? null;
  });
}

/** A call without words to the user proposes nothing: who says «ok» after it has read its result. */
function isCall({ index }: Segment, text: TextReading): boolean {
  const message = eventOfText(text)?.conversation_history?.[index];
  if (message === undefined || callsIn(message, index).length === 0) return false;
  const { content } = message;
  if (typeof content === 'string') return content.trim() === '' || /^\s{0,8}[A-Za-z_][\w.-]{0,80}\(/.test(content);
  return !Array.isArray(content) || !content.some((part) => isObject(part) && part['type'] === 'text');
}

/** Whether the user's last message says yes and nothing else: no condition, no change. */
export const isPlainYes = (ontology: Ontology, text: TextReading): boolean =>
  memoOf(text).get('plain yes', () => saysPlainYes(ontology, text));

function saysPlainYes(ontology: Ontology, text: TextReading): boolean {
  if (text.last_user_message.length > LONGEST_YES) return false;
  const answer = foldText(text.last_user_message).trim();
  const isKnown = answer.length <= LONGEST_OTHER || /^[\x00-\x7f]*$/.test(answer);
  return (
    isKnown &&
    answer.length <= LONGEST_FOLDED &&
    (startsWithAny(answer, yesOf(ontology)) || goesAhead(answer, ontology)) &&
    !patternOf(ontology, 'approval', 'condition').test(answer)
  );
}

/** What the agent told the user right before the user's last words, however the user answered; null where it told nothing. */
export function proposalBefore(text: TextReading): Segment | null {
  const segments = segmentsOf(text);
  const last = segments.findLastIndex((s) => s.speaker === 'user');
  const before = segments.findLastIndex((s, i) => i < last && s.speaker !== 'tool');
  const proposal = segments[before];
  return proposal?.speaker === 'agent' && !isCall(proposal, text) ? proposal : null;
}

/** The end of what the agent told the user before the last words, folded; '' where it told nothing. */
export const proposalOf = (text: TextReading): string =>
  memoOf(text).get('folded proposal', () => foldText((proposalBefore(text)?.text ?? '').slice(-MAX_PROPOSAL)));

/** Whether the proposal that the user agreed to gives this value, near its end, where people read. */
export function isAgreedValue(ontology: Ontology, text: TextReading, value: string): boolean {
  if (value.length < SHORTEST) return false;
  const said = memoOf(text).get('agreed words', () => {
    const words = foldText((approvedProposal(ontology, text) ?? '').slice(-MAX_READ));
    const joined = words.replace(/(?<=\d)[,.' ](?=\d{3}(?!\d))/g, '');
    return { words: `${words}\n${joined}`, grouped: words.replace(/[ -]/g, '') };
  });
  if (said.grouped === '') return false;
  const folded = foldText(value);
  const grouped = folded.replace(/[ -]/g, '');
  return standsAlone(folded, said.words) || (grouped.length >= LEAST_GROUPED && said.grouped.includes(grouped));
}

/** The words that begin a yes, folded. */
export const yesOf = perOntology((ontology) => listOf(ontology, 'approval_yes').map((word) => foldText(word).trim()));

/** Whether a folded text begins with one of the texts, as whole words. Scripts without blanks part no words. */
export function startsWithAny(text: string, starts: readonly string[]): boolean {
  return starts.some(
    (start) =>
      text.startsWith(start) &&
      (!/^[\p{L}\p{N}]/u.test(text.slice(start.length, start.length + 2)) || ENDS_UNSPACED.test(start)),
  );
}

const ENDS_UNSPACED = new RegExp(`(?:${UNSPACED.source}){2}$`, 'u');
