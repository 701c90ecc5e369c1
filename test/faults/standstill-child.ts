/** Locks the row of a customer as a change of its policy does, says so, and goes no further. */
import { createPool, inTransaction } from '../../src/storage/postgres/connection/pool.ts';

const pool = createPool({ url: process.env['DATABASE_URL']! }, 1);
await inTransaction(pool, async (client) => {
  await client.query('select from customers where customer_id = $1 for update', [process.env['CUSTOMER_ID']]);
  console.log('locked');
  await new Promise((resolve) => setTimeout(resolve, 3_600_000));
});
