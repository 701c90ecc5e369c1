/**
 * The outbox: publishes a webhook message in the transaction of the change it announces, so that both commit or
 * neither. A statement that makes many changes at once calls the SQL function itself: `select
 * publish_message(customer_id, 'event.held', event_id, json_build_object(…)) from changed`.
 */
import type pg from 'pg';

/** Channel on which `publish_message` announces messages to send. */
export const WEBHOOK_CHANNEL = 'weir_webhooks';

export interface MessageToPublish {
  customer_id: string;
  /** A type of webhooks/event-types.ts. */
  type: string;
  /** The subject; the caller holds its lock, so that messages about one subject are numbered in their order. */
  subject: string;
  data: Record<string, unknown>;
}

/** Announces messages that were there before and may be sent now. */
export async function ringWorkers(client: pg.PoolClient): Promise<void> {
  await client.query(`select pg_notify('${WEBHOOK_CHANNEL}', '')`);
}

/**
 * Returns the message's id, `null` when no endpoint subscribes to it. `only_to`: this endpoint, whatever it subscribes
 * to.
 */
export async function publishMessage(
  client: pg.PoolClient,
  { customer_id, type, subject, data }: MessageToPublish,
  only_to: string | null = null,
): Promise<string | null> {
  const { rows } = await client.query<{ message_id: string | null }>(
    'select publish_message($1, $2, $3, $4, $5) as message_id',
    [customer_id, type, subject, JSON.stringify(data), only_to],
  );
  return rows[0]!.message_id;
}
