/**
 * Revoking tokens: a single one, or one with all its descendants. In force when the answer is sent, however long the
 * list of them.
 */
import { WeirError } from '../../platform/errors.ts';
import { parseUuid } from '../../platform/ids.ts';
import type { RevocationMode, RevocationStore } from '../../storage/ports/auth.ts';
import { type AuditAction, auditLine, type Requester } from '../audit.ts';
import type { RevocationView } from './view.ts';

export interface Revoke {
  /** Revokes this one token; tokens derived from it stay valid. Throws `not_found`. Repeating it changes nothing. */
  one(jti: string, reason: string | null, by: Requester): Promise<{ jti: string; revoked_at: string }>;
  /**
   * Revokes the token and all its descendants, including those that are being derived. Returns those that this call
   * revoked.
   */
  cascade(jti: string, reason: string | null, by: Requester): Promise<{ root_jti: string; revoked_jtis: string[] }>;
}

export function createRevoke(store: RevocationStore, view: Pick<RevocationView, 'expire'>): Revoke {
  const write = async (text: string, mode: RevocationMode, reason: string | null, by: Requester) => {
    const jti = parseUuid(text);
    const action: AuditAction = mode === 'single' ? 'token.revoked' : 'tree.revoked';
    const line = auditLine(by, action, { customer_id: null, subject: jti, details: { reason } });
    const revocation = jti === null ? null : await store.revoke(jti, mode, reason, line);
    if (revocation === null) throw new WeirError('not_found', { detail: 'there is no token with this jti' });
    view.expire();
    return revocation;
  };
  return {
    one: async (text, reason, by) => {
      const { jti, revoked_at } = await write(text, 'single', reason, by);
      return { jti, revoked_at };
    },
    cascade: async (text, reason, by) => {
      const revocation = await write(text, 'subtree', reason, by);
      const revoked_jtis: string[] = [];
      if (revocation.is_new) {
        await store.endedBy(revocation, (page) => {
          for (const jti of page) revoked_jtis.push(jti);
        });
      }
      return { root_jti: revocation.jti, revoked_jtis };
    },
  };
}
