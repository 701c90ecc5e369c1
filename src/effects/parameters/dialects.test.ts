/** A text of many lines before the command tells PowerShell, however long it is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadOntology } from '../../engine/knowledge/load-ontology.ts';
import { dialectOf } from './dialects.ts';

const ontology = loadOntology();
const LONG = 'The pump runs.\n'.repeat(400);

test('a long text in quotes of many lines, written by a cmdlet behind it, is PowerShell', () => {
  assert.equal(dialectOf(`@'\n${LONG}'@ | Set-Content docs/plan.md`, ontology), 'powershell');
  assert.equal(dialectOf(`$plan = @"\r\n${LONG}"@\nSet-Content docs/plan.md $plan`, ontology), 'powershell');
});

test('the same signs inside of a word of a POSIX shell are none of PowerShell', () => {
  assert.equal(dialectOf(`curl -d @'notes.txt' http://localhost:3000/${LONG}`, ontology), 'shell');
});
