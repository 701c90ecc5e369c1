import type { Assessment } from '../scoring/types.ts';
import type { Keeping } from './kept-assessment.ts';

/**
 * An assessment with its texts: what every answer shows of it, and what the store keeps. Each is written once, at the
 * first need, and serves every event that gets the same score.
 */
export class AssessmentJson {
  readonly #keeping: Keeping;
  #assessment: Assessment | null;
  #shown: string | null = null;
  #kept: string | null = null;
  #encoded: Uint8Array | null = null;

  constructor(assessment: Assessment | null, keeping: Keeping) {
    this.#assessment = assessment;
    this.#keeping = keeping;
  }

  /** From the texts of an assessment that was made elsewhere. */
  static ofTexts({ shown, kept }: Pick<AssessmentJson, 'shown' | 'kept'>, keeping: Keeping): AssessmentJson {
    const json = new AssessmentJson(null, keeping);
    json.#shown = shown;
    json.#kept = kept;
    return json;
  }

  /** Nobody may change it: several events share it. */
  get assessment(): Assessment {
    return (this.#assessment ??= Object.freeze(this.#keeping.restore(JSON.parse(this.kept) as object)));
  }

  /** As `shownOf` writes it. */
  get shown(): string {
    return (this.#shown ??= shownOf(this.assessment));
  }

  /** What `keeping` restores it from. */
  get kept(): string {
    return (this.#kept ??= this.#keeping.shorten(this.assessment));
  }

  /** What `encode` makes of it, which is the same function each time: for an answer that is no JSON. */
  encoded(encode: (assessment: Assessment) => Uint8Array): Uint8Array {
    return (this.#encoded ??= encode(this.assessment));
  }

  /**
   * The same as text alone, until somebody asks for more. Most scores that are kept are never asked for again, and the
   * collector copies a text at once and a hundred objects one by one.
   */
  asText(): AssessmentJson {
    return AssessmentJson.ofTexts(this, this.#keeping);
  }
}

/** What answers show, as members of an object without its braces: all but how the score was found. */
export function shownOf({
  decomposition: _,
  findings: _f,
  rule_set_version: _r,
  policy_version: _p,
  ...shown
}: Assessment): string {
  return JSON.stringify(shown).slice(1, -1);
}
