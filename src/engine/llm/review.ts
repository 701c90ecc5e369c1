/** The second opinion of a language model on events of which the rules are unsure. */
import { createHash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { AgentEvent } from '../../events/event.ts';
import type { Ontology } from '../../ontology/index.ts';
import type { Waiter } from '../../platform/caller.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { blend, NO_RELIEF, type Relief } from '../../scoring/blend.ts';
import { levelOf } from '../../scoring/level.ts';
import { isDecisionSettled } from '../../scoring/policy/decision.ts';
import { sensitivityOf } from '../../scoring/sensitivity.ts';
import type { Assessment, CompiledPolicy, LlmOpinion, LlmVerdict, RiskLevel } from '../../scoring/types.ts';
import type { Consult, Consulted } from './consult.ts';
import { documentOf, verdictQuestion } from './verdict-question.ts';

export interface Reviewer {
  /**
   * Whether a model is asked about a score: by its confidence, so that no text can force the question, and where its answer can
   * change what is decided. A text that skips the question by raising the score has the event held.
   */
  isAsked(assessment: Assessment, policy: CompiledPolicy): boolean;
  /** The assessment with the model's opinion in it, or with the reason why there is none. Never rejects. */
  review(
    customer_id: string,
    event: AgentEvent,
    assessment: Assessment,
    policy: CompiledPolicy,
    waiting: Waiting,
  ): Promise<Assessment>;
}

/** Who waits for a review: a caller; somebody who does not leave; nobody, so that it may take its time. */
export type Waiting = Pick<Waiter, 'left' | 'timeLeft'> | 'patient' | 'later';

export interface ReviewParts {
  consult: Consult;
  model: string;
  ontology: Ontology;
  /** Scores with a lower confidence are reviewed. */
  confidence_below: number;
  /** The lowest level that is held, where the policy does not say. */
  hold_threshold: RiskLevel;
  deadline_ms: number;
  max_output_tokens: number;
  metrics: Pick<Metrics, 'llm_calls'>;
}

/** Answers that are kept, and for how long: a model behind a name changes without notice. */
const MAX_ANSWERS = 10_000;
const ANSWER_MS = 3_600_000;

const NO_COST = { input_tokens: 0, output_tokens: 0, cost_usd: null };

/** Left for recording the event once the model has answered or is given up. */
const TO_RECORD_MS = 200;

/** A question that is being asked, for all events that wait for its answer. */
interface Running {
  asked: Promise<Consulted<LlmVerdict>>;
  /** Ends the call, once all of them have been left. */
  abort(): void;
  waiting: number;
}

export function createReviewer(parts: ReviewParts): Reviewer {
  const { consult, model, ontology, confidence_below, hold_threshold, deadline_ms, max_output_tokens, metrics } = parts;
  const answers = new LRUCache<string, LlmVerdict>({ max: MAX_ANSWERS, ttl: ANSWER_MS });
  const running = new Map<string, Running>();

  async function opinionOn(customer_id: string, document: string, waiting: Waiting): Promise<LlmOpinion> {
    // Everything that the answer depends on; with the customer, so that no answer tells what another customer sent.
    const key = createHash('sha256').update(`${customer_id}\n${model}\n${document}`).digest('base64');
    const known = answers.get(key);
    if (known !== undefined) {
      metrics.llm_calls.inc({ purpose: 'score', outcome: 'cached' });
      return { model, was_asked: true, verdict: known, trouble: null, was_cached: true, ...NO_COST };
    }
    const time_ms =
      typeof waiting === 'string' ? deadline_ms : Math.min(deadline_ms, waiting.timeLeft() - TO_RECORD_MS);
    // An event whose caller waits must not wait with those that have more time, nor get the answer of one with less.
    const is_shared = waiting !== 'later' && time_ms === deadline_ms;
    const other = is_shared ? running.get(key) : undefined;
    const one = other ?? ask(customer_id, key, document, time_ms, waiting === 'later');
    if (is_shared && other === undefined) {
      running.set(key, one);
      one.asked.finally(() => running.get(key) === one && running.delete(key));
    }
    const consulted = await stay(key, one, waiting);
    const { value: verdict, trouble, input_tokens, output_tokens, cost_usd } = consulted;
    const was_asked = consulted.trouble === null || consulted.was_asked;
    // The event that asked first has the cost.
    const cost = other === undefined ? { input_tokens, output_tokens, cost_usd } : NO_COST;
    return { model, was_asked, verdict, trouble, was_cached: other !== undefined && verdict !== null, ...cost };
  }

  /** The answer; when all whose events wait for it have left, the call ends. */
  async function stay(key: string, one: Running, waiting: Waiting): Promise<Consulted<LlmVerdict>> {
    one.waiting += 1;
    if (typeof waiting === 'string') return one.asked;
    const left = waiting.left();
    const leave = (): void => {
      one.waiting -= 1;
      if (one.waiting > 0) return;
      // An event that comes now asks anew.
      if (running.get(key) === one) running.delete(key);
      one.abort();
    };
    if (left.aborted) leave();
    else left.addEventListener('abort', leave, { once: true });
    return one.asked.finally(() => left.removeEventListener('abort', leave));
  }

  function ask(customer_id: string, key: string, document: string, time_ms: number, is_later: boolean): Running {
    const question = verdictQuestion(document, randomBytes(16).toString('hex'), max_output_tokens);
    const ending = new AbortController();
    const options = { purpose: 'score', deadline_ms: time_ms, is_later, unwanted: ending.signal } as const;
    const asked = consult(customer_id, question, options).then((consulted) => {
      if (consulted.value !== null) answers.set(key, consulted.value);
      return consulted;
    });
    return { asked, abort: () => ending.abort(), waiting: 0 };
  }

  return {
    isAsked: ({ confidence, score }, policy) =>
      confidence < confidence_below &&
      (policy.llm_relief > 0 || !isDecisionSettled(levelOf(score), policy, hold_threshold)),
    async review(customer_id, event, assessment, policy, waiting) {
      const opinion = await opinionOn(customer_id, documentOf(event, assessment, ontology), waiting);
      return Object.freeze(blend(assessment, opinion, reliefOf(event, policy, ontology)));
    },
  };
}

function reliefOf(event: AgentEvent, { llm_relief: points }: CompiledPolicy, ontology: Ontology): Relief {
  return points === 0 ? NO_RELIEF : { points, sensitivity: sensitivityOf(event, ontology) };
}
