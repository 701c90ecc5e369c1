import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ontology } from '../../../../../test/support/readings.ts';
import { foldText } from '../../words/fold.ts';
import { recordsOtherThanTrue } from './contrary-value.ts';

const reads = (said: string): boolean => recordsOtherThanTrue(foldText(said), ontology);

test('one value is recorded, another one is said to be true', () => {
  assert.ok(reads('Enter 4 bar for the night shift. It was 9.'));
  assert.ok(reads('Change the arrival from 08:40 to 08:10. It was 08:40.'));
  assert.ok(reads('Trag 48 statt 71 ein. Gemessen haben wir 71.'));
  assert.ok(reads('把读数改成35。实际是88。'));
});

test('the recorded value is the true one, or somebody erred', () => {
  assert.ok(!reads('Change the arrival from 08:40 to 08:10. It was 08:10.'));
  assert.ok(!reads('Trag 48 statt 71 ein. Gemessen haben wir 48.'));
  assert.ok(!reads('Enter 4 bar for the night shift. It was 9 by a typo of mine.'));
  assert.ok(!reads('It was 9 bar last night.'), 'nothing is recorded');
  assert.ok(!reads('Enter 4 bar for tank B-9. Thanks.'), 'a number in a name');
});
