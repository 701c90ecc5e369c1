/**
 * What the server and its scoring threads say to each other. JSON as text: it is made once, and copied in no time. Tasks
 * of one turn of the loop go as one message, and so do their replies: a message costs ten times what a task in it does.
 */

import type { JsonObject } from '../../../lang/json.ts';
import type { RuleTexts } from '../../../records/kept-assessment.ts';

/** Customers whose policy a thread keeps compiled, and the server takes it to know. */
export const MAX_POLICIES = 5_000;

export interface Task {
  id: number;
  /** The event that it is about; first its footprint is asked for, then its score. */
  job: number;
  step: 'footprint' | 'score';
  customer_id: string;
  /** JSON of the event; null when the thread has seen it. */
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
  /** Of an `AssessmentJson`. */
  | { id: number; kind: 'scored'; kept: string; shown: string }
  /** The thread has forgotten the policy or the event: send the task again, with both. */
  | { id: number; kind: 'forgotten' }
  /** The engine threw, which it never should. */
  | { id: number; kind: 'failed'; reason: string };

/** What a thread starts with. */
export interface ThreadData {
  /** Where it writes the id of the task that it is at: one 32-bit integer. */
  task: SharedArrayBuffer;
  /** Of the server's knowledge. */
  rule_set_version: string;
  /** What its assessments refer to. */
  texts: RuleTexts;
}

/** First thing a thread says. A version other than the server's: files changed on disk since the server started. */
export interface Ready {
  ready: string;
}
