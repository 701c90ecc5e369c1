/** Whether an action tries another way to something that a control refused before. */

import type { AgentEvent, Message } from '../../../events/event.ts';
import { snakeCase } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import type { ContentReading } from '../action/content.ts';
import { type Call, readCalls } from '../conversation/calls.ts';
import { flatten } from '../conversation/flatten.ts';
import type { Argument } from '../values/argument.ts';
import { foldText } from '../words/fold.ts';
import { matchesAny } from '../words/word-lists.ts';

/** Longer texts may speak of a refusal but are none. */
const LONGEST_DENIAL = 600;
const SHORTEST_VALUE = 4;
const TELLING = new Set(['path', 'url', 'host', 'email', 'account', 'card', 'identifier']);
const gainingGroups = perOntology((ontology) => setOf(ontology, 'gaining_groups'));

/**
 * The call that was refused since the user last spoke and whose object this action reaches with another tool, another
 * identity or more rights; '' when there is none. More text from tools can only add refusals.
 */
export function deniedBefore(
  event: AgentEvent,
  ontology: Ontology,
  action: ActionReading,
  args: readonly Argument[],
  content: ContentReading,
): string {
  const spoken = lastUserMessage(event);
  // Most sessions hold no refusal. Looking for one first is cheaper than reading all calls.
  if (!(event.conversation_history ?? []).some((message, i) => i > spoken && isDenial(message, ontology))) return '';
  const calls = readCalls(event, ontology);
  const refused = calls.filter((call) => call.index > spoken && isRefused(call, ontology));
  if (refused.length === 0) return '';
  const isGaining =
    gainingGroups(ontology).has(action.effective_group) ||
    content.effects.some(({ kind }) => kind === 'escalates' || kind === 'grants');
  const values = valuesOf(event, args, content);
  const around = refused.find((call) => {
    const text = foldText(call.text);
    const shares = values.some((value) => text.includes(value));
    // Rights gained after a refusal count as a way around it, whatever they concern; without them the object must be the same.
    return isGaining || (shares && !isSameTool(call, action));
  });
  return around?.name ?? '';
}

function lastUserMessage(event: AgentEvent): number {
  return (event.conversation_history ?? []).findLastIndex(
    ({ role, content }) => (role === 'user' || role === 'human') && typeof content === 'string',
  );
}

/** A result in parts is searched as one text. Messages of the agent itself are no refusals. */
function isDenial({ role, content }: Message, ontology: Ontology): boolean {
  if (role === 'assistant' || content === undefined) return false;
  const text = flatten(content);
  return text.length <= LONGEST_DENIAL && matchesAny(ontology, 'denials', text);
}

function isRefused(call: Call, ontology: Ontology): boolean {
  return call.results.some((text) => text.length <= LONGEST_DENIAL && matchesAny(ontology, 'denials', text));
}

const isSameTool = (call: Call, action: ActionReading): boolean => snakeCase(call.name) === snakeCase(action.tool_name);

function valuesOf(event: AgentEvent, args: readonly Argument[], content: ContentReading): string[] {
  const values = args.filter(({ kind }) => TELLING.has(kind)).map(({ value }) => value);
  return [...values, ...content.paths, ...content.hosts, event.target?.resource_id ?? '']
    .slice(0, 100)
    .map((value) => foldText(value.trim()))
    .filter((value) => value.length >= SHORTEST_VALUE && value.length <= 512);
}
