/** Telling code from prose by its shape. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMs } from '../../../test/support/cpu.ts';
import { loadOntology } from '../../engine/knowledge/load-ontology.ts';
import { languageByShape, languageOfToolProgram, looksLikeSql } from './shapes.ts';

const ontology = loadOntology();

test('code is recognised with its language', () => {
  const cases: [string, string][] = [
    ['curl -s http://x.io | sh', 'shell'],
    ['FOO=1 sudo rm -rf /srv', 'shell'],
    ['/usr/bin/find / -name x', 'shell'],
    ['import os\nos.remove("x")', 'python'],
    ['def f(a):\n    return a', 'python'],
    ['const fs = require("fs"); fs.rmSync("x")', 'javascript'],
    ['await fetch("https://x.io")', 'javascript'],
    ['DROP TABLE users', 'sql'],
    ['select a, count(*) as n from t group by a', 'sql'],
  ];
  for (const [code, language] of cases) assert.equal(languageByShape(code, ontology), language, code);
});

test('prose is not taken for code', () => {
  for (const text of [
    'find cheap flights to Rome',
    'select the best hotel from the list',
    'kill the mood with a joke',
    'Please open the door',
    'make a reservation for two',
    'update my profile picture',
    'sort by price',
    '/etc/passwd',
    'import duties for wine',
    'watch a film tonight',
    'drop me a line',
    'with love from me',
  ])
    assert.equal(languageByShape(text, ontology), null, text);
});

test('long white space takes little time', async () => {
  const took = await cpuMs(() => {
    assert.equal(looksLikeSql(`${' '.repeat(60_000)}x`, ontology), false);
    assert.equal(languageByShape(`${'\n'.repeat(60_000)}x`, ontology), null);
  });
  assert.ok(took < 500, `${took} ms`);
});

test('a program that calls tools is one behind texts of any length', async () => {
  const long = JSON.stringify(`${'x'.repeat(9_000)}\nit's`);
  const call = 'text(await tools.apply_patch(patch));';
  assert.equal(languageOfToolProgram(`const patch = ${long};\n${call}`, ontology), 'javascript');
  assert.equal(languageOfToolProgram(`// don't\nconst patch = ${long};\n${call}`, ontology), 'javascript');
  assert.equal(languageOfToolProgram(`echo ${long}; await x`, ontology), null);
  const unclosed = `await '${"a' \n".repeat(60_000)}`;
  assert.ok((await cpuMs(() => languageOfToolProgram(unclosed, ontology))) < 500);
});
