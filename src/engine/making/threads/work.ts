/** A bound on the work of scoring an event, made of what the event is: where it is scored follows from it. */
import type { AgentEvent } from '../../../events/event.ts';
import type { Json } from '../../../lang/json.ts';

/** A text in a parameter may be code, which takes up to five times as long to parse as plain text to read. */
const CODE = 4;
/** A value, key or message costs about as much as this many characters of plain text. */
const EACH = 40;
/** The most that a character of JSON can stand for: `1,` is a value. */
const MOST_PER_CHARACTER = 1 + CODE + EACH / 2;

/**
 * Whether the work may be more than `most`, counted in characters of plain text (`npm run bench -- --only readers` measures
 * what they take). Ordinary events are told by their length alone; of others the parameters and lists are counted until it is
 * known.
 *
 * @param length characters of the event as JSON
 */
export function isMoreWork(event: AgentEvent, length: number, most: number): boolean {
  if (length * MOST_PER_CHARACTER <= most) return false;
  if (length > most) return true;
  let left = most - length;
  const count = (value: Json | undefined, weight: number): void => {
    if (left < 0 || value === undefined || value === null) return;
    left -= EACH;
    if (typeof value === 'string') left -= weight * value.length;
    else if (Array.isArray(value)) for (const one of value) count(one, weight);
    else if (typeof value === 'object') for (const key of Object.keys(value)) count(value[key], weight);
  };
  count(event.parameters, CODE);
  count(event.legacy?.tool_input, CODE);
  count(event.conversation_history as Json | undefined, 0);
  left -= EACH * ((event.preceding_actions?.length ?? 0) + (event.data_fields_accessed?.length ?? 0));
  return left < 0;
}
