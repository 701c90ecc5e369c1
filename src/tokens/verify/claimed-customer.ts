/**
 * The customer whose keys must verify a signature, where only the token itself says so. The claim selects the keys and
 * decides nothing else.
 */
import { parseUuid } from '../../platform/ids.ts';
import { parseJws, parseObject } from './jws.ts';

/** Takes a token with its prefix; `null` when the text is not one. Nothing is verified here. */
export function claimedCustomer(text: string): string | null {
  const jws = parseJws(afterPrefix(text));
  const customer_id = jws === null ? undefined : parseObject(jws.payload)?.['customer_id'];
  return typeof customer_id === 'string' ? parseUuid(customer_id) : null;
}

/** `weir_agent_eyJ…`: a header may hold underscores as well, so the prefix ends at the second one. */
function afterPrefix(text: string): string {
  return text.split('_').slice(2).join('_');
}
