/** Personal data that ride along: beside the arguments of a look-up, in the address of a page, in a form that nobody wanted filled. */
import type { AgentEvent } from '../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../events/parameters.ts';
import { wordsOf } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import { segmentsOf, type TextReading } from '../conversation/text.ts';
import { base64Texts, fromUrlEncoding } from '../words/encodings.ts';
import { detectValues } from './detect.ts';

const words = perOntology((ontology) => ({
  side: setOf(ontology, 'side_parameters'),
  form: setOf(ontology, 'form_words'),
}));

const MAX_LEAVES = 200;
const MAX_TEXT = 8_192;
const MAX_SAID = 65_536;
const LEAST_CONFIDENCE = 0.5;
/** One address may be the account under which a service is used; two are somebody's data. */
const LEAST_CONTACTS = 2;
const CONTACT = 1;
const PERSONAL: ReadonlySet<string> = new Set(['PII', 'PHI', 'financial']);

const textsOf = (event: AgentEvent): readonly (Leaf & { value: string })[] =>
  parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .filter((leaf): leaf is Leaf & { value: string } => typeof leaf.value === 'string');

function wordsOfUser(text: TextReading): string {
  return segmentsOf(text)
    .filter(({ speaker }) => speaker === 'user')
    .map((segment) => segment.text)
    .join('\n')
    .slice(0, MAX_SAID);
}

/** Personal values in a text, plain or in base64, which the user did not say. Secrets have rules of their own. */
function personalValues(
  text: string,
  ontology: Ontology,
  user: string,
): readonly { value: string; severity: number }[] {
  const cut = text.slice(0, MAX_TEXT);
  return [cut, ...base64Texts(cut)].flatMap((one) =>
    detectValues(one, ontology).filter(
      ({ data_class, confidence, value, subclass }) =>
        PERSONAL.has(data_class) &&
        subclass !== 'device_online' &&
        confidence >= LEAST_CONFIDENCE &&
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
  const user = wordsOfUser(text);
  return leaves.find(({ value }) => isTelling(personalValues(value, ontology, user)))?.path ?? '';
}

const ADDRESS = /^https?:\/\/([\w.-]{1,253})(?::\d{1,5})?([/?#][^\s]{4,4000})$/i;

/** Host of an address that carries personal data in its path or query, which the user did not say; '' if there is none. */
export function dataInAddress(event: AgentEvent, ontology: Ontology, text: TextReading): string {
  const addresses = textsOf(event).filter(({ value }) => ADDRESS.test(value));
  if (addresses.length === 0) return '';
  const user = wordsOfUser(text);
  const found = addresses.find(({ value }) => {
    const [, host = '', rest = ''] = ADDRESS.exec(value)!;
    if (user.includes(host) || user.includes(value)) return false;
    const pieces = rest
      .split(/[?&#;]/)
      .flatMap((piece) => [fromUrlEncoding(piece.replaceAll('+', ' ')), piece.slice(piece.indexOf('=') + 1)]);
    const values = pieces.flatMap((piece) => personalValues(piece, ontology, user));
    // One address may log the user in, or say for whom a page is; with something encoded beside it it is carried away.
    const isCarried = isTelling(values) || (values.length > 0 && pieces.some((piece) => base64Texts(piece).length > 0));
    return isCarried;
  });
  return found === undefined ? '' : (ADDRESS.exec(found.value)?.[1] ?? '');
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
  const user = wordsOfUser(text);
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
