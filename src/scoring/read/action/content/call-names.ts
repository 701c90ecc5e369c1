/** How a call is named, and what follows from its names alone. */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import { perEvent } from '../../../../events/working-copy.ts';
import { snakeCase } from '../../../../lang/names.ts';
import { joinedName, Recall } from '../../../../lang/remember.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';

export interface CallNames {
  action: string;
  /** '' where the event names no tool. */
  tool: string;
  server: string;
  /** Keys of the parameters and of the objects inside them, each once. */
  keys: readonly string[];
  /** The same in snake case. */
  names: readonly string[];
  /** There are more keys than are listed: what no listed name says, another one may. */
  is_cut: boolean;
}

/** The name of the tool; of an action without one, its scope and verb as one name. */
export const calledName = ({ action, mcp_context }: AgentEvent): string =>
  (mcp_context?.tool_name ?? '') || action.split(':').slice(1).join('_');

/** More keys are no form of a call; reading them all would take longer than looking at values. */
const MAX_KEYS = 256;
/** A tool is called with the same names each time, so the readings of so many calls are kept for the next ones. */
const MAX_CALLS = 512;
/** Characters of all names of a call. */
const LONGEST = 1_024;

class KnownCall {
  readonly names: CallNames;
  readonly readings: unknown[] = [];

  constructor(names: CallNames) {
    this.names = names;
  }
}

const keptCalls = perOntology(() => new Recall<KnownCall>(MAX_CALLS, LONGEST));

const callOf = perEvent((event: AgentEvent, ontology: Ontology): KnownCall => {
  const { keys, is_cut } = keysOf(event);
  const { tool_name: tool = '', server_name: server = '' } = event.mcp_context ?? {};
  // A key may hold any character, so its length stands before it.
  const written = keys.map((key) => `${key.length} ${key}`).join('');
  return keptCalls(ontology).get(
    `${joinedName(event.action, tool, server)} ${server.length} ${is_cut} ${written}`,
    () => new KnownCall({ action: event.action, tool, server, keys, names: keys.map(snakeCase), is_cut }),
  );
});

function keysOf(event: AgentEvent): { keys: readonly string[]; is_cut: boolean } {
  const found = new Set<string>();
  for (const { key } of parametersOf(event).entries) {
    if (found.size === MAX_KEYS) return { keys: [...found], is_cut: true };
    found.add(key);
  }
  return { keys: [...found], is_cut: false };
}

let slots = 0;

/**
 * `make`, computed once for calls of the same names. Nothing but the names and the ontology may decide what it returns, and nobody
 * may change it: the next calls of the tool share it.
 */
export function perCallNames<T extends NonNullable<unknown> | null>(
  make: (names: CallNames, ontology: Ontology) => T,
): (event: AgentEvent, ontology: Ontology) => T {
  const slot = slots;
  slots += 1;
  return (event, ontology) => {
    const { names, readings } = callOf(event, ontology);
    const known = readings[slot];
    if (known !== undefined) return known as T;
    const made = make(names, ontology);
    readings[slot] = made;
    return made;
  };
}
