/** What every answer about the rules' own examples says: few sentences, few measures that can be taken, few articles. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentEvent } from '../../src/events/event.ts';
import type { JsonObject } from '../../src/lang/json.ts';
import { MOST_ARTICLES } from '../../src/scoring/explanation/articles.ts';
import { knowledge, scoreOf } from '../support/knowledge.ts';

const examples = knowledge.rules.flatMap(({ id, document }) =>
  document.examples.fires.map(({ name, event, policy, is_outline, history }) => ({
    name: `${id}: ${name}`,
    answer: scoreOf(event as unknown as AgentEvent, (policy ?? {}) as JsonObject, {
      is_outline: is_outline === true,
      ...(history && { history }),
    }),
  })),
);

test('the first sentence names a thing, and no sentence names a rule or shows an unfilled place', () => {
  for (const { name, answer } of examples) {
    const { reasoning, violations } = answer;
    assert.match(reasoning, /risk \(\d+\) in .*[`\d]/, name);
    assert.doesNotMatch(reasoning, /``|undefined|\{[a-z_]+\}|By itself/, name);
    for (const violation of violations) assert.ok(!reasoning.includes(violation), name);
  }
});

test('mitigations are at most five sentences, none empty of its object and none twice', () => {
  for (const { name, answer } of examples) {
    const { mitigations } = answer;
    assert.ok(mitigations.length >= 1 && mitigations.length <= 5, name);
    assert.equal(new Set(mitigations).size, mitigations.length, name);
    for (const text of mitigations) {
      assert.match(text, /^\p{Lu}\p{L}*,? .+\.$/su, `${name}: ${text}`);
      assert.doesNotMatch(text, /``|undefined|[[\]]/, `${name}: ${text}`);
    }
  }
});

test('the articles that come first are laws, then standards, then threat lists', () => {
  const rankOf = (id: string): number =>
    knowledge.ontology.phrasing.get(knowledge.ontology.articles.get(id)!.kind)!.rank;
  for (const { name, answer } of examples) {
    const ranks = answer.compliance_refs.slice(0, MOST_ARTICLES).map(rankOf);
    assert.deepEqual(ranks, ranks.toSorted(), name);
  }
});

test('a conditional law comes after what binds for certain, and a law on personal data only with such data', () => {
  const { compliance_refs } = scoreOf({ action: 'db:prod:drop', target: { resource_id: 'customers' } });
  const first = compliance_refs.slice(0, MOST_ARTICLES);
  assert.ok(
    compliance_refs.some((id) => id.startsWith('EU_AI_Act')) && !first.some((id) => id.startsWith('EU_AI_Act')),
  );
});
