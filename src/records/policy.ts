/** One version of a customer's policy as it is stored. */
import type { JsonObject } from '../lang/json.ts';

export interface StoredPolicy {
  customer_id: string;
  /** 1 for the first; every version is kept. */
  version: number;
  policies: JsonObject;
  updated_at: string;
}
