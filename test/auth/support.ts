/** The auth service in this process, on a real PostgreSQL, and a short way to issue tokens. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Who } from '../../src/holds/approval.ts';
import { createDecide, type Decided, type DecisionRequest } from '../../src/holds/decide.ts';
import { heldEventsIn } from '../../src/holds/held-event.ts';
import { type Clock, systemClock } from '../../src/platform/clock.ts';
import { WeirError } from '../../src/platform/errors.ts';
import { memoryCache } from '../../src/storage/memory/cache.ts';
import type { Cache } from '../../src/storage/ports/cache.ts';
import type { Storage } from '../../src/storage/ports/storage.ts';
import type { Requester } from '../../src/tokens/audit.ts';
import { type Auth, createAuth } from '../../src/tokens/auth.ts';
import type { IssuedToken } from '../../src/tokens/issue/issue.ts';
import { tokenKinds } from '../../src/tokens/kinds/index.ts';
import type { VerifiedToken } from '../../src/tokens/verify/verify.ts';

export const by = { actor: 'test', request_id: 'r-1' };

const SETTINGS = {
  AUTH_SERVICE_NAME: 'weir-auth',
  TOKEN_PREFIX: 'weir',
  MASTER_KEY: 'a master key for tests',
  DATA_DIR: '/nowhere',
  AUTH_MAX_DELEGATION_DEPTH: 3,
};

/** `decide` of somebody with a key; a test may name another. */
export type Service = Auth & {
  decide: (
    event_id: string,
    request: Omit<DecisionRequest, 'customer_id'> & { customer_id?: string },
    by: Requester,
    who?: Who,
  ) => Promise<Decided>;
};

export const KEY_HOLDER: Who = {
  decider: { kind: 'api_key', id: 'k', name: null, email: null, signed_in: 'api_key', address: '127.0.0.1' },
  person: null,
};

export function makeAuth(
  storage: Pick<Storage, 'auth' | 'holds' | 'people'>,
  parts: { cache?: Cache; clock?: Clock; settings?: Partial<typeof SETTINGS> } = {},
): Service {
  const { cache = memoryCache(), clock = systemClock, settings = {} } = parts;
  const auth = createAuth({
    store: storage.auth,
    findHeld: heldEventsIn(storage.holds),
    cache,
    clock,
    settings: { ...SETTINGS, ...settings },
  });
  const { holds, people } = storage;
  const approvalsOf = async () => [];
  const decide = createDecide({ ...auth, holds, people, approvalsOf, verify: auth.verify_override });
  return {
    ...auth,
    decide: async (event_id, request, by, who = KEY_HOLDER) =>
      (await decide(event_id, { customer_id: null, ...request }, by, who)) as Decided,
  };
}

/** A clock that a test moves, for what is believed for less than a second; a still one moves in no other way. */
export function steppedClock(isStill = false): Clock & { step: (ms: number) => void } {
  let extra = 0;
  const [now, ticks] = [Date.now(), performance.now()];
  return {
    now: () => (isStill ? now : Date.now()) + extra,
    ticks: () => (isStill ? ticks : performance.now()) + extra,
    step: (ms) => {
      extra += ms;
    },
  };
}

export const ALL_RIGHTS = { allowed_actions: ['*'], allowed_resources: ['*'], max_sensitivity_level: 4 };

export function issue(auth: Auth, kind: string, body: Record<string, unknown>): Promise<IssuedToken> {
  return auth.issue(tokenKinds.find(({ name }) => name === kind)!, body, by);
}

export interface Family {
  customer_id: string;
  app: IssuedToken;
  bearer: IssuedToken;
  agent: IssuedToken;
}

/** A new customer with a tree of three. */
export async function makeFamily(auth: Auth, rbac: object = ALL_RIGHTS): Promise<Family> {
  const customer_id = randomUUID();
  const app = await issue(auth, 'app', { customer_id, name: 'n' });
  const bearer = await issue(auth, 'bearer', { customer_id, app_token_hash: app['token_hash'] });
  const agent = await issue(auth, 'agent', { customer_id, bearer_jti: bearer.jti, agent_id: 'a-1', rbac });
  return { customer_id, app, bearer, agent };
}

export const subagentOf = (auth: Auth, customer_id: string, parent_agent_jti: string, parts: object = {}) =>
  issue(auth, 'subagent', { customer_id, parent_agent_jti, agent_id: 's-1', ...parts });

export const sessionOf = (auth: Auth, customer_id: string, parent_jti: string, parts: object = {}) =>
  issue(auth, 'session', { customer_id, parent_jti, session_id: 'ses-1', ...parts });

/** The code of the failure, or `ok`. */
export async function outcomeOf(work: () => unknown): Promise<string> {
  try {
    await work();
    return 'ok';
  } catch (error) {
    if (error instanceof WeirError) return error.code;
    throw error;
  }
}

export async function assertGood(auth: Auth, token: IssuedToken): Promise<VerifiedToken> {
  const verified = await auth.verify(token.token, token.customer_id);
  assert.equal(verified.jti, token.jti);
  return verified;
}

export async function assertBad(auth: Auth, token: IssuedToken, words?: RegExp): Promise<void> {
  await assert.rejects(
    async () => auth.verify(token.token, token.customer_id),
    (error: unknown) => {
      assert.ok(error instanceof WeirError && error.code === 'unauthenticated', String(error));
      if (words !== undefined) assert.match(error.detail, words);
      return true;
    },
  );
}
