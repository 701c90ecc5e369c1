/** Whether a limit left something unread that could have raised the score. Size alone does not count. */

import { parametersOf } from '../../events/parameters.ts';
import { ordersOf, ordersWereCut, STEERING } from './conversation/order-sentences.ts';
import { MAX_COMPARED } from './orders/echo-search.ts';
import type { Readings } from './readings.ts';
import type { Argument } from './values/argument.ts';
import { MAX_ARGUMENTS } from './values/arguments.ts';
import { roleOfKey } from './values/roles.ts';
import { MAX_EMBEDDED, MAX_EMBEDDING } from './words/embedded.ts';

/** Whether part of the action was not read: its code, its values, their decoded content, their origin. */
export function actionWasCut(r: Readings): boolean {
  if (r.event.parameters === undefined) return false;
  return r.content.was_cut || r.data.was_cut || argumentsWereCut(r);
}

/** Whether part of the conversation was not read: text, orders in it, sensitive values in it. */
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
  // Each leaf gives at least one argument. An unread leaf matters if its key has a role.
  const { leaves } = parametersOf(r.event);
  return leaves
    .slice(args.filter(({ path }) => !path.includes('#')).length)
    .some(({ key, value }) => typeof value === 'string' && roleOfKey(r.ontology, r.action, key).length > 0);
}

/** A command with more addresses than are read. */
const isPartlyRead = ({ kind, path, role, value }: Argument): boolean =>
  (kind === 'command' && value.length > MAX_EMBEDDING) || (role !== '' && path.endsWith(LAST_EMBEDDED));
