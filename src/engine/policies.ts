/** Policies by customer: checked and compiled when they are written, cached in compiled form for scoring. */

import { LRUCache } from 'lru-cache';
import { counted } from '../lang/english.ts';
import type { JsonObject } from '../lang/json.ts';
import { WeirError } from '../platform/errors.ts';
import type { StoredPolicy } from '../records/policy.ts';
import type { Knowledge } from '../scoring/knowledge.ts';
import { compilePolicy, compileStoredPolicy, NO_POLICY, PolicyError } from '../scoring/policy/policy.ts';
import type { ApprovalRule, CompiledPolicy } from '../scoring/types.ts';
import type { Storage } from '../storage/ports/storage.ts';

/** Compiled policies that are cached; another one is read and compiled again in well under a millisecond. */
const MAX_COMPILED = 5_000;

export interface Policies {
  /** Checks a policy, stores it as the next version and puts it in force. Throws `invalid` with all problems; the old policy stays in force then. */
  put(customer_id: string, policies: unknown): Promise<{ policy: StoredPolicy; created: boolean }>;
  current(customer_id: string): Promise<StoredPolicy | null>;
  /** The compiled policy to score with. It may be one version behind another node's; the store refuses such a score. */
  inForce(customer_id: string): Promise<CompiledPolicy>;
  /** The same, read again: for use after the store has answered that the policy changed. */
  refresh(customer_id: string): Promise<CompiledPolicy>;
  /** The compiled policy of an earlier version, for a justification. */
  atVersion(customer_id: string, version: number): Promise<CompiledPolicy>;
}

export function createPolicies({ storage, knowledge }: { storage: Storage; knowledge: Knowledge }): Policies {
  const compiled = new LRUCache<string, CompiledPolicy>({ max: MAX_COMPILED });
  const compileStored = (stored: StoredPolicy | null): CompiledPolicy =>
    stored === null ? NO_POLICY : compileStoredPolicy(stored.policies, stored.version);

  const refresh = async (customer_id: string): Promise<CompiledPolicy> => {
    const policy = compileStored(await storage.policies.current(customer_id));
    compiled.set(customer_id, policy);
    return policy;
  };

  /** Reads under way for `inForce`, so that a burst of a customer's first events causes one read. */
  const under_way = new Map<string, Promise<CompiledPolicy>>();
  const readOnce = (customer_id: string): Promise<CompiledPolicy> => {
    let reading = under_way.get(customer_id);
    if (reading === undefined) {
      reading = refresh(customer_id).finally(() => under_way.delete(customer_id));
      under_way.set(customer_id, reading);
    }
    return reading;
  };

  return {
    put: async (customer_id, policies) => {
      const checked = check(policies, knowledge);
      const policy = await storage.policies.put(customer_id, checked.policies);
      compiled.delete(customer_id);
      return { policy, created: policy.version === 1 };
    },
    current: (customer_id) => storage.policies.current(customer_id),
    inForce: async (customer_id) => compiled.get(customer_id) ?? (await readOnce(customer_id)),
    refresh,
    atVersion: async (customer_id, version) =>
      version === 0 ? NO_POLICY : compileStored(await storage.policies.version(customer_id, version)),
  };
}

/** The rules of approval in force, read from the store at each call. */
export const approvalsIn =
  (store: Pick<Storage['policies'], 'current'>) =>
  async (customer_id: string): Promise<readonly ApprovalRule[]> => {
    const stored = await store.current(customer_id);
    return stored === null ? [] : compileStoredPolicy(stored.policies, stored.version).approvals;
  };

/** Compiles the policy that a customer sent, or throws `invalid` with a JSON pointer and a reason for each problem. */
export function check(policies: unknown, knowledge: Knowledge): CompiledPolicy {
  try {
    return compilePolicy(policies as JsonObject, 0, (name) => knowledge.rule_by_id.has(name), knowledge);
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    throw new WeirError('invalid', {
      detail: `the policy does not compile (${counted(error.problems.length, 'problem')}); the one in force stays`,
      errors: [...error.problems],
    });
  }
}
