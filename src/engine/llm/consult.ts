/**
 * Calls a language model for a customer: within the budget of the hour, in a fair turn, behind the breakers, before the deadline,
 * counted and priced. Trouble is a value here and never an error.
 */
import { type Ask, LlmAbandoned, type Question } from '../../llm/ask.ts';
import { type Breakers, LlmPaused } from '../../llm/breakers.ts';
import { LlmTrouble, NO_USAGE, type Usage } from '../../llm/trouble.ts';
import type { Clock } from '../../platform/clock.ts';
import { WeirError } from '../../platform/errors.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { LlmTroubleName } from '../../scoring/types.ts';
import { createTurns, type Turns } from '../turns.ts';
import type { Budget } from './budget.ts';

export interface ConsultOptions {
  purpose: 'score' | 'justification';
  /** For everything, the wait for a turn included. */
  deadline_ms: number;
  /** Nobody waits for the answer: behind all others, and with more time for its turn. */
  is_later?: boolean;
  /** Aborted when nobody waits for the answer any more. */
  unwanted?: AbortSignal;
}

interface Cost extends Usage {
  /** US dollars; null where no prices are set. */
  cost_usd: number | null;
}

export type Consulted<T> = Cost &
  ({ value: T; trouble: null } | { value: null; trouble: LlmTroubleName; was_asked: boolean });

/** Never rejects. */
export type Consult = <T>(customer_id: string, question: Question<T>, options: ConsultOptions) => Promise<Consulted<T>>;

/** US dollars for a million tokens. */
export interface Prices {
  input: number | null;
  output: number | null;
}

export interface ConsultParts {
  ask: Ask;
  breakers: Breakers;
  budget: Budget;
  /** Calls at a time. */
  concurrency: number;
  prices: Prices;
  clock: Clock;
  metrics: Pick<Metrics, 'llm_calls' | 'llm_waiting' | 'llm_tokens' | 'llm_cost'>;
}

/** Times the deadline that a call waits for its turn if nobody waits for its answer. */
const PATIENCE = 3;

export function createConsult({ ask, breakers, budget, concurrency, prices, clock, metrics }: ConsultParts): Consult {
  const later_in_work = Math.max(1, Math.floor(concurrency / 2));
  // Waiting is bounded here, by deadlines.
  const limits = { in_work: concurrency, later_in_work, waiting_each: 256, waiting: 1_024, wait_ms: Number.MAX_VALUE };
  const turns = createTurns({ clock, limits });

  const priced = (usage: Usage): Cost => ({ ...usage, cost_usd: costOf(usage, prices) });

  async function inTurn<T>(
    customer_id: string,
    question: Question<T>,
    { deadline_ms, is_later = false, unwanted }: ConsultOptions,
  ): Promise<Consulted<T>> {
    const none = (trouble: LlmTroubleName, was_asked = false, usage = NO_USAGE): Consulted<T> => ({
      value: null,
      trouble,
      was_asked,
      ...priced(usage),
    });
    const end = clock.ticks() + (is_later ? (PATIENCE + 1) * deadline_ms : deadline_ms);
    const left = (): number => Math.min(deadline_ms, end - clock.ticks());
    if (!(await takeTurn(turns, customer_id, is_later, end - clock.ticks(), unwanted)))
      return none(unwanted?.aborted ? 'cancelled' : 'crowded');
    try {
      if (unwanted?.aborted) return none('cancelled');
      if (!(await budget.take(customer_id))) return none('over_budget');
      try {
        const { value, usage } = await breakers.run(customer_id, () => ask(question, left(), unwanted));
        return { value, trouble: null, ...priced(usage) };
      } catch (error) {
        if (error instanceof LlmPaused) {
          await budget.giveBack(customer_id);
          return none('paused');
        }
        if (error instanceof LlmAbandoned) return none('cancelled', true);
        if (error instanceof LlmTrouble) return none(error.kind, true, error.usage);
        throw error;
      }
    } finally {
      turns.done();
    }
  }

  return async (customer_id, question, options) => {
    const { purpose } = options;
    const began = clock.ticks();
    const consulted = await inTurn(customer_id, question, options);
    metrics.llm_waiting.observe({ purpose }, (clock.ticks() - began) / 1_000);
    metrics.llm_calls.inc({ purpose, outcome: consulted.trouble ?? 'answered' });
    metrics.llm_tokens.inc({ purpose, kind: 'input' }, consulted.input_tokens);
    metrics.llm_tokens.inc({ purpose, kind: 'output' }, consulted.output_tokens);
    if (consulted.cost_usd !== null) metrics.llm_cost.inc({ purpose }, consulted.cost_usd);
    return consulted;
  };
}

/** False when none came up in time, too many wait, or nobody waits for the answer any more. */
async function takeTurn(
  turns: Turns,
  customer_id: string,
  is_later: boolean,
  wait_ms: number,
  unwanted: AbortSignal | undefined,
): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  try {
    const turn = is_later ? turns.takeLater(customer_id) : turns.take(customer_id);
    if (turn === null) return true;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), wait_ms);
      unwanted?.addEventListener('abort', () => resolve(false), { once: true });
    });
    const is_taken = await Promise.race([turn.then(() => true), late]);
    if (!is_taken)
      turn.then(
        () => turns.done(),
        () => {},
      );
    return is_taken;
  } catch (error) {
    if (error instanceof WeirError) return false;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Six decimals: a millionth of a dollar. */
function costOf({ input_tokens, output_tokens }: Usage, { input, output }: Prices): number | null {
  if (input === null || output === null) return null;
  return Math.round(input_tokens * input + output_tokens * output) / 1_000_000;
}
