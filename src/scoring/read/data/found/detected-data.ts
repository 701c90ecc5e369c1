/** One piece of data that the action touches or the agent has seen. */
export interface DetectedData {
  /** Where: a data field's name, or a path such as `parameters.body`. */
  where: string;
  /** secret, PHI, financial, PII, restricted, internal, public. */
  data_class: string;
  /** Finer kind, such as card, card_sad, bank_account, special_category; '' when none. */
  subclass: string;
  /** 0-4 */
  severity: number;
  /** How it was recognised; values weigh most. */
  basis: 'declared' | 'field_name' | 'value' | 'domain';
  confidence: number;
  /** Normalised value for basis `value`, else ''. Never shown unmasked. */
  value: string;
}
