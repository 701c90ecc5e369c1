/** What the server and its scoring threads say to each other. JSON as text: it is made once, and copied in no time. */
import type { JsonObject } from '../../scoring/types.ts';

export interface Task {
  id: number;
  customer_id: string;
  /** JSON of the event. */
  event: string;
  policy_version: number;
  /** The policy as stored, when the thread may not have it yet. */
  policies: JsonObject | null;
  /** JSON of what is remembered of agent and session. */
  remembered: string | null;
}

export type Reply =
  | { id: number; kind: 'scored'; assessment: string; cache_hit: boolean; past: string | null }
  /** The thread has forgotten the policy: send the task again, with it. */
  | { id: number; kind: 'needs_policy' }
  /** The engine threw, which it never should. */
  | { id: number; kind: 'failed'; reason: string };

/** First thing a thread says. A version other than the server's: files changed on disk since the server started. */
export interface Ready {
  ready: string;
}
