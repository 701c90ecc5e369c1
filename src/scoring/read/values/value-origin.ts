/** The source of decisive values that occur only in text from outside: a memory, another agent, another tool server. */

import type { AgentEvent } from '../../../events/event.ts';
import { wordsOf } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import { subjectsOfName } from '../action/subjects.ts';
import { corpusOf } from '../conversation/corpus.ts';
import type { TextReading } from '../conversation/text.ts';
import type { Segment } from '../conversation/transcript/transcript.ts';
import type { Argument } from './argument.ts';
import { outsidePlaces } from './outside-places.ts';

/** Roles of the values, sorted. */
export interface ValueOrigins {
  memory: readonly string[];
  agents: readonly string[];
  other_server: readonly string[];
}

const words = perOntology((ontology) => ({
  decisive: setOf(ontology, 'decisive_roles'),
  agent_speakers: setOf(ontology, 'agent_speakers'),
  agents: setOf(ontology, 'agent_words'),
  recalling: setOf(ontology, 'recalling_words'),
}));

const isFromMemory = ({ source }: Segment, ontology: Ontology): boolean =>
  source !== '' &&
  (subjectsOfName(source, ontology).includes('memory_store') ||
    wordsOf(source).some((word) => words(ontology).recalling.has(word)));

function isFromAgent({ source, index }: Segment, event: AgentEvent, ontology: Ontology): boolean {
  const { agent_speakers, agents } = words(ontology);
  const role = event.conversation_history?.[index]?.role;
  return (
    (typeof role === 'string' && agent_speakers.has(role.trim().toLowerCase().replace(/[ -]/g, '_'))) ||
    wordsOf(source).some((word) => agents.has(word))
  );
}

/** The server of a tool that is written as `mcp__server__tool` or that the ontology lists for one server alone. */
function serversOf(source: string, ontology: Ontology): ReadonlySet<string> {
  const prefix = /^mcp__([^_]+(?:_[^_]+)*?)__/.exec(source)?.[1];
  if (prefix !== undefined) return new Set(wordsOf(prefix));
  const entries = ontology.tools.get(source.toLowerCase()) ?? [];
  return new Set(new Set(entries.map(({ server }) => server)).size === 1 ? wordsOf(entries[0]!.server) : []);
}

function isFromOtherServer({ source }: Segment, event: AgentEvent, ontology: Ontology): boolean {
  const own = wordsOf(event.mcp_context?.server_name ?? '');
  if (own.length === 0 || source === '') return false;
  const servers = serversOf(source, ontology);
  return servers.size > 0 && !own.some((word) => servers.has(word));
}

const NO_ORIGINS: ValueOrigins = { memory: [], agents: [], other_server: [] };

export function readValueOrigins(
  event: AgentEvent,
  ontology: Ontology,
  args: readonly Argument[],
  text: TextReading,
): ValueOrigins {
  const { decisive } = words(ontology);
  const isFromTool = ({ provenance, role }: Argument): boolean => provenance === 'tool' && decisive.has(role);
  const { tool } = corpusOf(text);
  if (tool.is_empty || !args.some(isFromTool)) return NO_ORIGINS;
  const memory = new Set<string>();
  const agents = new Set<string>();
  const other_server = new Set<string>();
  for (const argument of args) {
    if (!isFromTool(argument)) continue;
    for (const { word } of outsidePlaces(argument, corpusOf(text))) {
      const { segment } = tool.stretchOf(word);
      if (isFromMemory(segment, ontology)) memory.add(argument.role);
      if (isFromAgent(segment, event, ontology)) agents.add(argument.role);
      if (isFromOtherServer(segment, event, ontology)) other_server.add(argument.role);
    }
  }
  return { memory: [...memory].sort(), agents: [...agents].sort(), other_server: [...other_server].sort() };
}
