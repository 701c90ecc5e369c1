/** The public types of `weir-client`. Data keeps the wire's snake_case; `openapi.ts` has every field of Weir's API. */
import type { components, operations } from './openapi.ts';

/** The body of `POST /events`. Only `action` (`domain:scope:verb`) is required. */
export type Event = operations['score_event']['requestBody']['content']['application/json'];
/** The answer to `POST /events`. */
export type Score = operations['score_event']['responses'][200]['content']['application/json'];
/** The answer to `GET /scores/event/{event_id}`. */
export type ScoreDetail = operations['get_score']['responses'][200]['content']['application/json'];
/** An error of the API (RFC 9457). */
export type Problem = components['schemas']['Problem'];

export interface ClientOptions {
  /** Of the scoring API, such as `http://127.0.0.1:8000`. */
  url: string;
  /** Where the user of a program sets `url`, such as `WEIR_URL`: messages about a wrong address name it. Default: `url`. */
  url_setting?: string;
  api_key: string;
  /** An agent, subagent or session token, when your agents have them. */
  agent_token?: string;
  /** How long one `gate` waits for a person, in seconds. Default: 60. */
  wait_s?: number;
  /** How long Weir may be unavailable before a call fails, in milliseconds; retries use the same event_id. Default: 10,000. */
  patience_ms?: number;
  /** What `gate` says when Weir did not answer. Default: `deny`, so that nothing is done because nobody answered. */
  on_failure?: 'deny' | 'allow';
  /** The customer's public keys. With them, `gate` allows an approved action only when its cosignature verifies. */
  keys?: KeySet | (() => Promise<KeySet>);
  /** Remembers held and used events. Default: this process's memory. `fileStore` of `weir-client/node` survives a restart. */
  store?: Store;
  /** Default: the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Makes the event_id of an event that has none; no two may be equal. Default: `crypto.randomUUID`. */
  newId?: () => string;
}

export interface Client {
  /** Scores an event. Throws `WeirError` when Weir refuses it or does not answer. */
  score(event: Event, options?: { signal?: AbortSignal }): Promise<Score>;
  /**
   * Whether this action may be carried out now: scores it, waits for a decision if it is held, and verifies the decision.
   * An approval is used once. Without an `event_id`, the same agent asking for the same action, target and parameters
   * continues the event that is still held or was approved meanwhile. Rejects only when `signal` aborts.
   */
  gate(event: Event, options?: GateOptions): Promise<Verdict>;
  /** The state of a held event after a decision or after `wait_s` seconds; `null` when it is not held. Throws `WeirError`. */
  wait(event_id: string, options?: GateOptions): Promise<Hold | null>;
  /** The decision in a cosignature, if one of the customer's keys signed it for exactly this action; otherwise `null`. */
  verify(cosignature: string, event: Event & { event_id: string }): Promise<VerifiedDecision | null>;
}

export interface GateOptions {
  /** Overrides `wait_s` of the client. 0 does not wait. */
  wait_s?: number;
  /** Called when the event is held, and about every 20 seconds while it is. */
  onHeld?: (held: { event_id: string; expires_at: string; reasoning: string }) => void;
  /** Stops the call. The event stays held. */
  signal?: AbortSignal;
}

export type Verdict = Allowed | Refused;

export interface Allowed {
  is_allowed: true;
  event_id: string;
  /** `null` when Weir did not answer and `on_failure` is `allow`. */
  score: number | null;
  risk_level: string | null;
  /** Why the action has this score, for people. */
  reasoning: string | null;
  /** When a person approved it, ISO 8601; `null` when nobody had to. */
  approved_at: string | null;
  /** `false`: Weir knows neither the action nor the tool, so its score rests on the content alone. `null`: unknown. */
  is_recognised: boolean | null;
}

export interface Refused {
  is_allowed: false;
  event_id: string;
  why: Why;
  /** For the model and for people: what happened, why, and what to do. */
  text: string;
  score: number | null;
  risk_level: string | null;
  reasoning: string | null;
  is_recognised: boolean | null;
}

/**
 * `undecided`: held, and no decision yet. `blocked`: critical, and nothing is ever held. `conflict`: the event_id belongs to
 * another action. `used`: its approval was used before. `unproven`: approved, but the cosignature does not verify. `denied`:
 * Weir refused the request. `unavailable`: no answer in time.
 */
export type Why =
  | 'rejected'
  | 'expired'
  | 'undecided'
  | 'blocked'
  | 'conflict'
  | 'used'
  | 'unproven'
  | 'denied'
  | 'unavailable';

export interface Hold {
  state: 'held' | 'approved' | 'rejected' | 'expired';
  expires_at: string;
  decided_at: string | null;
  /** Who decided; `null` before. */
  decided_by: NonNullable<Score['hold']>['decided_by'];
  reason: string | null;
  cosignature?: string | null;
}

/** A JWK Set, as `GET /keys/jwks/{customer_id}` of the auth service serves it. */
export interface KeySet {
  keys: readonly Record<string, unknown>[];
}

export interface VerifiedDecision {
  /** Continue only when it is `approve`. */
  decision: 'approve' | 'reject';
  event_id: string;
  customer_id: string;
  decided_at: string;
  /** The jti of the override token that was used. */
  jti: string;
}

/**
 * What `gate` remembers between calls. `key` stands for one agent and one action with its target and parameters: the bytes of
 * the action in canonical JSON, a hyphen, and a hash.
 */
export interface Store {
  /** The event that was held for `key`, or `null`. */
  find(key: string): Promise<string | null>;
  /** `false` when no key that begins like this is kept: then `gate` computes no hash. Left out, it always computes it. */
  mayHave?(beginning: string): Promise<boolean>;
  keep(key: string, event_id: string): Promise<void>;
  forget(key: string): Promise<void>;
  /** Marks an approval as used. `true` for the first caller ever and for no other, however many ask at once. */
  claim(event_id: string): Promise<boolean>;
}

/** A tool call as an event: spread it into the event, and add what you know about agent, session and conversation. */
export interface ToolAction {
  action: string;
  parameters: Record<string, unknown>;
  target?: { resource_type: string; resource_id: string };
  mcp_context: { server_name?: string; tool_name: string };
}
