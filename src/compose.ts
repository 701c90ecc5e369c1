/** The one place that chooses implementations: it makes the parts that all roles share from the settings. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import type { ApiParts } from './doors/rest/index.ts';
import { createAccept } from './engine/accept.ts';
import { createFindPath } from './engine/activity/path.ts';
import {
  createEvaluateAccepted,
  createEvaluateAllAs,
  createEvaluateAs,
  type EvaluateAccepted,
  type EvaluateAllAs,
} from './engine/callers.ts';
import { createFindContext } from './engine/compliance/context.ts';
import { createControls } from './engine/compliance/controls.ts';
import { keepSynced } from './engine/compliance/sync.ts';
import { countOutcomes, createEvaluate } from './engine/evaluate.ts';
import { createFollow } from './engine/follow.ts';
import { createJustify } from './engine/justify.ts';
import { loadKnowledge } from './engine/knowledge/knowledge.ts';
import { byRulesAlone } from './engine/llm/justification.ts';
import { createLlm, type LlmParts } from './engine/llm/llm.ts';
import { createMakeScore, scoreHere } from './engine/making/make-score.ts';
import { createScoreCache } from './engine/making/score-cache.ts';
import { createScoringPool } from './engine/making/threads/pool.ts';
import { compareMemories } from './engine/memories/compare-memories.ts';
import { createMemories } from './engine/memories/memories.ts';
import { approvalsIn, createPolicies } from './engine/policies.ts';
import { createTurns } from './engine/turns.ts';
import { addGauges } from './gauges.ts';
import { createWaiting } from './holds/await-decision.ts';
import { createDecide, type Decide } from './holds/decide.ts';
import { heldEventsIn } from './holds/held-event.ts';
import { createAsk } from './llm/ask.ts';
import { createCheckLlm } from './llm/health.ts';
import { createDelegations, type Delegations } from './people/delegations.ts';
import { createOidc, type Oidc } from './people/oidc.ts';
import { createPeople, type People } from './people/people.ts';
import { createSessions, type Sessions } from './people/sessions.ts';
import type { Clock } from './platform/clock.ts';
import { measureDisk } from './platform/disk.ts';
import { createIntake, type Intake } from './platform/http/intake.ts';
import type { MetricsText } from './platform/http/metrics-endpoint.ts';
import { createOwnAddress, type OwnAddress } from './platform/http/own-address.ts';
import { createStreams } from './platform/http/streams.ts';
import type { Log } from './platform/log.ts';
import { createMetrics, type Metrics } from './platform/metrics.ts';
import type { Settings } from './platform/settings.ts';
import { VERSION } from './platform/version.ts';
import type { Knowledge } from './scoring/knowledge.ts';
import { sensitivityOf } from './scoring/sensitivity.ts';
import { createGraphs } from './storage/graphs.ts';
import { cacheBackends, chooseBackend, openDispatch, openExternalGraph, storageBackends } from './storage/index.ts';
import type { Cache } from './storage/ports/cache.ts';
import type { Graphs } from './storage/ports/graphs.ts';
import type { Storage } from './storage/ports/storage.ts';
import { createAdmission } from './tokens/admit.ts';
import { createKeyAccess, type KeyAccess } from './tokens/api-keys/access.ts';
import { type ApiKeys, createApiKeys } from './tokens/api-keys/api-keys.ts';
import { type Auth, createAuth } from './tokens/auth.ts';
import { createPermitEvent } from './tokens/enforce.ts';
import { createMasterKey, derivedKey } from './tokens/keys/master-key.ts';
import { createWebhooks, type Webhooks } from './webhooks/webhooks.ts';

export interface Parts extends Omit<ApiParts, 'started'>, MetricsText {
  api_keys: ApiKeys;
  auth: Auth;
  decide: Decide;
  people: People;
  sessions: Sessions;
  delegations: Delegations;
  /** `null`: no OpenID provider is configured. */
  oidc: Oidc | null;
  address: OwnAddress;
  webhooks: Webhooks;
  key_access: KeyAccess;
  evaluate_all_as: EvaluateAllAs;
  evaluate_accepted: EvaluateAccepted;
  metrics: Metrics;
  intake: Intake;
  /** Closes the stores. Call it when nothing uses them any more. */
  close(): Promise<void>;
}

/** Default number of scoring threads: one for crowds of small events, one for large events. */
const MAX_THREADS = 2;

export interface Surroundings {
  log: Log;
  clock: Clock;
  /** Whether this process announces work or waits for it; without, NATS is not needed. True by default. */
  has_dispatch?: boolean;
}

/** Each may be on a file system of its own. */
function dataFolders({ DATA_DIR, DATABASE_URL }: Settings): string[] {
  return DATABASE_URL === null ? [DATA_DIR, join(DATA_DIR, 'postgres')] : [DATA_DIR];
}

/**
 * The storage alone, for work beside a running server. Rejects with `StartError` when it cannot be used. `rules`: of the scores that
 * will be recorded, if any.
 */
export function openStorage(
  settings: Settings,
  notice: (text: string) => void,
  rules?: Pick<Knowledge, 'version' | 'rules'>,
): Promise<Storage> {
  return chooseBackend(storageBackends, settings).open(settings, notice, rules);
}

/** The cache alone, for work beside a running server. */
export function openCache(settings: Settings, notice: (text: string) => void): Promise<Cache> {
  const memory_key = derivedKey(createMasterKey(settings), 'memories');
  return chooseBackend(cacheBackends, settings).open(settings, notice, memory_key);
}

/** The language model of the settings; null where none is set up. */
function openLlm(parts: Omit<LlmParts, 'ask' | 'check' | 'model'>) {
  const { LLM_PROVIDER: provider, LLM_MODEL: model, LLM_API_KEY: api_key, LLM_BASE_URL: base_url } = parts.settings;
  if (provider === null || model === null) return null;
  const access = { model, api_key, base_url };
  const check = createCheckLlm(provider, access, parts.clock);
  return createLlm({ ...parts, ask: createAsk(provider, access), check, model });
}

/** The graphs that these settings choose, beside the one in the storage. */
export async function openGraphs(
  { GRAPH_ENABLED: enabled, GRAPH_DB_URL: url }: Pick<Settings, 'GRAPH_ENABLED' | 'GRAPH_DB_URL'>,
  storage: Storage,
  notice: (text: string) => void,
): Promise<Graphs> {
  const external = enabled ? await openExternalGraph(url, notice) : null;
  return createGraphs({ enabled, external, local: storage.graph });
}

/** `null` without `OIDC_ISSUER`. */
function openOidc(settings: Settings, address: OwnAddress, cookie_key: () => Promise<Buffer>): Oidc | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client_id, OIDC_CLIENT_SECRET: client_secret } = settings;
  if (issuer === null || client_id === null) return null;
  const { hostname, protocol } = new URL(issuer);
  const allow_http = protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return createOidc({ issuer, client_id, client_secret, public_url: address.url, cookie_key, allow_http });
}

/** Reads ontology and rules, opens the stores, and wires everything together. Rejects with `StartError` when it cannot. */
export async function compose(settings: Settings, { log, clock, has_dispatch = true }: Surroundings): Promise<Parts> {
  const notice = (text: string): void => log.warn(text);
  // Before any connection is opened: loading blocks the thread for a second, on a busy machine for several, and a connection in
  // progress would count that time as waiting for its server.
  const knowledge = await loadKnowledge({ is_structural: settings.GNN_ENABLED });
  const storage = await openStorage(settings, notice, knowledge);
  const cache = await openCache(settings, notice).catch(async (error: unknown) => {
    await storage.close();
    throw error;
  });
  const dispatch = has_dispatch ? await openDispatch(settings, notice) : null;
  const shared = { storage, knowledge };
  const graphs = await openGraphs(settings, storage, notice);
  const syncing = keepSynced({ graphs, knowledge, log });
  const policies = createPolicies(shared);
  const memories = createMemories({ storage, cache, clock });
  // A refusal by a person counts beyond its session, an approval takes its event out of what others are judged by.
  const forgetDecisions = storage.holds.onDecision((decided) => memories.decided(decided?.customer_id ?? null));
  const comparing = compareMemories({ storage, cache, log });
  const here = scoreHere(knowledge);
  const threads = settings.SCORING_THREADS ?? Math.min(MAX_THREADS, availableParallelism());
  const pool =
    threads === 0
      ? null
      : createScoringPool({
          threads,
          here,
          rule_set_version: knowledge.version,
          is_structural: settings.GNN_ENABLED,
          log,
          clock,
        });
  const key_access = createKeyAccess({
    store: storage.api_keys,
    prefix: settings.TOKEN_PREFIX,
    rate_limit_rpm: settings.RATE_LIMIT_RPM,
    customer_rate_limit_rpm: settings.CUSTOMER_RATE_LIMIT_RPM,
    clock,
    // Without Redis the cache is this process's own.
    ...(settings.REDIS_URL !== null && { shared: cache }),
  });
  const auth = createAuth({ store: storage.auth, findHeld: heldEventsIn(storage.holds), cache, clock, settings });
  const address = createOwnAddress(settings);
  const metrics = createMetrics();
  const turns = createTurns({ clock, onRefusal: (reason) => metrics.refused.inc({ reason }) });
  const intake = createIntake();
  const makeScore = createMakeScore(pool?.begin ?? here, createScoreCache(knowledge.version));
  const holding = {
    threshold: settings.HOLD_THRESHOLD,
    ttl_minutes: settings.HOLD_TTL_MINUTES,
    page: () => `${address.url()}/decide`,
  };
  const find_context = createFindContext({
    graphs,
    controls: storage.controls,
    knowledge,
    synced: syncing.tried,
    log,
  });
  const justify = createJustify({ ...shared, policies, clock, find_context });
  const llm = openLlm({ settings, ontology: knowledge.ontology, cache, clock, metrics, log });
  const reviewer = llm?.reviewer ?? null;
  const parts = { storage, policies, memories, makeScore, holding, clock, reviewer };
  const evaluate = countOutcomes(createEvaluate(parts), metrics, clock);
  const admission = createAdmission(
    createPermitEvent({ ...auth, sensitivityOf: (event) => sensitivityOf(event, knowledge.ontology) }),
    storage.auth.tokens,
  );
  const metrics_text = addGauges(metrics, {
    storage,
    cache,
    dispatch,
    turns,
    intake,
    clock,
    version: VERSION,
    rule_set_version: shared.knowledge.version,
  });
  return {
    ...shared,
    llm,
    auth,
    decide: createDecide({
      ...auth,
      holds: storage.holds,
      verify: auth.verify_override,
      people: storage.people,
      approvalsOf: approvalsIn(storage.policies),
    }),
    people: createPeople({ store: storage.people, audit: storage.auth.audit }),
    sessions: createSessions({ store: storage.people, clock, isSecure: () => address.url().startsWith('https:') }),
    delegations: createDelegations(storage.people),
    oidc: openOidc(settings, address, derivedKey(auth.master_key, 'sign-in')),
    address,
    webhooks: createWebhooks({
      store: storage.webhooks,
      master_key: auth.master_key,
      allow_private: settings.WEBHOOK_ALLOW_PRIVATE,
      has_mail: settings.SMTP_URL !== null && settings.SMTP_FROM !== null,
    }),
    waiting: createWaiting(storage),
    follow: createFollow(storage),
    streams: createStreams(),
    measure_disk: () => measureDisk(dataFolders(settings)),
    cache,
    dispatch,
    clock,
    policies,
    metrics,
    metrics_text,
    metrics_type: metrics.content_type,
    intake,
    evaluate_as: createEvaluateAs({ evaluate, admission, turns }),
    check_room: turns.checkRoom,
    evaluate_all_as: createEvaluateAllAs({ evaluate, admission, turns }),
    evaluate_accepted: createEvaluateAccepted({ evaluate, turns }),
    accept: createAccept({ queue: storage.queue, dispatch, permitAll: admission.permitAll }),
    justify: llm === null ? byRulesAlone(justify) : llm.writer(justify),
    graphs,
    find_path: createFindPath(graphs),
    controls: createControls({ store: storage.controls, graphs, policies, knowledge }),
    key_access,
    api_keys: createApiKeys({
      store: storage.api_keys,
      prefix: settings.TOKEN_PREFIX,
      onChange: key_access.keysChanged,
    }),
    close: async () => {
      await pool?.close();
      await syncing.stop();
      await graphs.close();
      forgetDecisions();
      await Promise.all([memories.drain(), comparing.stop()]);
      await Promise.all([storage.close(), cache.close(), dispatch?.close()]);
    },
  };
}
