/**
 * Calls of the host's tools in a program that an agent writes: `await tools.send_mail({…})`, `call_tool('send_mail', {…})`,
 * `send_mail(to='…')`. Hosts run such programs in place of single calls, so each call in them is judged as one.
 */
import { before } from '../../lang/ends.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../../lang/json.ts';
import { snakeCase } from '../../lang/names.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../ontology/words.ts';
import { HOLE } from '../data.ts';
import type { World } from '../world.ts';
import type { Value } from './values.ts';

export const toolWords = perOntology((ontology) => ({
  objects: setOf(ontology, 'tool_objects'),
  callers: setOf(ontology, 'tool_callers'),
  given: setOf(ontology, 'tool_call_arguments'),
  errors: patternOf(ontology, 'error_classes', 'any'),
}));

/** Levels of objects and lists that are kept. */
const MAX_DEPTH = 4;
const SEGMENT = /^[A-Za-z_$][\w$-]{0,63}$/;

/**
 * Notes a call of a function that neither the program defines nor a library has.
 *
 * @param is_awaited the program waits for the result, as it does for a tool that is a method of a server: `await mail.send({…})`
 * @param excerpt of the call; it counts as not understood where only the run tells which tool is called
 */
export function noteToolCall(
  world: World,
  f: Value,
  args: readonly Value[],
  named: ReadonlyMap<string, Value>,
  is_awaited: boolean,
  excerpt: string,
): void {
  const { objects, callers, given, errors } = toolWords(world.ontology);
  const path = f.ref.split('.');
  const isOfTools = (ref: string): boolean => objects.has(snakeCase(before(ref, /\[/)));
  // `tools[name](…)`, `getattr(tools, name)(…)`
  if (/[[(]/.test(f.ref) && (isOfTools(f.ref) || isOfTools(f.base?.ref ?? ''))) world.unresolved ||= excerpt;
  if (path.length > 4 || !path.every((part) => SEGMENT.test(part))) return;
  const last = path.at(-1)!;
  if (errors.test(last)) return;
  if (callers.has(snakeCase(last))) {
    const [first, second] = args;
    const told = new Map([...(first?.entries ?? []), ...named]);
    const name = told.get('name') ?? first;
    if (name === undefined) return;
    if (name.text.includes(HOLE)) world.unresolved ||= excerpt;
    told.delete('name');
    const held = [...told].find(([key]) => given.has(snakeCase(key)))?.[1] ?? second;
    const parameters =
      held?.entries === undefined
        ? { ...inText(world, held), ...objectOf(world, told) }
        : objectOf(world, held.entries);
    world.noteToolCall({ name: name.text.replaceAll(HOLE, '…'), parameters, is_told: true });
    return;
  }
  const isTold = path.length > 1 && objects.has(snakeCase(path[0]!));
  const [only] = args;
  const is_object = args.length === 1 && only?.entries !== undefined;
  if (!isTold && path.length > 1 && !(is_awaited && is_object)) return;
  // A function that is handed nothing but values of the program is more likely one of its own.
  const isGiven = is_object || named.size > 0 || args.some(({ text, items }) => text !== HOLE || items !== undefined);
  if (!isTold && (!isGiven || isOfProgram(only))) return;
  const parameters = is_object ? objectOf(world, only.entries) : { ...byPlace(world, args), ...objectOf(world, named) };
  world.noteToolCall({ name: path.slice(isTold ? 1 : 0).join('.'), parameters, is_told: isTold });
}

/** Whether the value is an object that an earlier program left in memory, or a result computed from one. Tools take data; functions of the session take such objects. */
function isOfProgram(value: Value | undefined): boolean {
  if (value === undefined || value.text !== HOLE || value.items !== undefined || value.entries !== undefined)
    return false;
  return SEGMENT.test(value.ref) || isOfProgram(value.base);
}

/** The arguments of a call as JSON in a text. */
function inText(world: World, value: Value | undefined): JsonObject {
  if (value === undefined || !/^\s{0,16}\{/.test(value.text) || !world.keepsText(value.text)) return {};
  const given = parseJson(value.text.replaceAll(HOLE, '…'));
  return isObject(given) ? given : {};
}

/** Values that are given by their place alone. */
const byPlace = (world: World, args: readonly Value[]): JsonObject =>
  Object.fromEntries(
    args.map((value, i): [string, Json] => [i === 0 ? 'input' : `input_${i + 1}`, jsonOf(world, value, 0)]),
  );

const objectOf = (world: World, entries: ReadonlyMap<string, Value> | undefined, depth = 0): JsonObject =>
  Object.fromEntries(
    [...(entries ?? [])].map(([key, value]): [string, Json] => [key, jsonOf(world, value, depth + 1)]),
  );

/** A part that is known only when the program runs is null, and so is what no work is left for: one object may stand in many places. */
function jsonOf(world: World, { text, number, items, entries }: Value, depth: number): Json {
  if (depth > MAX_DEPTH || !world.step()) return null;
  if (number !== undefined) return number;
  if (items !== undefined) return items.map((item) => jsonOf(world, item, depth + 1));
  if (entries !== undefined) return objectOf(world, entries, depth);
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return text === HOLE || !world.keepsText(text) ? null : text.replaceAll(HOLE, '…');
}
