/**
 * Calls that a message of the agent writes out as text: JSON, elements with a name, JSON in a tag or a fence, Python, or words. Models
 * and hosts have a form each; what follows such a call answers it, whichever form it has.
 */
import { isObject, type Json, type JsonObject, parseJson } from '../../../../lang/json.ts';
import { parseLax } from '../../../../lang/lax-json.ts';
import { LAST_CALL } from '../calls.ts';
import { type Element, elementsAt } from './elements.ts';

/** A call with its arguments. */
export interface WrittenCall {
  name: string;
  given: JsonObject;
}

/** A message that ends in calls. */
export interface Written {
  /** What stands before the calls. */
  prose: string;
  calls: readonly WrittenCall[];
}

/** A longer message is no call. */
const LONGEST = 65_536;
/** Places from which the rest of a message is tried as calls. */
const MAX_STARTS = 8;
const MAX_CALLS = 64;
/** JSON with a call has its first key before this. */
const HEAD = 512;
/** Elements around elements with calls. */
const MAX_LEVELS = 2;
const NAME = /^[A-Za-z_][\w.:/-]{0,127}$/;

/** «Calling get_invoice with {…}» or «Using …», and «Action:» above «Action Input:», as agent frameworks print them. */
const SPOKEN = [
  /^(?:[a-z]{2,8}ing|(?:tool )?call):?\s{1,4}`?([A-Za-z_][\w.-]{0,80})`?\s{1,4}with\s{1,4}(?:arguments?:?\s{1,4})?`?(\{.*\})`?$/i,
  /^action:\s{0,4}([A-Za-z_][\w.-]{0,80})\s{0,4}\naction input:\s{0,4}(\{.*\})$/i,
] as const;

/** The calls in which a message ends; null where it ends in anything else. Time is linear in the message. */
export function writtenCalls(message: string): Written | null {
  if (message.length > LONGEST) return null;
  const text = message.trim();
  const last = text.at(-1);
  if (last === ')') return callsBelowProse(text) ?? keywordCall(text);
  if (last === '}' || last === ']') return jsonThroughout(text) ?? spoken(text) ?? behindMark(text);
  if (last === '`') return inFence(text) ?? spoken(text);
  return last === '>' ? inElements(text) : null;
}

function written(prose: string, calls: readonly WrittenCall[]): Written | null {
  return calls.length === 0 || calls.length > MAX_CALLS ? null : { prose: prose.trim(), calls };
}

/** A message that is JSON: content blocks, or an object with the calls of the message. */
function jsonThroughout(text: string): Written | null {
  if ((text[0] !== '{' && text[0] !== '[') || !/["']\s{0,4}:/.test(text.slice(0, HEAD))) return null;
  const value = parseLax(text);
  if (value === undefined) return null;
  const said: string[] = [];
  const calls: WrittenCall[] = [];
  for (const block of Array.isArray(value) ? value : [value]) {
    const own = callsOfBlock(block);
    const text = isObject(block) ? (block['text'] ?? block['content']) : undefined;
    if (typeof text === 'string') said.push(text);
    // What is neither a call nor a text would be lost.
    else if (own === null) return null;
    calls.push(...(own ?? []));
  }
  return written(said.join('\n'), calls);
}

/** The calls of an object that is a call or holds calls; null where it is and does neither. */
function callsOfBlock(block: Json): WrittenCall[] | null {
  if (!isObject(block)) return null;
  const { tool_calls, function_call } = block;
  if (Array.isArray(tool_calls)) return tool_calls.flatMap((one) => callOf(one) ?? []);
  if (isObject(function_call ?? null)) return callsOfBlock(function_call!);
  const call = callOf(block);
  return call === null ? null : [call];
}

/** `{name, arguments}`, with arguments as an object or as JSON in a text. */
function callOf(value: Json): WrittenCall | null {
  if (!isObject(value)) return null;
  if (isObject(value['function'] ?? null)) return callOf(value['function']!);
  const { name, tool, action } = value;
  const called = name ?? tool ?? action;
  const given = value['arguments'] ?? value['input'] ?? value['parameters'] ?? value['args'] ?? value['action_input'];
  if (typeof called !== 'string' || !NAME.test(called) || given === undefined) return null;
  const read = typeof given === 'string' ? parseLax(given) : given;
  return isObject(read ?? null) ? { name: called, given: read as JsonObject } : null;
}

/** `name({…})` in the last lines, each a call, below prose. Without prose it is the common form itself. */
function callsBelowProse(text: string): Written | null {
  if (!text.includes('\n')) return null;
  const lines = text.split('\n');
  const calls: WrittenCall[] = [];
  let at = lines.length;
  while (at > 0 && calls.length < MAX_CALLS) {
    const [, name, json] = LAST_CALL.exec(lines[at - 1]!) ?? [];
    const given = json === undefined ? undefined : parseLax(json);
    if (!isObject(given ?? null)) break;
    calls.unshift({ name: name!, given: given as JsonObject });
    at -= 1;
  }
  const prose = lines.slice(0, at).join('\n');
  return prose.trim() === '' ? null : written(prose, calls);
}

function spoken(text: string): Written | null {
  const lines = text.split('\n');
  const [one, two] = SPOKEN;
  const found = one.exec(lines.at(-1)!) ?? two.exec(lines.slice(-2).join('\n'));
  if (found === null) return null;
  const given = parseLax(found[2]!);
  if (!isObject(given ?? null)) return null;
  return written(text.slice(0, text.length - found[0].length), [{ name: found[1]!, given: given as JsonObject }]);
}

/** `[TOOL_CALLS] [{…}]` and `<|python_tag|>{…}`: a mark, and JSON to the end. */
function behindMark(text: string): Written | null {
  const mark = /(?:\[[A-Z_]{4,24}\]|<\|[a-z_]{4,24}\|>)\s{0,8}(?=[[{])/.exec(text);
  if (mark === null) return null;
  const calls = jsonThroughout(text.slice(mark.index + mark[0].length));
  return calls === null ? null : { ...calls, prose: text.slice(0, mark.index).trim() };
}

/** A fence at the end with a call as JSON. */
function inFence(text: string): Written | null {
  const from = text.lastIndexOf('```', text.length - 4);
  if (!text.endsWith('```') || from < 0) return null;
  const body = text.slice(from + 3, -3).replace(/^\w{0,16}\n/, '');
  const calls = jsonThroughout(body.trim());
  return calls === null ? null : { ...calls, prose: text.slice(0, from).trim() };
}

/** `<tool_call>{…}</tool_call>`, `<invoke name="f"><parameter name="p">…`, `<function=f><parameter=p>…`, `<read_file><path>…`. */
function inElements(text: string): Written | null {
  let starts = 0;
  for (const { index } of text.matchAll(/^[ \t]{0,16}<[\w|]/gm)) {
    starts += 1;
    if (starts > MAX_STARTS) return null;
    const elements = elementsAt(text, index);
    if (elements === null) continue;
    const calls = elements.map((one) => callsOfElement(one, MAX_LEVELS));
    if (calls.every((one) => one !== null)) return written(text.slice(0, index), calls.flat());
  }
  return null;
}

/** `levels`: elements around calls that are still opened. */
function callsOfElement({ tag, name, inner }: Element, levels: number): WrittenCall[] | null {
  const body = inner.trim();
  if (name === undefined && (body[0] === '{' || body[0] === '[')) return jsonThroughout(body)?.calls.slice() ?? null;
  const parts = elementsAt(inner, 0) ?? [];
  if (parts.length === 0 && body !== '') return null;
  const named = name ?? (tag.includes('_') && parts.every((part) => part.name === undefined) ? tag : undefined);
  if (named !== undefined && NAME.test(named))
    return parts.length === 0 && name === undefined ? null : [{ name: named, given: argumentsOf(parts) }];
  // An element around calls.
  const calls = levels === 0 ? [] : parts.map((part) => callsOfElement(part, levels - 1));
  return calls.length > 0 && calls.every((one) => one !== null) ? calls.flat() : null;
}

function argumentsOf(parts: readonly Element[]): JsonObject {
  return Object.fromEntries(parts.map(({ tag, name, inner }) => [name ?? tag, readValue(inner)]));
}

/** A list, an object, a number or a flag as what it is; all else is the text. */
function readValue(inner: string): Json {
  const text = inner.replace(/^\n|\n$/g, '');
  const value = /^\s{0,8}[[{\dtf-]/.test(text) ? parseJson(text) : undefined;
  return value === undefined || value === null ? text : value;
}

/** `f(path="a", n=3)` as the last line, or over the last lines where nothing else stands in the message. */
function keywordCall(text: string): Written | null {
  const from = text.startsWith('`') ? 1 : text.lastIndexOf('\n') + 1;
  const open = text.indexOf('(', from);
  const name = text.slice(from, open).trim();
  if (open < 0 || !NAME.test(name)) return null;
  const given: JsonObject = {};
  let at = open + 1;
  const end = text.length - 1;
  while (at < end) {
    KEYWORD.lastIndex = at;
    const [part, key = '', value = ''] = KEYWORD.exec(text) ?? [];
    if (part === undefined) return null;
    given[key] = parseLax(value) ?? value;
    at += part.length;
    if (at < end && text[at] !== ',') return null;
    if (at < end) at += 1;
  }
  return at === end && Object.keys(given).length > 0 ? written(text.slice(0, from), [{ name, given }]) : null;
}

const KEYWORD =
  /\s{0,16}([A-Za-z_]\w{0,63})\s{0,4}=\s{0,4}("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\w.+-]{1,64})\s{0,16}/sy;
