/** Secrets that stand where they have no business: beside the arguments of a tool, or in the address of a page or image. */
import { editParameters } from '../../../../effects/edits/edits.ts';
import { isLoopback } from '../../../../effects/hosts.ts';
import { rolesOf } from '../../../../effects/parameters/parameter-roles.ts';
import { languageOfToolProgram } from '../../../../effects/parameters/shapes.ts';
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { listOf } from '../../../../ontology/words.ts';
import type { TextReading } from '../../conversation/text.ts';
import type { Argument } from '../../values/argument.ts';
import { base64Texts, hexTexts } from '../../words/encodings.ts';
import { matchFieldName } from '../../words/field-names.ts';
import { wordSet } from '../../words/word-lists.ts';
import { isGivenAddress } from '../requests/given-address.ts';
import { detectValues } from './detect.ts';
import type { DetectedData } from './detected-data.ts';

const LEAST_CONFIDENCE = 0.5;
/** Host, then what follows the first `/`, `?` or `#`. A name and password before `@` log in to that host. */
const ADDRESSES = /https?:\/\/(?:[^\s"'<>@/]{1,300}@)?([\w.-]{1,253}(?::\d{1,5})?)([/?#][^\s"'<>)\]]{8,4000})/gi;
const SECRET = 'secret';
/** A shorter part of an address holds no encoded secret. */
const SHORTEST_ENCODED = 24;

const isSecret = ({ basis, data_class, confidence }: DetectedData): boolean =>
  basis === 'value' && data_class === SECRET && confidence >= LEAST_CONFIDENCE;

const lastKey = (path: string): string =>
  (/([A-Za-z_][\w-]{0,64})[^A-Za-z_]{0,16}$/.exec(path)?.[1] ?? '').toLowerCase();

/**
 * The argument that holds a secret although it plays no part in what the tool does, and the user did not give it: a note
 * beside the numbers of a calculator, a context beside a search. '' when there is none.
 */
export function misplacedSecret(
  touched: readonly DetectedData[],
  args: readonly Argument[],
  names: readonly string[],
  ontology: Ontology,
): string {
  const secrets = touched.filter(isSecret);
  if (secrets.length === 0) return '';
  // A service that only turns a text into another form needs no secret in it.
  const services = wordSet(ontology, 'text_services');
  const isService = names.some((word) => services.has(word));
  // In order of their paths, so that the order of the parameters decides nothing.
  for (const { where } of secrets.sort((a, b) => (a.where < b.where ? -1 : a.where > b.where ? 1 : 0))) {
    const arg = args.find((a) => `parameters.${a.path}` === where);
    if (arg === undefined || arg.role !== '' || arg.provenance === 'user') continue;
    const key = lastKey(arg.path);
    if (
      !isEdited(key, args, ontology) &&
      !isWholeFile(key, args, ontology) &&
      !isToolProgram(arg, ontology) &&
      rolesOf(ontology)(key) !== 'shell' &&
      (isService || !listOf(ontology, 'text_keys').includes(key)) &&
      matchFieldName(key, ontology)?.data_class !== SECRET
    )
      return arg.path;
  }
  return '';
}

const bare = (name: string): string => name.replace(/[_-]/g, '');

/** Whether an argument is a program that calls tools: each call in it is judged as one, with what it is handed. */
const isToolProgram = ({ value }: Argument, ontology: Ontology): boolean =>
  typeof value === 'string' && languageOfToolProgram(value, ontology) !== null;

/** Whether a parameter is the whole text of a file that another one names, whatever the host calls the two. */
function isWholeFile(key: string, args: readonly Argument[], ontology: Ontology): boolean {
  const { whole, path } = editParameters(ontology);
  return whole.has(bare(key)) && args.some((arg) => path.has(bare(lastKey(arg.path))));
}

/** Whether a parameter is the new text of an edit, or the old one beside it: what an edit takes out is spread no further. */
function isEdited(key: string, args: readonly Argument[], ontology: Ontology): boolean {
  const after = listOf(ontology, 'edit_after_parameters');
  if (after.includes(bare(key))) return true;
  return (
    listOf(ontology, 'edit_before_parameters').includes(bare(key)) &&
    args.some(({ path }) => after.includes(bare(lastKey(path))))
  );
}

/**
 * Host of an address in the parameters whose path or query carries a secret, plain or encoded; '' when there is none. A secret
 * under the name of a credential logs in to that host, unless it is encoded.
 */
export function secretInAddress(
  event: AgentEvent,
  touched: readonly DetectedData[],
  ontology: Ontology,
  text: TextReading,
): string {
  const isPlain = touched.some((one) => isSecret(one));
  for (const { value } of parametersOf(event).leaves) {
    if (typeof value !== 'string' || !value.includes('://')) continue;
    for (const [address, host = '', rest = ''] of value.matchAll(ADDRESSES)) {
      if (isLoopback(host.replace(/:\d{1,5}$/, ''))) continue;
      const parts = rest.split(/[?&#;]/);
      // What is encoded in a path begins behind a slash, which is a letter of base64.
      const encoded = parts[0]!.split('/').slice(1);
      if (
        [...parts, ...encoded].some(
          (part) => (isPlain || part.length >= SHORTEST_ENCODED) && carriesSecret(part, ontology),
        ) &&
        !isGivenAddress(address, text)
      )
        return host;
    }
  }
  return '';
}

function carriesSecret(part: string, ontology: Ontology): boolean {
  const at = part.indexOf('=');
  const name = at < 0 ? '' : part.slice(0, at);
  const logsIn = name !== '' && matchFieldName(name, ontology)?.data_class === SECRET;
  return [...(logsIn ? [] : [part]), ...base64Texts(part), ...hexTexts(part)].some((text) =>
    detectValues(text, ontology).some((v) => v.data_class === SECRET && v.confidence >= LEAST_CONFIDENCE),
  );
}
