/** Text that a person does not see: tag characters, invisible runs, comments and hidden styles, encoded words. */

import type { Ontology } from '../../../../ontology/index.ts';
import { patternOf } from '../../../../ontology/words.ts';
import { fromUrlEncoding } from '../../words/encodings.ts';
import { asLatin } from '../../words/lookalike.ts';

export interface HiddenPart {
  text: string;
  /** Rules know `hidden` and `encoded`; the other names are markers of the ontology. */
  technique: 'hidden' | 'encoded' | 'unicode_tags' | 'zero_width_run' | 'hidden_html';
  /** The hiding alone is a finding, even if the text orders nothing. */
  is_telling: boolean;
  strength: number;
}

const MAX_PARTS = 128;
const MAX_PART = 4_096;
const MAX_RUNS = 128;
/** Attributes and encoded runs that are examined. */
const MAX_TRIES = 8_192;

/** The hidden parts, and whether there are more than are read. */
export function hiddenParts(text: string, ontology: Ontology): { parts: HiddenPart[]; was_cut: boolean } {
  const parts: HiddenPart[] = [];
  let was_cut = false;
  if (/[^\u0000-\u00ff]/.test(text)) addInvisible(text, parts);
  if (text.includes('<')) was_cut = addMarkup(text, parts, patternOf(ontology, 'hiding', 'style'));
  was_cut = addEncoded(text, parts) || was_cut;
  if (PERCENT.test(text)) was_cut = addPercent(text, parts) || was_cut;
  if (FOREIGN_LETTER.test(text)) was_cut = addLookalikes(text, parts) || was_cut;
  return { parts: parts.slice(0, MAX_PARTS), was_cut: was_cut || parts.length > MAX_PARTS };
}

function addInvisible(text: string, parts: HiddenPart[]): void {
  let tags = '';
  for (let at = text.indexOf('\u{db40}'); at >= 0 && tags.length < MAX_PART; at = text.indexOf('\u{db40}', at + 1)) {
    const low = text.charCodeAt(at + 1);
    if (low >= 0xdc00 && low <= 0xdc7f) tags += String.fromCharCode(low & 0x7f);
  }
  if (/[\x20-\x7e]/.test(tags))
    parts.push({ text: tags.trim(), technique: 'unicode_tags', is_telling: true, strength: 0.7 });
  const run = /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]{4,}/.exec(text);
  if (run !== null)
    parts.push({ text: bitsAsText(run[0]), technique: 'zero_width_run', is_telling: true, strength: 0.4 });
  const override = text.indexOf('\u202e');
  if (override >= 0) {
    const reversed = [...text.slice(override + 1, override + 400)].reverse().join('');
    parts.push({ text: reversed, technique: 'hidden', is_telling: true, strength: 0.4 });
  }
}

/** Decodes a text whose bits are written as two invisible characters; '' if the result is not readable. */
function bitsAsText(run: string): string {
  const zero = run.charAt(0);
  let text = '';
  for (let at = 0; at + 8 <= run.length && at < 8 * MAX_PART; at += 8) {
    let code = 0;
    for (let bit = 0; bit < 8; bit++) code = code * 2 + (run.charAt(at + bit) === zero ? 0 : 1);
    text += String.fromCharCode(code);
  }
  return isReadable(text) ? text : '';
}

/** Returns true if the text has more hidden parts than are read. */
function addMarkup(text: string, parts: HiddenPart[], hiding_style: RegExp): boolean {
  let from = 0;
  let was_cut = false;
  for (let n = 0; ; n++) {
    const open = text.indexOf('<!--', from);
    if (open < 0) break;
    if (n === MAX_RUNS) {
      was_cut = true;
      break;
    }
    const close = text.indexOf('-->', open + 4);
    const end = close < 0 ? text.length : close;
    parts.push({
      text: text.slice(open + 4, Math.min(end, open + MAX_PART)),
      technique: 'hidden_html',
      is_telling: false,
      strength: 0.3,
    });
    if (close < 0) break;
    from = close + 3;
  }
  return addStyled(text, parts, hiding_style) || was_cut;
}

function addStyled(text: string, parts: HiddenPart[], hiding_style: RegExp): boolean {
  const attributes = /style\s{0,4}=|\shidden(?=[\s>])/gi;
  // Count only styles that hide: a page has thousands of styles.
  for (let n = 0, tries = 0; n < MAX_RUNS && tries < MAX_TRIES; tries++) {
    const at = attributes.exec(text)?.index;
    if (at === undefined) return false;
    const open = text.slice(Math.max(0, at - 200), at).lastIndexOf('<');
    const close = text.slice(at, at + 400).indexOf('>');
    if (open < 0 || close < 0 || !hiding_style.test(text.slice(at, at + close + 1))) continue;
    n++;
    const inner = text.slice(at + close + 1, at + close + 1 + MAX_PART);
    const end = inner.indexOf('</');
    parts.push({
      text: end < 0 ? inner : inner.slice(0, end),
      technique: 'hidden_html',
      is_telling: false,
      strength: 0.3,
    });
  }
  return true;
}

const PERCENT = /%(?:25){0,4}[0-9a-fA-F]{2}/;
/** Greek, Cyrillic, Armenian, full-width and mathematical letters. */
const FOREIGN_LETTER = /[\u0370-\u058f\uff21-\uff5a]|\ud835/;

/** Whether a reader of this text may be shown other words than it holds: cheap, so that plain texts are not searched. */
export const mayBeEncoded = (text: string): boolean => PERCENT.test(text) || FOREIGN_LETTER.test(text);

/** Percent-encoded runs, decoded as often as they are encoded. */
function addPercent(text: string, parts: HiddenPart[]): boolean {
  // linear: a run begins only where no sign of a run stands before
  const runs = /(?<![\w.~!*'()+%-])[\w.~!*'()+%-]{24,}/g;
  for (let n = 0, tries = 0; n < MAX_RUNS && tries < MAX_TRIES; tries++) {
    const run = runs.exec(text)?.[0].slice(0, MAX_PART);
    if (run === undefined) return false;
    if (!PERCENT.test(run)) continue;
    let decoded = run;
    for (let depth = 0; depth < 4 && PERCENT.test(decoded); depth++) decoded = fromUrlEncoding(decoded);
    if (!isReadable(decoded)) continue;
    n++;
    parts.push({ text: decoded, technique: 'encoded', is_telling: false, strength: 0.3 });
  }
  return true;
}

/** Words of letters of two alphabets, or of letters that only look like Latin ones. */
const MIXED =
  /\p{Script=Latin}[\u0370-\u058f]|[\u0370-\u058f]\p{Script=Latin}|[\uff21-\uff5a]{2}|[\u{1d400}-\u{1d7ff}]{2}/u;
const LEAST_MIXED = 2;

/** Sentences with several such words, as people read them. Words of one alphabet are a language and stay. */
function addLookalikes(text: string, parts: HiddenPart[]): boolean {
  let n = 0;
  for (const sentence of text.slice(0, MAX_LOOKALIKES).split(/(?<=[.!?])\s|\n/)) {
    if (sentence.split(/\s+/).filter((word) => MIXED.test(word)).length < LEAST_MIXED) continue;
    if (n++ === MAX_RUNS) return true;
    parts.push({ text: asLatin(sentence.slice(0, MAX_PART)), technique: 'hidden', is_telling: false, strength: 0.4 });
  }
  return text.length > MAX_LOOKALIKES;
}

const MAX_LOOKALIKES = 262_144;

function addEncoded(text: string, parts: HiddenPart[]): boolean {
  // linear: a run begins only where no sign of a run stands before
  const runs = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,}={0,2}/g;
  // Count only runs that hold words: paths and hashes are runs as well.
  for (let n = 0, tries = 0; n < MAX_RUNS && tries < MAX_TRIES; tries++) {
    const run = runs.exec(text)?.[0];
    if (run === undefined) return false;
    const decoded = decode(run.slice(0, MAX_PART));
    if (decoded === '') continue;
    n++;
    parts.push({ text: decoded, technique: 'encoded', is_telling: false, strength: 0.3 });
  }
  return true;
}

/** The text of a hexadecimal or base64 run; '' if neither gives words. */
function decode(run: string): string {
  if (/^(?:[0-9a-fA-F]{2})+$/.test(run)) {
    const text = fromHex(run);
    if (isReadable(text)) return text;
  }
  const text = fromBase64(run);
  return isReadable(text) ? text : '';
}

function fromHex(run: string): string {
  let text = '';
  for (let i = 0; i + 1 < run.length; i += 2) text += String.fromCharCode(Number.parseInt(run.slice(i, i + 2), 16));
  return text;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Decodes to Latin-1, which suffices to recognise prose. */
export function fromBase64(run: string): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const c of run) {
    const digit = c === '-' ? 62 : c === '_' ? 63 : DIGITS.indexOf(c);
    if (digit < 0) break;
    held = ((held << 6) | digit) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    text += String.fromCharCode((held >> bits) & 0xff);
  }
  return text;
}

/** At least 95 % printable ASCII, and at least three words. */
function isReadable(text: string): boolean {
  if (text.length < 12) return false;
  let good = 0;
  let spaces = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x20) spaces++;
    if ((unit >= 0x20 && unit < 0x7f) || unit === 0x0a) good++;
  }
  return good >= text.length * 0.95 && spaces >= 2;
}
