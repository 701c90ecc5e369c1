/** Families of tokens that are issued and revoked until the server is gone, and what of that was acknowledged. */
import { KNOWN_CUSTOMER } from './journal.ts';
import type { Weir } from './weir.ts';

const ADMIN_KEY = 'admin-key-of-the-test-0123456789';
/** Settings of a server that `revokeFamilies` may manage. */
export const MANAGED = { ...KNOWN_CUSTOMER, AUTH_ADMIN_KEY: ADMIN_KEY };

/** A token that was issued, and whether its revocation was acknowledged. */
export interface Issued {
  token: string;
  revoked: boolean;
}

async function manage(weir: Weir, path: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${weir.auth}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${ADMIN_KEY}` },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}

/** Issues an agent's token with a child, and revokes both by one cascade, until the server is gone. */
export async function revokeFamilies(weir: Weir, issued: Issued[], is_over: () => boolean): Promise<void> {
  const customer_id = KNOWN_CUSTOMER.BOOTSTRAP_CUSTOMER_ID;
  const rbac = { allowed_actions: ['*'], allowed_resources: ['*'], max_sensitivity_level: 4 };
  while (!is_over()) {
    try {
      const app = await manage(weir, '/tokens/app', { customer_id });
      const bearer = await manage(weir, '/tokens/bearer', { customer_id, app_token_hash: app['token_hash'] });
      const agent = await manage(weir, '/tokens/agent', {
        customer_id,
        bearer_jti: bearer['jti'],
        agent_id: 'a',
        rbac,
      });
      const parent = { customer_id, parent_agent_jti: agent['jti'] };
      const child = await manage(weir, '/tokens/subagent', { ...parent, agent_id: 'b' });
      const family = [agent, child].map(({ token }) => ({ token: String(token), revoked: false }));
      issued.push(...family);
      await manage(weir, `/revoke/cascade/${agent['jti']}`, {});
      for (const one of family) one.revoked = true;
    } catch {
      // The connection broke, or the database is away: nothing was acknowledged.
    }
  }
}

/** What the auth service says of a token. */
export async function isActive(weir: Weir, token: string): Promise<boolean> {
  return (await manage(weir, '/tokens/introspect', { token }))['active'] === true;
}
