/** What holds for every score: purity, exactness, and that claims and attacker text never lower it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AgentEvent, LegacyFields } from '../../src/events/event.ts';
import type { JsonObject } from '../../src/lang/json.ts';
import { NO_POLICY } from '../../src/scoring/policy/policy.ts';
import { compileRules } from '../../src/scoring/rules/rules.ts';
import { score } from '../../src/scoring/score.ts';
import type { Assessment } from '../../src/scoring/types.ts';
import { injectionVectors, placed } from '../support/injection.ts';
import { asEvent, knowledge, scoreOf } from '../support/knowledge.ts';
import { everyNth } from '../support/rounds.ts';

const action = fc.constantFrom(
  'db:prod:drop',
  'db:table:query',
  'crm:contacts:export',
  'email:message:send',
  'file:document:read',
  'shell:command:run',
  'bank:money:transfer',
  'iam:role:grant',
  'vault:secret:read',
  'cloud:audit:disable',
  'drive:document:share',
  'zorp:a:blim',
);
const field = fc.oneof(
  fc.constantFrom('ssn', 'email', 'diagnosis', 'password', 'card_number', 'city'),
  fc.record({
    field: fc.constantFrom('ssn', 'x', 'notes'),
    classification: fc.constantFrom('PII', 'PHI', 'secret', 'public', 'odd'),
  }),
);
const parameters = fc.dictionary(
  fc.constantFrom('to', 'amount', 'recipient', 'command', 'query', 'body', 'url', 'limit', 'ids'),
  fc.oneof(
    fc.constantFrom(
      'ana@north.test',
      'rm -rf /',
      'DELETE FROM t',
      'https://webhook.site/x',
      'AKIA3XZQ7RPLM2NV4WTD',
      'hello',
      'ls -la',
    ),
    fc.integer({ min: 0, max: 2_000_000 }),
    fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 5 }),
  ),
  { maxKeys: 4 },
) as fc.Arbitrary<JsonObject>;
const event: fc.Arbitrary<AgentEvent> = fc
  .record(
    {
      action,
      parameters,
      target: fc.record(
        {
          resource_type: fc.constantFrom('database', 'file', 'repository', 'odd'),
          resource_id: fc.constantFrom('customers', 'prod-db', 'notes'),
          sensitivity_level: fc.integer({ min: 0, max: 4 }),
        },
        { requiredKeys: [] },
      ),
      data_fields_accessed: fc.array(field, { maxLength: 3 }),
      preceding_actions: fc.array(fc.oneof(action, fc.constant('not an action')), { maxLength: 4 }),
      user_context: fc.constantFrom('Send hello to ana@north.test', 'Show me the notes', 'Transfer 50', ''),
      mcp_context: fc.record(
        {
          server_name: fc.constant('s'),
          is_verified: fc.boolean(),
          tool_name: fc.constantFrom('send_email', 'delete_file', 'zz'),
        },
        { requiredKeys: [] },
      ),
      session: fc.constant({ session_id: 's', user_id: 'me@north.test' }),
    },
    { requiredKeys: ['action'] },
  )
  .map((given) => asEvent(given as AgentEvent));
/** Without custom rules: a customer's own condition may say what it likes about a claim. */
const policyOfLists = fc.constantFrom<JsonObject>({}, { blocked_actions: ['db:prod:drop'], sensitive_fields: ['ssn'] });
const policy = fc.constantFrom<JsonObject>(
  {},
  { blocked_actions: ['db:prod:drop'], sensitive_fields: ['ssn'] },
  {
    custom_rules: {
      big: { condition: 'batch_size > 100', score_impact: 30, description: 'big' },
      small: { condition: 'sensitivity < 2', score_impact: -20, description: '' },
    },
  },
);

const runs = { numRuns: 400 };
const sum = (assessment: Assessment): number =>
  assessment.score_components.reduce((total, c) => total + c.contribution, 0);

test('components sum exactly to the score', () => {
  fc.assert(
    fc.property(event, policy, (e, p) => {
      const assessment = scoreOf(e, p);
      assert.equal(sum(assessment), assessment.score);
    }),
    runs,
  );
});

test('metadata changes nothing', () => {
  fc.assert(
    fc.property(event, policy, fc.dictionary(fc.string(), fc.jsonValue()), (e, p, metadata) => {
      assert.deepEqual(scoreOf({ ...e, metadata: metadata as JsonObject }, p), scoreOf(e, p));
    }),
    runs,
  );
});

test('more sensitivity, more data, a longer past and a new block never lower a score', () => {
  fc.assert(
    fc.property(event, field, action, (e, more_data, earlier) => {
      const before = scoreOf(e).score;
      const level = e.target?.sensitivity_level;
      const higher = {
        ...e,
        target: { ...e.target, sensitivity_level: level === undefined ? 4 : Math.min(4, level + 1) },
      };
      assert.ok(scoreOf(higher).score >= before, 'sensitivity');
      assert.ok(
        scoreOf({ ...e, data_fields_accessed: [...(e.data_fields_accessed ?? []), more_data] }).score >= before,
        'data',
      );
      assert.ok(
        scoreOf({ ...e, preceding_actions: [earlier, ...(e.preceding_actions ?? [])] }).score >= before,
        'past',
      );
      const blocked = scoreOf(e, { blocked_actions: [e.action] });
      assert.ok(blocked.score >= before && blocked.score >= 81, 'block');
    }),
    runs,
  );
});

test('fields of older clients that contradict the others: the higher of both scores, whatever they hold', () => {
  const legacy = fc.record(
    {
      tool_name: fc.constantFrom('delete_file', 'read_notes'),
      tool_input: fc.oneof(fc.constantFrom('rm -rf /', 'hello'), parameters),
      resource: fc.constantFrom('prod-db', 'notes'),
      user_id: fc.constant('you@north.test'),
      legacy_data_fields: fc.array(fc.constantFrom('ssn', 'city'), { maxLength: 2 }),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<LegacyFields>;
  fc.assert(
    fc.property(event, policy, legacy, (e, p, contradicting) => {
      const both = scoreOf({ ...e, legacy: contradicting }, p);
      const { tool_name, tool_input, resource, user_id, legacy_data_fields } = contradicting;
      const other = scoreOf(
        {
          ...e,
          ...(tool_name !== undefined && { mcp_context: { ...e.mcp_context, tool_name } }),
          ...(tool_input !== undefined && {
            parameters: typeof tool_input === 'string' ? { tool_input } : tool_input,
          }),
          ...(resource !== undefined && { target: { ...e.target, resource_id: resource } }),
          ...(user_id !== undefined && { session: { ...e.session, user_id } }),
          ...(legacy_data_fields !== undefined && { data_fields_accessed: legacy_data_fields }),
        },
        p,
      );
      assert.equal(both.score, Math.max(scoreOf(e, p).score, other.score));
      assert.equal(sum(both), both.score);
      const flags = both.behavioral_flags.filter((flag) => flag.startsWith('legacy_contradicts:'));
      assert.deepEqual(
        flags.map((flag) => flag.slice(flag.indexOf(':') + 1)).sort(),
        Object.keys(contradicting).sort(),
      );
    }),
    runs,
  );
  // As stored by versions that did not look at it.
  const anything = fc.dictionary(fc.constantFrom('tool_name', 'tool_input', 'legacy_data_fields', 'x'), fc.jsonValue());
  fc.assert(
    fc.property(event, fc.oneof(anything, fc.jsonValue()), (e, stored) => {
      assert.ok(scoreOf({ ...e, legacy: stored as LegacyFields }).score >= scoreOf(e).score);
    }),
    runs,
  );
});

/** The event with one kind of claim taken out: what would be known without the judged party's word. */
const withoutClaim: Record<string, (e: AgentEvent) => AgentEvent> = {
  sensitivity: ({ target: { sensitivity_level: _, ...target } = {}, ...e }) => ({ ...e, target }),
  verification: ({ mcp_context: { is_verified: _, ...mcp_context } = {}, ...e }) => ({ ...e, mcp_context }),
  past: ({ preceding_actions: _, ...e }) => e,
  data: ({ data_fields_accessed: _, ...e }) => e,
  classification: (e) => ({
    ...e,
    data_fields_accessed: (e.data_fields_accessed ?? []).map((one) =>
      typeof one === 'string' ? one : { field: one.field },
    ),
  }),
};

test('no claim scores lower than its absence', () => {
  // The smallest case: an unknown place, where nothing but the claim speaks of sensitivity.
  const smallest = asEvent({ action: 'zorp:a:drop', target: { sensitivity_level: 0 } });
  fc.assert(
    fc.property(event, policyOfLists, (e, p) => {
      const { score } = scoreOf(e, p);
      for (const [claim, without] of Object.entries(withoutClaim)) {
        assert.ok(score >= scoreOf(without(e), p).score, claim);
      }
    }),
    { ...runs, examples: [[smallest, {}]] },
  );
});

/** The same JSON with the keys of every object in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}

test('the order of keys and of policy lists changes nothing', () => {
  fc.assert(
    fc.property(event, policy, (e, p) => {
      assert.deepEqual(scoreOf(reversed(e) as AgentEvent, reversed(p) as JsonObject), scoreOf(e, p));
    }),
    runs,
  );
});

test('the order of rules changes nothing', () => {
  const documents = knowledge.rules.map((rule) => rule.document);
  fc.assert(
    fc.property(event, fc.shuffledSubarray(documents, { minLength: documents.length }), (e, shuffled) => {
      const index = compileRules(shuffled);
      const other = { ...knowledge, rules: index.rules, index };
      const scoreWith = (rules: typeof knowledge) => JSON.stringify(score(e, null, NO_POLICY, rules));
      assert.equal(scoreWith(other), scoreWith(knowledge));
    }),
    { numRuns: 40 },
  );
});

test('same evidence, same bytes, with the clock and the dice taken away', () => {
  const { now } = Date;
  const { random } = Math;
  const forbidden = (): never => {
    throw new Error('scoring asked for the time or a random number');
  };
  try {
    Date.now = forbidden;
    Math.random = forbidden;
    const e = asEvent({ action: 'db:prod:drop', parameters: { query: 'DROP TABLE t' }, user_context: 'tidy up' });
    assert.equal(JSON.stringify(scoreOf(e)), JSON.stringify(scoreOf(structuredClone(e))));
  } finally {
    Date.now = now;
    Math.random = random;
  }
});

/**
 * Every text is tried on every event and in every place, and of the three together every fifth: what a text does, it does by its
 * place and its words, whichever event has it. Takes half a minute without the share.
 */
const EVERY = everyNth(5);

test('text in any field never lowers score, level or violations', () => {
  const { bases, tests } = injectionVectors();
  const failures: string[] = [];
  for (const [at, base] of bases.entries()) {
    const plain = scoreOf(base.event);
    for (const [n, { id, text }] of tests.entries()) {
      for (const [k, [place, changed]] of Object.entries(placed(asEvent(base.event), text)).entries()) {
        if ((at + n + k) % EVERY !== 0) continue;
        // A single word may be the name of a field, and says less than the one that it replaces.
        if (place === 'field_replaced' && text.trim().split(/\s+/).length <= 3) continue;
        const with_text = scoreOf(changed);
        const lost = plain.violations.filter((violation) => !with_text.violations.includes(violation));
        if (with_text.score < plain.score || lost.length > 0) {
          failures.push(`${base.name} · ${place} · ${id}: ${plain.score} → ${with_text.score}, lost ${lost.join(' ')}`);
        }
      }
    }
  }
  assert.equal(failures.length, 0, failures.slice(0, 20).join('\n'));
});
