/** The queue of decisions on the command line, beside a running server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call } from '../support/client.ts';
import { sharedWeir } from '../support/shared-weir.ts';
import { type RunOptions, weir as run } from './support.ts';

const server = await sharedWeir();
const env: NonNullable<RunOptions['env']> = {
  DATA_DIR: server.data_dir,
  DATABASE_URL: '',
  REDIS_URL: '',
  LOG_LEVEL: 'warn',
};
const api = (path: string, body?: unknown) =>
  call(`${server.api}${path}`, { key: server.api_key, ...(body !== undefined && { body }) });

await api(`/policies/${server.customer_id}`, { blocked_actions: ['db:prod:drop'] });
for (const [event_id, agent_id] of [
  ['first', 'a-1'],
  ['second', 'a-2'],
])
  await api('/events', {
    event_id,
    action: 'db:prod:drop',
    agent: { agent_id },
    session: { user_id: 'ann\u001b[31m' },
    target: { resource_type: 'table', resource_id: 'orders' },
  });

const holds = (...args: string[]) => run(['holds', ...args, '--customer', server.customer_id], { env });

test('lists, shows, approves and rejects, each event once', async () => {
  const listed = await holds('list');
  assert.deepEqual([listed.code, listed.stderr], [0, '']);
  assert.match(listed.stdout, /^score +event +action +agent +user +target +reason\n/);
  assert.match(listed.stdout, /first +db:prod:drop +a-1 +ann \[31m +table:orders +\S/);
  assert.doesNotMatch(listed.stdout, /\u001b/);

  const of_agent = JSON.parse((await holds('list', '--agent', 'a-2', '--json')).stdout) as {
    scores: { event_id: string }[];
    total: number;
  };
  assert.deepEqual([of_agent.total, of_agent.scores[0]!.event_id], [1, 'second']);

  const shown = await holds('show', 'first');
  assert.match(shown.stdout, /^event +first\naction +db:prod:drop\nscore +\d+ \(critical\)\nhold +held, until /);

  const approved = await holds('approve', 'first', '--reason', 'planned');
  assert.match(approved.stdout, /^The event first is approved, since /, approved.stderr);
  const hold = (await api('/scores/event/first')).json['hold'] as Record<string, unknown>;
  assert.deepEqual([hold['state'], hold['reason']], ['approved', 'planned']);
  const decided = (await holds('show', 'first')).stdout;
  assert.match(decided, /^decided {5}\d{4}-\S+\ndecided by {2}\S+ \(shell\)\nreason {6}planned$/m);
  const again = await holds('reject', 'first');
  assert.equal(again.code, 1);
  assert.match(again.stderr, /^weir: this event was approved at .*, and that stands\n$/);

  assert.equal((await holds('reject', 'second', '--json')).code, 0);
  assert.equal((await holds('list')).stdout, 'No event is held.\n');
  assert.match((await holds('list', '--state', 'rejected', '--action', 'db:*')).stdout, /second/);
});

test('what cannot be done is said', async () => {
  assert.match((await holds('show', 'nobody')).stderr, /^weir: this customer has no scored event with this event_id/);
  assert.match((await holds('approve', 'nobody')).stderr, /^weir: this customer has no event with this event_id/);
  assert.equal((await holds('list', '--action', 'a**')).code, 2);
  assert.equal((await run(['holds', 'list'], { env })).code, 2);
});
