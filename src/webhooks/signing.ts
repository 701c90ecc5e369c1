/** Standard Webhooks signatures (standardwebhooks.com), through the project's own library. */
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** Between 24 and 64 bytes (specification, «Signature scheme»). */
const SECRET_BYTES = 32;

export function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/**
 * Headers of one attempt. Signed with every secret that is valid now: while a secret is being replaced, receivers may
 * know the old one or the new one.
 */
export function signedHeaders(
  message_id: string,
  sent_at: Date,
  body: string,
  secrets: readonly string[],
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'weir-webhooks',
    'webhook-id': message_id,
    'webhook-timestamp': String(Math.floor(sent_at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(message_id, sent_at, body)).join(' '),
  };
}
