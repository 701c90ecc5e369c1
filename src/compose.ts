/** The one place that chooses implementations: from settings to the parts that every role shares. */

import type { ApiParts } from './api/index.ts';
import { type ApiKeys, createApiKeys } from './auth/api-keys.ts';
import { createEvaluate } from './engine/evaluate.ts';
import { createJustify } from './engine/justify.ts';
import { loadKnowledge } from './engine/knowledge.ts';
import { createPolicies } from './engine/policies.ts';
import { createKeyAccess, type KeyAccess } from './platform/access.ts';
import type { Clock } from './platform/clock.ts';
import type { Log } from './platform/log.ts';
import type { Settings } from './platform/settings.ts';
import { cacheBackends, chooseBackend, storageBackends } from './storage/index.ts';
import type { Storage } from './storage/ports.ts';

export interface Parts extends ApiParts {
  api_keys: ApiKeys;
  key_access: KeyAccess;
  /** Closes the stores. Call when nothing uses them any more. */
  close(): Promise<void>;
}

export interface Surroundings {
  log: Log;
  clock: Clock;
}

/** The storage alone, for work beside a running server. Rejects with `StartError` when it cannot be used. */
export function openStorage(settings: Settings, notice: (text: string) => void): Promise<Storage> {
  return chooseBackend(storageBackends, settings).open(settings, notice);
}

/** Opens the stores, reads ontology and rules, and wires everything together. Rejects with `StartError` when it cannot. */
export async function compose(settings: Settings, { log, clock }: Surroundings): Promise<Parts> {
  const notice = (text: string): void => log.warn(text);
  const opening = openStorage(settings, notice);
  // Read while the database starts.
  const [opened, knowledge] = await Promise.allSettled([opening, loadKnowledge()]);
  if (opened.status === 'rejected') throw opened.reason;
  const storage = opened.value;
  if (knowledge.status === 'rejected') {
    await storage.close();
    throw knowledge.reason;
  }
  const cache = await chooseBackend(cacheBackends, settings).open(settings, notice);
  const shared = { storage, knowledge: knowledge.value };
  const policies = createPolicies(shared);
  const key_access = createKeyAccess({
    findByHash: (key_hash) => storage.api_keys.findByHash(key_hash),
    prefix: settings.TOKEN_PREFIX,
    rate_limit_rpm: settings.RATE_LIMIT_RPM,
    clock,
  });
  return {
    ...shared,
    cache,
    clock,
    policies,
    evaluate: createEvaluate({ ...shared, policies }),
    justify: createJustify({ ...shared, policies }),
    key_access,
    api_keys: createApiKeys({
      store: storage.api_keys,
      prefix: settings.TOKEN_PREFIX,
      onChange: key_access.keysChanged,
    }),
    close: async () => {
      await Promise.all([storage.close(), cache.close()]);
    },
  };
}
