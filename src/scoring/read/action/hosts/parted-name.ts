/** Actions that part the name of a coding agent's tool, told without that name: `tool:str_editor:replace` for `str_replace_editor`. */
import type { AgentEvent } from '../../../../events/event.ts';
import { wordsOf } from '../../../../lang/names.ts';
import type { Ontology, ToolEntry } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';

/** The words of a name in one order, so that two names of the same words are the same. */
const inAnyOrder = (words: readonly string[]): string => [...words].sort().join(' ');

/** Words of its name → tool of coding agents; names of one word are words of the language, and names of the same words say nothing. */
const codingTools = perOntology((ontology) => {
  const found = new Map<string, { name: string; entry: ToolEntry } | null>();
  for (const [name, entries] of ontology.tools) {
    const entry = entries.find(({ server }) => server === 'coding-agents');
    const words = wordsOf(name);
    if (entry === undefined || words.length < 2) continue;
    const key = inAnyOrder(words);
    const known = found.get(key);
    found.set(key, known !== undefined && known?.entry.action !== entry.action ? null : { name, entry });
  }
  return found;
});

/**
 * The event with the name of the tool that scope and verb of its action part; as it is where it tells a name or no such tool takes its
 * parameters (`takes`).
 */
export function withPartedName(event: AgentEvent, takes: (tool: ToolEntry) => boolean, ontology: Ontology): AgentEvent {
  const { tool_name = '', server_name = '' } = event.mcp_context ?? {};
  if (tool_name !== '' || server_name !== '') return event;
  const [, scope = '', verb = ''] = event.action.split(':');
  const tool = codingTools(ontology).get(inAnyOrder([...wordsOf(scope), ...wordsOf(verb)]));
  if (tool === undefined || tool === null || !takes(tool.entry)) return event;
  return { ...event, mcp_context: { ...event.mcp_context, tool_name: tool.name } };
}
