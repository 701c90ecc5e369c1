import type { Assessment } from './types.ts';

/**
 * An assessment with its JSON, of which every answer shows one half and the store keeps both: each is written once, at the
 * first need, and serves every event that gets the same score.
 */
export class AssessmentJson {
  #assessment: Assessment | null;
  #shown: string | null = null;
  #whole: string | null = null;

  /** `whole`: the JSON of the assessment, where it had to be made already; one of the two has to be there. */
  constructor(assessment: Assessment | null, whole: string | null = null) {
    this.#assessment = assessment;
    this.#whole = whole;
  }

  /** From the JSON of an assessment that was made elsewhere, of which so many characters after the brace are `shown`. */
  static ofText(whole: string, shown_length: number): AssessmentJson {
    const text = new AssessmentJson(null, whole);
    text.#shown = whole.slice(1, 1 + shown_length);
    return text;
  }

  /** Nobody may change it: several events share it. */
  get assessment(): Assessment {
    return (this.#assessment ??= Object.freeze(JSON.parse(this.whole) as Assessment));
  }

  /** What answers show, as members of an object without its braces: all but how the score was found. */
  get shown(): string {
    return (this.#shown ??= shownOf(this.assessment));
  }

  /** All of it. */
  get whole(): string {
    if (this.#whole !== null) return this.#whole;
    const { shown } = this;
    this.#whole = `{${shown},${keptOf(this.assessment)}}`;
    // A part of the whole takes no memory of its own, and scores are kept by the thousand.
    this.#shown = this.#whole.slice(1, 1 + shown.length);
    return this.#whole;
  }

  /**
   * The same as text alone, until somebody asks for more. Most scores that are kept are never asked for again, and the
   * collector copies a text at once and a hundred objects one by one.
   */
  asText(): AssessmentJson {
    const { whole, shown } = this;
    return AssessmentJson.ofText(whole, shown.length);
  }
}

function shownOf({
  decomposition: _,
  findings: _f,
  rule_set_version: _r,
  policy_version: _p,
  ...shown
}: Assessment): string {
  return membersOf(shown);
}

function keptOf({ decomposition, findings, rule_set_version, policy_version }: Assessment): string {
  return membersOf({ decomposition, findings, rule_set_version, policy_version });
}

/** Never empty here. */
const membersOf = (object: object): string => JSON.stringify(object).slice(1, -1);
