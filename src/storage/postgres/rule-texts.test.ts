import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type pg from 'pg';
import { type Keeping, keepingOf, type RuleTexts } from '../../scoring/kept-assessment.ts';
import { makeRecord, newCustomer, range } from '../contract/start.ts';
import { openPostgres } from './index.ts';
import { createPool } from './pool.ts';
import { type RuleTextStore, ruleTextStore } from './rule-texts.ts';
import type { ScoreRow } from './score-columns.ts';
import { makeDatabase, NO_SERVER, type TestDatabase } from './test-database.ts';

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

  test('that a process has kept are at hand: a write needs no connection that lists use', async () => {
    await store.keep('v-kept', TEXTS);
    asked = 0;
    await store.restore([makeRow('v-kept')]);
    assert.equal(asked, 0);
  });

  test('that could not be read are read again when they are next needed', async () => {
    await assert.rejects(store.restore([makeRow('v-late')]), /lacks the version `v-late`/);
    await ruleTextStore(pool).keep('v-late', TEXTS);
    assert.equal((await store.restore([makeRow('v-late')])).length, 1);
  });
});
