/** The calls that the agent made earlier in the conversation, each with its results. */

import type { AgentEvent, Message } from '../../../events/event.ts';
import { perEvent } from '../../../events/working-copy.ts';
import { isObject, type Json } from '../../../lang/json.ts';
import { parseLax } from '../../../lang/lax-json.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { type Answers, idOfCall, pairById } from './transcript/call-ids.ts';
import { flatten } from './transcript/flatten.ts';
import { speakerOfRole } from './transcript/transcript.ts';

export interface Call {
  name: string;
  /** The host's id of it; '' where it gives none. */
  id: string;
  /** The arguments as text: as written between the brackets, or the values line by line. */
  text: string;
  /** Top-level arguments that are texts or numbers, where they could be read. */
  args: ReadonlyMap<string, string>;
  /** Index of its message. */
  index: number;
  /** What tools said between this call and the next message of agent or user. */
  results: string[];
}

/** Newest messages that are read; older calls say little about this one. */
const MAX_MESSAGES = 200;
const MAX_CALLS = 64;
/** Characters kept of a tool's result, and of a call's arguments. */
const MAX_TEXT = 16_384;
const MAX_ARGUMENTS = 4_096;
const PLAIN_CALL = /^\s{0,8}([A-Za-z_][\w.-]{0,80})\(([\s\S]*)\)\s{0,8}$/;

/** A call in a line of its own, below what the agent said about it. */
export const LAST_CALL = /^([A-Za-z_][\w.-]{0,80})\((\{.*\})\)\s{0,8}$/;

function lastLine(content: string): string {
  const text = content.trimEnd();
  return text.slice(text.lastIndexOf('\n') + 1).slice(-MAX_TEXT);
}

/** The calls of a conversation, oldest first, at most 64; each with what tools answered. Read once for all readings of an event. */
export const readCalls: (event: AgentEvent, ontology: Ontology) => readonly Call[] = perEvent(callsOfEvent);

function callsOfEvent(event: AgentEvent, ontology: Ontology): Call[] {
  const history = event.conversation_history ?? [];
  const calls: Call[] = [];
  let open: Call[] = [];
  /** Calls before the open ones that no result has answered yet: a message between a call and its result does not part them. */
  let waiting: Call[] = [];
  const byId = new Map<string, Call>();
  const { answered, unexplained } = answersById(history);
  for (let i = Math.max(0, history.length - MAX_MESSAGES); i < history.length; i++) {
    const message = history[i]!;
    const role = typeof message.role === 'string' ? message.role.toLowerCase() : '';
    const speaker = speakerOfRole(role, ontology);
    if (speaker === 'agent') {
      const made = callsIn(message, i).slice(0, MAX_CALLS);
      if (made.length === 0) continue;
      waiting = [...waiting, ...open].filter(({ results }) => results.length === 0).slice(-MAX_CALLS);
      open = made;
      calls.push(...open);
      for (const call of made) if (call.id !== '') byId.set(call.id, call);
    } else if (speaker === 'tool' || hasResult(message)) {
      const text = flatten(message.content).slice(0, MAX_TEXT);
      const ids = answered.get(i);
      if (ids !== undefined || unexplained.has(i)) {
        for (const id of ids ?? []) byId.get(id)?.results.push(text);
        continue;
      }
      const isSecond = open.every(({ results }) => results.length > 0);
      for (const call of open) call.results.push(text);
      if (isSecond) for (const call of waiting) call.results.push(text);
    } else {
      open = [];
      waiting = [];
    }
  }
  return calls.length > 0 ? calls.slice(-MAX_CALLS) : recordedCalls(event, ontology);
}

/** Which messages answer which calls, as far as the host says it. */
export const answersById = (history: readonly Message[]): Answers =>
  pairById(history, (message, i) => callsIn(message, i).flatMap(({ id }) => (id === '' ? [] : [id])));

/** Results of a call where no more messages follow than calls were made at once; else one of them answers none, and nothing tells which. */
export function sureResults({ index, results }: Call, calls: readonly Call[]): readonly string[] {
  const at_once = calls.filter((call) => call.index === index).length;
  return results.length <= at_once ? results : [];
}

/** What a host writes before a result that stands for call and result: `get_contract({"id": "C-7"}) -> {…}`. */
const RECORDED_CALL = /^\s{0,8}([A-Za-z_][\w.-]{0,80})\((\{.{0,2048}?\})\)\s{0,4}(?:->|=>|→)\s{0,4}/s;

/** Of a host that records each call with its result in one message; a single result that only looks so proves nothing. */
function recordedCalls(event: AgentEvent, ontology: Ontology): Call[] {
  const calls: Call[] = [];
  const history = event.conversation_history ?? [];
  for (let index = Math.max(0, history.length - MAX_MESSAGES); index < history.length; index++) {
    const { role, content } = history[index]!;
    if (speakerOfRole(typeof role === 'string' ? role.trim().toLowerCase() : '', ontology) !== 'tool') continue;
    const text = typeof content === 'string' ? content.slice(0, MAX_TEXT) : '';
    const [head = '', name, given] = RECORDED_CALL.exec(text) ?? [];
    if (name === undefined) return [];
    calls.push({ ...callOf(name, given, index), results: [text.slice(head.length)] });
  }
  return calls.slice(-MAX_CALLS);
}

/**
 * Whether the conversation lacks its beginning, as a window of its newest messages does: it opens with words of the agent, or
 * holds none of the user's. Messages of tools say nothing about it, so that nobody but the host can cut it.
 */
export function isCutAtFront(event: AgentEvent, ontology: Ontology): boolean {
  const speakers = (event.conversation_history ?? []).map(({ role }) =>
    speakerOfRole(typeof role === 'string' ? role.trim().toLowerCase() : '', ontology),
  );
  return speakers.length > 0 && (speakers[0] === 'agent' || !speakers.includes('user'));
}

/**
 * Indices of messages of tools that answer no call, in a conversation whose calls are recorded: more messages than the agent made
 * calls. Such a message was put there, so it proves nothing for the agent. What precedes the first call of a conversation
 * that lacks its beginning answers calls that are missing.
 */
export function unaskedResults(event: AgentEvent, ontology: Ontology): ReadonlySet<number> {
  const unasked = new Set<number>();
  let left = 0;
  let hasCalls = false;
  const is_cut = isCutAtFront(event, ontology);
  const { answered, unexplained } = answersById(event.conversation_history ?? []);
  for (const [i, message] of (event.conversation_history ?? []).entries()) {
    const role = typeof message.role === 'string' ? message.role.trim().toLowerCase() : '';
    const speaker = speakerOfRole(role, ontology);
    if (speaker === 'agent') {
      const calls = callsIn(message, i).length;
      if (calls > 0) left = calls;
      hasCalls ||= calls > 0;
    } else if (unexplained.has(i)) unasked.add(i);
    else if (answered.has(i)) left--;
    else if (speaker === 'tool' && left-- <= 0 && (hasCalls || !is_cut)) unasked.add(i);
  }
  return hasCalls ? unasked : NONE;
}

const NONE: ReadonlySet<number> = new Set();

/** Whether the message holds results of tools among its parts. */
export function hasResult({ content }: Message): boolean {
  return (
    Array.isArray(content) && content.some((part) => isObject(part) && String(part['type'] ?? '').includes('result'))
  );
}

/** The calls in one message of the agent, in the forms of messages; other forms are brought into these before (`forms/one-form.ts`). */
export function callsIn(message: Message, index: number): Call[] {
  const found: Call[] = [];
  const add = (name: Json | undefined, given: Json | undefined, id = ''): void => {
    if (typeof name === 'string' && name !== '') found.push({ ...callOf(name, given, index), id });
  };
  for (const field of ['tool_calls', 'function_call'] as const) {
    const value = message[field];
    for (const call of Array.isArray(value) ? value : [value]) {
      if (!isObject(call)) continue;
      const inner = isObject(call['function']) ? call['function'] : call;
      add(inner['name'], inner['arguments'] ?? inner['input'] ?? inner['args'], idOfCall(call));
    }
  }
  const { content } = message;
  for (const part of Array.isArray(content) ? content : []) {
    if (isObject(part) && part['type'] === 'tool_use') add(part['name'], part['input'], idOfCall(part));
  }
  if (typeof content === 'string') {
    const last = lastCalls(content);
    if (last.length > 1) {
      for (const [, name, given] of last) add(name, given);
      return found;
    }
    const plain = PLAIN_CALL.exec(content.slice(0, MAX_TEXT)) ?? LAST_CALL.exec(lastLine(content));
    if (plain !== null) add(plain[1], plain[2]);
  }
  return found;
}

/** The calls at the end of a message, one a line, in order. */
function lastCalls(content: string): RegExpExecArray[] {
  const calls: RegExpExecArray[] = [];
  const lines = content.slice(-MAX_TEXT).trimEnd().split('\n');
  for (let i = lines.length - 1; i >= 0 && calls.length < MAX_CALLS; i--) {
    const call = LAST_CALL.exec(lines[i]!);
    if (call === null || parse(call[2]!) === null) break;
    calls.push(call);
  }
  return calls.reverse();
}

function callOf(name: string, given: Json | undefined, index: number): Call {
  const parsed = typeof given === 'string' ? parse(given) : given;
  const inner = dispatched(parsed);
  if (inner !== undefined) return callOf(inner.name, inner.given, index);
  const args = new Map<string, string>();
  if (isObject(parsed)) {
    for (const [key, value] of Object.entries(parsed)) {
      if (typeof value === 'string' || typeof value === 'number') args.set(key.toLowerCase(), String(value));
    }
  }
  return { name, id: '', text: flatten(given).slice(0, MAX_ARGUMENTS), args, index, results: [] };
}

/** What `call_tool({"name": "get_invoice", "arguments": {…}})` calls: nothing stands beside the name and its arguments. */
function dispatched(parsed: Json | undefined): { name: string; given: Json } | undefined {
  if (!isObject(parsed) || Object.keys(parsed).length !== 2) return undefined;
  const { name } = parsed;
  const given = parsed['arguments'];
  return typeof name === 'string' && isObject(given) ? { name, given } : undefined;
}

function parse(text: string): Json {
  if (!text.trimStart().startsWith('{') || text.length > MAX_TEXT) return null;
  return parseLax(text) ?? null;
}
