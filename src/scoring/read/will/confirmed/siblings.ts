/** Another thing of the kind and the list of the one that was agreed to: `m.salem` for `m.saleh`, a folder for two of its files. */

import { parametersOf } from '../../../../events/parameters.ts';
import { shapeOf } from '../../../../lang/names.ts';
import { standsAlone } from '../../../../lang/stands-alone.ts';
import { proposalOf } from '../../conversation/agreed.ts';
import { agreesToProposal, type Deed } from '../../conversation/answers.ts';
import type { TextReading } from '../../conversation/text.ts';
import type { OrderParts } from '../asked/exact-order.ts';
import { holds, isShown, MAX_SPOKEN, resultsBefore, shownTo } from './shown-values.ts';
import { SHORT_NAME, TOKENS, tellingValues } from './telling-values.ts';

/** Whether the user agreed, and the act takes another thing than the proposal names, or the folder of the files that it names. */
export function takesSibling(parts: OrderParts, deed: Deed): boolean {
  const { ontology, heeded_text: text } = parts;
  if (!agreesToProposal(ontology, text, deed)) return false;
  const shown = shownTo(text, parts.event.session?.user_id ?? '');
  const telling = tellingValues(parts, shown);
  const named = telling.filter((value) => isShown(value, shown, ontology));
  if (addsToShown(parts, text) || telling.some((value) => isFolderOfNamed(value, text))) return true;
  return namesSibling(telling, named, resultsBefore(parts.event, text), text);
}

/** Of a list, each number was told but some: the batch holds a payment more than the proposal. */
function addsToShown({ event, ontology }: OrderParts, text: TextReading): boolean {
  const proposal = proposalOf(text);
  const lists = new Map<string, string[]>();
  for (const { path, value } of parametersOf(event).leaves.slice(0, MAX_LISTED)) {
    const list = path.replace(/\[\d{1,6}\]/g, '[]');
    if (list === path || !/^\d[\d.,]{1,20}$/.test(String(value))) continue;
    const values = lists.get(list);
    if (values === undefined) lists.set(list, [String(value)]);
    else values.push(String(value));
  }
  return [...lists.values()].some((values) => {
    const told = values.filter((value) => isShown(value, proposal, ontology));
    return values.length >= LEAST_LISTED && told.length >= values.length / 2 && told.length < values.length;
  });
}

const LEAST_LISTED = 3;
/** Leaves that are compared; no proposal tells a longer list. */
const MAX_LISTED = 200;

function isFolderOfNamed(value: string, text: TextReading): boolean {
  const proposal = proposalOf(text);
  if (!value.endsWith('/') || value.length <= SHORT_NAME || standsAlone(value, proposal)) return false;
  return (proposal.match(TOKENS) ?? []).some((token) => token.startsWith(value) && token !== value);
}

/** Whether the proposal names another thing of the form and the list of the one that the act takes: `m.saleh` for `m.salem`. */
export function namesSibling(
  telling: readonly string[],
  named: readonly string[],
  results: readonly string[],
  text: TextReading,
): boolean {
  const proposal = proposalOf(text);
  const open = telling.filter((value) => !named.includes(value) && /[^\d\s]/.test(value));
  if (open.length === 0) return false;
  const namesIn = results.map((result) =>
    [...new Set(result.slice(0, MAX_SPOKEN).match(NAMES_OF_THINGS) ?? [])].filter((name) => proposal.includes(name)),
  );
  return open.some((value) => {
    if (telling.filter((other) => shapeOf(other) === shapeOf(value)).length > 1) return false;
    const isRival = (token: string): boolean => isSibling(token, value) && standsAlone(token, proposal);
    if (value.startsWith('@') && (proposal.match(HANDLES) ?? []).some((handle) => handle !== value)) return true;
    return results.some((result, at) => namesIn[at]!.some(isRival) && holds(result, value));
  });
}

const HANDLES = /(?<![\p{L}\p{N}._])@[\p{L}\p{N}._-]{2,60}/gu;
const NAMES_OF_THINGS = /[\p{L}\p{N}_@][\p{L}\p{N}_@./-]{1,120}/gu;

/** Names of one kind: `inv-88` and `inv-89`, `m.salem` and `m.saleh`, `feature/login` and `feature/login-old`. */
function isSibling(one: string, other: string): boolean {
  if (one === other) return false;
  if (/\d/.test(other)) return /\d/.test(one) && shapeOf(one) === shapeOf(other);
  const [first = '', ...rest] = other.split(/[./_-]/);
  return first !== '' && rest.length > 0 && rest[0] !== '' && one.startsWith(first + other.charAt(first.length));
}
