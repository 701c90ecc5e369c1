import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QUIET } from '../../../test/support/history.ts';
import { asEvent, knowledge } from '../../../test/support/knowledge.ts';
import type { AgentEvent } from '../../events/event.ts';
import { Facts } from '../facts/fact-table.ts';
import { NO_POLICY } from '../policy/policy.ts';
import { Readings } from '../read/readings.ts';
import { chain } from './chain.ts';
import type { RuleDocument } from './rule-document.ts';
import { compileRules } from './rules.ts';

function document(id: string, when: string, more: Partial<RuleDocument> = {}): RuleDocument {
  return {
    id,
    code: 'TST-01',
    name: id,
    family: 'test',
    version: 1,
    maturity: 'stable',
    when,
    contribution: 10,
    confidence: 1,
    flag: id,
    violation: id,
    cites: [{ id: 'SOC2:CC6.1' }],
    mitigations: ['none'],
    false_positives: 'none',
    examples: { fires: [], quiet: [] },
    ...more,
  } as RuleDocument;
}

const EVENT: Partial<AgentEvent> & { action: string } = {
  action: 'email:message:send',
  parameters: { to: ['ana@north.test', 'ben@north.test'] },
};

function factsOf(event = EVENT): Facts {
  return new Facts(new Readings({ event: asEvent(event), policy: NO_POLICY, history: null }, knowledge.ontology));
}

function fired(documents: readonly RuleDocument[], event = EVENT, facts = factsOf(event)): string[] {
  return chain(compileRules(documents), facts).map((finding) => `${finding.rule}:${finding.contribution}`);
}

test('a fact that one rule asserts makes others fire, over several rounds and in any order of rules', () => {
  const rules = [
    document('first_step', "effect == 'send'", { asserts: ['step_one'] }),
    document('second_step', 'step_one', { asserts: ['step_two'] }),
    document('third_step', "step_two AND effect == 'send'"),
    document('never_there', 'step_three_missing', {}),
  ].slice(0, 3);
  const expected = ['first_step:10', 'second_step:10', 'third_step:10'];
  assert.deepEqual(fired(rules), expected);
  assert.deepEqual(fired([...rules].reverse()), expected);
});

test('rules that assert each other’s facts terminate', () => {
  const rules = [
    document('ping_rule', "effect == 'send' OR pong", { asserts: ['ping'] }),
    document('pong_rule', 'ping', { asserts: ['pong'] }),
  ];
  assert.deepEqual(fired(rules), ['ping_rule:10', 'pong_rule:10']);
});

test('a rule tried with each argument fires once per matching argument and names it', () => {
  const rules = [
    document('to_someone', "argument.kind == 'email'", { each: 'argument', violation: 'to {argument.value}' }),
  ];
  assert.deepEqual(fired(rules), ['to_someone:10', 'to_someone:10']);
});

test('the first aggravation that holds is used', () => {
  const aggravated = [
    { when: "effect == 'delete'", contribution: 90 },
    { when: "effect == 'send'", contribution: 60 },
    { when: 'is_mutating', contribution: 70 },
  ];
  assert.deepEqual(fired([document('grows_worse', 'is_mutating', { aggravated })]), ['grows_worse:60']);
});

test('a rule that only asserts facts yields no finding', () => {
  assert.deepEqual(fired([document('silent_step', 'is_mutating', { contribution: 0, asserts: ['something'] })]), []);
});

test('all rules that do not compile are listed with the reason', () => {
  const rules = [
    document('bad_name', 'no_such_fact'),
    document('bad_text', 'is_mutating', { violation: '{no_such_fact}' }),
  ];
  assert.throws(() => compileRules(rules), {
    name: 'OntologyError',
    message:
      /^rules\/test\/bad_name\.yaml: when: column 1: .*no_such_fact.*\nrules\/test\/bad_text\.yaml: violation: .*no_such_fact/m,
  });
});

test('a rule that needs an absent value is tried for every event', () => {
  assert.deepEqual(fired([document('no_destination', "destination_is_collector == false AND acts_as == ''")]), [
    'no_destination:10',
  ]);
});

const OF_PAST = [
  document('is_sent', "effect == 'send'", { asserts: ['sent'] }),
  document('is_sent_again', 'sent AND repeats >= 5', { asserts: ['again'] }),
  document('never_before', 'repeats == 0'),
  document('grows_worse', 'is_mutating', { aggravated: [{ when: 'again', contribution: 60 }] }),
  document('says_how_often', 'is_mutating', { violation: 'for the {repeats}th time' }),
];

test('for another past of the same event only facts and rules that depend on the past are evaluated', () => {
  const index = compileRules(OF_PAST);
  assert.deepEqual(
    index.rules.filter(({ is_of_past }) => is_of_past).map(({ id }) => id),
    ['grows_worse', 'is_sent_again', 'never_before', 'says_how_often'],
  );
  const facts = factsOf();
  for (const repeats of [0, 5, 10, 0]) {
    facts.recall({ ...QUIET, repeats });
    const anew = factsOf();
    anew.recall({ ...QUIET, repeats });
    assert.deepEqual(chain(index, facts), chain(compileRules(OF_PAST), anew));
    assert.equal(
      chain(index, facts).some(({ rule }) => rule === 'is_sent_again'),
      repeats >= 5,
    );
  }
});

test('findings of another rule set are not reused', () => {
  const facts = factsOf();
  assert.deepEqual(fired([document('is_mail', "domain == 'email'")], EVENT, facts), ['is_mail:10']);
  assert.deepEqual(fired([document('is_sent', "effect == 'send'")], EVENT, facts), ['is_sent:10']);
});
