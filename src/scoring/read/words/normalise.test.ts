import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ontology } from '../../../../test/support/readings.ts';
import { numberOf } from '../../../lang/written-numbers.ts';
import { bareUrl, readValue, resolvePath, type ValueKind } from './normalise.ts';

test('kinds of values', () => {
  const cases: [string | number | boolean, string, ValueKind][] = [
    ['bob@example.org', '', 'email'],
    ['Bob <bob@example.org>', '', 'email'],
    ['https://example.org/a?b', '', 'url'],
    ['www.example.org', '', 'url'],
    ['example.org/path', '', 'url'],
    ['api.example.com', '', 'host'],
    ['10.0.0.7:8080', '', 'host'],
    ['alice.miller.smith', '', 'identifier'],
    ['report.txt', '', 'path'],
    ['DE89 3704 0044 0532 0130 00', '', 'account'],
    ['AT6854532054', '', 'account'],
    ['0x52908400098527886E0F7030069857D2E4169EE7', '', 'account'],
    ['12345678', 'payee', 'account'],
    ['4111 1111 1111 1111', '', 'card'],
    ['4111 1111 1111 1112', '', 'phrase'],
    ['$1,000.00', '', 'amount'],
    ['50 EUR', '', 'amount'],
    [50, 'amount', 'amount'],
    ['1234', '', 'number'],
    [7, '', 'number'],
    ['/etc/passwd', '', 'path'],
    ['C:\\Users\\x', '', 'path'],
    ['~/notes.md', '', 'path'],
    ['rm -rf /', 'command', 'command'],
    ['ORD-4711', '', 'identifier'],
    ['Dear Bob, how are you?', '', 'phrase'],
    [true, '', 'flag'],
    ['false', '', 'flag'],
    ['', '', 'phrase'],
  ];
  for (const [raw, hint, kind] of cases) assert.equal(readValue(raw, hint, ontology).kind, kind, String(raw));
});

test('normal forms', () => {
  assert.equal(readValue('DE89 3704-0044', 'payee', ontology).normal, 'de8937040044');
  assert.equal(bareUrl('HTTPS://user@WWW.Example.org/a/'), 'example.org/a');
  assert.equal(resolvePath('/a/./b/../c//d/'), '/a/c/d');
  assert.equal(resolvePath('a\\b\\..\\c'), 'a/c');
  const numbers: [string, number][] = [
    ['1,000.00', 1000],
    ['1.000,00', 1000],
    ['1,000', 1000],
    ['1,5', 1.5],
    ['0.5', 0.5],
    ['-3', -3],
  ];
  for (const [text, value] of numbers) assert.equal(numberOf(text), value, text);
  assert.ok(Number.isNaN(numberOf('x')));
});
