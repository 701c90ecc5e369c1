/** Operators and slices of Python and JavaScript over values, as far as these are known. */
import { built, FROM, HOLE } from '../data.ts';
import type { World } from '../world.ts';
import { list, text, unknown, type Value } from './values.ts';

/** Elements of a list that are followed. */
export const MAX_ITEMS = 256;
/** Elements or characters of one allocation from which on the memory of an ordinary machine is exhausted. */
export const HUGE = 2e9;

/** The first `most` elements. Sets `was_cut` when there are more. */
export function firstOf<T>(world: World, all: T[], most: number): T[] {
  if (all.length <= most) return all;
  world.was_cut = true;
  return all.slice(0, most);
}

/** Evaluates `text[::-1]` and `text[2:5]`. */
export function sliced(base: Value, bounds: string): Value {
  if (/^\s*:\s*:\s*-1\s*$/.test(bounds))
    return {
      ...text([...base.text].reverse().join(''), base.taint | FROM.decoded),
      ...(base.items ? { items: base.items.toReversed() } : {}),
    };
  const m = /^\s{0,16}(-?\d{0,16})\s{0,16}:\s{0,16}(-?\d{0,16})\s{0,16}$/.exec(bounds);
  if (m === null || base.text.includes(HOLE)) return unknown(base.taint);
  return text(base.text.slice(m[1] === '' ? 0 : Number(m[1]), m[2] === '' ? undefined : Number(m[2])), base.taint);
}

/** Applies an operator of two operands; notes an allocation that exhausts the memory. */
export function operate(world: World, a: Value, operator: string, b: Value, excerpt: string): Value {
  const taint = a.taint | b.taint;
  if (a.number !== undefined && b.number !== undefined) return arithmetic(a.number, operator, b.number, taint);
  if (operator === '+') {
    if (a.items !== undefined || b.items !== undefined)
      return list(firstOf(world, [...(a.items ?? [a]), ...(b.items ?? [b])], MAX_ITEMS));
    return text(built(a.text + b.text), taint);
  }
  if (operator === '*' && (a.number ?? b.number ?? 0) >= HUGE)
    world.add('exhausts_resources', 'everything', 'memory', excerpt);
  if (operator === '*' && a.text !== HOLE && b.number !== undefined && b.number >= 0 && b.number < 64)
    return text(built(a.text.repeat(b.number)), taint);
  if (operator === '/' && !a.ref.startsWith('.'))
    return { ...text(`${a.text.replace(/\/$/, '')}/${b.text.replace(/^\/+/, '')}`, taint), ref: a.ref };
  if (operator === 'or' || operator === '||' || operator === '??') return a.text === HOLE && a.ref === '' ? b : a;
  return unknown(taint);
}

function arithmetic(a: number, operator: string, b: number, taint: number): Value {
  const number = {
    '+': a + b,
    '-': a - b,
    '*': a * b,
    '/': a / b,
    '//': Math.floor(a / b),
    '**': a ** b,
    '%': a % b,
    '<<': a * 2 ** b,
    '|': a | b,
    '^': a ^ b,
  }[operator];
  return number === undefined ? unknown(taint) : { text: String(number), taint, ref: '', number };
}
