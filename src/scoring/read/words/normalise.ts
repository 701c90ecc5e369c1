/** The kind of a value and its normal form: two spellings of one account have the same normal form. */
import { asciiLower } from '../../../lang/names.ts';
import { numberOf } from '../../../lang/written-numbers.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { patternOf } from '../../../ontology/words.ts';
import { foldText } from './fold.ts';
import type { Words } from './lexer.ts';
import { wordSet } from './word-lists.ts';

export type ValueKind =
  | 'email'
  | 'url'
  | 'host'
  | 'account'
  | 'card'
  | 'amount'
  | 'number'
  | 'path'
  | 'command'
  | 'identifier'
  | 'phrase'
  | 'flag';

/** Kinds of values that name a person or a place. */
export const ADDRESS_KINDS: ReadonlySet<ValueKind> = new Set(['email', 'url', 'host', 'account', 'card']);

export interface Value {
  kind: ValueKind;
  /** As given, trimmed. */
  text: string;
  /** Normal form: folded address, host without `www.`, account without spaces, number as JavaScript prints it. */
  normal: string;
  /** Its words, set on first use. */
  words?: Words;
}

/** Longer texts are taken for prose or code. */
const MAX_TOKEN = 2_048;
/** Longer texts are not looked up in `flag_words`. */
const LONGEST_FLAG = 8;
// `user:ana@north.test` is how a platform writes a member.
const EMAIL =
  /^(?:mailto:|e-?mail:|smtp:|user:|group:|serviceaccount:|member:)?[^\s@<>"',;:()[\]]{1,64}@[\w.\u0080-\uffff-]{1,253}$/i;
const NAMED_EMAIL = /^[^<>@]{0,120}<([^\s@<>]{1,64}@[\w.\u0080-\uffff-]{1,253})>$/;
const URL_START = /^(?:[a-z][a-z0-9+.-]{1,15}:\/\/|www\.)\S+$/i;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?$/;
const HOST = /^(?:[\w-]{1,63}\.){1,8}[a-z][a-z0-9-]{1,23}(?::\d{1,5})?$/i;
const IBAN = /^[A-Za-z]{2}\d{2}[ -]?(?:[A-Za-z0-9][ -]?){6,31}$/;
const WALLET = /^(?:0x[0-9a-fA-F]{40}|bc1[0-9a-z]{11,71}|[13][1-9A-HJ-NP-Za-km-z]{25,34})$/;
const DIGITS = /^\d(?:[ -]?\d){7,19}$/;
const PATH = /^(?:~|\.{1,2}|[A-Za-z]:)?[/\\]\S*$|^[\w .@+-]{1,120}(?:[/\\][\w .@+-]{1,120}){1,40}[/\\]?$/;
const FILE = /^[\w @+()-]{1,120}(?:\.[\w-]{1,20}){0,4}\.(?:[a-z]{1,5}\d?|7z)$/i;

/** The ontology's words that tell kinds of values apart, see `ontology/lists/value-kinds.yaml`. */
const wordsOf = perOntology((ontology) => ({
  amount: patternOf(ontology, 'values', 'amount'),
  currency: patternOf(ontology, 'values', 'currency'),
  shell_line: patternOf(ontology, 'values', 'shell_line'),
  file_endings: wordSet(ontology, 'file_endings'),
  host_endings: wordSet(ontology, 'host_endings'),
  flag_words: wordSet(ontology, 'flag_words'),
}));
type ValueWords = ReturnType<typeof wordsOf>;

/**
 * Kind and normal form of a value.
 *
 * @param hint the role that the key gives ('' for none), which decides between kinds that look alike
 */
export function readValue(raw: string | number | boolean, hint: string, ontology: Ontology): Value {
  if (typeof raw === 'boolean') return { kind: 'flag', text: String(raw), normal: String(raw) };
  if (typeof raw === 'number')
    return { kind: hint === 'amount' ? 'amount' : 'number', text: String(raw), normal: String(raw) };
  const text = raw.trim();
  const kind = kindOf(text, hint, wordsOf(ontology));
  return { kind, text, normal: normalForm(text, kind) };
}

function kindOf(text: string, hint: string, words: ValueWords): ValueKind {
  if (text.length > MAX_TOKEN || text === '') return hint === 'command' ? 'command' : 'phrase';
  if (text.length <= LONGEST_FLAG && words.flag_words.has(asciiLower(text))) return 'flag';
  if (text.includes('@') && (EMAIL.test(text) || NAMED_EMAIL.test(text))) return 'email';
  if (URL_START.test(text)) return 'url';
  const isNumeric = words.amount.test(text);
  if (hint === 'payee' && (DIGITS.test(text) || WALLET.test(text))) return 'account';
  if (isNumeric && hint === 'amount') return 'amount';
  if (/\d/.test(text)) {
    const exact = kindOfDigits(text, isNumeric, words);
    if (exact !== null) return exact;
  }
  return kindOfName(text, hint, words);
}

function kindOfDigits(text: string, isNumeric: boolean, { currency }: ValueWords): ValueKind | null {
  const bare = text.replace(/[ -]/g, '');
  if (/^\d{13,19}$/.test(bare) && passesLuhn(bare)) return 'card';
  if (WALLET.test(text)) return 'account';
  if (IBAN.test(text) && /\d{6}/.test(bare)) return 'account';
  if (IPV4.test(text)) return 'host';
  if (isNumeric) return currency.test(text) ? 'amount' : 'number';
  return null;
}

function kindOfName(text: string, hint: string, words: ValueWords): ValueKind {
  if (hint === 'command') return 'command';
  const isOneWord = !/\s/.test(text);
  if (isOneWord && !text.includes('/') && !text.includes('\\') && HOST.test(text)) {
    return isFile(text, words) && hint !== 'host' && hint !== 'url'
      ? 'path'
      : isLikelyHost(text, hint, words)
        ? 'host'
        : 'identifier';
  }
  if (isOneWord && /^[\w.-]+\.[a-z]{2,24}[/?#]/i.test(text)) return hint === 'path' ? 'path' : 'url';
  if (PATH.test(text) || (FILE.test(text) && isFile(text, words)))
    return isOneWord || hint === 'path' ? 'path' : 'phrase';
  if (hint === 'path' && text.length < 200) return 'path';
  if (isOneWord) return 'identifier';
  return words.shell_line.test(text) && text.length < MAX_TOKEN && hint === 'query' ? 'command' : 'phrase';
}

const isFile = (text: string, { file_endings }: ValueWords): boolean => file_endings.has(endingOf(text));

/** `alice.miller` is a name, `example.com` is a host: a host ends in a label that can be a top-level domain. */
function isLikelyHost(text: string, hint: string, { host_endings }: ValueWords): boolean {
  if (hint === 'host' || hint === 'url') return true;
  const last = text
    .slice(text.lastIndexOf('.') + 1)
    .toLowerCase()
    .replace(/:\d+$/, '');
  return last.length === 2 || host_endings.has(last);
}

/** The text behind the last point of a name, in lower case; '' without a point. */
export function endingOf(name: string): string {
  const point = name.lastIndexOf('.');
  return point < 0 ? '' : asciiLower(name.slice(point + 1));
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    let digit = digits.charCodeAt(digits.length - 1 - i) - 48;
    if (i % 2 === 1) digit = digit > 4 ? digit * 2 - 9 : digit * 2;
    sum += digit;
  }
  return sum % 10 === 0;
}

export function normalForm(text: string, kind: ValueKind): string {
  if (kind === 'email')
    return foldText(
      NAMED_EMAIL.exec(text)?.[1] ?? text.replace(/^(?:mailto|e-?mail|smtp|user|group|serviceaccount|member):/i, ''),
    );
  if (kind === 'url' || kind === 'host') return bareUrl(text);
  if (kind === 'account' || kind === 'card') return foldText(text).replace(/[ .-]/g, '');
  if (kind === 'amount' || kind === 'number') return String(numberOf(text));
  if (kind === 'path') return resolvePath(text);
  return kind === 'identifier' ? foldText(text) : text;
}

/** Without scheme, `www.`, user, trailing slash and closing punctuation. */
export function bareUrl(text: string): string {
  const bare = foldText(text)
    .replace(/^[a-z][a-z0-9+.-]{1,15}:\/\//, '')
    .replace(/^[^/?#]{0,64}@/, '')
    .replace(/^www\./, '');
  let end = bare.length;
  while (end > 0 && '/.,;:!?)]}\'"'.includes(bare.charAt(end - 1))) end--;
  return bare.slice(0, end);
}

/** Host of a normal URL or an address, without port. */
export function hostOf(normal: string): string {
  const at = normal.lastIndexOf('@');
  return normal.slice(at + 1).split(/[/?#:]/, 1)[0] ?? '';
}

/**
 * Host of an address, URL or host as it was written, in lower case. The owner of a host must not be derived from the folded
 * form, in which a look-alike letter becomes the letter that it imitates.
 */
export function unfoldedHost({ kind, text }: Value): string {
  if (kind === 'email') {
    const address = NAMED_EMAIL.exec(text)?.[1] ?? text;
    return asciiLower(address.slice(address.lastIndexOf('@') + 1));
  }
  const place = text.replace(/^[a-z][a-z0-9+.-]{1,15}:\/\//i, '');
  // Browsers end the authority here; an `@` behind it is part of the path.
  const authority = place.split(/[/?#\\]/, 1)[0] ?? '';
  const host = asciiLower(authority.slice(authority.lastIndexOf('@') + 1)).replace(/:\d{0,5}$/, '');
  return host.replace(/^www\./, '').replace(/\.$/, '');
}

/** Forward slashes, `.` and `..` resolved, no slash at the end. */
export function resolvePath(text: string): string {
  const parts: string[] = [];
  const folded = foldText(text).replaceAll('\\', '/');
  for (const part of folded.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return (folded.startsWith('/') ? '/' : '') + parts.join('/');
}
