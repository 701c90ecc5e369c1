import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toOcsf } from './ocsf.ts';

const entry = {
  audit_id: 7,
  at: '2026-01-15T10:00:00.123456Z',
  customer_id: '0198a6c2-7d5e-7c41-b1f4-2f1f0c6a9e10',
  action: 'decision.refused',
  actor: 'operator@127.0.0.1',
  request_id: 'r-1',
  subject: 'e-1',
  seq: 3,
  hash: 'f'.repeat(64),
  details_text: '{"code":"forbidden"}',
};

test('a refusal is a failure of API Activity, with its caller, address, subject and place in the chain', () => {
  const event = toOcsf(entry, '1.2.3');
  assert.deepEqual(
    [
      event['class_uid'],
      event['category_uid'],
      event['activity_id'],
      event['type_uid'],
      event['status_id'],
      event['severity_id'],
    ],
    [6003, 6, 3, 600303, 2, 4],
  );
  assert.equal(event['time'], Date.parse('2026-01-15T10:00:00.123Z'));
  assert.deepEqual(event['src_endpoint'], { ip: '127.0.0.1' });
  assert.deepEqual(event['actor'], { user: { name: 'operator', type_id: 0, type: 'Unknown' } });
  assert.deepEqual(event['resources'], [{ uid: 'e-1', type: 'decision' }]);
  const metadata = event['metadata'] as Record<string, unknown>;
  assert.deepEqual([metadata['version'], metadata['sequence'], metadata['uid']], ['1.5.0', 3, entry.hash]);
  assert.deepEqual(event['unmapped'], { details: { code: 'forbidden' } });
});

test('an action without a row changes something, without an address it is local', () => {
  const event = toOcsf(
    { ...entry, action: 'filter.rebuilt', actor: 'command line', subject: null, customer_id: null },
    '1',
  );
  assert.deepEqual([event['activity_id'], event['status_id'], event['src_endpoint']], [3, 1, { name: 'local' }]);
  assert.equal('resources' in event, false);
});
