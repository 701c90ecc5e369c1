/** A text in an address that nobody can read and that stands nowhere in the conversation: what was read may be in it. */

import { asciiLower } from '../../../../lang/names.ts';
import { segmentsOf } from '../../conversation/text.ts';
import { userWords } from '../../conversation/user-words.ts';
import { registrable } from '../../values/hosts.ts';
import { type Request, type RequestParts, requestsOf } from './requests.ts';

/** A run without a break, as encodings and ciphers make it (characters); a shorter one is an id or a name. */
const RUN = /[A-Za-z0-9+_=-]{24,8192}/g;
/** Letters and digits in one label of a name. Labels have small letters only, so they have to be longer to tell. */
const LABEL = /[a-z0-9]{32,63}/g;
/** A digest or an identifier: code fetches things by these all day. */
const DIGEST = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Random letters of both sizes and digits. Words that are joined by dashes have next to none of the other kinds. */
const looksRandom = (run: string): boolean =>
  !DIGEST.test(run) && count(run, /\d/g) >= 3 && count(run, /[A-Z]/g) >= 3 && count(run, /[a-z]/g) >= 3;

const isRandomLabel = (run: string): boolean =>
  !DIGEST.test(run) && count(run, /\d/g) >= 4 && count(run, /[g-z]/g) >= 4;

const runsOf = ({ shown, below_domain, is_header, is_code }: Request): readonly string[] =>
  is_header || is_code === true
    ? []
    : [...(shown.match(RUN) ?? []).filter(looksRandom), ...(below_domain.match(LABEL) ?? []).filter(isRandomLabel)];

/** Host of such an address; '' if there is none, or if nothing was said from which it could be told. */
export function opaqueAddress(r: RequestParts): string {
  const said = segmentsOf(r.text);
  if (said.length === 0) return '';
  const isSaid = (run: string): boolean => said.some(({ text }) => text.includes(run));
  const isNamed = ({ host }: Request): boolean => asciiLower(userWords(r.text)).includes(registrable(host, r.ontology));
  const isOpaque = (request: Request): boolean => runsOf(request).some((run) => !isSaid(run)) && !isNamed(request);
  return requestsOf(r).find(isOpaque)?.host ?? '';
}
