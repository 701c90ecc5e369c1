/** What tests of the readings need: the shipped ontology, and events and readings with only the interesting parts given. */
import { loadOntology } from '../../src/engine/knowledge/load-ontology.ts';
import type { AgentEvent, Message } from '../../src/events/event.ts';
import { Facts } from '../../src/scoring/facts/fact-table.ts';
import { NO_POLICY } from '../../src/scoring/policy/policy.ts';
import { type ContentReading, type Effect, NO_CONTENT } from '../../src/scoring/read/action/content/content.ts';
import type { TextReading } from '../../src/scoring/read/conversation/text.ts';
import { Readings } from '../../src/scoring/read/readings.ts';
import type { Argument } from '../../src/scoring/read/values/argument.ts';

export const ontology = loadOntology();

export function eventOf(parts: Partial<AgentEvent> = {}): AgentEvent {
  return { event_id: 'evt-1', action: 'file:document:read', timestamp: '2026-01-15T10:00:00Z', ...parts };
}

/** All facts of an event, under no policy and with nothing known of the past. */
export function factsOf(parts: Partial<AgentEvent>): Facts {
  return new Facts(new Readings({ event: eventOf(parts), policy: NO_POLICY, history: null }, ontology));
}

/** Messages in order, each as `[role, text]`. */
export const talk = (...turns: [role: string, text: string][]): Message[] =>
  turns.map(([role, content]) => ({ role, content }));

/** An event that calls a tool. */
export function toolCall(action: string, tool_name: string, parameters: AgentEvent['parameters'] = {}): AgentEvent {
  return eventOf({ action, parameters, mcp_context: { tool_name } });
}

export { NO_CONTENT };

/** Shell code that was understood to do this. */
export function contentOf(...effects: Pick<Effect, 'kind' | 'scope'>[]): ContentReading {
  const whole = effects.map((effect): Effect => ({ object: '', excerpt: '', ...effect }));
  return { ...NO_CONTENT, languages: ['shell'], effects: whole, is_inert: effects.length === 0 };
}

/** A conversation in which tools brought in these texts. */
export function textOf(...untrusted: string[]): TextReading {
  return {
    ontology,
    trusted: '',
    untrusted: untrusted.map((text, index) => ({ text, index, source: '' })),
    agent: '',
    last_user_message: '',
    has_request: false,
    has_history: untrusted.length > 0,
    user_spoke_after_untrusted: false,
    is_truncated: false,
  };
}

export function argumentOf(parts: Partial<Argument>): Argument {
  return {
    path: 'to',
    role: 'recipient',
    kind: 'email',
    value: '',
    provenance: 'none',
    is_delegated: false,
    is_left_open: false,
    is_looked_up: false,
    is_ordered: false,
    is_of_workspace: false,
    external: 'unknown',
    replaces: '',
    imitates: '',
    ...parts,
  };
}
