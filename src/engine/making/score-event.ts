/** One event with what is remembered of its agent and session: its history, its score, and what it leaves behind. */
import { actionHash } from '../../holds/action-hash.ts';
import { pastJson } from '../../records/kept-past.ts';
import { historyOf } from '../../scoring/history/recall.ts';
import { claimedTimeOf, type Footprint } from '../../scoring/history/trace.ts';
import { timestampOf } from '../../scoring/read/action/time.ts';
import type { History } from '../../scoring/types.ts';
import { type Later, whenThere } from './later.ts';
import type { ScoreCache, Scored } from './score-cache.ts';
import { type BeginScoring, NotSurvived, type ScoredEvent, type Scorer, type Scoring } from './scoring.ts';

/** An event that nobody survives is scored by its outline. */
export function createScoreEvent(begin: BeginScoring, cache: ScoreCache): Scoring {
  const score = createScoreExtent(begin, cache);
  return (customer_id, scorable, policy, remembered, extent) => {
    const scored = score(customer_id, scorable, policy, remembered, extent);
    if (!(scored instanceof Promise)) return scored;
    return scored.catch((error: unknown) => {
      if (!(error instanceof NotSurvived)) throw error;
      return score(customer_id, scorable, policy, remembered, 'outline');
    });
  };
}

function createScoreExtent(begin: BeginScoring, cache: ScoreCache): Scoring {
  return (customer_id, scorable, policy, remembered, extent) => {
    const { event } = scorable;
    // An outline stands in for one event that could not be scored whole: that is no score to serve again.
    const content_key = extent === 'outline' ? null : cache.contentKey(customer_id, scorable, policy);
    const content = cache.open(content_key, scorable.json?.length);
    let begun: Scorer | null = null;
    const scorer = (): Scorer =>
      (begun ??= content.read()?.begin(policy) ?? begin(customer_id, scorable, policy, extent));
    const score = (history: History | null): Later<Scored> => content.score(history, scorer);
    const hashAction = (): string | null => content.actionHash(() => actionHash(event));
    if (remembered === null) {
      return whenThere(score(null), ({ json, cache_hit }) => ({
        assessment: json.assessment,
        cache_hit,
        past: null,
        json: { assessment: json },
        actionHash: hashAction,
      }));
    }

    const withHistory = (footprint: Footprint): Later<ScoredEvent> => {
      const history = historyOf(remembered.memories, footprint, event, remembered.now);
      return whenThere(score(history), ({ json, cache_hit, past }) => {
        const { assessment } = json;
        const claimed = claimedTimeOf(timestampOf(event));
        // Agent and session are part of the content that the score is kept for.
        const made = past(claimed, (history_json) => {
          const { agent, session } = remembered.owners;
          const past = {
            agent_key: agent?.key ?? null,
            session_key: session?.key ?? null,
            trace: { ...footprint, ...claimed, score: assessment.rule_score },
            history,
          };
          return { past, json: pastJson(past, history_json) };
        });
        return {
          assessment,
          cache_hit,
          past: made.past,
          json: { assessment: json, past: made.json },
          actionHash: hashAction,
        };
      });
    };
    return whenThere(
      content.footprint(() => scorer().footprint()),
      withHistory,
    );
  };
}
