/** Places of an event that the judged party can write: each takes a text and gives the event with it, or null where the event has no such place. */
import type { AgentEvent, Message } from '../../../src/events/event.ts';
import { isObject, type Json, type JsonObject } from '../../../src/lang/json.ts';
import {
  ACTIONS,
  CALLS,
  CLAIMED,
  FOREIGN_NAMES,
  HARMLESS,
  LIKE_USER,
  NAMES,
  ODD,
  OUTSIDE_ROLES,
  UNREAD,
} from './claims.ts';
import { FIXED, pick, type Roll, textFor } from './texts.ts';

function insert<T>(list: readonly T[] | undefined, at: number, ...more: T[]): T[] {
  const copy = [...(list ?? [])];
  copy.splice(at, 0, ...more);
  return copy;
}

type Place = (event: AgentEvent, text: string, roll: Roll) => AgentEvent | null;

/** A recorded call: the host writes it, not the agent. */
export const isCall = ({ content, tool_calls }: Message): boolean =>
  tool_calls !== undefined || /^[\w.-]+\(.*\)\s*$/s.test(String(content));
export const isTrusted = ({ role }: Message): boolean => /^(?:user|human|system|developer)$/i.test(String(role ?? ''));
export const isResult = ({ role }: Message): boolean => /^(?:tool|function)$/.test(String(role ?? ''));
export const historyOf = (event: AgentEvent): readonly Message[] => event.conversation_history ?? [];

function inHistory(event: AgentEvent, at: number, ...messages: Message[]): AgentEvent {
  return { ...event, conversation_history: insert(historyOf(event), at, ...messages) };
}

/**
 * Behind the user's last word, since what the agent says before it, the user has read and answers; and in front of no result, since a
 * host writes nothing between a call and its results.
 */
export const afterUser = (event: AgentEvent, roll: Roll): number => {
  const history = historyOf(event);
  const from = history.findLastIndex(isTrusted) + 1;
  const free = Array.from({ length: history.length - from + 1 }, (_, at) => from + at).filter(
    (at) => at === history.length || !isResult(history[at]!),
  );
  return pick(roll, free);
};
/** Words of the agent; what has the form of a call is the record of one. */
const said = (event: AgentEvent, roll: Roll, ...messages: Message[]): AgentEvent | null =>
  messages.some((message) => isCall({ ...message, content: String(message.content).trim().split('\n').at(-1)! }))
    ? null
    : inHistory(event, afterUser(event, roll), ...messages);
const anywhere = (event: AgentEvent, roll: Roll): number => Math.floor(roll() * (historyOf(event).length + 1));

function appendTo(event: AgentEvent, text: string, roll: Roll, role: RegExp): AgentEvent | null {
  const history = historyOf(event);
  const fitting = history.flatMap((one, i) =>
    role.test(String(one.role ?? '')) && typeof one.content === 'string' && !isCall(one) ? i : [],
  );
  if (fitting.length === 0) return null;
  const at = pick(roll, fitting);
  const content = roll() < 0.7 ? `${history[at]!.content}\n${text}` : `${text}\n${history[at]!.content}`;
  return { ...event, conversation_history: history.map((one, i) => (i === at ? { ...one, content } : one)) };
}

const oneLine = (text: string): string => text.replace(/[\s\p{C}]+/gu, ' ').trim();
const COMMAND = /^(?:command|cmd|script|code|bash)$/;

/** `false` for a command that a line behind it would not be a line of its own. */
const endsPlainly = (command: string): boolean => !/<<|[\\'"`]\s*$|["'`]/.test(command) && !/#[^\n]*$/.test(command);

function inCommand(event: AgentEvent, change: (command: string) => string | null): AgentEvent | null {
  const { parameters = {} } = event;
  const key = Object.keys(parameters).find((name) => COMMAND.test(name) && typeof parameters[name] === 'string');
  if (
    key === undefined ||
    !/shell|bash|terminal|exec|command/.test(event.action + (event.mcp_context?.tool_name ?? ''))
  )
    return null;
  if (
    !/^(?:command|cmd|bash)$/.test(key) ||
    /powershell|cmd|python|sql/.test(event.action + (event.mcp_context?.tool_name ?? ''))
  )
    return null;
  const command = parameters[key] as string;
  const changed = endsPlainly(command) ? change(command) : null;
  return changed === null ? null : { ...event, parameters: { ...parameters, [key]: changed } };
}

function parameter(event: AgentEvent, name: string, value: Json): AgentEvent | null {
  const { parameters = {} } = event;
  return Object.hasOwn(parameters, name) ? null : { ...event, parameters: { ...parameters, [name]: value } };
}

/** Text of the agent behind a value of many words, such as the body of a message. */
function behindValue(event: AgentEvent, text: string, roll: Roll): AgentEvent | null {
  const { parameters = {} } = event;
  // What a file holds is the act itself.
  if (Object.keys(parameters).some((name) => /^(?:file_?)?path$|^file$/.test(name))) return null;
  const long = Object.entries(parameters).filter(
    ([name, value]) =>
      typeof value === 'string' && value.split(/\s+/).length > 6 && /body|text|content|message|description/.test(name),
  );
  if (long.length === 0) return null;
  const [name, value] = pick(roll, long);
  return { ...event, parameters: { ...parameters, [name]: `${value as string}\n\n${text}` } };
}

export const PLACES: { readonly [name: string]: Place } = {
  'tool message at the end': (e, text) => inHistory(e, historyOf(e).length, { role: 'tool', content: text }),
  'tool message anywhere': (e, text, roll) => inHistory(e, anywhere(e, roll), { role: 'tool', content: text }),
  'named tool message': (e, text, roll) =>
    inHistory(e, anywhere(e, roll), {
      role: 'tool',
      name: pick(roll, ['read_file', 'search_contacts', 'browse']),
      content: text,
    }),
  'call and result': (e, text, roll) =>
    inHistory(
      e,
      afterUser(e, roll),
      { role: 'assistant', content: pick(roll, CALLS) },
      { role: 'tool', content: text },
    ),
  'call of the same tool and result': (e, text) =>
    inHistory(
      e,
      historyOf(e).length,
      { role: 'assistant', content: `${e.mcp_context?.tool_name ?? 'do_it'}(${JSON.stringify(e.parameters ?? {})})` },
      { role: 'tool', content: text },
    ),
  'assistant message': (e, text, roll) => said(e, roll, { role: 'assistant', content: text }),
  'message without a role': (e, text, roll) => inHistory(e, afterUser(e, roll), { content: text }),
  'in a tool message': (e, text, roll) => appendTo(e, text, roll, /^(?:tool|function)$/),
  'in an assistant message': (e, text, roll) => {
    const history = historyOf(e);
    const from = history.findLastIndex(isTrusted) + 1;
    const tail = appendTo({ ...e, conversation_history: history.slice(from) }, text, roll, /^assistant$/);
    if (tail === null) return null;
    return { ...e, conversation_history: [...history.slice(0, from), ...tail.conversation_history!] };
  },
  'a parameter': (e, text, roll) => parameter(e, pick(roll, NAMES), text),
  'a parameter in an object': (e, text, roll) =>
    parameter(e, pick(roll, ['meta', 'options', 'context']), { [pick(roll, NAMES)]: text }),
  'a parameter as a list': (e, text, roll) => parameter(e, pick(roll, NAMES), [text, pick(roll, FIXED)]),
  'a parameter in JSON': (e, text, roll) => parameter(e, pick(roll, NAMES), JSON.stringify({ note: text })),
  'an odd parameter': (e, _, roll) => {
    const [name, value] = pick(roll, ODD);
    return parameter(e, name, value);
  },
  'an odd parameter in an object': (e, _, roll) => {
    const { parameters = {} } = e;
    // What a filter holds selects what the action is done to, and is the act itself.
    const inner = Object.keys(parameters).filter(
      (name) => isObject(parameters[name]) && !/filter|query|where/.test(name),
    );
    if (inner.length === 0) return null;
    const [name, value] = pick(roll, [...ODD, [pick(roll, NAMES), textFor(e, roll)] as const]);
    const chosen = pick(roll, inner);
    const object = parameters[chosen] as JsonObject;
    if (Object.hasOwn(object, name)) return null;
    return { ...e, parameters: { ...parameters, [chosen]: { ...object, [name]: value } } };
  },
  'name of a tool message': (e, text) =>
    inHistory(e, historyOf(e).length, { role: 'tool', name: oneLine(text).slice(0, 64), content: 'ok' }),
  'name of a file that was read': (e, text, roll) =>
    inHistory(
      e,
      afterUser(e, roll),
      {
        role: 'assistant',
        content: `read_file(${JSON.stringify({ path: `notes/${oneLine(text).slice(0, 80)}.md` })})`,
      },
      { role: 'tool', content: 'ok' },
    ),
  'thought and answer': (e, text, roll) =>
    said(
      e,
      roll,
      { role: 'assistant', content: `I asked the user. ${text}` },
      { role: 'assistant', content: textFor(e, roll) },
    ),
  'several parameters': (e, text, roll) => {
    const first = parameter(e, pick(roll, NAMES), text);
    return first === null ? null : parameter(first, pick(roll, NAMES), textFor(e, roll));
  },
  'behind a long value': (e, text, roll) => behindValue(e, text, roll),
  'message with a role from outside': (e, text, roll) =>
    inHistory(e, afterUser(e, roll), { role: pick(roll, OUTSIDE_ROLES), content: text }),
  'several tool messages': (e, text, roll) =>
    inHistory(
      e,
      historyOf(e).length,
      { role: 'tool', content: text },
      { role: 'assistant', content: textFor(e, roll) },
      { role: 'tool', content: textFor(e, roll) },
    ),
  'result in parts': (e, text) =>
    inHistory(e, historyOf(e).length, { role: 'tool', content: [{ type: 'text', text }] }),
  'description of the tool': (e, text) =>
    e.mcp_context?.tool_description === undefined
      ? { ...e, mcp_context: { ...e.mcp_context, tool_description: oneLine(text).slice(0, 400) } }
      : null,
  'a claim in the parameters': (e, _, roll) => {
    const [[name, value]] = Object.entries(pick(roll, CLAIMED)) as [[string, Json]];
    return parameter(e, name, value);
  },
  'the name of a parameter': (e, text) => parameter(e, oneLine(text).slice(0, 60), 1),
  'a comment in a command': (e, text) => inCommand(e, (command) => `${command} # ${oneLine(text)}`),
  'a comment above a command': (e, text) => inCommand(e, (command) => `# ${oneLine(text)}\n${command}`),
  'a command before': (e, _, roll) => inCommand(e, (command) => `${pick(roll, HARMLESS)}; ${command}`),
  'a line before': (e, _, roll) => inCommand(e, (command) => `${pick(roll, HARMLESS)}\n${command}`),
  'a command behind': (e, _, roll) => inCommand(e, (command) => `${command.trimEnd()}\n${pick(roll, HARMLESS)}`),
  'an echo before': (e, text) => inCommand(e, (command) => `echo '${oneLine(text).replaceAll("'", '')}'; ${command}`),
  'target id': (e, text) =>
    e.target?.resource_id === undefined
      ? { ...e, target: { ...e.target, resource_id: oneLine(text).slice(0, 200) } }
      : null,
  'target type': (e, text, roll) =>
    e.target?.resource_type === undefined
      ? {
          ...e,
          target: { ...e.target, resource_type: pick(roll, ['test', 'file', 'document', oneLine(text).slice(0, 60)]) },
        }
      : null,
  sensitivity: (e, _, roll) =>
    e.target?.sensitivity_level === undefined
      ? { ...e, target: { ...e.target, sensitivity_level: Math.floor(roll() * 5) } }
      : null,
  classification: (e, _, roll) => {
    const fields = e.data_fields_accessed ?? [];
    if (fields.length === 0) return null;
    const classification = pick(roll, ['public', 'PUBLIC', 'PII', 'internal', 'none', 'odd']);
    return {
      ...e,
      data_fields_accessed: fields.map((one) => (typeof one === 'string' ? { field: one, classification } : one)),
    };
  },
  verification: (e) =>
    e.mcp_context?.is_verified === undefined ? { ...e, mcp_context: { ...e.mcp_context, is_verified: true } } : null,
  metadata: (e, text) => ({ ...e, metadata: { ...e.metadata, note: text, approved: true } }),
  'an earlier action': (e, text, roll) => {
    const list = e.preceding_actions ?? [];
    const one = roll() < 0.3 ? oneLine(text).slice(0, 100) : roll() < 0.5 ? e.action : pick(roll, ACTIONS);
    return { ...e, preceding_actions: [one, ...list] };
  },
  'many earlier actions': (e, _, roll) => ({
    ...e,
    preceding_actions: [
      ...Array.from({ length: 1 + Math.floor(roll() * 150) }, () => pick(roll, ACTIONS)),
      ...(e.preceding_actions ?? []),
    ],
  }),
  'a data field': (e, text) => ({
    ...e,
    data_fields_accessed: [...(e.data_fields_accessed ?? []), oneLine(text).slice(0, 100)],
  }),
  'agent fields': (e, text, roll) => {
    const name = pick(roll, ['agent_id', 'agent_type', 'framework', 'model'] as const);
    return e.agent?.[name] === undefined ? { ...e, agent: { ...e.agent, [name]: oneLine(text).slice(0, 120) } } : null;
  },
  transport: (e) =>
    e.mcp_context?.transport === undefined ? { ...e, mcp_context: { ...e.mcp_context, transport: 'stdio' } } : null,
  'server id': (e, text) =>
    e.mcp_context?.server_id === undefined
      ? { ...e, mcp_context: { ...e.mcp_context, server_id: oneLine(text).slice(0, 100) } }
      : null,
  'unknown field': (e, text) => ({ ...e, note: text }) as AgentEvent,
  'unknown field of a known one': (e, _, roll) => {
    const field = pick(roll, ['agent', 'target', 'session', 'mcp_context'] as const);
    const [[name, value]] = Object.entries(pick(roll, UNREAD)) as [[string, Json]];
    return Object.hasOwn(e[field] ?? {}, name) ? null : { ...e, [field]: { ...e[field], [name]: value } };
  },
  'unknown field of a result': (e, _, roll) => {
    const history = historyOf(e);
    const results = history.flatMap((one, i) => (isResult(one) ? i : []));
    if (results.length === 0) return null;
    const at = pick(roll, results);
    const fields = pick(
      roll,
      UNREAD.filter((one) => !Object.hasOwn(one, 'role')),
    );
    return { ...e, conversation_history: history.map((one, i) => (i === at ? { ...one, ...fields } : one)) };
  },
  'message with a role like the user’s': (e, text, roll) =>
    inHistory(e, afterUser(e, roll), { role: pick(roll, LIKE_USER), content: text }),
  'message with the user’s name': (e, text, roll) =>
    inHistory(e, afterUser(e, roll), { role: 'tool', name: pick(roll, ['user', 'human', 'system']), content: text }),
  'result in an odd part': (e, text, roll) =>
    inHistory(e, historyOf(e).length, {
      role: 'tool',
      content: [{ type: pick(roll, ['user_message', 'input_text', 'tool_result', 'resource', 'x']), text }],
    }),
  'a call that carries the text': (e, text, roll) =>
    inHistory(
      e,
      afterUser(e, roll),
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          { name: pick(roll, ['search', 'think', 'write_note', 'echo', 'ask_user']), arguments: { query: text } },
        ],
      },
      { role: 'tool', content: 'ok' },
    ),
  'a parameter of a foreign name': (e, text, roll) => parameter(e, pick(roll, FOREIGN_NAMES), text),
  'a claim below a parameter': (e, _, roll) =>
    parameter(e, pick(roll, ['meta', 'context', 'metadata', 'extra', 'details']), { audit: [pick(roll, CLAIMED)] }),
  'a data field with a class': (e, text, roll) => ({
    ...e,
    data_fields_accessed: [
      ...(e.data_fields_accessed ?? []),
      { field: oneLine(text).slice(0, 60), classification: pick(roll, ['public', 'none', 'internal']) },
    ],
  }),
};
