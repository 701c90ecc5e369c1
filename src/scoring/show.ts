/** Values of an event on their way into a sentence for people: shortened, secrets masked, invisible characters spelt out. */

import { remembering } from '../lang/remember.ts';
import type { Ontology } from '../ontology/index.ts';
import { perOntology } from '../ontology/per-ontology.ts';
import { VALIDATORS } from '../ontology/validators/index.ts';
import { detectorsFor } from './read/data/found/detect.ts';

const MAX_LENGTH = 80;
/** C0, DEL, C1, zero-width, bidirectional controls, line separators, BOM and tag characters. */
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;

/** Printable ASCII only, as in most texts. */
const PLAIN = /^[\x20-\x7e]*$/;

function spellOut(character: string): string {
  if (character === '\n' || character === '\t') return ' ';
  const code = character.codePointAt(0)!;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** Keeps the first four characters, so that a person can tell which secret it is without learning it. */
const mask = (secret: string): string => `${secret.slice(0, 4)}…(${secret.length} characters, masked)`;

/** What every secret and card number has: a long run of token characters or digits, or a name with a value. */
const MAY_HOLD_SECRET = /[\w+/=.-]{12}|\d[\d -]{10}|[:=]/;

/** The text with its secrets and card numbers masked; everything else stays. */
export function maskSecrets(text: string, ontology: Ontology): string {
  if (!MAY_HOLD_SECRET.test(text)) return text;
  let shown = text;
  for (const detector of detectorsFor(text, ontology)) {
    if (detector.data_class !== 'secret' && detector.subclass !== 'card' && detector.subclass !== 'card_sad') continue;
    const isValid = VALIDATORS.get(detector.validator);
    shown = shown.replace(detector.pattern, (match: string, ...groups: unknown[]) => {
      const value = typeof groups[0] === 'string' ? groups[0] : match;
      return isValid && !isValid(value) ? match : match.replace(value, mask(value));
    });
  }
  return shown;
}

/** Words such as `customer_record`, and actions. They recur in every event, so their forms are memoized. */
const WORDS = /^[a-z_]{1,40}(?::[a-z_]{1,40}:[a-z_]{1,40})?$/;

const shownWords = perOntology((ontology) => remembering((words) => shownText(words, ontology)));

/** One value as a sentence may show it: at most about `longest` characters, on one line. */
export function show(value: unknown, ontology: Ontology, longest = MAX_LENGTH): string {
  if (typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : Array.isArray(value) ? value.map(String).join(', ') : String(value);
  return WORDS.test(text) ? shownWords(ontology)(text) : shownText(text, ontology, longest);
}

function shownText(text: string, ontology: Ontology, longest = MAX_LENGTH): string {
  // Cut before masking work grows with the input, and again after masking.
  const masked = maskSecrets(text.slice(0, 4 * longest), ontology);
  const bounded = (PLAIN.test(masked) ? masked : masked.replace(INVISIBLE, spellOut)).trim();
  return bounded.length > longest ? `${bounded.slice(0, longest - 1)}…` : bounded;
}
