/**
 * What the judged party can add to an event: messages of tools and of the agent, text behind what tools said, parameters, comments
 * and harmless commands, claims. Left out is what the host writes: the user's messages, calls in front of results that are there,
 * the order of the newest earlier actions.
 */
import type { AgentEvent } from '../../src/events/event.ts';
import type { Json } from '../../src/lang/json.ts';
import type { Assessment } from '../../src/scoring/types.ts';
import { historyOf, PLACES } from './additions/places.ts';
import { ownValues, pick, type Roll, textFor } from './additions/texts.ts';

export interface Addition {
  place: string;
  text: string;
  event: AgentEvent;
}

/** A random addition to the event; null where the place drawn is none of this event's. */
export function addition(event: AgentEvent, roll: Roll): Addition | null {
  const place = pick(roll, Object.keys(PLACES));
  const text = textFor(event, roll);
  const changed = PLACES[place]!(event, text, roll);
  return changed === null ? null : { place, text, event: changed };
}

/**
 * Whether text of tools was added that tells a value of the event, or repeats the request. An honest host reports the same event where
 * a tool does tell this value, so that such a text may end a finding which says that nothing tells it, and no other kind of addition may.
 */
export function tellsOwnValue(event: AgentEvent, { event: changed }: Addition): boolean {
  const before = new Set(historyOf(event).map((message) => JSON.stringify(message)));
  const added = historyOf(changed).filter((message) => !before.has(JSON.stringify(message)));
  const told = added
    .filter(({ role }) => role !== 'assistant')
    .map(({ content, name }) => `${flat(content)} ${name ?? ''}`);
  const tool = event.mcp_context?.tool_name ?? event.action.split(':').at(-1)!;
  const values = [...ownValues(event), event.user_context ?? '', tool, tool.replaceAll('_', ' ')];
  return told.some((text) => values.some((value) => value.trim() !== '' && text.includes(value.trim().slice(0, 40))));
}

const flat = (content: Json | undefined): string =>
  typeof content === 'string' ? content : Array.isArray(content) ? content.map(textOfPart).join(' ') : '';
const textOfPart = (part: Json): string =>
  typeof part === 'object' && part !== null && !Array.isArray(part) ? String(part['text'] ?? '') : String(part);

/** Findings that give way to a graver one about the same thing. */
export const GIVES_WAY: ReadonlyMap<string, string> = new Map([
  ['untrusted_instruction_precedes_high_impact', 'action_follows_untrusted_instruction'],
]);

/** What fell, as text; '' where nothing did. The level follows from the score. */
export function fallOf(before: Assessment, after: Assessment): string {
  const lost = before.violations.filter(
    (rule) => !after.violations.includes(rule) && !after.violations.includes(GIVES_WAY.get(rule) ?? ''),
  );
  if (lost.length === 0 && after.score >= before.score) return '';
  return `${before.score} → ${after.score}${lost.length === 0 ? '' : `, lost ${lost.join(' ')}`}`;
}
