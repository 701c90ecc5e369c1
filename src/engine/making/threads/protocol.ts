/**
 * The messages between the server and its scoring threads. JSON is sent as text, because a string is copied faster than objects.
 * Tasks of one turn of the event loop are sent as one message, and so are their replies: a message costs ten times what a task
 * in it does.
 */

import type { JsonObject } from '../../../lang/json.ts';

/** Customers whose policy a thread keeps compiled. The server counts along, to know which policies a thread lacks. */
export const MAX_POLICIES = 5_000;

export interface Task {
  id: number;
  /** Number of the event; its footprint is asked for first, then its score. */
  job: number;
  step: 'footprint' | 'score';
  customer_id: string;
  /** JSON of the event; null when it was sent before. */
  event: string | null;
  policy_version: number;
  /** The policy as stored, when the thread may not have it yet. */
  policies: JsonObject | null;
  /** JSON of the history that the score is made with. */
  history: string;
}

export type Reply =
  /** JSON. */
  | { id: number; kind: 'footprint'; footprint: string }
  /** The two halves of an `AssessmentJson`. */
  | { id: number; kind: 'scored'; shown: string; hidden: string }
  /** The thread no longer has the policy or the event: send the task again, with both. */
  | { id: number; kind: 'forgotten' }
  /** The engine threw, which it never should. */
  | { id: number; kind: 'failed'; reason: string };

/** What a thread starts with. */
export interface ThreadData {
  /** Where it writes the id of the task that it works on: one 32-bit integer. */
  task: SharedArrayBuffer;
  /** Whether the structural layer takes part. */
  is_structural: boolean;
}

/** The first message of a thread. */
export interface Ready {
  /** Version of its knowledge; another than the server's when files changed on disk since the server started. */
  ready: string;
}
