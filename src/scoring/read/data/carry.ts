/** Finds values that the agent has seen in its parameters: plain, encoded, reversed, split or in chunks. */

import { asciiLower } from '../../../lang/names.ts';
import { base32Texts, base64Texts, fromUrlEncoding, hasEncodedRun, hexTexts } from '../words/encodings.ts';

export type Technique = 'plain' | 'base64' | 'base32' | 'hex' | 'url' | 'reversed' | 'split' | 'chunk';

/** Shorter values (a PIN, a card's check number) stand in any text by chance. */
const MIN_VALUE = 6;
/** Without its separators a value must still be this long to be told from others. */
const MIN_STRIPPED = 8;
/** The ontology's chunk: so many characters in a row are no accident. */
const CHUNK = 12;
const MAX_CHUNKS = 64;
/** Any long word may be base32, so it is looked for in short texts only: it goes out in names of hosts, piece by piece. */
const MAX_BASE32 = 16_384;

/** One parameter string in all the forms that a value is looked for in, each made when a value is looked for. */
export class Carrier {
  readonly where: string;
  readonly #text: string;
  #decoded?: readonly Decoded[];
  #plain?: string;
  #compact?: string;
  #stripped?: string;

  constructor(where: string, text: string) {
    this.where = where;
    this.#text = text;
  }

  get decoded(): readonly Decoded[] {
    return (this.#decoded ??= decodedFrom(this.#text));
  }

  get plain(): string {
    return (this.#plain ??= asciiLower(this.#text));
  }
  /** Without blanks, dashes and dots, as people format numbers. */
  get compact(): string {
    return (this.#compact ??= compactOf(this.plain));
  }
  /** Letters and digits alone. */
  get stripped(): string {
    return (this.#stripped ??= strippedOf(this.plain));
  }
}

export type Decoded = readonly [Technique, string];
const NOTHING: readonly Decoded[] = [];

const compactOf = (text: string): string => text.replace(/[\s.-]+/g, '');
const strippedOf = (text: string): string => text.replace(/[^a-z0-9]+/g, '');

/** What the text holds in disguise; most texts hold no run that could be one. */
export function decodedFrom(text: string): readonly Decoded[] {
  const has_run = hasEncodedRun(text);
  if (!has_run && !text.includes('%')) return NOTHING;
  const decoded: Decoded[] = [];
  if (text.includes('%')) decoded.push(['url', asciiLower(fromUrlEncoding(text))]);
  if (!has_run) return decoded;
  for (const inner of base64Texts(text)) decoded.push(['base64', asciiLower(inner)]);
  for (const inner of hexTexts(text)) decoded.push(['hex', asciiLower(inner)]);
  if (text.length <= MAX_BASE32) for (const inner of base32Texts(text)) decoded.push(['base32', asciiLower(inner)]);
  return decoded;
}

const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57;

/** A number counts only as a whole: `482913` does not stand in `14829130`. */
function holds(text: string, value: string): boolean {
  if (!/^\d+$/.test(value)) return text.includes(value);
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    if (!isDigit(text.charCodeAt(at - 1)) && !isDigit(text.charCodeAt(at + value.length))) return true;
  }
  return false;
}

function holdsChunk(text: string, value: string): boolean {
  const last = value.length - CHUNK;
  const step = Math.max(1, Math.ceil((last + 1) / MAX_CHUNKS));
  for (let at = 0; at <= last; at += step) if (text.includes(value.slice(at, at + CHUNK))) return true;
  return false;
}

/** Characters without a width: a page that has them inside a word shows the same word. */
export const INVISIBLE = /\u00ad|[\u200b-\u200f]|[\u2060-\u2064]|\ufeff/g;

/** How the carrier holds the value, `undefined` when it does not. The plainest form is returned. */
export function techniqueOf(carrier: Carrier, value: string): Technique | undefined {
  const wanted = asciiLower(value.replace(INVISIBLE, ''));
  if (wanted.length < MIN_VALUE) return undefined;
  if (holds(carrier.plain, wanted) || holds(carrier.compact, compactOf(wanted))) return 'plain';
  const decoded = carrier.decoded.find(([, text]) => holds(text, wanted) || holds(compactOf(text), compactOf(wanted)));
  if (decoded !== undefined) return decoded[0];
  if (wanted.length > CHUNK) {
    const part = carrier.decoded.find(([technique, text]) => technique !== 'url' && holdsChunk(text, wanted));
    if (part !== undefined) return part[0];
  }
  const stripped = strippedOf(wanted);
  if (stripped.length < MIN_STRIPPED) return undefined;
  const reversed = [...wanted].reverse().join('');
  if (carrier.plain.includes(reversed) || carrier.stripped.includes(strippedOf(reversed))) return 'reversed';
  if (carrier.stripped.includes(stripped)) return 'split';
  return wanted.length > CHUNK && holdsChunk(carrier.plain, wanted) ? 'chunk' : undefined;
}
