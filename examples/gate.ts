/**
 * What both examples share, and what your own agent needs: ask Weir before acting, wait while a person decides, and check the
 * decision before going on. Copy this file; `weir/verify` is the one thing that it imports.
 *
 * Whatever goes wrong on the way, the answer is no: an action is done when Weir said so, and never because nobody answered.
 */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyDecision } from 'weir/verify';

/** What the agent is about to do, as `POST /events` takes it. */
export interface Action {
  /** `domain:scope:verb`. */
  action: string;
  parameters: Record<string, unknown>;
  target?: Record<string, unknown>;
  [field: string]: unknown;
}

export type Verdict = Allowed | Refused;

export interface Allowed {
  is_allowed: true;
  event_id: string;
  score: number;
  /** When a person approved it; `null` when nobody had to. */
  approved_at: string | null;
}

export interface Refused {
  is_allowed: false;
  /** `null` when Weir has no such event. */
  event_id: string | null;
  why: 'rejected' | 'expired' | 'undecided' | 'blocked' | 'unproven' | 'denied' | 'unavailable';
  /** For the model, and for people: what happened, why, and what to do. */
  text: string;
}

export interface GateOptions {
  /** Of the scoring API. */
  url: string;
  api_key: string;
  /** An agent, subagent or session token, when your agents have them. */
  agent_token?: string;
  /** The customer's public keys; asked for when a decision has to be checked. */
  keys: () => Promise<KeySet>;
  /** How long one `ask` waits for a person. Default: a minute, below what most callers have the patience for. */
  wait_s?: number;
  /** How long Weir may be away before an action is refused. */
  patience_ms?: number;
}

export interface Asking {
  /** Called when the action is held, and about every 20 seconds while it is. */
  onHeld?: (held: { event_id: string; expires_at: string; reasoning: string }) => void;
  /** Gives up waiting. The event stays held. */
  signal?: AbortSignal;
}

export interface Gate {
  /**
   * Whether this may be done, now and once. An action whose wait ended undecided is remembered: asking for the very same
   * again goes on with the event that a person may have decided meanwhile. Never rejects, but when `signal` aborts.
   */
  ask(action: Action, asking?: Asking): Promise<Verdict>;
}

export type KeySet = Parameters<typeof verifyDecision>[1];
type Decided = Parameters<typeof verifyDecision>[2];
type Event = Action & { event_id: string };

interface Scored {
  score: number;
  risk_level: string;
  reasoning: string;
  hold: Hold | null;
}

interface Hold {
  state: string;
  expires_at: string;
  reason: string | null;
  /** Only in the detail of an event. */
  cosignature?: string | null;
}

/** One look; below it proxies and load balancers end quiet connections. */
const LOOK_S = 20;
const PATIENCE_MS = 10_000;
const RETRY_MS = 500;

export function createGate(options: GateOptions): Gate {
  const { wait_s = 60 } = options;
  /** Events that were still held when the wait for them ended, by what they do. */
  const undecided = new Map<string, Event>();

  async function ask(action: Action, asking: Asking = {}): Promise<Verdict> {
    const deed = JSON.stringify([action.action, action.target, action.parameters]);
    const known = undecided.get(deed);
    // Taken out, so that one approval is never two permissions, however many ask at once.
    undecided.delete(deed);
    const waiting: Waiting = { event: known ?? { ...action, event_id: randomUUID() }, is_open: known !== undefined };
    try {
      return await decide(waiting, asking);
    } finally {
      if (waiting.is_open) undecided.set(deed, waiting.event);
    }
  }

  async function decide(waiting: Waiting, { onHeld, signal }: Asking): Promise<Verdict> {
    const { event } = waiting;
    const { event_id } = event;
    const end = performance.now() + wait_s * 1_000;
    // The same event_id and content again is a safe retry, and tells what stands.
    const posted = await call(options, '/events', event, signal);
    if (!('answer' in posted)) return notDone(event, posted.why, posted.text);
    const { score, risk_level, reasoning, hold } = posted.answer as unknown as Scored;
    if (hold === null && risk_level === 'critical') {
      return notDone(event, 'blocked', `it is a critical risk, and nothing is set up to ask a person. ${reasoning}`);
    }
    if (hold === null) return { is_allowed: true, event_id, score, approved_at: null };
    waiting.is_open = true;
    let now = hold;
    for (let left_s = wait_s; now.state === 'held'; left_s = (end - performance.now()) / 1_000) {
      if (left_s <= 0) return notDone(event, 'undecided', `nobody decided yet. ${reasoning} ${ASK_AGAIN}`);
      onHeld?.({ event_id, expires_at: now.expires_at, reasoning });
      const looked = await look(event_id, Math.ceil(Math.min(left_s, LOOK_S)), signal);
      if (!('answer' in looked)) return notDone(event, looked.why, `${looked.text} ${ASK_AGAIN}`);
      now = looked.answer['hold'] as Hold;
    }
    // What a retry was answered says that it was approved, and not by whom: the detail has the cosignature.
    if (now.state === 'approved') return prove(waiting, score, await look(event_id, 0, signal));
    waiting.is_open = false;
    if (now.state === 'expired') return notDone(event, 'expired', `nobody decided in time. ${reasoning}`);
    const said = now.reason === null ? '' : ` They said: «${now.reason}».`;
    return notDone(event, 'rejected', `a person rejected it.${said} ${reasoning}`);
  }

  /** Goes by the customer's own key and the action as it is about to be done: Weir's word alone is not enough. */
  async function prove(waiting: Waiting, score: number, looked: Called): Promise<Verdict> {
    const { event } = waiting;
    if (!('answer' in looked)) return notDone(event, looked.why, `${looked.text} ${ASK_AGAIN}`);
    const keys = await options.keys().catch((error: Error) => error);
    if (keys instanceof Error) {
      const text = `it was approved, but the keys to check that with cannot be read (${keys.message}). ${ASK_AGAIN}`;
      return notDone(event, 'unproven', text);
    }
    waiting.is_open = false;
    const { cosignature } = looked.answer['hold'] as Hold;
    const proof = verifyDecision(cosignature ?? '', keys, event as Decided);
    if (proof?.decision !== 'approve') {
      return notDone(event, 'unproven', 'it was approved, but the proof of that does not fit this very action.');
    }
    return { is_allowed: true, event_id: event.event_id, score, approved_at: proof.decided_at };
  }

  function look(event_id: string, wait_s: number, signal: AbortSignal | undefined): Promise<Called> {
    return call(options, `/scores/event/${event_id}?wait=${wait_s}`, null, signal);
  }

  return { ask };
}

interface Waiting {
  event: Event;
  /** A person may still decide about it. */
  is_open: boolean;
}

const ASK_AGAIN = 'Ask for exactly the same again when a person has decided.';

function notDone(event: Event, why: Refused['why'], text: string): Refused {
  const { event_id } = event;
  const hint = why === 'rejected' || why === 'blocked' ? ' Do not try to reach the same in another way.' : '';
  return { is_allowed: false, event_id, why, text: `Not done (event ${event_id}): ${text.trim()}${hint}` };
}

type Called = { answer: Record<string, unknown> } | { why: 'denied' | 'unavailable'; text: string };

/** Tries again while Weir is away or busy, for a while. */
async function call(
  { url, api_key, agent_token, patience_ms = PATIENCE_MS }: GateOptions,
  path: string,
  body: Event | null,
  signal: AbortSignal | undefined,
): Promise<Called> {
  const headers = {
    'x-api-key': api_key,
    ...(agent_token !== undefined && { authorization: `Bearer ${agent_token}` }),
    ...(body !== null && { 'content-type': 'application/json' }),
  };
  const sent = body === null ? {} : { method: 'POST', body: JSON.stringify(body) };
  const end = performance.now() + patience_ms;
  let problem = '';
  do {
    signal?.throwIfAborted();
    const time = AbortSignal.timeout(LOOK_S * 1_000 + patience_ms);
    const ended = signal === undefined ? time : AbortSignal.any([signal, time]);
    try {
      const response = await fetch(url + path, { ...sent, headers, signal: ended, redirect: 'error' });
      const answer = (await response.json()) as Record<string, unknown>;
      if (response.status === 200) return { answer };
      problem = `Weir answered ${response.status}: ${String(answer['detail'])}`;
      // 429 passes where it is a rate, and not where a session has spent its events: then there is no pause to wait for.
      const is_passing = response.status >= 500 || (response.status === 429 && response.headers.has('retry-after'));
      if (!is_passing) return { why: 'denied', text: `${problem}.` };
    } catch (error) {
      signal?.throwIfAborted();
      problem = `Weir did not answer at ${url} (${reasonOf(error)})`;
    }
    await sleep(RETRY_MS, null, { signal });
  } while (performance.now() < end);
  return { why: 'unavailable', text: `${problem}. Without its answer nothing is done; try again later.` };
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : message;
}

/** Where the customer's public keys come from: a file that was put there, or the auth service. */
export type KeySource = { file: string } | { auth_url: string; customer_id: string; api_key: string };

/** Keys are read anew for each decision: decisions are rare, and a key may have been rotated or disabled. */
export function keysFrom(source: KeySource): () => Promise<KeySet> {
  return async () => {
    if ('file' in source) return JSON.parse(await readFile(source.file, 'utf8')) as KeySet;
    const response = await fetch(`${source.auth_url}/keys/jwks/${source.customer_id}`, {
      headers: { 'x-api-key': source.api_key },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (!response.ok) throw new Error(`the key set of customer ${source.customer_id} answered ${response.status}`);
    return (await response.json()) as KeySet;
  };
}

/**
 * The gate as environment variables describe it: WEIR_URL, WEIR_API_KEY, WEIR_AGENT_TOKEN, WEIR_WAIT_S, WEIR_PATIENCE_MS, and
 * for the keys WEIR_KEYS_FILE or WEIR_AUTH_URL with WEIR_CUSTOMER_ID. Throws with the name of what is missing.
 */
export function gateFromEnvironment(env: NodeJS.ProcessEnv): Gate {
  const need = (name: string): string => {
    const value = env[name];
    if (!value) throw new Error(`${name} is not set`);
    return value;
  };
  const file = env['WEIR_KEYS_FILE'];
  const agent_token = env['WEIR_AGENT_TOKEN'];
  const number = (name: string, usual: number): number => {
    const value = Number(env[name] ?? usual);
    if (!(value >= 0)) throw new Error(`${name} must be a number, 0 or more`);
    return value;
  };
  const api_key = need('WEIR_API_KEY');
  return createGate({
    url: (env['WEIR_URL'] ?? 'http://127.0.0.1:8000').replace(/\/$/, ''),
    api_key,
    ...(agent_token && { agent_token }),
    keys: keysFrom(
      file
        ? { file }
        : { auth_url: need('WEIR_AUTH_URL').replace(/\/$/, ''), customer_id: need('WEIR_CUSTOMER_ID'), api_key },
    ),
    wait_s: number('WEIR_WAIT_S', 60),
    patience_ms: number('WEIR_PATIENCE_MS', PATIENCE_MS),
  });
}
