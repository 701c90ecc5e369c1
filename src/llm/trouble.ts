/** Everything that can go wrong with a call of a language model, sorted into five kinds. */

/**
 * `late`: no whole answer before the deadline. `refused`: the provider or the model declines (credentials, unknown model, content).
 * `busy`: the provider asks to come again later (429, 503, 529). `broken`: the connection or the provider fails. `malformed`: an
 * answer that is too long, no JSON, or not of the schema.
 */
export type TroubleKind = 'late' | 'refused' | 'busy' | 'broken' | 'malformed';

export interface Usage {
  /** Tokens; 0 where the provider reports none. */
  input_tokens: number;
  output_tokens: number;
}

export const NO_USAGE: Usage = { input_tokens: 0, output_tokens: 0 };

interface TroubleDetails {
  /** HTTP status; null when no answer began. */
  status?: number | null;
  /** Of `Retry-After`. */
  retry_after_ms?: number | null;
  /** The text of the question may be the cause: another question may well be answered. */
  is_of_content?: boolean;
  /** What the call has cost nevertheless. */
  usage?: Usage;
}

/**
 * A call without a usable answer. It carries nothing of the question, of the provider's texts or of the key, so that it can be
 * logged as it is.
 */
export class LlmTrouble extends Error {
  override name = 'LlmTrouble';
  readonly kind: TroubleKind;
  readonly status: number | null;
  readonly retry_after_ms: number | null;
  readonly is_of_content: boolean;
  readonly usage: Usage;

  constructor(kind: TroubleKind, what: string, details: TroubleDetails = {}) {
    super(what);
    this.kind = kind;
    this.status = details.status ?? null;
    this.retry_after_ms = details.retry_after_ms ?? null;
    this.is_of_content = details.is_of_content ?? false;
    this.usage = details.usage ?? NO_USAGE;
  }

  /** Whether the same call may succeed a little later. */
  get may_pass(): boolean {
    return this.kind === 'busy' || (this.kind === 'broken' && (this.status === null || this.status >= 500));
  }
}
