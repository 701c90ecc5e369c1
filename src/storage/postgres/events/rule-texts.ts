/** From rows to stored scores: the texts that kept assessments refer to, by the version of the rules. */
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { StoreUnavailable } from '../../../platform/errors.ts';
import {
  type Keeping,
  keepingOf,
  type RuleTexts,
  restoreWithoutTexts,
  textsNeededBy,
  WHOLE,
} from '../../../records/kept-assessment.ts';
import { pastOf } from '../../../records/kept-past.ts';
import type { StoredScore } from '../../../records/record.ts';
import type { ScoreStore } from '../../ports/storage.ts';
import { query } from '../connection/pool.ts';
import type { ScoreRow } from './score-columns.ts';

/** Versions whose texts are at hand; a page of events has one or two. */
const MAX_AT_HAND = 20;
/** How often the log is told that a version is missing. */
const TELL_EVERY_MS = 60_000;

export interface RuleTextStore {
  keep: ScoreStore['keepRuleTexts'];
  /** The scores as they were recorded. One whose texts are lost takes no other with it: it comes as what is left of it. */
  restore(rows: readonly ScoreRow[]): Promise<StoredScore[]>;
}

/** `notice`: told of a version that is missing. */
export function ruleTextStore(pool: pg.Pool, notice: (text: string) => void = () => {}): RuleTextStore {
  /** What is still being read as well: all rows of a page ask at once, and each would read it again. */
  const at_hand = new LRUCache<string, Promise<Keeping | null>>({ max: MAX_AT_HAND });
  const told = new LRUCache<string, true>({ max: MAX_AT_HAND, ttl: TELL_EVERY_MS });

  /** Null: it is missing. */
  function keepingOfVersion(version: string): Promise<Keeping | null> {
    const known = at_hand.get(version);
    if (known !== undefined) return known;
    const read = readKeeping(version);
    at_hand.set(version, read);
    // Whoever waits for it hears what became of it; the next one tries again.
    const forget = (): void => void at_hand.delete(version);
    read.then((keeping) => keeping === null && forget(), forget);
    return read;
  }

  async function readKeeping(version: string): Promise<Keeping | null> {
    const texts = await readTexts(version);
    if (texts !== null) return keepingOf(texts);
    if (!told.has(version))
      notice(`${missing(version)}: restore its row from a backup, or start the version of Weir that has these rules`);
    told.set(version, true);
    return null;
  }

  async function readTexts(version: string): Promise<RuleTexts | null> {
    const found = await query<{ texts: string }>(pool, 'select texts from rule_texts where rule_set_version = $1', [
      version,
    ]);
    return found[0] === undefined ? null : (JSON.parse(found[0].texts) as RuleTexts);
  }

  async function restored({ assessment, past, agent_key, session_key, ...row }: ScoreRow): Promise<StoredScore> {
    const version = textsNeededBy(assessment);
    const keeping = version === null ? WHOLE : await keepingOfVersion(version);
    return {
      ...row,
      ...(keeping === null ? withoutTexts(assessment, missing(version!)) : { assessment: keeping.restore(assessment) }),
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
      if (kept === null) throw new StoreUnavailable(`${missing(rule_set_version)}, which was written just now`);
      at_hand.set(rule_set_version, Promise.resolve(keepingOf(kept)));
      return kept;
    },
    restore: (rows) => Promise.all(rows.map(restored)),
  };
}

const missing = (version: string): string =>
  `the table rule_texts lacks the version \`${version}\`, to which events refer`;

function withoutTexts(assessment: object, reason: string): Pick<StoredScore, 'assessment' | 'lost'> {
  const lost = `(Texts of this score are lost: ${reason}. Its numbers are unchanged.)`;
  return { assessment: restoreWithoutTexts(assessment, lost), lost };
}
