import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type pg from 'pg';
import { makeRecord, newCustomer, range, tally } from '../../../../test/contract/start.ts';
import { makeDatabase, NO_SERVER, type TestDatabase } from '../../../../test/support/test-database.ts';
import { WIDE_LIMITS, widePool } from '../../../../test/support/wide-limits.ts';
import type { ScoreRecord } from '../../../records/record.ts';
import { AssessmentJson } from '../../../records/texts.ts';
import { openPostgres } from '../index.ts';
import { groupCommit } from './group-commit.ts';
import { keepingOf, type RuleTexts } from './kept-assessment.ts';
import { type RuleTextStore, ruleTextStore } from './rule-texts.ts';
import type { ScoreRow } from './score-columns.ts';
import { scoreReads } from './scores.ts';
import { writeGroup } from './write-group.ts';

const TEXTS: RuleTexts = { rules: [], citations: ['GDPR Art. 5(1)(c)'], mitigations: [], flags: [], facts: [] };

/** As it comes from the database. */
function makeRow(rule_set_version: string): ScoreRow {
  const { assessment, past: _, hold: _h, ...record } = makeRecord(newCustomer());
  return {
    ...record,
    assessment: JSON.parse(keepingOf(rule_set_version, TEXTS).shorten({ ...assessment, rule_set_version })) as object,
    past: null,
    agent_key: null,
    session_key: null,
    scored_at: '2026-05-01T12:00:00.123456Z',
    hold: null,
  };
}

describe('texts of rules', { skip: NO_SERVER ?? false }, () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let store: RuleTextStore;
  /** How often a connection was asked for. */
  let asked = 0;
  before(async () => {
    database = await makeDatabase();
    await (await openPostgres(database.url, WIDE_LIMITS)).close();
    pool = widePool(database.url, 2);
    pool.on('acquire', () => (asked += 1));
  });
  after(async () => {
    await pool?.end();
    await database?.drop();
  });
  beforeEach(() => {
    store = ruleTextStore(pool);
  });

  test('are read once for all pages that need them at the same time', async () => {
    await ruleTextStore(pool).keep('v-read', TEXTS);
    asked = 0;
    const pages = await Promise.all(
      range(20).map(() => store.restore(Array.from({ length: 100 }, () => makeRow('v-read')))),
    );
    assert.equal(asked, 1);
    assert.deepEqual(pages[19]![99]!.assessment.compliance_refs, TEXTS.citations);
  });

  test('that a process has stored are cached: a write needs no connection that lists use', async () => {
    await store.keep('v-kept', TEXTS);
    asked = 0;
    await store.restore([makeRow('v-kept')]);
    assert.equal(asked, 0);
  });

  test('that are missing affect no other score, and are read again when they are next needed', async () => {
    const notices: string[] = [];
    store = ruleTextStore(pool, (text) => notices.push(text));
    await ruleTextStore(pool).keep('v-there', TEXTS);
    for (const _ of ['once', 'again']) {
      const [there, late] = await store.restore([makeRow('v-there'), makeRow('v-late')]);
      assert.equal(there!.lost, undefined);
      assert.deepEqual(there!.assessment.compliance_refs, TEXTS.citations);
      assert.match(late!.lost!, /the table rule_texts lacks the version `v-late`/);
      assert.ok(late!.assessment.reasoning.endsWith(late!.lost!));
      assert.deepEqual(late!.assessment.compliance_refs, ['[article 0: its text is missing]']);
      assert.equal(late!.assessment.score, there!.assessment.score);
    }
    assert.equal(notices.length, 1, notices.join());
    assert.match(notices[0]!, /lacks the version `v-late`/);
    await ruleTextStore(pool).keep('v-late', TEXTS);
    const [found] = await store.restore([makeRow('v-late')]);
    assert.deepEqual([found!.lost, found!.assessment.compliance_refs], [undefined, TEXTS.citations]);
  });

  /** Scores as a process with these rules writes and reads them. */
  function openScores() {
    const texts = ruleTextStore(pool);
    const makePartitions = () => assert.fail('the partition is there');
    const { record } = groupCommit(writeGroup.bind(null, { pool, texts, makePartitions }), undefined, texts);
    return { keep: texts.keep, record, ...scoreReads(pool, texts) };
  }

  test('are left out of the assessments that are written, which read as they were given', async () => {
    const customer_id = newCustomer();
    const [one, other] = [openScores(), openScores()];
    const textsWith = (flag: string): RuleTexts => ({
      rules: [{ id: 'r', family: 'f', flag, citations: ['GDPR:Article_32'] }],
      citations: ['GDPR:Article_32'],
      mitigations: ['ask'],
      flags: [flag],
      facts: ['verb'],
    });
    const records: ScoreRecord[] = [];
    for (const version of ['v-one', 'v-two']) {
      await Promise.all([one, other, one].map((scores) => scores.keep(version, textsWith(version))));
      const record = makeRecord(customer_id, { score: 90 });
      record.assessment = {
        ...record.assessment,
        violations: ['r'],
        compliance_refs: ['GDPR:Article_32'],
        mitigations: ['ask'],
        behavioral_flags: [version],
        rule_set_version: version,
      };
      record.json = { assessment: new AssessmentJson(record.assessment) };
      assert.equal((await one.record(record)).kind, 'stored');
      records.push(record);
    }
    const rows = await database.run('select assessment from events where customer_id = $1', [customer_id]);
    assert.equal(rows.length, 2);
    for (const { assessment } of rows) assert.ok(!String(assessment).includes('GDPR'), String(assessment));
    const listed = await other.list(customer_id, {}, 1, 10);
    for (const { json: _, ...record } of records) {
      const found = await other.find(customer_id, record.event_id);
      assert.deepEqual(found, { ...record, scored_at: found?.scored_at });
      assert.equal(JSON.stringify(found.assessment), JSON.stringify(record.assessment));
      assert.deepEqual(
        listed.records.find(({ event_id }) => event_id === record.event_id),
        found,
      );
      assert.deepEqual(await other.record(record), { kind: 'exists', record: found });
    }
  });

  test('of one version stay as they first came, and all processes refer to these', async () => {
    const [one, other] = [ruleTextStore(pool), ruleTextStore(pool)];
    const textsWith = (facts: string[]): RuleTexts => ({ rules: [], citations: [], mitigations: [], flags: [], facts });
    const first = textsWith(['verb', 'domain']);
    assert.deepEqual(await one.keep('v-listed', first), first);
    assert.deepEqual(await other.keep('v-listed', textsWith(['domain', 'verb'])), first);
    assert.deepEqual(await one.keep('v-listed', textsWith([])), first);
    const { assessment } = makeRecord(newCustomer());
    const [premise] = [{ fact: 'domain', value: 'v' }];
    const listed = { ...assessment, rule_set_version: 'v-listed', findings: [{ premises: [premise] }] } as never;
    assert.equal(one.keeping.shorten(listed), other.keeping.shorten(listed));
  });

  test('that are missing do not stop a write', async () => {
    const customer_id = newCustomer();
    const scores = openScores();
    await scores.keep('v-lost', TEXTS);
    const old = makeRecord(customer_id);
    old.assessment.rule_set_version = 'v-lost';
    assert.equal((await scores.record(old)).kind, 'stored');
    await database.run("delete from rule_texts where rule_set_version = 'v-lost'");
    const { record, list } = openScores();
    const outcomes = await Promise.all([old, ...range(5).map(() => makeRecord(customer_id))].map(record));
    assert.deepEqual(tally(outcomes), { stored: 5, exists: 1, policy_changed: 0 });
    assert.equal((await list(customer_id, {}, 1, 10)).records.length, 6);
  });
});
