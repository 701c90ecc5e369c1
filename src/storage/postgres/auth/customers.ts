/** Customers: one row each, which also serialises changes of one customer. */
import type pg from 'pg';

/** Everything else of a customer refers to this row. */
export async function makeKnown(client: pg.PoolClient, customer_id: string): Promise<void> {
  await client.query('insert into customers (customer_id) values ($1) on conflict do nothing', [customer_id]);
}

/**
 * Creates the customer if needed, and locks its row until the end of the transaction. Rows that only refer to the
 * customer can be written meanwhile. The next statement has a newer snapshot, so it sees the changes of the previous
 * lock holder.
 */
export async function takeTurn(client: pg.PoolClient, customer_id: string): Promise<void> {
  await makeKnown(client, customer_id);
  await client.query('select from customers where customer_id = $1 for no key update', [customer_id]);
}
