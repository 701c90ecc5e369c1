/** From the match of a detector to the value itself, and whether that value is a known example. */

import { withoutEnd } from '../../../../lang/ends.ts';
import { asciiLower } from '../../../../lang/names.ts';
import type { DetectedPart, Ontology } from '../../../../ontology/index.ts';
import { matchFieldName } from '../../words/field-names.ts';

/** Code that computes a value is not a value: `token = get_token()`, `password=os.environ["X"]`. */
const EXPRESSION = /[()[\]{}$]|^[a-z_]\w*(?:\.[a-z_]\w*)+$/i;
/** Words alone, such as `required` or `incorrect`, are what is said about a password. */
const PLAIN_WORD = /^[A-Za-z]?[a-z]+[.:!?]?$/;
/** Longer values are no placeholder. */
const MAX_FORM = 256;
/** Addresses of no person's device. */
const PRIVATE_ADDRESS = /^(?:0|10|127|255|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))\./;
/** A name of more than one word: `sshPassword`, `db_password`. */
const NAME = /^[a-z][A-Za-z_]{1,63}$/;
const PARTED = /[A-Z_]/;
/** Blanks on both sides of the sign, as in statements of code. */
const SPACED = /^[^:=]{0,64}\s:?=\s/;
/** What follows a name in an expression. */
const GOES_ON = /^(?:[,;)]|\s{0,3}(?:\}|\|\||\?\?|&&))/;

/** A variable of code that is itself called after a secret stands for it: `options.password = sshPassword`. */
function isVariable(bare: string, match: string, next: string, ontology: Ontology): boolean {
  if (!NAME.test(bare) || !PARTED.test(bare) || !(SPACED.test(match) || GOES_ON.test(next))) return false;
  return matchFieldName(bare, ontology)?.data_class === 'secret';
}

function assigned(match: string, next: string, ontology: Ontology): string | undefined {
  const value = match.slice(match.search(/[:=]/) + 1).trim();
  const quoted = /^["']/.test(value);
  // A full stop behind a value in prose ends the sentence.
  const bare = withoutExpansion(value.replace(/^["']|["'.]$/g, ''));
  if (bare === '') return undefined;
  if (!quoted && (EXPRESSION.test(bare) || isVariable(bare, match, next, ontology))) return undefined;
  return PLAIN_WORD.test(bare) ? undefined : bare;
}

/**
 * `${DB_PASSWORD:-root}` of a compose file holds what it falls back to; `${DB_PASSWORD}` holds nothing. A match may begin inside it:
 * `PASSWORD:-root}`.
 */
function withoutExpansion(value: string): string {
  const inside = /^[-=]([^{}]{1,200})\}$/.exec(value);
  if (inside !== null) return inside[1]!;
  const expansion = /^\$\{\w{1,64}(?::?[-=]([^{}]{0,200})|:?\?[^{}]{0,200})?\}$/.exec(value);
  return expansion === null ? value : (expansion[1] ?? '');
}

/**
 * The value in a match (or in its group), undefined when a second look says that it is none.
 *
 * @param next the beginning of what follows the match
 */
export function valueIn(
  part: DetectedPart,
  whole: string,
  is_group: boolean,
  next: string,
  ontology: Ontology,
): string | undefined {
  if (is_group) return whole;
  switch (part) {
    case 'whole':
      return whole;
    case 'last_word':
      return lastWord(whole);
    case 'assigned':
      return assigned(whole, next, ontology);
    case 'behind_equals_sign':
      return whole.slice(whole.indexOf('=') + 1);
    case 'behind_label':
      return whole.replace(/^\w+(?: phrase)?\W+/i, '');
    case 'password_of_url':
      return passwordOfUrl(whole);
    case 'public_address':
      return PRIVATE_ADDRESS.test(whole) ? undefined : whole;
  }
}

const LOGIN_OF_URL = /^[^:]+:\/\/([^:]*):([^@]*)@(\[?[\w.:-]*)/;

/** The password; undefined where it is the user's name again, for a service on the own machine or of the same compose file. */
function passwordOfUrl(url: string): string | undefined {
  const [, name = '', password = url, host = ''] = LOGIN_OF_URL.exec(url) ?? [];
  const isNear = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]?|[a-z][\w-]{0,62})(?::\d{1,5})?$/i.test(host);
  return isNear && password === name ? undefined : password;
}

const known_values = new WeakMap<Ontology, ReadonlySet<string>>();

function compact(value: string): string {
  return asciiLower(value.replace(/[\s-]/g, ''));
}

/** A documented example or a placeholder: it stays in sight, with little confidence. */
export function isTestValue(value: string, ontology: Ontology): boolean {
  let known = known_values.get(ontology);
  if (known === undefined) {
    known = new Set((ontology.lists.get('known_test_values') ?? []).map(compact));
    known_values.set(ontology, known);
  }
  if (known.has(compact(value))) return true;
  for (const form of ontology.patterns.get('test_values')?.values() ?? [])
    if (form.test(value.slice(0, MAX_FORM))) return true;
  return false;
}

/** The run of letters, digits and signs of keys at the end, from its first letter or digit; everything when there is none. */
function lastWord(text: string): string {
  const run = text.slice(withoutEnd(text, /[\w+/.~=-]/).length);
  const start = run.search(/[A-Za-z0-9]/);
  return start < 0 ? text : run.slice(start);
}
