/** Whether the parts of an event speak of the same thing. */

import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import { asciiLower, singular, snakeCase } from '../../../lang/names.ts';
import { remembering } from '../../../lang/remember.ts';

/** Parameters that name the target where its type bears the same name. */
const NAME_SUFFIXES = ['', '_name', '_id'];
const LONGEST = 128;

const namesOfType = remembering((resource_type): ReadonlySet<string> => {
  const type = singular(snakeCase(resource_type));
  return new Set(NAME_SUFFIXES.map((suffix) => `${type}${suffix}`));
});

/** Memoized, because every action of a session carries the same text. NaN for a text that is not a time. */
const momentOf = remembering((text) => Date.parse(text));

/**
 * Two parts that disagree, as `field A and field B`; '' when none do. A target named `orders` and a parameter
 * `table: customers` are two tables; a container and its part (`shop` and `shop.orders`) agree.
 */
export function contradiction(event: AgentEvent): string {
  const { resource_type = '', resource_id = '' } = event.target ?? {};
  const { started_at } = event.session ?? {};
  if (started_at !== undefined && Date.parse(event.timestamp) < momentOf(started_at))
    return 'timestamp and session.started_at';
  if (resource_type === '' || resource_id === '' || resource_id.length > LONGEST || /\s/.test(resource_id)) return '';
  const names = namesOfType(resource_type);
  const id = plain(resource_id);
  for (const { name, path, key, value } of parametersOf(event).leaves) {
    if (!names.has(name) || /[.[]/.test(path)) continue;
    if (typeof value === 'boolean' || String(value).length > LONGEST) continue;
    // An address and a number name two different things, such as the recipient of a mail and the mail.
    if (String(value).includes('@') !== resource_id.includes('@')) continue;
    const other = plain(String(value));
    if (other !== '' && id !== '' && !other.includes(id) && !id.includes(other))
      return `target.resource_id and parameters.${key}`;
  }
  return '';
}

const plain = (name: string): string => asciiLower(name).replace(/[^a-z0-9]+/g, '');
