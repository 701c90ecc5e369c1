/** Whose keys to check a signature with, where nobody says whose token it is: the token itself, which decides nothing else. */
import { parseUuid } from '../../platform/ids.ts';
import { parseJws, parseObject } from './jws.ts';

/** Of a token with its prefix; `null` when it is no such text. Nothing is verified here. */
export function claimedCustomer(text: string): string | null {
  const jws = parseJws(afterPrefix(text));
  const customer_id = jws === null ? undefined : parseObject(jws.payload)?.['customer_id'];
  return typeof customer_id === 'string' ? parseUuid(customer_id) : null;
}

/** `weir_agent_eyJ…`: a header may hold underscores as well, so the prefix ends at the second. */
function afterPrefix(text: string): string {
  return text.split('_').slice(2).join('_');
}
