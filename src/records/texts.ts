/**
 * The large fields of a kept row as JSON: its assessment, and what the memory said about its event. Each text is written once,
 * when it is first needed, and serves every event that gets the same score.
 */

import { MOST_ARTICLES } from '../scoring/explanation/articles.ts';
import { says, silent } from '../scoring/history/says.ts';
import type { Trace } from '../scoring/history/trace.ts';
import type { Assessment, History } from '../scoring/types.ts';

/** How a store writes assessments, and reads them again. */
export interface Keeping {
  /** JSON. */
  shorten(assessment: Assessment): string;
  /** The assessment again, from the parsed JSON. */
  restore(stored: object): Assessment;
}

/** Assessments as they are. */
export const WHOLE: Keeping = { shorten: JSON.stringify, restore: (stored) => stored as Assessment };

/** An assessment with its texts: what every answer shows of it, and what a store keeps. */
export class AssessmentJson {
  #assessment: Assessment | null;
  #shown: string | null = null;
  #kept: string | null = null;
  #encoded: Uint8Array | null = null;
  /** A text that the assessment can be read from while it is not here, and how. */
  #text: string | null = null;
  #restore = WHOLE.restore;
  #is_light = false;

  constructor(assessment: Assessment | null) {
    this.#assessment = assessment;
  }

  /** From the two halves of an assessment that was made in another thread. */
  static ofTexts({ shown, hidden }: Pick<AssessmentJson, 'shown' | 'hidden'>): AssessmentJson {
    const json = new AssessmentJson(null);
    json.#shown = shown;
    json.#text = `{${shown},${hidden}}`;
    return json;
  }

  /** Several events share it, so it is frozen. */
  get assessment(): Assessment {
    return (this.#assessment ??= Object.freeze(this.#restore(JSON.parse(this.#text!) as object)));
  }

  /** As `shownOf` writes it. */
  get shown(): string {
    return (this.#shown ??= shownOf(this.assessment));
  }

  /** The members that `shown` leaves out, in the same form. */
  get hidden(): string {
    return hiddenOf(this.assessment);
  }

  /** The text that a store keeps; `keeping` is the same each time, because a process has one store. */
  kept(keeping: Keeping): string {
    if (this.#kept === null) {
      this.#kept = keeping.shorten(this.assessment);
      if (this.#is_light) this.#dropObjects(this.#kept, keeping);
    }
    return this.#kept;
  }

  /** What `encode` makes of it, which is the same function each time: for an answer in another format than JSON. */
  encoded(encode: (assessment: Assessment) => Uint8Array): Uint8Array {
    return (this.#encoded ??= encode(this.assessment));
  }

  /**
   * From its first keeping on it holds texts alone, until the assessment is asked for again. For caches: most of what they
   * hold is never asked for again, and the garbage collector copies one text faster than a hundred objects.
   */
  makeLight(): void {
    this.#is_light = true;
  }

  #dropObjects(kept: string, keeping: Keeping): void {
    this.#shown ??= shownOf(this.assessment);
    this.#text = kept;
    this.#restore = keeping.restore;
    this.#assessment = null;
  }
}

/** What answers show, as members of an object without its braces: all but how the score was found, and the first articles. */
export function shownOf({
  decomposition: _,
  findings: _f,
  rule_set_version: _r,
  policy_version: _p,
  llm: _l,
  doubts: _doubts,
  ...shown
}: Assessment): string {
  return JSON.stringify({ ...shown, compliance_refs: shown.compliance_refs.slice(0, MOST_ARTICLES) }).slice(1, -1);
}

/** Of two members of one name the later counts when JSON is read: after `shownOf` this one gives all articles back. */
function hiddenOf(assessment: Assessment): string {
  const { decomposition, findings, rule_set_version, policy_version, compliance_refs, llm, doubts } = assessment;
  const hidden = { decomposition, findings, rule_set_version, policy_version, compliance_refs, llm, doubts };
  return JSON.stringify(hidden).slice(1, -1);
}

/** What of an event's past is kept as JSON. */
export interface EventPast {
  /** What the event leaves in the memory. */
  trace: Trace;
  /** What the memory said about it: evidence of its score. */
  history: History | null;
}

/** A parsed `pastJson`. Older rows have the whole history, and the keys of agent and session, which are columns now. */
export interface KeptPast {
  trace: Trace;
  history: Partial<History> | null;
}

/** JSON of what a history says; most of one says nothing. */
export function historyJson(history: History | null): string {
  if (history === null) return 'null';
  return JSON.stringify(Object.fromEntries(Object.entries(history).filter(([, value]) => says(value))));
}

/**
 * JSON, with the history last, so that a query for traces can skip it unread.
 *
 * @param history_json `historyJson` of the history, where it was written already
 */
export function pastJson({ trace, history }: EventPast, history_json = historyJson(history)): string {
  return `{"trace":${JSON.stringify(trace)},"history":${history_json}}`;
}

export function pastOf({ trace, history }: KeptPast): EventPast {
  return { trace, history: history === null ? null : { ...silent(), ...history } };
}
