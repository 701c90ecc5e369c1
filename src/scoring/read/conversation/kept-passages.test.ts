import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knowledge } from '../../../../test/support/knowledge.ts';
import { perPassage } from './kept-passages.ts';
import type { Passage } from './text.ts';

const { ontology } = knowledge;

/** An equal text of a later event is another string with the same characters. */
const resultWith = (text: string): Passage => ({ text: ['', text].join(''), index: 0, source: 'find_files' });

test('a text that comes back with the next event is read once by each reader', () => {
  const read: string[] = [];
  const lengthOf = perPassage((said) => {
    read.push(said);
    return said.length;
  });
  const firstOf = perPassage((said) => said.charAt(0));
  for (const text of ['invoice 4471', 'invoice 4472', 'invoice 4471']) {
    const result = resultWith(text);
    assert.equal(lengthOf(result, ontology), text.length);
    assert.equal(firstOf(result, ontology), 'i');
  }
  assert.deepEqual(read, ['invoice 4471', 'invoice 4472']);
});

test('what says nothing is kept as well, and a text too long to be kept is read once for its event', () => {
  let read = 0;
  const nothingIn = perPassage((): string | null => {
    read += 1;
    return null;
  });
  for (let n = 0; n < 2; n += 1) assert.equal(nothingIn(resultWith('nothing of note'), ontology), null);
  assert.equal(read, 1);
  const long = resultWith('a'.repeat(100_000));
  for (let n = 0; n < 2; n += 1) nothingIn(long, ontology);
  assert.equal(read, 2);
  nothingIn(resultWith(long.text), ontology);
  assert.equal(read, 3);
});
