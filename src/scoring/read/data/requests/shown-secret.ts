/** A secret that the agent has seen, in what a request that only fetches shows to its host: plain, encoded, in pieces of a name. */

import { asciiLower } from '../../../../lang/names.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import { userWords } from '../../conversation/user-words.ts';
import { registrable } from '../../values/hosts.ts';
import { fromUrlEncoding } from '../../words/encodings.ts';
import { matchFieldName } from '../../words/field-names.ts';
import { Carrier, decodedFrom, type Technique, techniqueOf } from '../carry.ts';
import type { DetectedData } from '../found/detected-data.ts';
import { bareAddress, isGivenAddress } from './given-address.ts';
import { type Request, type RequestParts, requestsOf } from './requests.ts';

/** Beginnings of headers that log in. */
const schemes = perOntology((ontology) => setOf(ontology, 'authorization_schemes'));

const SECRET = 'secret';
/** Shorter labels hold no encoded value (characters). */
const LEAST_LABELS = 8;
const NONE: ReadonlySet<Technique> = new Set();
const BASIC = /\bbasic\s{1,4}[A-Za-z0-9+/=_-]{8,8192}/gi;
const ENCODED = /[A-Za-z0-9+/=_-]{16,8192}/g;
const PARTS = /[/?&=#;,.:]/;
/** What a value that stands there as it is may be for another reason: a key logs in, a part of an address is a name. */
const OPEN: ReadonlySet<Technique> = new Set<Technique>(['plain', 'split', 'chunk', 'url']);

/** Host that a request shows such a secret to; '' if there is none. */
export function secretInRequest(r: RequestParts): string {
  return shownTo(r, ({ data_class }) => data_class === SECRET, NONE);
}

/** The same for other sensitive data that the agent has seen, where they are disguised: as they are, they say whom a page is about. */
export function disguisedInRequest(r: RequestParts): string {
  return shownTo(r, ({ data_class }) => data_class !== SECRET, OPEN);
}

function shownTo(r: RequestParts, isMeant: (data: DetectedData) => boolean, allowed: ReadonlySet<Technique>): string {
  const data = r.data.seen_values.filter(isMeant);
  if (data.length === 0) return '';
  const shows = (request: Request, one: DetectedData): boolean => {
    const technique = techniqueIn(request, one, r);
    return technique !== undefined && !allowed.has(technique);
  };
  return requestsOf(r).find((request) => data.some((one) => shows(request, one)))?.host ?? '';
}

/** How the request shows the value, where nothing explains it. */
function techniqueIn(request: Request, data: DetectedData, r: RequestParts): Technique | undefined {
  const { address, below_domain, shown, is_header, host } = request;
  if (request.is_code === true) return inCode(shown, data, r);
  if (shown.length > 0) {
    const technique = is_header ? inHeader(shown, data, r) : inAddress(shown, data, r);
    if (
      technique !== undefined &&
      !(OPEN.has(technique) && isOwnService(host, data, r)) &&
      (is_header || !cameWithAddress(address, data, r))
    )
      return technique;
  }
  // The name of a host may stand in a secret that is an address; then it is no piece of it.
  if (below_domain.length < LEAST_LABELS || asciiLower(data.value).includes(host)) return undefined;
  return techniqueOf(new Carrier('', below_domain), data.value);
}

/** The text as it is and with its escapes taken off, both also in parts: what is encoded begins behind any separator. */
function carrierOf(shown: string): Carrier {
  const plain = fromUrlEncoding(shown);
  const parts = [shown, ...shown.split(PARTS), ...(plain === shown ? [] : [plain, ...plain.split(PARTS)])];
  return new Carrier('', parts.join('\n'));
}

/**
 * A command may take a secret in many places to log in; in disguise it is put there for no such reason, unless `Basic` encodes it
 * or what was read held it in that form.
 */
function inCode(code: string, data: DetectedData, r: RequestParts): Technique | undefined {
  const isSaid = (run: string): boolean => r.text.untrusted.some(({ text }) => text.includes(run));
  const own = code.replace(BASIC, '').replace(ENCODED, (run) => (isSaid(run) ? '' : run));
  const technique = techniqueOf(new Carrier('', own), data.value);
  return technique === undefined || OPEN.has(technique) ? undefined : technique;
}

/** A secret under the name of a credential logs in to that host, unless it is disguised. */
function inAddress(shown: string, secret: DetectedData, r: RequestParts): Technique | undefined {
  const open = shown
    .split(/(?=[?&#;])/)
    .filter((part) => matchFieldName(/^[?&#;]([\w.-]{1,64})=/.exec(part)?.[1] ?? '', r.ontology)?.data_class !== SECRET)
    .join('');
  const technique = techniqueOf(carrierOf(open), secret.value);
  if (technique !== undefined || open === shown) return technique;
  const hidden = techniqueOf(carrierOf(shown), secret.value);
  return hidden === undefined || OPEN.has(hidden) ? undefined : hidden;
}

/** A header or option that is made for a login holds the secret as it is, or with a name before it as `Basic` encodes it. */
function inHeader(line: string, secret: DetectedData, r: RequestParts): Technique | undefined {
  const [, name = '', value = ''] = /^([\w-]{1,64}):\s{0,8}(.*)$/s.exec(line) ?? [];
  const technique = techniqueOf(carrierOf(line), secret.value);
  if (technique === undefined) return undefined;
  const scheme = /^(\w{1,24})\s/.exec(value)?.[1] ?? '';
  const logsIn =
    matchFieldName(name, r.ontology)?.data_class === SECRET ||
    schemes(r.ontology).has(asciiLower(scheme)) ||
    // A cookie is most often what a login gave.
    (name === '' && /^[\w.-]{1,64}=/.test(line));
  const isBasic = asciiLower(scheme) === 'basic' && decodedFrom(value).some(([, text]) => text.includes(':'));
  return logsIn && (OPEN.has(technique) || isBasic) ? undefined : technique;
}

/** The service that the secret is for: one that is named beside the secret, or by the user. */
function isOwnService(host: string, { where }: DetectedData, r: RequestParts): boolean {
  const domain = registrable(host, r.ontology);
  if (asciiLower(userWords(r.text)).includes(domain)) return true;
  const beside = r.text.untrusted.find(({ index }) => where === `conversation_history[${index}]`);
  return beside !== undefined && asciiLower(beside.text).includes(domain);
}

/**
 * The value was seen only as a part of the address, which was given as a whole: a signed address, a link with a token of its own. A value
 * that was read elsewhere was put there, even if a command printed the address before.
 */
function cameWithAddress(address: string, { value }: DetectedData, r: RequestParts): boolean {
  if (!isGivenAddress(address, r.text)) return false;
  const bare = bareAddress(address);
  return !r.text.untrusted.some(({ text }) => text.replaceAll(bare, '').includes(value));
}
