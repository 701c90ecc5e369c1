/** Personal data that ride along: beside the arguments of a look-up, in the address of a page, in a form that nobody wanted filled. */

import { isLoopback } from '../../../effects/hosts.ts';
import type { AgentEvent } from '../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../events/parameters.ts';
import { wordsOf } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { listOf, setOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import { corpusOf } from '../conversation/corpus.ts';
import type { TextReading } from '../conversation/text.ts';
import { userWords } from '../conversation/user-words.ts';
import type { Argument } from '../values/argument.ts';
import { hostOf, registrable } from '../values/hosts.ts';
import { namedValues } from '../values/named-values.ts';
import { base64Texts, fromUrlEncoding } from '../words/encodings.ts';
import { detectValues } from './found/detect.ts';
import { isGivenAddress } from './requests/given-address.ts';

const words = perOntology((ontology) => ({
  side: setOf(ontology, 'side_parameters'),
  form: setOf(ontology, 'form_words'),
  personal: setOf(ontology, 'personal_classes'),
  /** In an address, a secret is carried away, too; elsewhere secrets have rules of their own. */
  carried: new Set([...listOf(ontology, 'personal_classes'), 'secret']),
}));

const MAX_LEAVES = 200;
const MAX_TEXT = 8_192;
const LEAST_CONFIDENCE = 0.5;
/** A link that is shared has a token of its own; a key is known by its form. */
const LEAST_OF_SECRET = 0.9;
/** One address may be the account under which a service is used; two are somebody's data. */
const LEAST_CONTACTS = 2;
const CONTACT = 1;
const textsOf = (event: AgentEvent): readonly (Leaf & { value: string })[] =>
  parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .filter((leaf): leaf is Leaf & { value: string } => typeof leaf.value === 'string');

/** Values of these classes in a text, plain or in base64, which the user did not say. */
function personalValues(
  text: string,
  ontology: Ontology,
  user: string,
  classes = words(ontology).personal,
): readonly { value: string; severity: number }[] {
  const cut = text.slice(0, MAX_TEXT);
  return [cut, ...base64Texts(cut)].flatMap((one) =>
    detectValues(one, ontology).filter(
      ({ data_class, confidence, value, subclass }) =>
        classes.has(data_class) &&
        subclass !== 'device_online' &&
        confidence >= (data_class === 'secret' ? LEAST_OF_SECRET : LEAST_CONFIDENCE) &&
        !user.includes(value),
    ),
  );
}

const isTelling = (values: readonly { value: string; severity: number }[]): boolean =>
  values.some(({ severity }) => severity > CONTACT) || new Set(values.map(({ value }) => value)).size >= LEAST_CONTACTS;

/** The argument beside what a tool needs (`context`, `notes`) that holds personal data which the user did not say; '' if none does. */
export function dataBesideArguments(event: AgentEvent, ontology: Ontology, text: TextReading): string {
  const { side } = words(ontology);
  const leaves = textsOf(event).filter(
    ({ name, value }) => value.length > 8 && (side.has(name) || side.has(wordsOf(name).at(-1) ?? '')),
  );
  if (leaves.length === 0) return '';
  const user = userWords(text);
  return leaves.find(({ value }) => isTelling(personalValues(value, ontology, user)))?.path ?? '';
}

const ADDRESS = /^https?:\/\/([\w.-]{1,253})(?::\d{1,5})?([/?#][^\s]{4,4000})$/i;
/** An address that is loaded when a text is shown: an image in Markdown or HTML. */
const SHOWN = /(?:!\[[^\]\n]{0,200}\]\(\s{0,4}|\bsrc\s{0,4}=\s{0,4}["'])(https?:\/\/[^\s)"'<>]{8,4000})/gi;
const MAX_SHOWN = 16;

/** Host of an address that carries personal data or a secret in its path or query, which the user did not say; '' if there is none. */
export function dataInAddress(event: AgentEvent, ontology: Ontology, text: TextReading): string {
  const addresses = textsOf(event).flatMap(({ value }) => (ADDRESS.test(value) ? [value] : []));
  return carrying(addresses, ontology, text, () => false);
}

/** Host of an image in a text whose address carries such data, or a text in base64; '' if there is none. */
export function dataInImage(event: AgentEvent, ontology: Ontology, text: TextReading): string {
  const shown = textsOf(event).flatMap(({ value }) =>
    value.includes('://')
      ? [...value.slice(0, MAX_TEXT).matchAll(SHOWN)].slice(0, MAX_SHOWN).map(([, url]) => url!)
      : [],
  );
  return carrying(shown, ontology, text, (pieces) => pieces.some((piece) => base64Texts(piece).length > 0));
}

function carrying(
  addresses: readonly string[],
  ontology: Ontology,
  text: TextReading,
  isEnough: (pieces: readonly string[]) => boolean,
): string {
  if (addresses.length === 0) return '';
  const user = userWords(text);
  for (const address of addresses) {
    const [, host = '', rest = ''] = ADDRESS.exec(address) ?? [];
    if (host === '' || user.includes(host) || isGivenAddress(address, text)) continue;
    const pieces = rest
      .split(/[?&#;]/)
      .flatMap((piece) => [fromUrlEncoding(piece.replaceAll('+', ' ')), piece.slice(piece.indexOf('=') + 1)]);
    const values = pieces.flatMap((piece) => personalValues(piece, ontology, user, words(ontology).carried));
    // One address may log the user in, or say for whom a page is; with something encoded beside it it is carried away.
    const isEncoded = pieces.some((piece) => base64Texts(piece).length > 0);
    if (isTelling(values) || (values.length > 0 && isEncoded) || isEnough(pieces)) return host;
  }
  return '';
}

/** Host that a request sends a secret to, although the user named another one; '' if none. */
export function keyToOtherHost(
  event: AgentEvent,
  ontology: Ontology,
  args: readonly Argument[],
  text: TextReading,
): string {
  const named = namedValues(corpusOf(text)).flatMap(({ value }) =>
    value.kind === 'url' || value.kind === 'host' ? [hostOf(value.text)?.host ?? ''] : [],
  );
  const own = new Set(named.filter((host) => host.includes('.')).map((host) => registrable(host, ontology)));
  if (own.size === 0) return '';
  const values = textsOf(event);
  const hosts = values.flatMap(({ value }) => ADDRESS.exec(value)?.[1] ?? []);
  const other = hosts.find((host) => !own.has(registrable(host, ontology)) && !isLoopback(host));
  if (other === undefined) return '';
  const isKey = ({ value }: Leaf & { value: string }): boolean =>
    detectValues(value.slice(0, MAX_TEXT), ontology).some(
      ({ data_class, confidence }) => data_class === 'secret' && confidence >= LEAST_OF_SECRET,
    );
  const hasKey = args.some(({ role }) => role === 'secret') || values.some(isKey);
  return hasKey ? other : '';
}

/** Five digits and more, in whatever groups, and no date or time. */
const DIGITS = 5;
const NUMBER = /^[A-Z0-9 .,;+()/-]{5,64}$/i;
/** The number of a passport or card: capitals and digits in one piece. */
const DOCUMENT_DIGITS = 3;
const DOCUMENT = /^(?=[0-9]{0,20}[A-Z])[A-Z0-9]{7,20}$/;
const DATE = /^\d{1,4}[-./]\d{1,2}(?:[-./]\d{1,4})?(?:[T ][\d:.Z+-]{1,20})?$/;

/** The field of a form that takes somebody's number or address which the user did not say; '' if there is none. */
export function identityInForm(
  event: AgentEvent,
  ontology: Ontology,
  action: ActionReading,
  text: TextReading,
): string {
  const { form } = words(ontology);
  if (![action.tool_name, action.scope, action.verb].some((name) => wordsOf(name).some((word) => form.has(word))))
    return '';
  const user = userWords(text);
  const plain = user.replace(/[^\p{L}\p{N}]/gu, '');
  const found = textsOf(event).find(({ value }) => {
    const one = value.trim();
    if (one.length > 64 || one.includes('://') || DATE.test(one)) return false;
    const digits = one.replace(/\D/g, '').length;
    const isNumber = (digits >= DIGITS && NUMBER.test(one)) || (digits >= DOCUMENT_DIGITS && DOCUMENT.test(one));
    const isSaid = plain.includes(one.replace(/[^\p{L}\p{N}]/gu, ''));
    return (isNumber && !isSaid) || personalValues(one, ontology, user).length > 0;
  });
  return found?.path ?? '';
}
