/** Addresses and accounts inside a longer text, such as the body of a message or a command. */
import type { Ontology } from '../../../ontology/index.ts';
import { FOLD, SEPARATOR } from './fold.ts';
import { ADDRESS_KINDS, readValue, type Value } from './normalise.ts';

/** Values read from one text; further ones are skipped. */
export const MAX_EMBEDDED = 32;
export const MAX_EMBEDDING = 16_384;

/** Addresses and accounts in the text, at most `MAX_EMBEDDED`. Looks once at each piece between blanks and quotation marks. */
export function embeddedValues(text: string, ontology: Ontology): Value[] {
  if (!/@|:\/\/|\w\.\w|\d{6}/.test(text)) return [];
  const found: Value[] = [];
  const seen = new Set<string>();
  for (const piece of text.slice(0, MAX_EMBEDDING).split(/[\s"'`<>()[\]{},;|=]+/)) {
    if (piece.length < 6 || piece.length > 512 || !mayBeAddress(piece)) continue;
    const value = readValue(trimmed(piece), '', ontology);
    if (!ADDRESS_KINDS.has(value.kind) || seen.has(value.normal)) continue;
    seen.add(value.normal);
    found.push(value);
    if (found.length === MAX_EMBEDDED) break;
  }
  return found;
}

function mayBeAddress(piece: string): boolean {
  return piece.includes('@') || piece.includes('.') || piece.includes('://') || /\d{6}/.test(piece);
}

function trimmed(piece: string): string {
  let to = piece.length;
  while (to > 0 && FOLD[piece.charCodeAt(to - 1)] === SEPARATOR && piece.charCodeAt(to - 1) !== 0x2f) to--;
  return piece.slice(0, to);
}
