/**
 * Finds many short literals in one pass, without regard to ASCII case, and counts what decides which detectors can match
 * at all. One pass costs about as much as three single searches; the detectors have eighty literals.
 */

export interface TextShape {
  text: string;
  digits: number;
  /** Longest run of letters, digits and `+-/_`. */
  longest_run: number;
  /** Where each literal begins that stands in the text, by its number. */
  positions: ReadonlyMap<number, readonly number[]>;
}

export interface NeedleIndex {
  /** Lower-case literal → its number. */
  numbers: ReadonlyMap<string, number>;
  shapeOf: (text: string, max_positions: number) => TextShape;
}

const ASCII = 128;
const NOWHERE: ReadonlyMap<number, readonly number[]> = new Map();
const DIGIT = 1;
const RUN = 2;
/** Lower-case form of each ASCII code unit, and what it counts as. */
const FOLDED = new Uint8Array(ASCII);
const KIND = new Uint8Array(ASCII);
for (let unit = 0; unit < ASCII; unit++) {
  FOLDED[unit] = unit >= 65 && unit <= 90 ? unit + 32 : unit;
  if (unit >= 48 && unit <= 57) KIND[unit] = DIGIT | RUN;
  else if (/[A-Za-z+/_-]/.test(String.fromCharCode(unit))) KIND[unit] = RUN;
}

/** Does the literal stand there, whose first two units do? */
function standsAt(text: string, at: number, needle: string): boolean {
  if (at + needle.length > text.length) return false;
  for (let i = 2; i < needle.length; i++) {
    const unit = text.charCodeAt(at + i);
    if (unit >= ASCII || FOLDED[unit] !== needle.charCodeAt(i)) return false;
  }
  return true;
}

/** One of 32 bits for a unit, whatever its case. Some units share one: what has the bit is looked at again. */
const bitOf = (unit: number): number => 1 << (unit & 31);

/** Numbers for the units that begin literals or come second in one, from 1 on; 0 for all others. */
function classesOf(needles: readonly string[]): Uint8Array {
  const classes = new Uint8Array(ASCII);
  let count = 0;
  for (const needle of needles) {
    for (let i = 0; i < Math.min(2, needle.length); i++) {
      const unit = needle.charCodeAt(i);
      if (classes[unit] === 0) classes[unit] = ++count;
    }
  }
  return classes.map((_, unit) => classes[FOLDED[unit]!]!);
}

/** An index over lower-case ASCII literals of one character and more. */
export function indexNeedles(needles: readonly string[]): NeedleIndex {
  const distinct = [...new Set(needles)];
  const numbers = new Map(distinct.map((needle, i) => [needle, i]));
  // A table by classes is small enough to stay at hand while a text goes by.
  const classes = classesOf(distinct);
  const width = Math.max(...classes) + 1;
  /** Of each unit the bits of those that come second after it: most places of a text end here. */
  const second_bits = new Int32Array(ASCII);
  /** Classes of two units → bucket number, 0 for none; a literal of one character stands in every bucket of its row. */
  const bucket_of = new Uint16Array(width * width);
  const buckets: number[][] = [[]];
  /** Of each bucket the bits of its third units, all bits with a shorter literal: most pairs end here. */
  const third_bits: number[] = [0];
  const put = (pair: number, number: number): void => {
    if (bucket_of[pair] === 0) {
      bucket_of[pair] = buckets.push([]) - 1;
      third_bits.push(0);
    }
    const bucket = bucket_of[pair]!;
    const needle = distinct[number]!;
    buckets[bucket]!.push(number);
    third_bits[bucket]! |= needle.length < 3 ? -1 : bitOf(needle.charCodeAt(2));
  };
  for (const [needle, number] of numbers) {
    const first = classes[needle.charCodeAt(0)]!;
    if (needle.length > 1) put(first * width + classes[needle.charCodeAt(1)]!, number);
    else for (let second = 0; second < width; second++) put(first * width + second, number);
    for (let unit = 0; unit < ASCII; unit++)
      if (classes[unit] === first) second_bits[unit]! |= needle.length > 1 ? bitOf(needle.charCodeAt(1)) : -1;
  }

  const shapeOf = (text: string, max_positions: number): TextShape => {
    let positions: Map<number, number[]> | null = null;
    let digits = 0;
    let run = 0;
    let longest_run = 0;
    const { length } = text;
    let next = length === 0 ? 0 : text.charCodeAt(0);
    for (let i = 0; i < length; i++) {
      const unit = next;
      next = i + 1 < length ? text.charCodeAt(i + 1) : 0;
      if (unit >= ASCII) {
        run = 0;
        continue;
      }
      const kind = KIND[unit]!;
      digits += kind & DIGIT;
      // 0 outside a run, by a mask: a branch at the end of each word costs more than all the rest of the loop.
      run = (run + 1) & -(kind >> 1);
      if (run > longest_run) longest_run = run;
      if ((second_bits[unit]! & bitOf(next)) === 0) continue;
      const bucket = bucket_of[classes[unit]! * width + (next < ASCII ? classes[next]! : 0)]!;
      if (bucket === 0 || (third_bits[bucket]! & bitOf(i + 2 < length ? text.charCodeAt(i + 2) : 0)) === 0) continue;
      for (const number of buckets[bucket]!) {
        if (!standsAt(text, i, distinct[number]!)) continue;
        positions ??= new Map();
        const known = positions.get(number);
        if (known === undefined) positions.set(number, [i]);
        else if (known.length < max_positions) known.push(i);
      }
    }
    return { text, digits, longest_run, positions: positions ?? NOWHERE };
  };
  return { numbers, shapeOf };
}
