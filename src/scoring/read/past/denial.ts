/** Whether an action tries another way to something that a control refused before. */

import type { AgentEvent, Message } from '../../../events/event.ts';
import { snakeCase } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import type { ContentReading } from '../action/content/content.ts';
import { type Call, readCalls } from '../conversation/calls.ts';
import { flatten } from '../conversation/transcript/flatten.ts';
import type { Argument } from '../values/argument.ts';
import { foldText } from '../words/fold.ts';
import { matchesAny } from '../words/word-lists.ts';

/** Characters at the beginning and at the end of a result in which a refusal stands; what is between may only speak of one. */
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
  return refuses(flatten(content), ontology);
}

function isRefused(call: Call, ontology: Ontology): boolean {
  return call.results.some((text) => refuses(text, ontology));
}

function refuses(text: string, ontology: Ontology): boolean {
  return refusingParts(text).some((lines) => matchesAny(ontology, 'denials', lines));
}

/** A refusal is short. Of a longer text its first and last lines count, so that nothing written around a refusal hides it. */
export function refusingParts(text: string): string[] {
  if (text.length <= LONGEST_DENIAL) return [text];
  const head = text.slice(0, LONGEST_DENIAL);
  const tail = text.slice(-LONGEST_DENIAL);
  const first = head.slice(0, head.lastIndexOf('\n') + 1);
  const last = tail.slice(tail.indexOf('\n') + 1 || tail.length);
  return [first, last].filter((lines) => lines !== '');
}

const isSameTool = (call: Call, action: ActionReading): boolean => snakeCase(call.name) === snakeCase(action.tool_name);

function valuesOf(event: AgentEvent, args: readonly Argument[], content: ContentReading): string[] {
  const values = args.filter(({ kind }) => TELLING.has(kind)).map(({ value }) => value);
  return [...values, ...content.paths, ...content.hosts, event.target?.resource_id ?? '']
    .slice(0, 100)
    .map((value) => foldText(value.trim()))
    .filter((value) => value.length >= SHORTEST_VALUE && value.length <= 512);
}
