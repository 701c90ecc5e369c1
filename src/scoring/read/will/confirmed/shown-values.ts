/** What stood before the user when they answered: the agent's last words, their own, and what the results told of which both spoke. */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import { standsAlone, UNSPACED } from '../../../../lang/stands-alone.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { patternOf } from '../../../../ontology/words.ts';
import { MAX_PROPOSAL } from '../../conversation/agreed.ts';
import { lastUserIndex, memoOf, segmentsOf, type TextReading } from '../../conversation/text.ts';
import type { Segment } from '../../conversation/transcript/transcript.ts';
import { foldedUserWords } from '../../conversation/user-words.ts';
import { foldText } from '../../words/fold.ts';
import { sureAnswers } from '../looked-up.ts';
import { MEASURE, SHORT_NAME } from './telling-values.ts';

/** Results that are looked at, the last ones, and characters of each. */
const MAX_RESULTS = 8;
const MAX_RESULT = 16_384;
/** Characters of the user's words that are looked at, from the last one back. */
const MAX_SAID = 8_192;
/** Words of a result by which it is tied to the conversation; of scripts without blanks each is a stretch. */
const MAX_TOKENS = 256;
const MAX_STRETCHES = 24;
/** Messages of the agent that the user has before their eyes: a side question may stand between a proposal and its yes. */
const MAX_TOLD = 3;
/** Characters at the end of a long value by which people tell it from others: `…5530`, «ends tg6a». */
const TAIL = 4;
const LEAST_TAILED = 8;
/** Characters of a result whose words tie it to the conversation. */
export const MAX_SPOKEN = 8_192;
const LEAST_WORD = 5;
/** Signs that make a word in scripts without blanks. */
const UNSPACED_WORD = 3;

/** What makes a number part of a longer one: a separator with further digits. A unit or a currency behind it does not. */
const BORDERS = { before: /[\p{L}\p{N}_]/u, behind: /^[\p{N}_]|^[.,]\d/u };
/** `grants_for_ana` holds `ana`. */
const PARTS = { before: /[\p{L}\p{N}]/u, behind: /^[\p{L}\p{N}]|^[.,]\d/u };

/** The texts before the user, folded, and once more without the separators of thousands. `user` is the name of who answers. */
export function shownTo(text: TextReading, user: string): string {
  const said = `${toldByAgent(text)}\n${foldedUserWords(text).slice(-MAX_SAID)}\n${foldText(user)}`;
  return `${said}\n${said.replace(/(?<=\d)[,.' \u00a0\u202f](?=\d{3}(?!\d))/g, '')}`;
}

/** The agent's last texts before the user answered, folded. */
function toldByAgent(text: TextReading): string {
  const last = lastUserIndex(text);
  const told = segmentsOf(text)
    .filter(({ speaker, index }) => speaker === 'agent' && index < last)
    .slice(-MAX_TOLD)
    .map((segment) => segment.text)
    .join('\n');
  return foldText(told.slice(-MAX_PROPOSAL));
}

/** Whether the value stood before the user: whole, without its blanks, or by a part by which people tell it. */
export function isShown(value: string, shown: string, ontology: Ontology): boolean {
  if (/^\d/.test(value) ? numberStands(value, shown) : standsAlone(value, shown)) return true;
  if (MEASURE.test(value)) return false;
  const plain = value.replace(/[\s-]/g, '');
  if (plain.length >= LEAST_TAILED && /\d/.test(plain) && shown.replace(/[ -]/g, '').includes(plain)) return true;
  if (/^[\d.,\s]+$/.test(value)) return isSameNumber(value, shown);
  if (plain.length >= LEAST_TAILED && endsShown(plain.slice(-TAIL), shown, ontology)) return true;
  // «Copy ops», «Grace Ndlovu».
  const person = value.indexOf('@') > 0 ? value.slice(0, value.indexOf('@')).split(/[._-]/) : [];
  if (person.length > 0 && person.every((part) => part.length > 2 && standsAlone(part, shown, BORDERS))) return true;
  // The last part of a path or an address, where it is a name of its own.
  const last = value.split(/[/\\:]/).findLast((part) => part !== '') ?? value;
  const behind = value.slice(value.indexOf('-') + 1);
  if (behind !== value && behind.length >= LEAST_TAILED && /\d/.test(behind) && standsAlone(behind, shown)) return true;
  const name = last.split('.').findLast((part) => part.length > SHORT_NAME) ?? last;
  return [last, name].some(
    (part) => part !== value && part.length > SHORT_NAME && /[^a-z]/.test(part) && standsAlone(part, shown),
  );
}

/** Whether the text gives the end of a value as an end: a year of the same digits is none. */
function endsShown(tail: string, shown: string, ontology: Ontology): boolean {
  if (!/\d/.test(tail)) return false;
  const masked = patternOf(ontology, 'approval', 'masked');
  for (let at = shown.indexOf(tail); at >= 0; at = shown.indexOf(tail, at + 1)) {
    const before = shown.slice(Math.max(0, at - MASK_REACH), at);
    if (masked.test(before) && !/^[\p{L}\p{N}]/u.test(shown.slice(at + tail.length))) return true;
  }
  return false;
}

/** Characters before the end of a value in which a mask is looked for. */
const MASK_REACH = 20;

/** Whether a number, with its unit, stands in a text and is not a part of a longer one: `5 mg` is not in «0.5 mg». */
function numberStands(value: string, shown: string): boolean {
  for (let at = shown.indexOf(value); at >= 0; at = shown.indexOf(value, at + 1)) {
    const before = shown.slice(Math.max(0, at - 2), at);
    if (
      !/[\p{L}\p{N}_]$|\d[.,]$/u.test(before) &&
      !BORDERS.behind.test(shown.slice(at + value.length, at + value.length + 2))
    )
      return true;
  }
  return false;
}

/** «A file of its own in sshd_config.d». */
export const isInShownFolder = (path: string, shown: string): boolean =>
  path
    .split('/')
    .slice(1)
    .some((part) => part.length > LEAST_WORD && /[._\d]/.test(part) && standsAlone(part, shown, BORDERS));

/** `6450` cents are «$64.50», `4085.5` is «4.085,50». */
function isSameNumber(value: string, shown: string): boolean {
  const wanted = Number(value.replace(/[\s,]/g, ''));
  if (!Number.isFinite(wanted) || wanted < 10) return false;
  for (const [found] of shown.matchAll(/\d[\d.,' ]{0,20}/g)) {
    const plain = withoutEnd(found, " '.,").replace(/[ ']/g, '');
    const number = ENGLISH.test(plain)
      ? Number(plain.replaceAll(',', ''))
      : CONTINENTAL.test(plain)
        ? Number(plain.replaceAll('.', '').replace(',', '.'))
        : Number.NaN;
    if (number === wanted || (/[.,]\d{2}$/.test(plain) && Math.round(number * 100) === wanted)) return true;
  }
  return false;
}

const ENGLISH = /^(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$/;
const CONTINENTAL = /^(?:\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+,\d{1,2})$/;

/** The text without these characters at its end. */
function withoutEnd(said: string, signs: string): string {
  let to = said.length;
  while (to > 0 && signs.includes(said.charAt(to - 1))) to--;
  return said.slice(0, to);
}

const toolsBefore = (text: TextReading): readonly Segment[] => {
  const last = lastUserIndex(text);
  return segmentsOf(text).filter(({ speaker, index }) => speaker === 'tool' && index < last);
};

const lastOf = (told: readonly Segment[]): readonly string[] =>
  told.slice(-MAX_RESULTS).map(({ text: said }) => foldText(said.slice(0, MAX_RESULT)));

/** What tools had told before the user agreed, whatever put it there. */
export const toldBefore = (text: TextReading): readonly string[] =>
  memoOf(text).get('told before the answer', () => lastOf(toolsBefore(text)));

/** The same for what confirms: where calls are recorded, only what answers one. */
export const resultsBefore = (event: AgentEvent, text: TextReading): readonly string[] =>
  memoOf(text).get('results before the answer', () => {
    const answers = sureAnswers(event, text);
    return lastOf(toolsBefore(text).filter(({ index }) => answers?.has(index) !== false));
  });

/**
 * Whether the agent's proposal or the user's answer draws on a result: it shares a word with them, or the name of who answers, that
 * neither the request nor the act itself has. Anyone who puts a text there may know those, and not what is said afterwards.
 */
export function isDrawnOn(result: string, event: AgentEvent, text: TextReading): boolean {
  const values = parametersOf(event).leaves.map(({ value }) => String(value));
  const answer = foldText(text.last_user_message);
  const request = foldedUserWords(text)
    .slice(-MAX_SAID)
    .replace(answer, () => ' ');
  const known = `${request}\n${foldText(values.join('\n').slice(0, MAX_RESULT))}`;
  const told = `${toldByAgent(text)}\n${answer.slice(-MAX_SAID)}\n${foldText(event.session?.user_id ?? '')}`;
  return isSpokenOf(result, told, known);
}

/** Whether the words of a name with digits stood before the user: `nginx-2025.01.*` after «borra los índices de nginx». */
export function areWordsShown(value: string, shown: string): boolean {
  const parts = value.match(LETTERS) ?? [];
  return parts.length > 0 && /\d/.test(value) && parts.every((part) => standsAlone(part, shown, BORDERS));
}

const LETTERS = /\p{L}{3,40}/gu;

/** Whether the conversation speaks of what a result tells: it shares a number or a name with the words before the user. */
export function isSpokenOf(result: string, shown: string, known = ''): boolean {
  const told = result.slice(0, MAX_SPOKEN);
  const found = [WORDS, PLAIN_WORDS, ...(known === '' ? [] : [NUMBERS])].flatMap(
    (pattern) => told.match(pattern) ?? [],
  );
  const tokens = [...new Set(found)].slice(0, MAX_TOKENS);
  let stretches = 0;
  return tokens.some((token) => {
    if (UNSPACED.test(token)) stretches += 1;
    return stretches <= MAX_STRETCHES && isTold(token, shown, known);
  });
}

function isTold(token: string, shown: string, known: string): boolean {
  // Scripts without blanks: a stretch of three signs.
  if (UNSPACED.test(token)) {
    for (let at = 0; at + UNSPACED_WORD <= token.length; at++)
      if (hasNew(token.slice(at, at + UNSPACED_WORD), shown, known)) return true;
    return false;
  }
  const least = /[a-z]/.test(token) ? LEAST_WORD : SHORT_NAME;
  return (/\d{2}/.test(token) || token.length >= least) && standsAlone(token, shown, BORDERS) && !known.includes(token);
}

const hasNew = (piece: string, shown: string, known: string): boolean =>
  shown.includes(piece) && !known.includes(piece);

const WORDS = /[\p{L}\p{N}_]{2,40}/gu;
const PLAIN_WORDS = /[\p{L}\p{N}]{2,40}/gu;
/** `71` of `71G` */
const NUMBERS = /\d{2,16}/g;

/** Whether a result has a value. `logs-2025.01.*` is all that begins so; `s3://media` is listed as `media`. */
export const holds = (result: string, value: string): boolean =>
  standsAlone(value.replace(/^\w{1,12}:\/\//, ''), result, PARTS) ||
  (value.length >= LEAST_TAILED && / /.test(value) && result.replaceAll(' ', '').includes(value.replaceAll(' ', ''))) ||
  (value.includes('*') && value.split(',').every((part) => result.includes(part.slice(0, part.indexOf('*')))));
