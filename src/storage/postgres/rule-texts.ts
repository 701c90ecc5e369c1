/** From rows to stored scores: the texts that kept assessments refer to, by the version of the rules. */
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { pastOf } from '../../scoring/history/kept-past.ts';
import { type Keeping, keepingOf, type RuleTexts, textsNeededBy, WHOLE } from '../../scoring/kept-assessment.ts';
import type { ScoreStore, StoredScore } from '../ports.ts';
import { query } from './pool.ts';
import type { ScoreRow } from './score-columns.ts';

/** Versions whose texts are at hand; a page of events has one or two. */
const MAX_AT_HAND = 20;

export interface RuleTextStore {
  keep: ScoreStore['keepRuleTexts'];
  /** The scores as they were recorded. */
  restore(rows: readonly ScoreRow[]): Promise<StoredScore[]>;
}

export function ruleTextStore(pool: pg.Pool): RuleTextStore {
  /** What is still being read as well: all rows of a page ask at once, and each would read it again. */
  const at_hand = new LRUCache<string, Promise<Keeping>>({ max: MAX_AT_HAND });

  function keepingOfVersion(version: string): Promise<Keeping> {
    const known = at_hand.get(version);
    if (known !== undefined) return known;
    const read = readKeeping(version);
    at_hand.set(version, read);
    // Whoever waits for it hears of the failure; the next one tries again.
    read.catch(() => at_hand.delete(version));
    return read;
  }

  async function readKeeping(version: string): Promise<Keeping> {
    return keepingOf(await readTexts(version));
  }

  async function readTexts(version: string): Promise<RuleTexts> {
    const found = await query<{ texts: string }>(pool, 'select texts from rule_texts where rule_set_version = $1', [
      version,
    ]);
    if (found[0] === undefined)
      throw new Error(`the table rule_texts lacks the version \`${version}\`, to which events refer`);
    return JSON.parse(found[0].texts) as RuleTexts;
  }

  async function restored({ assessment, past, agent_key, session_key, ...row }: ScoreRow): Promise<StoredScore> {
    const version = textsNeededBy(assessment);
    const keeping = version === null ? WHOLE : await keepingOfVersion(version);
    return {
      ...row,
      assessment: keeping.restore(assessment),
      past: past === null ? null : { agent_key, session_key, ...pastOf(past) },
    };
  }

  return {
    async keep(rule_set_version, texts) {
      await query(pool, 'insert into rule_texts values ($1, $2) on conflict do nothing', [
        rule_set_version,
        JSON.stringify(texts),
      ]);
      // At hand from the start: a write that finds its event stored must not wait for a connection that lists use.
      const kept = await readTexts(rule_set_version);
      at_hand.set(rule_set_version, Promise.resolve(keepingOf(kept)));
      return kept;
    },
    restore: (rows) => Promise.all(rows.map(restored)),
  };
}
