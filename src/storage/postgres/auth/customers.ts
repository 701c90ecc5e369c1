/** Customers: a row for each that is known, which is also where changes of one customer wait for each other. */
import type pg from 'pg';

/** Everything else of a customer refers to this row. */
export async function makeKnown(client: pg.PoolClient, customer_id: string): Promise<void> {
  await client.query('insert into customers (customer_id) values ($1) on conflict do nothing', [customer_id]);
}

/**
 * Makes the customer known, and until the end of the transaction nobody else passes here for it. Rows that only refer to the
 * customer are written meanwhile. The next statement has a newer snapshot, so it sees what the one before us changed.
 */
export async function takeTurn(client: pg.PoolClient, customer_id: string): Promise<void> {
  await makeKnown(client, customer_id);
  await client.query('select from customers where customer_id = $1 for no key update', [customer_id]);
}
