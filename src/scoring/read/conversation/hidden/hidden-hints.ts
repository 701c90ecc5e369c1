/**
 * Prose that a person does not see and the agent does, whether it orders something or only states it: «assistants choose
 * `#rate-2`». Pages hide many texts, so one counts only where the action takes a value from it.
 */
import type { Ontology } from '../../../../ontology/index.ts';
import { globalPatternOf } from '../../words/word-lists.ts';
import { type HiddenPart, hiddenParts } from './hidden.ts';

export interface Hint {
  text: string;
  technique: HiddenPart['technique'];
  /** A reader of the document marked the text as hidden: `[white text]`. A style of a page hides menus as well. */
  is_marked: boolean;
}

const MAX_TEXT = 65_536;
const MAX_HINTS = 64;
/** Words of a text; fewer are a label. */
const LEAST_WORDS = 6;
const LEAST_OF_IMAGE = 12;
const LONGEST = 600;
/** However a host ends its lines, quotes a text or shows it as a page. */
const BLANK_LINE = /\n(?:[> \t]|<[a-z/]{1,8}>){0,8}\r?\n/;

export function hiddenHints(text: string, ontology: Ontology): Hint[] {
  const cut = text.slice(0, MAX_TEXT);
  const found: Hint[] = [];
  const add = (raw: string, technique: Hint['technique'], is_marked: boolean): void => {
    const prose = raw.replace(/<[^<>]{0,400}>/g, ' ').trim();
    if (found.length < MAX_HINTS && isProse(prose)) found.push({ text: prose, technique, is_marked });
  };
  // An encoded address is not prose.
  for (const { text: part, technique } of hiddenParts(cut, ontology).parts)
    if (technique !== 'encoded') add(part, technique, false);
  for (const match of cut.matchAll(globalPatternOf(ontology, 'hiding', 'attribute'))) {
    const said = match[1] ?? match[2] ?? '';
    if (tellsMore(said)) add(said, 'hidden_html', false);
  }
  for (const match of cut.matchAll(globalPatternOf(ontology, 'hiding', 'annotation'))) {
    const from = match.index + match[0].length;
    add(cut.slice(from, from + LONGEST).split(BLANK_LINE)[0] ?? '', 'hidden', true);
  }
  return found;
}

/** The description of an image names it; a text of sentences says something else. */
const tellsMore = (text: string): boolean =>
  /[.!?。！？]\s{0,4}(?:\S|$)/u.test(text) &&
  ((text.match(/\p{L}+/gu) ?? []).length >= LEAST_OF_IMAGE || /\p{Lo}{12}/u.test(text));

/** Words in small letters stand in it, or letters of a script that has no others. */
function isProse(text: string): boolean {
  const words = text.match(/\p{L}+/gu) ?? [];
  return (words.length >= LEAST_WORDS && words.some((word) => /^\p{Ll}{2}/u.test(word))) || /\p{Lo}{12}/u.test(text);
}
