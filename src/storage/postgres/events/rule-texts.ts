/** Assessments to and from rows: the texts of the rules that kept assessments refer to, by the version of the rules. */
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { StoreUnavailable } from '../../../platform/errors.ts';
import type { StoredScore } from '../../../records/record.ts';
import { type Keeping, pastOf, WHOLE } from '../../../records/texts.ts';
import { query } from '../connection/pool.ts';
import { keepingOf, type RuleTexts, restoreWithoutTexts, textsNeededBy } from './kept-assessment.ts';
import type { ScoreRow } from './score-columns.ts';

/** Versions whose texts are cached; a page of events has one or two. */
const MAX_CACHED = 20;
/** How often the log repeats that a version is missing. */
const TELL_EVERY_MS = 60_000;

export interface RuleTextStore {
  /**
   * Stores the texts of this version of the rules, before the first assessment that refers to them is recorded. Idempotent.
   * Resolves with the texts that are kept: the first ones of a version stay, because another release may list the texts of the
   * same rules in another order.
   */
  keep(version: string, texts: RuleTexts): Promise<RuleTexts>;
  /** How this process writes assessments: whole until `keep` was called. */
  readonly keeping: Keeping;
  /** The scores as they were recorded. A score whose texts are lost comes with a note in their place; the others are whole. */
  restore(rows: readonly ScoreRow[]): Promise<StoredScore[]>;
}

/** `notice`: told of a version that is missing. */
export function ruleTextStore(pool: pg.Pool, notice: (text: string) => void = () => {}): RuleTextStore {
  /** Includes reads under way: all rows of a page ask at once, and each would read it again. */
  const cached = new LRUCache<string, Promise<Keeping | null>>({ max: MAX_CACHED });
  const told = new LRUCache<string, true>({ max: MAX_CACHED, ttl: TELL_EVERY_MS });

  /** Null when the version is missing. */
  function keepingOfVersion(version: string): Promise<Keeping | null> {
    const known = cached.get(version);
    if (known !== undefined) return known;
    const read = readKeeping(version);
    cached.set(version, read);
    // A failure reaches those that wait for this read; the next caller tries again.
    const forget = (): void => void cached.delete(version);
    read.then((keeping) => keeping === null && forget(), forget);
    return read;
  }

  async function readKeeping(version: string): Promise<Keeping | null> {
    const texts = await readTexts(version);
    if (texts !== null) return keepingOf(version, texts);
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

  const store: RuleTextStore & { keeping: Keeping } = {
    keeping: WHOLE,
    async keep(version, texts) {
      const values = [version, JSON.stringify(texts)];
      await query(pool, 'insert into rule_texts values ($1, $2) on conflict do nothing', values);
      const kept = await readTexts(version);
      if (kept === null) throw new StoreUnavailable(`${missing(version)}, which was written just now`);
      store.keeping = keepingOf(version, kept);
      // Cached from the start: a write that finds its event stored must not wait for a connection that lists use.
      cached.set(version, Promise.resolve(store.keeping));
      return kept;
    },
    restore: (rows) => Promise.all(rows.map(restored)),
  };
  return store;
}

const missing = (version: string): string =>
  `the table rule_texts lacks the version \`${version}\`, to which events refer`;

function withoutTexts(assessment: object, reason: string): Pick<StoredScore, 'assessment' | 'lost'> {
  const lost = `(Texts of this score are lost: ${reason}. Its numbers are unchanged.)`;
  return { assessment: restoreWithoutTexts(assessment, lost), lost };
}
