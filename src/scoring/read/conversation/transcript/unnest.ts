/**
 * Undoes the representations in which text from outside arrives: a string in JSON in a string in JSON, a Python `repr`, HTML
 * entities, at any depth that occurs. What an escape stands for must not decide where a sentence ends.
 */
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { inverseOf } from '../../../../ontology/words.ts';

/** A run of backslashes before an escaped character: a level of JSON doubles it, so 64 are six levels. */
const ESCAPE = /(?<!\\)\\{1,64}(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([nrt"'`/]))/g;
/** `&lt;`, `&amp;amp;lt;`, `&#60;`, `&#x3c;`. */
const ENTITY = /&(?:amp;){0,8}(?:#(\d{1,6})|#[xX]([0-9a-fA-F]{1,5})|([a-zA-Z]{2,8}));/g;

const entitiesOf = perOntology((ontology) => inverseOf(ontology, 'html_entities'));

/** The text without escapes and entities; the same text if it has none. Linear in its length. */
export function unnested(text: string, ontology: Ontology): string {
  const plain = text.includes('\\') ? text.replace(ESCAPE, characterOf) : text;
  if (!plain.includes('&')) return plain;
  const entities = entitiesOf(ontology);
  return plain.replace(ENTITY, (all: string, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return entities.get(name.toLowerCase()) ?? all;
    return unitOf(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)) ?? all;
  });
}

const characterOf = (all: string, unicode?: string, byte?: string, plain?: string): string => {
  if (plain !== undefined) return plain === 'n' || plain === 'r' ? '\n' : plain === 't' ? '\t' : plain;
  return unitOf(Number.parseInt(unicode ?? byte ?? '', 16)) ?? all;
};

/** The character of a code that text may hold; control characters other than blanks are left as they are written. */
function unitOf(code: number): string | undefined {
  if (code === 9 || code === 10 || code === 13) return code === 13 ? '\n' : String.fromCharCode(code);
  return code < 0x20 || code > 0x10_ffff ? undefined : String.fromCodePoint(code);
}
