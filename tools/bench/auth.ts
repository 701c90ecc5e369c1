/**
 * The auth service: verifying beside raw ES256 in the same run, by CPU time; deriving and cascading on a PostgreSQL. Read
 * the ratios; the rates are of the machine that ran it and whatever else it did.
 */
import { randomUUID, verify } from 'node:crypto';
import { heldEventsIn } from '../../src/holds/held-event.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { memoryCache } from '../../src/storage/memory/cache.ts';
import { openPostgres } from '../../src/storage/postgres/index.ts';
import { createAuth } from '../../src/tokens/auth.ts';
import type { IssuedToken } from '../../src/tokens/issue/issue.ts';
import { tokenKinds } from '../../src/tokens/kinds/index.ts';
import { parseJws, publicKeyFrom } from '../../src/tokens/verify/jws.ts';

const by = { actor: 'bench', request_id: 'bench' };
const RBAC = {
  allowed_actions: ['github:*', 'slack:channels:*', 'jira:issues:read'],
  denied_actions: ['github:*:delete'],
  allowed_resources: ['repository:*', 'channel:*'],
  denied_resources: ['*:prod'],
  max_sensitivity_level: 3,
};

export interface AuthFigures {
  /** Calls a second of CPU time. */
  raw: number;
  first_sight: number;
  repeat: number;
  derives_per_second: number;
  tree: number;
  cascade_ms: number;
  listed_ms: number;
}

/** Calls a second of this process's CPU time. */
async function rate(calls: number, work: (n: number) => unknown): Promise<number> {
  const start = process.cpuUsage();
  for (let n = 0; n < calls; n += 1) {
    const result = work(n);
    if (result instanceof Promise) await result;
  }
  const { user, system } = process.cpuUsage(start);
  return calls / ((user + system) / 1e6);
}

export async function measureAuth(database_url: string, is_quick: boolean): Promise<AuthFigures> {
  const storage = await openPostgres(database_url);
  try {
    const settings = {
      AUTH_SERVICE_NAME: 'weir-auth',
      TOKEN_PREFIX: 'weir',
      MASTER_KEY: 'bench',
      DATA_DIR: '.',
      AUTH_MAX_DELEGATION_DEPTH: 3,
    };
    const auth = createAuth({
      store: storage.auth,
      findHeld: heldEventsIn(storage.holds),
      cache: memoryCache(),
      clock: systemClock,
      settings,
    });
    const issue = (kind: string, body: object): Promise<IssuedToken> =>
      auth.issue(tokenKinds.find(({ name }) => name === kind)!, body as Record<string, unknown>, by);
    const customer_id = randomUUID();
    const app = await issue('app', { customer_id });
    const bearer = await issue('bearer', { customer_id, app_token_hash: app['token_hash'] });
    const agent = await issue('agent', { customer_id, bearer_jti: bearer.jti, agent_id: 'a', rbac: RBAC });
    const derive = (n: number): Promise<IssuedToken> =>
      issue('subagent', { customer_id, parent_agent_jti: agent.jti, agent_id: `s-${n}` });

    const tokens: string[] = [];
    const makers = 16;
    const count = is_quick ? 1_000 : 10_000;
    await Promise.all(Array.from({ length: 50 }, (_, n) => derive(n)));
    const started = performance.now();
    await Promise.all(
      Array.from({ length: makers }, async (_, maker) => {
        for (let n = maker; n < count; n += makers) tokens.push((await derive(n)).token);
      }),
    );
    const derives_per_second = count / ((performance.now() - started) / 1_000);

    const key = publicKeyFrom((await auth.keys.publicKey(customer_id)).public_key)!;
    const parsed = tokens.map((token) => parseJws(token.slice('weir_subagent_'.length))!);
    const signed = parsed.map((one) => Buffer.from(one.signed));
    const sample = is_quick ? 1_000 : 4_000;
    const raw = (n: number): boolean =>
      verify('sha256', signed[n % count]!, { key, dsaEncoding: 'ieee-p1363' }, parsed[n % count]!.signature);
    const good = (n: number): unknown => auth.verify(tokens[n]!, customer_id);
    await rate(300, raw);
    await rate(300, (n) => good(count - 1 - n));
    const raw_rates: number[] = [];
    const first_rates: number[] = [];
    // In turns, so that what else the machine does meets both.
    const slice = Math.floor((is_quick ? 600 : sample) / 4);
    for (let at = 0; at < 4; at += 1) {
      raw_rates.push(await rate(slice, (n) => raw(at * slice + n)));
      first_rates.push(await rate(slice, (n) => good(at * slice + n)));
    }
    const repeat = await rate(200_000, (n) => good(n % 500));

    const line = { customer_id, action: 'bench', actor: 'bench', request_id: 'bench', subject: null, details: {} };
    const leaves = parsed.slice(0, 20).map(({ payload }) => JSON.parse(payload.toString()).jti as string);
    for (const jti of leaves) await storage.auth.revocations.revoke(jti, 'subtree', null, line);
    const cascade_start = performance.now();
    const revocation = (await storage.auth.revocations.revoke(agent.jti, 'subtree', null, line))!;
    const cascade_ms = performance.now() - cascade_start;
    let tree = 0;
    await storage.auth.revocations.endedBy(revocation, (page) => {
      tree += page.length;
    });
    const listed_ms = performance.now() - cascade_start - cascade_ms;
    const middle = (rates: number[]): number => rates.toSorted((a, b) => a - b)[Math.floor(rates.length / 2)]!;
    return {
      raw: middle(raw_rates),
      first_sight: middle(first_rates),
      repeat,
      derives_per_second,
      tree,
      cascade_ms,
      listed_ms,
    };
  } finally {
    await storage.close();
  }
}
