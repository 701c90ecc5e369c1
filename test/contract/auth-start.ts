/** Keys and tokens to put into a store. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { AuditEntry, AuthStore, NewKey, NewToken, ParentToken } from '../../src/storage/ports/auth.ts';

export function auditOf(action = 'test', subject: string | null = null): AuditEntry {
  return { customer_id: null, action, actor: 'test', request_id: 'r-1', subject, details: { text: 'ä "\\' } };
}

export function makeKey(customer_id: string): NewKey {
  return {
    key_id: randomUUID(),
    customer_id,
    public_key: `PEM ${randomUUID()}`,
    private_key: randomBytes(40),
    data_key: randomBytes(40),
    master_key_id: 'm-1',
  };
}

/** A root when there is no parent. Lives for an hour or as long as its parent. */
export function makeToken(
  customer_id: string,
  parent: Pick<NewToken, 'jti' | 'path' | 'expires_at'> | null = null,
  parts: Partial<NewToken> = {},
): NewToken {
  const jti = randomUUID();
  const hour = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 3_600_000).toISOString();
  return {
    jti,
    customer_id,
    kind: parent === null ? 'app' : 'agent',
    parent_jti: parent?.jti ?? null,
    path: [...(parent?.path ?? []), jti],
    delegation_depth: 0,
    issued_at: new Date().toISOString(),
    expires_at: parent?.expires_at ?? hour,
    key_id: null,
    token_hash: randomBytes(32).toString('hex'),
    rbac: parent === null ? null : { allowed_actions: ['a:b:c'] },
    details: { name: 'n' },
    max_events: null,
    ...parts,
  };
}

/** Writes tokens one below the other and answers them, the root first. */
export async function makeChain(store: AuthStore, customer_id: string, length: number): Promise<NewToken[]> {
  const chain: NewToken[] = [];
  for (let n = 0; n < length; n += 1) {
    const token = makeToken(customer_id, chain.at(-1) ?? null);
    if (!(await store.tokens.insert(token, auditOf('token.issued', token.jti)))) throw new Error('not inserted');
    chain.push(token);
  }
  return chain;
}

/** Names of the states, in order. */
export async function statesOf(store: AuthStore, tokens: readonly { jti: string }[]): Promise<ParentToken['state'][]> {
  const found = await Promise.all(tokens.map(({ jti }) => store.tokens.find(jti)));
  return found.map((one) => one!.state);
}

export async function revoke(store: AuthStore, jti: string, mode: 'single' | 'subtree') {
  return (await store.revocations.revoke(jti, mode, null, auditOf('revoked', jti)))!;
}

export async function endedBy(store: AuthStore, jti: string): Promise<string[]> {
  const ended: string[] = [];
  const revocation = await revoke(store, jti, 'subtree');
  if (revocation.is_new) await store.revocations.endedBy(revocation, (page) => void ended.push(...page));
  return ended.sort();
}
