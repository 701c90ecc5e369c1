import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadOntology } from '../../engine/knowledge/load-ontology.ts';
import { laxerMode } from './laxer-modes.ts';

const ontology = loadOntology();
const laxer = (gone: string, added: string): string | undefined =>
  laxerMode({ gone: gone.split('\n'), added: added.split('\n') }, ontology);

test('a setting that stopped lets through', () => {
  for (const [gone, added] of [
    ['  validationFailureAction: Enforce', '  validationFailureAction: Audit'],
    ['  failurePolicy: Fail', '  failurePolicy: Ignore'],
    ['SELINUX=enforcing', 'SELINUX=permissive'],
    ['labels: { severity: page }', 'labels: { severity: none }'],
  ] as const)
    assert.notEqual(laxer(gone, added), undefined, added);
});

test('the other way round, another key, or a word that is not a mode', () => {
  for (const [gone, added] of [
    ['failurePolicy: Ignore', 'failurePolicy: Fail'],
    ['mode: enforce', 'level: audit'],
    ['color: red', 'color: none'],
    ['severity: page', 'severity: ticket'],
    ['"no-unused-vars": "error",', '"no-unused-vars": "off",'],
  ] as const)
    assert.equal(laxer(gone, added), undefined, added);
});
