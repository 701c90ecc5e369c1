/** Messages encoded by Weir, read by a real server. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type pg from 'pg';
import { connectTo, makeDatabase, NO_SERVER, type TestDatabase } from '../../../../test/support/test-database.ts';
import { RecordRefused } from '../../ports/storage.ts';
import { bulkQuery, type Parameter } from './bulk-query.ts';

const ECHO = {
  name: 'echo',
  text: 'select $1::text as one, $2::text[] as texts, $3::json[] as objects, $4::int4[] as large, $5::int2[] as small, $6::bool[] as flags',
};

describe('statements with columns of rows', { skip: NO_SERVER ?? false }, () => {
  let database: TestDatabase;
  let client: pg.Client;
  before(async () => {
    database = await makeDatabase();
    client = await connectTo(database.url);
  });
  after(async () => {
    await client?.end();
    await database?.drop();
  });

  test('every value arrives as it is', async () => {
    const text = fc
      .string({ unit: 'binary', maxLength: 40 })
      .filter((one) => !one.includes('\0') && one.isWellFormed());
    const rows = fc.record({
      one: text,
      texts: fc.array(fc.option(text)),
      objects: fc.array(fc.option(fc.dictionary(text, fc.integer()).map((object) => JSON.stringify(object)))),
      large: fc.array(fc.integer()),
      small: fc.array(fc.integer({ min: -32_768, max: 32_767 })),
      flags: fc.array(fc.boolean()),
    });
    await fc.assert(
      fc.asyncProperty(rows, async ({ one, texts, objects, large, small, flags }) => {
        const parameters: Parameter[] = [
          one,
          { type: 'text', items: texts },
          { type: 'json', items: objects },
          { type: 'int4', items: large },
          { type: 'int2', items: small },
          { type: 'bool', items: flags },
        ];
        const [row] = await bulkQuery(client, ECHO, parameters);
        const parsed = objects.map((object) => object && JSON.parse(object));
        assert.deepEqual(row, { one, texts, objects: parsed, large, small, flags });
      }),
    );
  });

  test('a large message after a small one, and the other way round', async () => {
    const statement = { name: 'lengths', text: 'select length(t) as n from unnest($1::text[]) as t' };
    for (const n of [1, 3_000_000, 2, 500_000, 3]) {
      const [row] = await bulkQuery(client, statement, [{ type: 'text', items: ['é'.repeat(n)] }]);
      assert.deepEqual(row, { n });
    }
  });

  test('an error of the server is reported, and the connection stays usable', async () => {
    const wrong = { name: 'wrong', text: 'select no_such_column from unnest($1::text[])' };
    const casts = { name: 'casts', text: 'select t::int as n from unnest($1::text[]) as t' };
    const items = (...texts: string[]): Parameter[] => [{ type: 'text', items: texts }];
    for (let i = 0; i < 2; i += 1) {
      await assert.rejects(bulkQuery(client, wrong, items('a')), { code: '42703' });
      await assert.rejects(bulkQuery(client, casts, items('x')), { code: '22P02' });
      assert.deepEqual(await bulkQuery(client, casts, items('7', '8')), [{ n: 7 }, { n: 8 }]);
    }
  });

  test('a number that does not fit is refused before anything is sent', async () => {
    const statement = { name: 'numbers', text: 'select $1::int2[]' };
    await assert.rejects(bulkQuery(client, statement, [{ type: 'int2', items: [40_000] }]), RecordRefused);
    assert.equal((await bulkQuery(client, statement, [{ type: 'int2', items: [4] }])).length, 1);
  });
});
