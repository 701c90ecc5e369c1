/** The lock of one endpoint. */
import type pg from 'pg';
import type { WebhookKey } from '../../ports/webhooks.ts';

/** Locks the endpoint until the end of the transaction; false: there is no such endpoint. */
export async function hold(client: pg.PoolClient, { webhook_id, customer_id }: WebhookKey): Promise<boolean> {
  const { rowCount } = await client.query(
    'select from webhooks where webhook_id = $1 and customer_id = $2 for no key update',
    [webhook_id, customer_id],
  );
  return rowCount === 1;
}
