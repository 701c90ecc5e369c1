/** Did a bound on the work leave something unread that could have raised the score? What is merely large is no such thing. */

import { parametersOf } from '../../events/parameters.ts';
import { ordersOf, ordersWereCut, STEERING } from './conversation/order-sentences.ts';
import { MAX_COMPARED } from './orders/echo-search.ts';
import type { Readings } from './readings.ts';
import type { Argument } from './values/argument.ts';
import { MAX_ARGUMENTS } from './values/arguments.ts';
import { roleOfKey } from './values/roles.ts';
import { MAX_EMBEDDED, MAX_EMBEDDING } from './words/embedded.ts';

/** Something of the action itself: its code, its values, what they hold in disguise, where they come from. */
export function actionWasCut(r: Readings): boolean {
  if (r.event.parameters === undefined) return false;
  return r.content.was_cut || r.data.was_cut || argumentsWereCut(r);
}

/** Something of what was said before: text, orders in it, sensitive values in it. */
export function conversationWasCut(r: Readings): boolean {
  if (!r.text.has_history && !r.text.is_truncated) return false;
  return r.text.is_truncated || r.data.seen_was_cut || ordersWereCut(r.text, r.ontology);
}

const LAST_EMBEDDED = `#${MAX_EMBEDDED - 1}`;

function argumentsWereCut(r: Readings): boolean {
  const args = r.arguments;
  if (args.some(isPartlyRead)) return true;
  if (args.length > MAX_COMPARED && ordersOf(r.text, r.ontology).some(({ strength }) => strength >= STEERING))
    return true;
  if (args.length < MAX_ARGUMENTS) return false;
  // Each leaf gives at least one argument; one that nobody reads matters where its key says that it decides something.
  const { leaves } = parametersOf(r.event);
  return leaves
    .slice(args.filter(({ path }) => !path.includes('#')).length)
    .some(({ key, value }) => typeof value === 'string' && roleOfKey(r.ontology, r.action, key).length > 0);
}

/** A command in which more addresses stand than are read. */
const isPartlyRead = ({ kind, path, role, value }: Argument): boolean =>
  (kind === 'command' && value.length > MAX_EMBEDDING) || (role !== '' && path.endsWith(LAST_EMBEDDED));
