/** Sequences of issuing, revoking and waiting, with what must be alive after every step, on two nodes and one database. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { sha256 } from '../../src/platform/ids.ts';
import { memoryCache } from '../../src/storage/memory/cache.ts';
import type { Auth } from '../../src/tokens/auth.ts';
import type { IssuedToken } from '../../src/tokens/issue/issue.ts';
import { tokenKinds } from '../../src/tokens/kinds/index.ts';
import type { TokenKind } from '../../src/tokens/kinds/kind.ts';
import { sharedFile } from '../support/shared.ts';
import { NO_SERVER, useNodes } from '../support/test-database.ts';
import { ALL_RIGHTS, by, makeAuth, outcomeOf, steppedClock } from './support.ts';

interface Step {
  op: 'create' | 'delete' | 'cascade' | 'advance' | 'flush_cache' | 'bloom_rebuild' | 'kill_and_restart';
  name?: string;
  kind?: string;
  parent?: string;
  target?: string;
  ttl_s?: number;
  seconds?: number;
  expect_status?: string | number;
  expect?: Record<string, unknown>;
  live_after: string[];
  dead_after: string[];
}

const CODES: Record<string, string> = { '400': 'invalid', '401': 'unauthenticated', '404': 'not_found' };
const NOWHERE = '00000000-0000-4000-8000-000000000000';

const file = sharedFile('vectors/token-tree.json');
const cases =
  file === null
    ? []
    : (JSON.parse(readFileSync(file, 'utf8')) as { tests: { id: string; name: string; steps: Step[] }[] }).tests;
const skip = NO_SERVER ?? (file === null ? 'no ../shared/vectors/token-tree.json' : false);

describe('token trees', { skip }, () => {
  const nodes = useNodes();

  for (const one of cases) test(`${one.id} ${one.name}`, () => run(one.steps));

  async function run(steps: Step[]): Promise<void> {
    const clock = steppedClock();
    const cache = memoryCache();
    const start = (): [Auth, Auth] => [
      makeAuth(nodes.storages[0], { cache, clock }),
      makeAuth(nodes.storages[1], { cache, clock }),
    ];
    let [issuer, verifier] = start();
    const customer_id = crypto.randomUUID();
    const tokens = new Map<string, IssuedToken>();
    const jtiOf = (name: string | undefined): string => tokens.get(name ?? '')?.jti ?? NOWHERE;
    const nameOf = (jti: string): string => [...tokens].find(([, token]) => token.jti === jti)![0];
    let elapsed_s = 0;
    await advance(0);

    async function advance(seconds: number): Promise<void> {
      elapsed_s += seconds;
      await nodes.database.run(
        `create or replace function auth_now() returns timestamptz language sql volatile
         as $$ select clock_timestamp() + interval '${elapsed_s} seconds' $$`,
      );
    }

    /** Life times of the vectors are whole minutes, so every kind is made with a life of minutes here. */
    async function create({ name, kind, parent, ttl_s, expect }: Step): Promise<void> {
      const reference: Record<string, object> = {
        app: {},
        bearer: { app_token_hash: sha256(tokens.get(parent ?? '')?.token ?? 'nothing') },
        agent: { bearer_jti: jtiOf(parent), agent_id: name, rbac: ALL_RIGHTS },
        subagent: { parent_agent_jti: jtiOf(parent), agent_id: name },
        session: { parent_jti: jtiOf(parent), session_id: name },
      };
      const known = tokenKinds.find((one) => one.name === kind)!;
      const in_minutes: TokenKind = { ...known, ttl: { field: 'ttl_minutes', default: ttl_s! / 60 } };
      const made = await issuer.issue(in_minutes, { customer_id, ...reference[kind!] }, by);
      tokens.set(name!, made);
      const life_s = (Date.parse(made.expires_at) - Date.parse(await nodes.storages[0].auth.tokens.now())) / 1_000;
      assert.ok(life_s <= Number(expect?.['expires_at_max'] ?? ttl_s), `${name}: ${life_s} s`);
      const depth = expect?.['delegation_depth'];
      if (depth !== undefined) assert.equal(made['delegation_depth'], depth);
    }

    for (const step of steps) {
      const expected = CODES[String(step.expect_status)] ?? 'ok';
      const shown = JSON.stringify(step);
      if (step.op === 'create') {
        assert.equal(await outcomeOf(() => create(step)), expected, shown);
      } else if (step.op === 'delete') {
        assert.equal(await outcomeOf(() => issuer.revoke.one(jtiOf(step.target), null, by)), expected, shown);
      } else if (step.op === 'cascade') {
        assert.equal(
          await outcomeOf(async () => {
            const { revoked_jtis } = await issuer.revoke.cascade(jtiOf(step.target), null, by);
            const names = revoked_jtis.map(nameOf);
            for (const name of (step.expect?.['revoked_jtis_must_include'] ?? []) as string[])
              assert.ok(names.includes(name), `${name} in ${names}`);
            for (const name of (step.expect?.['revoked_jtis_must_not_include'] ?? []) as string[])
              assert.ok(!names.includes(name), `${name} not in ${names}`);
            assert.equal(new Set(names).size, names.length);
          }),
          expected,
          shown,
        );
      } else if (step.op === 'advance') await advance(step.seconds!);
      else if (step.op === 'flush_cache') await cache.delete('revocations:filter');
      else if (step.op === 'bloom_rebuild') await issuer.view.rebuild();
      else [issuer, verifier] = start();

      // What was revoked on one node is revoked on the other within a second.
      clock.step(1_000);
      const check = async (name: string, is_live: boolean): Promise<void> => {
        const token = tokens.get(name)!;
        const { active } = await verifier.introspect(token.token);
        assert.equal(active, is_live, `${name} after ${shown}`);
        if (!/^weir_(agent|subagent|session)_/.test(token.token)) return;
        const code = await outcomeOf(() => verifier.verify(token.token, customer_id));
        assert.equal(code, is_live ? 'ok' : 'unauthenticated', `${name} after ${shown}`);
      };
      await Promise.all([
        ...step.live_after.map((name) => check(name, true)),
        ...step.dead_after.map((name) => check(name, false)),
      ]);
    }
  }
});
