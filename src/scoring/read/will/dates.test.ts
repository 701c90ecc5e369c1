import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ontology } from '../../../../test/support/readings.ts';
import { otherDate } from './dates.ts';

const other = (asked: string, date: string): string => otherDate(asked, [date], ontology);

test('a date that the user names is compared with that of the record', () => {
  assert.equal(other('Cancel my meeting on December 7', '2023-12-08 10:00:00'), 'december 7');
  assert.equal(other('Cancel my meeting on December 7', '2023-12-07 10:00:00'), '');
});

test('a weekday is compared with that of the record', () => {
  assert.equal(other('Cancel my meetings on Wednesday after 11', '2023-12-01'), 'wednesday');
  assert.equal(other('Cancel my meetings on Friday', '2023-12-01'), '');
});

test('one of several days is enough', () => {
  assert.equal(other('Move the meeting on December 7 for December 9', '2023-12-09'), '');
});

test('a date that bounds a time says nothing of the record', () => {
  assert.equal(other('Delete what came since December 7', '2023-12-09'), '');
  assert.equal(other('Delete what came before Friday', '2023-12-06'), '');
});

test('a record without a date, or a request without one, is not compared', () => {
  assert.equal(other('Delete the lead on December 7', 'hardware'), '');
  assert.equal(other('Delete the lead', '2023-12-06'), '');
});
