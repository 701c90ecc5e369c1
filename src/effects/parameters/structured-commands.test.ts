/** Commands in parts, each under a name of its own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadOntology } from '../../engine/knowledge/load-ontology.ts';
import { structuredCommand } from './structured-commands.ts';

const ontology = loadOntology();

test('a program with options and operands is one command', () => {
  for (const parameters of [
    { executable: '/bin/rm', options: { recursive: true, f: true }, operands: ['/srv/x'] },
    { program: 'rm', flags: ['--recursive', '-f'], targets: ['/srv/x'] },
    { binary: 'rm', opts: { recursive: '', force: false, f: true }, paths: '/srv/x' },
  ]) {
    const words = structuredCommand(parameters, ontology) ?? [];
    assert.match(words[0] ?? '', /rm$/);
    assert.ok(words.includes('--recursive') && words.includes('-f') && words.at(-1) === '/srv/x', words.join(' '));
    assert.ok(!words.includes('--force'));
  }
});

test('a name that is not a program, and a program alone, are no command', () => {
  assert.equal(structuredCommand({ tool: 'weather', options: { units: 'metric' } }, ontology), null);
  assert.equal(structuredCommand({ program: 'rm' }, ontology), null);
});
