import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type pg from 'pg';
import { makeRecord, newCustomer, range, tally } from '../../../../test/contract/start.ts';
import { makeDatabase, NO_SERVER, type TestDatabase } from '../../../../test/support/test-database.ts';
import { AssessmentJson } from '../../../records/assessment-json.ts';
import { type Keeping, keepingOf, type RuleTexts } from '../../../records/kept-assessment.ts';
import { createPool } from '../connection/pool.ts';
import { openPostgres } from '../index.ts';
import { type RuleTextStore, ruleTextStore } from './rule-texts.ts';
import type { ScoreRow } from './score-columns.ts';

const TEXTS: RuleTexts = { rules: [], citations: ['GDPR Art. 5(1)(c)'], mitigations: [], flags: [], facts: [] };
const KEEPING: Keeping = keepingOf(TEXTS);

/** As it comes from the database. */
function makeRow(rule_set_version: string): ScoreRow {
  const { assessment, past: _, hold: _h, ...record } = makeRecord(newCustomer());
  return {
    ...record,
    assessment: JSON.parse(KEEPING.shorten({ ...assessment, rule_set_version })) as object,
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
    await (await openPostgres(database.url)).close();
    pool = createPool({ url: database.url }, 2);
    pool.on('acquire', () => (asked += 1));
  });
  after(async () => {
    await pool?.end();
    await database?.drop();
  });
  beforeEach(() => {
    store = ruleTextStore(pool);
  });

  test('are read once for all rows of all pages that need them at the same time', async () => {
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

  test('that are missing do not prevent the outcome of a write', async () => {
    const storage = await openPostgres(database.url);
    try {
      const customer_id = newCustomer();
      const old = makeRecord(customer_id);
      old.assessment.rule_set_version = 'v-lost';
      old.json = { assessment: new AssessmentJson(old.assessment, KEEPING) };
      assert.equal((await storage.scores.record(old)).kind, 'stored');
      const outcomes = await Promise.all(
        [old, ...range(5).map(() => makeRecord(customer_id))].map(storage.scores.record),
      );
      assert.deepEqual(tally(outcomes), { stored: 5, exists: 1, policy_changed: 0 });
      assert.equal((await storage.scores.list(customer_id, {}, 1, 10)).records.length, 6);
    } finally {
      await storage.close();
    }
  });
});
