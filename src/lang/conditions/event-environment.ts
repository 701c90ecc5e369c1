/** An event as the environment of a condition. */
import { parseAction } from '../patterns.ts';
import type { Environment } from './vocabulary.ts';

/** The fields of an event that conditions may read. Their values are unchecked. */
export interface EventFields {
  action: string;
  event_id?: unknown;
  timestamp?: unknown;
  agent?: unknown;
  session?: unknown;
  target?: unknown;
  parameters?: unknown;
  mcp_context?: unknown;
  data_fields_accessed?: unknown;
  preceding_actions?: unknown;
}

/** Values that conditions may read besides the event's own fields; undefined if the event has none. */
export interface DerivedFields {
  batch_size: number | undefined;
  tool_name: string | undefined;
}

/** The environment of one event. It reads the event lazily and does not copy it. */
export function eventEnvironment(event: EventFields, derived: DerivedFields): Environment {
  return new EventEnvironment(event, derived);
}

class EventEnvironment implements Environment {
  unevaluable = false;
  readonly #event: EventFields;
  readonly #derived: DerivedFields;
  readonly #action: ReturnType<typeof parseAction>;
  #field_names: readonly string[] | undefined;

  constructor(event: EventFields, derived: DerivedFields) {
    this.#event = event;
    this.#derived = derived;
    this.#action = parseAction(event.action);
  }

  /** A switch and not a property access by name, so that only the listed names can be reached. */
  get(name: string): unknown {
    switch (name) {
      case 'action':
        return this.#event.action;
      case 'domain':
        return this.#action?.domain;
      case 'scope':
        return this.#action?.scope;
      case 'verb':
        return this.#action?.verb;
      case 'tool_name':
        return this.#derived.tool_name;
      case 'batch_size':
        return this.#derived.batch_size;
      case 'event_id':
        return this.#event.event_id;
      case 'timestamp':
        return this.#event.timestamp;
      case 'agent':
        return this.#event.agent;
      case 'session':
        return this.#event.session;
      case 'target':
        return this.#event.target;
      case 'parameters':
        return this.#event.parameters;
      case 'mcp_context':
        return this.#event.mcp_context;
      case 'preceding_actions':
        return this.#event.preceding_actions;
      case 'data_fields_accessed':
        return this.#fieldNames();
      default:
        return undefined;
    }
  }

  /** Names only: an element is a name, or an object with a `field` beside its classification. */
  #fieldNames(): readonly string[] | undefined {
    const fields = this.#event.data_fields_accessed;
    if (!Array.isArray(fields)) return undefined;
    this.#field_names ??= fields.map(fieldName).filter((name) => typeof name === 'string');
    return this.#field_names;
  }
}

function fieldName(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'field' in item ? item.field : item;
}
