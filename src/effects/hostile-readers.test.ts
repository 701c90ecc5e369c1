/**
 * Every reader, fed its own delimiters and letters alone and in pairs, against a linear reference in the same run: the same reader
 * with plain text of the same length. What is slow in proportion is measured again with a longer text, where work that grows faster
 * than the text stands out; the lowest of many times counts, so that a busy machine fails nothing.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everyNth } from '../../test/support/rounds.ts';
import {
  filled,
  type HostileReader,
  type HostileText,
  textsAlone,
  textsOfPairs,
} from '../../tools/bench/readers/hostile-reader.ts';
import { hostileReaders } from '../../tools/bench/readers/index.ts';
import { loadKnowledge } from '../engine/knowledge/knowledge.ts';
import { NO_POLICY } from '../scoring/policy/policy.ts';
import { score } from '../scoring/score.ts';

const SHORT = 8_000;
const LONG = 40_000;
/** Times the reference that a short text may take before it is measured again. */
const SUSPECT = 8;
/** Times the reference that a long text may take. What takes more must at least not grow faster than the text: budgets end it. */
const MOST = 20;
const MOST_OF_ALL = 400;
/** Times that a text of four times the length may take: linear work takes four, quadratic work sixteen. */
const GROWTH = 8;
const TRIES = 10;
/** Of the pairs, every one of this many, another one in each reader; each letter and delimiter alone is always tried. */
const EVERY = 97 * everyNth(4);
const PLAIN = 'The quarterly report is ready, and the team has read it. ';

const knowledge = await loadKnowledge();

function timeOf({ event }: HostileReader, text: string): number {
  const given = event(text);
  const before = performance.now();
  score(given, null, NO_POLICY, knowledge);
  return performance.now() - before;
}

function* chosen(reader: HostileReader, number: number): Generator<HostileText> {
  yield* textsAlone({ ...reader, openings: reader.openings.slice(0, 2) });
  let n = number;
  for (const text of textsOfPairs(reader)) if (n++ % EVERY === 0) yield text;
}

/** The lowest time of `a` in times of `b`, both measured in turn; tried again only while it is above `most`. */
function ratioOf(reader: HostileReader, a: string, b: string, most: number): number {
  let [first, second] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let n = 0; n === 0 || (n < TRIES && first > most * second); n++) {
    second = Math.min(second, timeOf(reader, b));
    first = Math.min(first, timeOf(reader, a));
  }
  return first / second;
}

for (const [number, [name, reader]] of Object.entries(hostileReaders).entries())
  test(`the time of the reader of ${name} follows from the length of what it reads`, () => {
    const times = Array.from({ length: 9 }, () => timeOf(reader, filled(PLAIN, SHORT))).sort((a, b) => a - b);
    for (const text of chosen(reader, number)) {
      if (timeOf(reader, text.make(SHORT)) <= SUSPECT * times[4]!) continue;
      const ratio = ratioOf(reader, text.make(LONG), filled(PLAIN, LONG), MOST);
      assert.ok(ratio <= MOST_OF_ALL, `${text.name} takes ${ratio.toFixed(0)} times as long as plain text`);
      if (ratio <= MOST) continue;
      const growth = ratioOf(reader, text.make(LONG), text.make(LONG / 4), GROWTH);
      assert.ok(growth <= GROWTH, `${text.name} takes ${growth.toFixed(1)} times as long at four times the length`);
    }
  });
