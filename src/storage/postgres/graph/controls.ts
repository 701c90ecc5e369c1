/** Controls and internal policies of customers: the truth, of which other graphs have copies. */
import type pg from 'pg';
import type { ControlStore, CustomerControl, CustomerControls } from '../../ports/graph.ts';
import { takeTurn } from '../auth/customers.ts';
import { inTransaction, query } from '../connection/pool.ts';

export interface ControlsRow {
  revision: number;
  controls: CustomerControl[];
}

/** Two columns: the revision of the customer, and its controls in the order of their ids. */
export const controlsSql = (customer: string): string => `
  coalesce((select revision from customer_control_revisions where customer_id = ${customer}), 0) as revision,
  (select coalesce(json_agg(json_build_object('control_id', control_id, 'kind', kind, 'name', name, 'description', description,
    'articles', articles, 'rules', rules) order by control_id), '[]') from customer_controls where customer_id = ${customer}) as controls`;

export const controlsOf = ({ revision, controls }: ControlsRow): CustomerControls => ({ revision, controls });

export function controlStore(pool: pg.Pool): ControlStore {
  const all = async (from: pg.Pool | pg.PoolClient, customer_id: string): Promise<CustomerControls> => {
    const text = `select ${controlsSql('$1::uuid')}`;
    const rows =
      'release' in from
        ? (await from.query<ControlsRow>(text, [customer_id])).rows
        : await query<ControlsRow>(from, text, [customer_id]);
    return controlsOf(rows[0]!);
  };
  return {
    put: (customer_id, controls, most) =>
      inTransaction(pool, async (client) => {
        await takeTurn(client, customer_id);
        const { rows } = await client.query<{ others: number }>(
          `select count(*)::int as others from customer_controls where customer_id = $1 and not control_id = any ($2::text[])`,
          [customer_id, controls.map(({ control_id }) => control_id)],
        );
        if (rows[0]!.others + controls.length > most) return null;
        await client.query(
          `insert into customer_control_revisions as r (customer_id, revision) values ($1, 1)
           on conflict (customer_id) do update set revision = r.revision + 1`,
          [customer_id],
        );
        await write(client, customer_id, controls);
        return all(client, customer_id);
      }),

    remove: (customer_id, control_id) =>
      inTransaction(pool, async (client) => {
        await takeTurn(client, customer_id);
        const { rowCount } = await client.query(
          'delete from customer_controls where customer_id = $1 and control_id = $2',
          [customer_id, control_id],
        );
        if (rowCount === 0) return null;
        await client.query('update customer_control_revisions set revision = revision + 1 where customer_id = $1', [
          customer_id,
        ]);
        return all(client, customer_id);
      }),

    all: (customer_id) => all(pool, customer_id),

    async revision(customer_id) {
      const rows = await query<{ revision: number }>(
        pool,
        'select revision from customer_control_revisions where customer_id = $1',
        [customer_id],
      );
      return rows[0]?.revision ?? 0;
    },
  };
}

/** Makes these the customer's only controls, unless a newer revision is there. */
export async function replaceControls(
  client: pg.PoolClient,
  customer_id: string,
  revision: number,
  controls: readonly CustomerControl[],
): Promise<void> {
  await takeTurn(client, customer_id);
  const { rowCount } = await client.query(
    `insert into customer_control_revisions as r (customer_id, revision) values ($1, $2)
     on conflict (customer_id) do update set revision = excluded.revision where r.revision < excluded.revision`,
    [customer_id, revision],
  );
  if (rowCount === 0) return;
  await client.query('delete from customer_controls where customer_id = $1', [customer_id]);
  await write(client, customer_id, controls);
}

async function write(client: pg.PoolClient, customer_id: string, controls: readonly CustomerControl[]): Promise<void> {
  await client.query(
    `insert into customer_controls (customer_id, control_id, kind, name, description, articles, rules)
     select $1, c.control_id, c.kind, c.name, c.description, c.articles, c.rules
     from json_to_recordset($2::json)
       as c (control_id text, kind text, name text, description text, articles text[], rules text[])
     on conflict (customer_id, control_id) do update set kind = excluded.kind, name = excluded.name,
       description = excluded.description, articles = excluded.articles, rules = excluded.rules`,
    [customer_id, JSON.stringify(controls)],
  );
}
