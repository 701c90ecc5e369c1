/**
 * Three API nodes on one PostgreSQL are restarted in turn under load: every request is answered, and every
 * answer is kept. What a balancer may send elsewhere is only what never reached a node: a refused connection.
 * `TEST_ROUNDS` sets how often all three are restarted (default 1).
 */
import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS } from '../support/patience.ts';
import { rounds } from '../support/rounds.ts';
import { makeDatabase, NO_SERVER } from '../support/test-database.ts';
import { startWeir, type Weir } from '../support/weir.ts';

const ROUNDS = rounds(1);
const CLIENTS = 24;
/** Of a client between two requests while nothing stops: the start of a node is not to wait for a processor that they keep busy. */
const PAUSE_MS = 50;
const KEY = {
  BOOTSTRAP_CUSTOMER_ID: '0197a2c4-7e10-7c00-8000-0000000000ae',
  BOOTSTRAP_API_KEY: 'weir_key_A7dQm2Xv9LsKpR4tYbN8wZcJ3hGfE6uTqVxW5yB1nMo',
};
const agent = new Agent({ keepAlive: true });

/** Status of one POST; rejects with the socket's error. */
function post(url: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-api-key': KEY.BOOTSTRAP_API_KEY };
    const sent = request(`${url}/events`, { method: 'POST', agent, headers }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode!));
      answer.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

describe('rolling restart', { skip: NO_SERVER ?? false, timeout: PATIENCE_MS + ROUNDS * 60_000 }, () => {
  test('three nodes restarted in turn under load lose no request', async () => {
    const database = await makeDatabase();
    const env = { ...KEY, DATABASE_URL: database.url };
    const start = () => startWeir({ env, roles: 'api' });
    const nodes: Weir[] = [await start(), await start(), await start()];
    const answered: string[] = [];
    const lost: string[] = [];
    let is_over = false;
    /** Nothing stops at the moment. */
    let is_calm = true;

    /** Sends to the nodes in turn; only a refused connection goes to the next. */
    async function balanced(event_id: string, first: number): Promise<void> {
      for (let i = 0; i < 50; i += 1) {
        const node = nodes[(first + i) % nodes.length]!;
        try {
          const status = await post(node.api, JSON.stringify({ event_id, action: 'repo:code:read' }));
          if (status === 200) answered.push(event_id);
          else lost.push(`${event_id}: ${status}`);
          return;
        } catch (error) {
          const { code } = error as NodeJS.ErrnoException;
          if (code !== 'ECONNREFUSED') {
            lost.push(`${event_id}: ${code}`);
            return;
          }
          if (i % nodes.length === nodes.length - 1) await sleep(10);
        }
      }
      lost.push(`${event_id}: nobody took it`);
    }

    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let n = 0; !is_over; n += 1) {
        await balanced(`c${client}-${n}`, client + n);
        if (is_calm) await sleep(PAUSE_MS);
      }
    });
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        for (let i = 0; i < nodes.length; i += 1) {
          const next = await start();
          is_calm = false;
          // Until all clients ask without a pause.
          await sleep(300);
          const old = nodes[i]!;
          nodes[i] = next;
          const { code } = await old.stop();
          assert.equal(code, 0);
          is_calm = true;
        }
      }
      await sleep(300);
      is_over = true;
      await Promise.all(clients);
      assert.deepEqual(lost.slice(0, 10), [], `${lost.length} of ${answered.length + lost.length} requests were lost`);
      assert.ok(answered.length > 100, `the load must reach the nodes; answered: ${answered.length}`);
      const rows = await database.run('select event_id from events');
      assert.deepEqual(new Set(rows.map((row) => row['event_id'])), new Set(answered));
    } finally {
      is_over = true;
      agent.destroy();
      for (const node of nodes) await node.stop();
      await database.drop();
    }
  });
});
