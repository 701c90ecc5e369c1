/** A score whose texts somebody lost, as in a restore of some tables: it says so, and everything beside it is as ever. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call } from '../support/client.ts';
import { startHostedWeir } from '../support/hosted-weir.ts';
import { makeDatabase, NO_SERVER } from '../support/test-database.ts';

const EVENT = { event_id: 'old', action: 'db:prod:drop', timestamp: '2026-05-01T12:00:00Z' };

test('a score whose texts are lost', { skip: NO_SERVER ?? false }, async () => {
  const database = await makeDatabase();
  try {
    const weir = await startHostedWeir({ env: { DATABASE_URL: database.url } });
    const get = (path: string) => call(`${weir.api}${path}`, { key: weir.api_key });
    const post = (body: unknown) => call(`${weir.api}/events`, { key: weir.api_key, body });
    const before = (await post(EVENT)).json as { score: number; reasoning: string };
    await database.run(
      `update events set assessment = regexp_replace(assessment, '"texts":"[^"]+"', '"texts":"v-gone"')`,
    );
    await post({ ...EVENT, event_id: 'new' });

    const found = await get('/scores/event/old');
    assert.equal(found.status, 200);
    const { reasoning, final_score } = found.json as { reasoning: string; final_score: number };
    assert.equal(final_score, before.score);
    assert.ok(reasoning.startsWith(before.reasoning));
    assert.match(reasoning, /rule_texts lacks the version `v-gone`/);
    const { scores } = (await get(`/scores/${weir.customer_id}`)).json as { scores: { event_id: string }[] };
    assert.deepEqual(
      scores.map(({ event_id }) => event_id),
      ['new', 'old'],
    );
    assert.equal((await post(EVENT)).status, 200);
    const justification = await get('/justification?event_id=old');
    assert.equal(justification.status, 500);
    assert.match(String(justification.json['detail']), /rule_texts lacks the version `v-gone`/);
    assert.equal((await get('/justification?event_id=new')).status, 200);
    assert.match(weir.stdout() + weir.stderr(), /rule_texts lacks the version `v-gone`/);
    await weir.stop();
  } finally {
    await database.drop();
  }
});
