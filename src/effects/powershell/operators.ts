/** What PowerShell's operators, indexes, casts and properties make of values. */
import type { Ontology } from '../../ontology/index.ts';
import { HOLE } from '../data.ts';
import { builtOf, EMPTY, itemsOf, list, MAX_ITEMS, NOTHING, plain, unknown, type Value } from './values.ts';
import { powershellWords } from './words.ts';

/** Longest range of numbers that is spelt out. */
const MAX_RANGE = 128;

export function property(value: Value, member: string, ontology: Ontology): Value {
  // Of a text that is known, its length too.
  if (member === 'length' && value.text !== '' && value.items === undefined && !value.text.includes(HOLE))
    return plain(String(value.text.length));
  if (member === 'length' || member === 'count') return unknown();
  // Of a file that is named, its names are its path.
  if (powershellWords(ontology).pathProperties.has(member) && value.text !== HOLE && value.type === undefined)
    return { ...value };
  return {
    text: HOLE,
    taint: value.taint,
    type: `${value.type ?? ''}.${member}`,
    ...(value.found !== undefined && powershellWords(ontology).pathProperties.has(member)
      ? { found: value.found }
      : {}),
  };
}

export function indexed(value: Value, index: Value): Value {
  const { items } = value;
  const key = value.fields?.get(index.text.toLowerCase());
  if (key !== undefined) return key;
  const numbers = itemsOf(index).map((i) => (/^-?\d+$/.test(i.text) ? Number(i.text) : Number.NaN));
  if (numbers.some(Number.isNaN)) return unknown(value.taint);
  if (items !== undefined) {
    const found = numbers.map((n) => items.at(n) ?? NOTHING);
    return found.length === 1 ? found[0]! : { ...list(found), isBuilt: true };
  }
  if (value.text.includes(HOLE)) return unknown(value.taint);
  const letters = numbers.map((n) => builtOf(value.text.at(n) ?? '', value));
  return letters.length === 1 ? letters[0]! : list(letters);
}

/** `[char]105`, `[char[]](105,101)`, `[string]x`, `[scriptblock]…`. */
export function cast(type: string, value: Value): Value {
  if (type === 'char' || type === 'char[]') {
    const items = itemsOf(value);
    const isNumbers = items.length > 0 && items.every((i) => /^\d{1,7}$/.test(i.text));
    if (isNumbers) {
      const letters = items.map((i) => builtOf(String.fromCharCode(Number(i.text) & 0xffff), i));
      return type === 'char' && letters.length === 1 ? letters[0]! : list(letters);
    }
    if (type === 'char[]' && items.length === 1 && !value.text.includes(HOLE))
      return list([...value.text.slice(0, MAX_ITEMS)].map((c) => plain(c, value.taint)));
  }
  if (type === 'int' && /^0x[0-9a-f]{1,6}$/i.test(value.text))
    return plain(String(Number.parseInt(value.text, 16)), value.taint);
  if (type === 'type') return { ...value, type: value.text.toLowerCase().replace(/^system\./, '') };
  return value.type === undefined ? { ...value, type } : value;
}

/** What an operator makes of its two sides. */
export function operate(name: string, left: Value, right: Value): Value {
  switch (name) {
    case ',':
      return list([...itemsOf(left), ...itemsOf(right)]);
    case '+':
      if (left.items !== undefined || left.fields !== undefined) return list([...itemsOf(left), ...itemsOf(right)]);
      if (/^\d+$/.test(left.text) && /^\d+$/.test(right.text))
        return plain(String(Number(left.text) + Number(right.text)));
      return builtOf(left.text + right.text, left, right);
    case '-': {
      const difference = Number(left.text) - Number(right.text);
      return Number.isInteger(difference)
        ? builtOf(String(difference), left, right)
        : unknown(left.taint | right.taint);
    }
    case '*': {
      const times = Number(right.text);
      return Number.isInteger(times) && times >= 0 && times <= 64 && !/^\d+$/.test(left.text)
        ? builtOf(left.text.repeat(times), left)
        : unknown(left.taint | right.taint);
    }
    case 'f':
      return formatted(left, right);
    case 'join':
      return builtOf(
        itemsOf(left)
          .map((v) => v.text)
          .join(right.text),
        left,
        right,
      );
    case 'split':
      return split(left, right);
    case 'replace':
      return replaced(left, right);
    case '..':
      return range(left, right);
    case 'bxor': {
      const a = Number(left.text);
      const b = Number(right.text);
      return Number.isInteger(a) && Number.isInteger(b)
        ? builtOf(String(a ^ b), left, right)
        : unknown(left.taint | right.taint);
    }
    case 'as':
      return left;
    case '??':
      return left === EMPTY ? right : left;
    default:
      return unknown(left.taint | right.taint);
  }
}

function formatted(pattern: Value, values: Value): Value {
  const items = itemsOf(values);
  const text = pattern.text.replace(
    /\{(\d{1,2})(?:[,:][^{}]{0,40})?\}/g,
    (_all, n: string) => items[Number(n)]?.text ?? HOLE,
  );
  return builtOf(text, pattern, values);
}

function split(left: Value, right: Value): Value {
  const by = right.text;
  if (left.text.includes(HOLE) || by.includes(HOLE)) return unknown(left.taint);
  // Patterns are taken apart only as far as they are letters or a class of letters.
  const letters = /^\[([^\]\\]{1,32})\]$/.exec(by)?.[1];
  const parts = letters === undefined ? left.text.split(by.replace(/\\(.)/g, '$1')) : splitAtAny(left.text, letters);
  return list(parts.filter((p) => p !== '').map((p) => plain(p, left.taint)));
}

function splitAtAny(text: string, letters: string): string[] {
  let joined = text;
  for (const letter of letters) joined = joined.replaceAll(letter, '\n');
  return joined.split('\n');
}

function replaced(left: Value, right: Value): Value {
  const [from = EMPTY, to = EMPTY] = itemsOf(right);
  if (left.text.includes(HOLE) || from.text === '' || from.text.includes(HOLE))
    return unknown(left.taint | right.taint);
  const isPlain = !/[.*+?^$()[\]{}|]/.test(from.text.replace(/\\./g, ''));
  if (!isPlain) return { ...left, isBuilt: true };
  return builtOf(left.text.replaceAll(from.text.replace(/\\(.)/g, '$1'), to.text), left, right);
}

function range(left: Value, right: Value): Value {
  const from = Number(left.text);
  const to = Number(right.text);
  if (!Number.isInteger(from) || !Number.isInteger(to) || Math.abs(to - from) > MAX_RANGE) return unknown();
  const step = to >= from ? 1 : -1;
  const numbers: Value[] = [];
  for (let n = from; n !== to + step; n += step) numbers.push(plain(String(n)));
  return list(numbers);
}
