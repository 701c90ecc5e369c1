/**
 * Functions that are handed over as values and called by somebody else: `Thread(target=os.system, args=("rm …",))`, `then(eval)`,
 * `['x'].forEach(fs.rmSync)`, `fn.call(null, "rm …")`. Who receives a function may call it with whatever it is handed beside it.
 */
import { FOREIGN } from '../data.ts';
import { type CallTable, taintOf, unknown, type Value } from './values.ts';

/** Functions and elements of one call that are followed. */
const MAX_HANDED = 4;

export interface HandedCall {
  f: Value;
  args: Value[];
}

/** The calls that the receiver of these arguments may make. `taint` is that of what it works on. */
export function handedCalls(
  calls: CallTable,
  receiver: Value | undefined,
  args: readonly Value[],
  named: ReadonlyMap<string, Value>,
  taint: number,
): HandedCall[] {
  const all = [...args, ...named.values()];
  const functions = all.filter((v) => v.closure === undefined && v.ref !== '' && calls.has(v.ref));
  const found: HandedCall[] = [];
  for (const f of functions.slice(0, MAX_HANDED)) {
    const others = all.filter((v) => v !== f && v.closure === undefined && !functions.includes(v));
    // A number before the rest is a delay or a priority.
    const behind = args.slice(args.indexOf(f) + 1).filter((v) => others.includes(v) && v.number === undefined);
    const packed = others.find((v) => v.items !== undefined)?.items;
    const given = packed ?? (args.includes(f) ? behind : others);
    if (given.length > 0) found.push({ f, args: [...given] });
    else if (elementsOf(receiver).length > 0)
      for (const one of elementsOf(receiver)) found.push({ f, args: [withTaint(one, taint)] });
    else if ((taint | taintOf(others)) & FOREIGN) found.push({ f, args: [unknown(taint)] });
  }
  return found.slice(0, MAX_HANDED);
}

/** A value with the origin of what it was taken from; an unknown one in its place. */
export const withTaint = (value: Value | undefined, taint: number): Value =>
  value === undefined ? unknown(taint) : { ...value, taint: value.taint | taint };

/** What a method of a list or a promise calls a function with. */
export function elementsOf(receiver: Value | undefined): readonly Value[] {
  if (receiver === undefined) return [];
  const { items, base, ref } = receiver;
  if (items !== undefined) return items.slice(0, MAX_HANDED);
  return ref.endsWith('()') && base !== undefined ? [base] : [];
}

/**
 * The arguments with which a member of a function calls it, `null` where it is no such member or hands over nothing:
 * `f.call(self, a)`, `f.apply(self, [a])`, `f.bind(self, a)`.
 */
export function argumentsOfMember(
  member: string,
  args: readonly Value[],
  calling: ReadonlySet<string>,
): Value[] | null {
  if (!calling.has(member) || args.length === 0) return null;
  // `null` and `this` are no values of this interpreter, so that the object may be left out.
  const given = args.length === 1 ? [...args] : args.slice(1);
  const packed = given.length === 1 ? given[0]!.items : undefined;
  return packed === undefined ? given : [...packed];
}
