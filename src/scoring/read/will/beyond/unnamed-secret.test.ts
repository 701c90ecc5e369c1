import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from '../../../../../test/support/readings.ts';

const opened = (user: string, path = '/settings/api_keys.env', told = ''): unknown =>
  factsOf({
    action: 'files:file:read',
    parameters: { path },
    user_context: user,
    conversation_history: [{ role: 'user', content: user }, ...(told === '' ? [] : [{ role: 'tool', content: told }])],
  }).get('unnamed_secret');

test('a file of secrets is opened while the user asks for another thing by its name', () => {
  assert.equal(opened('Open meeting_0412 and tell me who takes part.'), '/settings/api_keys.env');
  assert.equal(opened('Sum up /docs/guide.txt.'), '/settings/api_keys.env');
});

test('what a result says of the file asks for nothing', () => {
  assert.equal(opened('Sum up /docs/guide.txt.', undefined, 'See /settings/api_keys.env.'), '/settings/api_keys.env');
});

test('the user speaks of the file, works on a system, or names nothing', () => {
  assert.equal(opened('Open meeting_0412 and compare the API keys with it.'), '');
  assert.equal(opened('Read src/login.ts and tell me why it fails.'), '');
  assert.equal(opened('Update the record meeting_0412.'), '');
  assert.equal(opened('Tell me who takes part.'), '');
  assert.equal(opened('Sum up /docs/guide.txt.', '/srv/app/.env'), '', 'a hidden file of the project');
});
