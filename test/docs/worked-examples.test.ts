/** The worked examples say what an approver needs. That the page is up to date is checked in pages.test.ts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { levelOf } from '../../src/scoring/level.ts';
import { assessExample, readWorkedExamples } from '../../tools/pages/worked-page.ts';
import { knowledge } from '../support/knowledge.ts';

const MOST_SENTENCES = 4;
const examples = readWorkedExamples();

test('there are thirty', () => assert.ok(examples.length >= 30));

for (const example of examples) {
  test(example.name, () => {
    const { score, reasoning, mitigations, violations } = assessExample(example, knowledge);
    assert.ok(example.levels.includes(levelOf(score)), `${score}: ${reasoning}`);
    const plain = reasoning.replace(/`[^`]*`/g, 'x');
    assert.ok(plain.split(/[.!?](?: |$)/).filter((one) => one !== '').length <= MOST_SENTENCES, reasoning);
    const names_the_thing = reasoning.toLowerCase().split(': ')[0]!;
    const place = example.names.toLowerCase();
    assert.ok(reasoning.slice(0, 200).toLowerCase().includes(place) || names_the_thing.includes(place), reasoning);
    for (const violation of violations) assert.ok(!reasoning.includes(violation), reasoning);
    assert.ok(mitigations.length <= 5 && new Set(mitigations).size === mitigations.length);
    assert.ok(violations.length === 0 || mitigations.length > 0);
    for (const text of mitigations) assert.match(text, /^[A-Z][^.]* .*\.$/);
  });
}
