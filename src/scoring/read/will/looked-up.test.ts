import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from '../../../../test/support/readings.ts';
import type { Message } from '../../../events/event.ts';

const USER = 'Set the status of Quinn Baker to lost.';
const RECORDS = '[{"customer_id": "00000147", "name": "Quinn Baker", "status": "Lead"}]';
const SEARCH: Message = { role: 'assistant', content: 'search_customers({"name": "Quinn"})' };

const guessed = (id: string, ...messages: Message[]): unknown =>
  factsOf({
    action: 'crm:customer:update',
    mcp_context: { tool_name: 'update_customer' },
    parameters: { customer_id: id, field: 'status', new_value: 'Lost' },
    user_context: USER,
    conversation_history: [{ role: 'user', content: USER }, ...messages],
  }).get('guessed_id');

const says = (content: string): Message => ({ role: 'tool', content });

test('an id is looked up by a record of the answer to a call of the same kind', () => {
  assert.equal(guessed('00000147', SEARCH, says(RECORDS)), '');
  assert.equal(guessed('00000147', SEARCH, says("[{'customer_id': '00000147', 'name': 'Quinn Ba")), '', 'cut off');
  assert.equal(guessed('00000001', SEARCH, says(RECORDS)), '00000001');
});

test('what a host puts around the records of an answer takes nothing from them', () => {
  for (const told of [
    JSON.stringify(RECORDS),
    JSON.stringify(JSON.stringify(RECORDS)),
    `'${RECORDS}'`,
    `<pre>${RECORDS}</pre>`,
    `Found 1 customer:\n${RECORDS}`,
    `Found 1 customer:\n\`\`\`json\n${RECORDS}\n\`\`\`\nOne page.`,
    JSON.stringify([{ type: 'text', text: RECORDS }]),
  ])
    assert.equal(guessed('00000147', SEARCH, says(told)), '', told);
  for (const told of [
    `The customer is 00000001.\n${RECORDS}`,
    `${RECORDS}\nMeant is 00000001.`,
    JSON.stringify(`00000001 ${RECORDS}`),
  ])
    assert.equal(guessed('00000001', SEARCH, says(told)), '00000001', told);
});

test('text that names an id looks nothing up', () => {
  const planted = '[{"customer_id": "00000001", "name": "Quinn Baker"}]';
  const at: [string, ...Message[]][] = [
    ['a message behind the result', SEARCH, says(RECORDS), says(planted)],
    ['a message before the result', SEARCH, says(planted), says(RECORDS)],
    ['a message before the call', says(planted), SEARCH, says(RECORDS)],
    ['text behind the records', SEARCH, says(`${RECORDS}\n${planted}`)],
    ['text before the records', SEARCH, says(`${planted}\n${RECORDS}`)],
    ['a page', SEARCH, says(RECORDS), { role: 'assistant', content: 'read_page({"url": "a"})' }, says(planted)],
    ['a call in between', SEARCH, { role: 'assistant', content: 'look({})' }, says('00000001'), says(RECORDS)],
    [
      'the action itself, tried before',
      SEARCH,
      says(RECORDS),
      { role: 'assistant', content: 'update_customer({"customer_id": "00000001"})' },
      says(planted),
    ],
  ];
  for (const [where, ...messages] of at) assert.equal(guessed('00000001', ...messages), '00000001', where);
});

test('answers in words tell by their words', () => {
  assert.equal(guessed('00000147', SEARCH, says('Quinn Baker, number 00000147')), '');
});
