/** The client: score, gate, wait, verify. Whatever goes wrong on the way, the gate refuses, unless its user chose otherwise. */
import { actionHash, canonical, canonicalAction, sha256 } from './action-hash.ts';
import { call, WeirError } from './http.ts';
import { memoryStore } from './memory-store.ts';
import type {
  Client,
  ClientOptions,
  Event,
  GateOptions,
  Hold,
  KeySet,
  Refused,
  Score,
  ScoreDetail,
  Verdict,
  VerifiedDecision,
  Why,
} from './types.ts';
import { verifyDecision } from './verify.ts';

/** One look; below it proxies and load balancers end quiet connections. */
const LOOK_S = 20;
const ASK_AGAIN = 'Ask for exactly the same again when a person has decided.';

type Named = Event & { event_id: string };

/** What the gate knows of an event, from either answer. */
interface Known {
  score: number;
  risk_level: string;
  reasoning: string;
  is_recognised: boolean;
  hold: Hold | null;
}

/** An answer as the gate reads it. `is_observed`: it would have been held, but Weir only watches here. */
interface Answer extends Known {
  is_observed: boolean;
}

/** An action's hash, and the key under which the store keeps its event. */
interface Hashes {
  hash(): Promise<string>;
  key(): Promise<string>;
}

export function createClient(options: ClientOptions): Client {
  const { store = memoryStore(), wait_s: usual_wait_s = 60, on_failure = 'deny' } = options;
  const { newId = () => crypto.randomUUID() } = options;

  const score = (event: Event, signal?: AbortSignal): Promise<Score> =>
    call(options, { path: '/events', body: event, signal }) as Promise<Score>;

  const look = (event_id: string, wait_s: number, signal: AbortSignal | undefined): Promise<ScoreDetail> =>
    call(options, {
      path: `/scores/event/${encodeURIComponent(event_id)}?wait=${wait_s}`,
      wait_s,
      signal,
    }) as Promise<ScoreDetail>;

  async function wait(
    event_id: string,
    { wait_s = usual_wait_s, onHeld, signal }: GateOptions = {},
  ): Promise<Hold | null> {
    const end = Date.now() + wait_s * 1_000;
    for (let detail = await look(event_id, 0, signal); ; ) {
      const hold = (detail.hold ?? null) as Hold | null;
      const left_s = Math.ceil(Math.min((end - Date.now()) / 1_000, LOOK_S));
      if (hold?.state !== 'held' || left_s <= 0) return hold;
      onHeld?.({ event_id, expires_at: hold.expires_at, reasoning: detail.reasoning });
      detail = await look(event_id, left_s, signal);
    }
  }

  async function gate(event: Event, gate_options: GateOptions = {}): Promise<Verdict> {
    const given = event.event_id;
    let named: Named = { ...event, event_id: given ?? newId() };
    try {
      const text = canonicalAction(event);
      const beginning = `${new TextEncoder().encode(text).length}-`;
      const hashes = hashesOf(event, text, beginning);
      const is_new = given !== undefined || (await store.mayHave?.(beginning)) === false;
      const kept = is_new ? null : await store.find(await hashes.key());
      if (kept !== null) {
        const verdict = await decide({ ...event, event_id: kept }, hashes, true, gate_options);
        // Another call has used this approval: this one is a new event.
        if (verdict.is_allowed || verdict.why !== 'used') return verdict;
        await store.forget(await hashes.key());
        named = { ...named, event_id: newId() };
      }
      return await decide(named, hashes, false, gate_options);
    } catch (error) {
      gate_options.signal?.throwIfAborted();
      const { message } = error as Error;
      if (!(error instanceof WeirError)) return refused(named, 'denied', `${message}.`);
      if (!error.is_unavailable) return refused(named, 'denied', `${message}.`);
      if (on_failure === 'allow') return { is_allowed: true, event_id: named.event_id, ...UNKNOWN, approved_at: null };
      return refused(named, 'unavailable', `${message}. Without an answer nothing is done; try again later.`);
    }
  }

  /** Computed when they are first needed, which for most actions is never: loading WebCrypto is a fifth of what a hook takes. */
  function hashesOf(event: Event, text: string, beginning: string): Hashes {
    const hash = once(() => sha256(text));
    const parts = async () => [options.url, event.agent?.agent_id ?? null, await hash()];
    return { hash, key: once(async () => `${beginning}${await sha256(canonical(await parts()))}`) };
  }

  async function decide(event: Named, hashes: Hashes, is_kept: boolean, gate_options: GateOptions): Promise<Verdict> {
    const { event_id } = event;
    const { signal } = gate_options;
    const known = await stateOf(event, hashes, is_kept, signal);
    if (known === null)
      return refused(event, 'conflict', 'this event_id belongs to another action or other arguments.');
    const { hold: first, is_observed, ...facts } = known;
    const no = (why: Why, text: string): Refused => refused(event, why, text, facts);
    const { reasoning } = facts;
    if (first === null && facts.risk_level === 'critical' && !is_observed) {
      return no('blocked', `it is a critical risk, and nothing is set up to ask a person. ${reasoning}`);
    }
    if (first === null) return { is_allowed: true, event_id, ...facts, approved_at: null };
    if (first.state === 'held') await store.keep(await hashes.key(), event_id);
    const hold = first.state === 'held' ? await wait(event_id, gate_options) : first;
    if (hold?.state === 'held')
      return no('undecided', `a person has to decide, and has not yet. ${reasoning} ${ASK_AGAIN}`);
    if (hold?.state !== 'approved') await store.forget(await hashes.key());
    if (hold === null || hold.state === 'expired') return no('expired', `nobody decided in time. ${reasoning}`);
    if (hold.state === 'rejected') {
      const said = hold.reason === null ? '' : ` They said: «${hold.reason}».`;
      return no('rejected', `a person rejected it.${said} ${reasoning}`);
    }
    const problem = await proofProblem(event, signal);
    if (problem !== null) return no('unproven', problem);
    if (!(await store.claim(event_id)))
      return no('used', 'the approval of this event was used before; it counts once.');
    await store.forget(await hashes.key());
    return { is_allowed: true, event_id, ...facts, approved_at: hold.decided_at };
  }

  /** Scores the event, or reads what stands when it was scored before; `null` when its id belongs to another action. */
  async function stateOf(
    event: Named,
    { hash }: Hashes,
    is_kept: boolean,
    signal: AbortSignal | undefined,
  ): Promise<Answer | null> {
    if (!is_kept) {
      try {
        return known(await score(event, signal));
      } catch (error) {
        // The context of an action differs after a restart. What counts is that the action and its arguments are the same.
        if (!(error instanceof WeirError) || error.status !== 409) throw error;
      }
    }
    const detail = await look(event.event_id, 0, signal);
    if ((await actionHash(detail.event as unknown as Event)) !== (await hash())) return null;
    return known({ ...detail, score: detail.final_score });
  }

  /** Why an approval does not count; `null` when it does. Where no keys are configured, Weir's answer is taken as it is. */
  async function proofProblem(event: Named, signal: AbortSignal | undefined): Promise<string | null> {
    if (options.keys === undefined) return null;
    let keys: KeySet;
    try {
      keys = await keySet();
    } catch (error) {
      return `it was approved, but the keys to verify that cannot be read (${(error as Error).message}). ${ASK_AGAIN}`;
    }
    const { hold } = await look(event.event_id, 0, signal);
    const proof = await verifyDecision(hold?.cosignature ?? '', keys, event);
    return proof?.decision === 'approve' ? null : 'it was approved, but the cosignature does not fit this very action.';
  }

  async function keySet(): Promise<KeySet> {
    const { keys } = options;
    if (keys === undefined) throw new WeirError(0, 'the option `keys` is missing: verifying needs the public keys');
    return typeof keys === 'function' ? keys() : keys;
  }

  return {
    score: (event, { signal } = {}) => score(event, signal),
    gate,
    wait,
    verify: async (cosignature, event): Promise<VerifiedDecision | null> =>
      verifyDecision(cosignature, await keySet(), event),
  };
}

/** The same answer for every call. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const UNKNOWN = { score: null, risk_level: null, reasoning: null, is_recognised: null };

function known(
  answer: Pick<Score, 'score' | 'risk_level' | 'reasoning' | 'behavioral_flags' | 'would_have_held'> & {
    hold: unknown;
  },
): Answer {
  const { score, risk_level, reasoning, behavioral_flags, would_have_held: is_observed } = answer;
  // Whatever answers on that port: without these it is not an answer of Weir, and what is missing is not an approval.
  if (typeof score !== 'number' || typeof risk_level !== 'string' || answer.hold === undefined)
    throw new TypeError('the answer has no score, risk_level or hold');
  const is_recognised = !behavioral_flags.includes('nothing_recognised');
  return { score, risk_level, reasoning, is_recognised, is_observed, hold: answer.hold as Hold | null };
}

function refused({ event_id }: Named, why: Why, text: string, facts?: Omit<Known, 'hold'>): Refused {
  const hint = why === 'rejected' || why === 'blocked' ? ' Do not try to reach the same in another way.' : '';
  return {
    is_allowed: false,
    event_id,
    why,
    text: `Not done (event ${event_id}): ${text.trim()}${hint}`,
    ...(facts ?? UNKNOWN),
  };
}
