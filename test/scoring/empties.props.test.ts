/** What holds nothing raises nothing: blank strings and empty containers in any list of an event. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AgentEvent, DataField, Message } from '../../src/events/event.ts';
import type { Json } from '../../src/lang/json.ts';
import { asEvent, scoreOf } from '../support/knowledge.ts';

const base = fc
  .constantFrom<Partial<AgentEvent> & { action: string }>(
    { action: 'db:table:read' },
    { action: 'zorp:a:blim' },
    { action: 'crm:contacts:export', data_fields_accessed: ['email'], parameters: { limit: 10 } },
    { action: 'email:message:send', parameters: { to: 'ana@north.test', body: 'hello' } },
    { action: 'bank:money:transfer', parameters: { recipient: 'DE1', amount: 20 } },
    { action: 'drive:document:share', parameters: { file: 'x' }, user_context: 'Share x with ana@north.test' },
    { action: 'iam:role:grant', parameters: { role: 'viewer' }, preceding_actions: ['iam:role:read'] },
    { action: 'memory:note:write', parameters: { content: 'x' } },
    { action: 'github:issue:create', mcp_context: { server_name: 'github', tool_name: 'create_issue' } },
  )
  .map(asEvent);

/** Empty values as text too, as a careless host makes them. */
const blank = fc.constantFrom(
  '',
  ' ',
  '\t\n',
  '\u00a0',
  '\u200b',
  '{}',
  '[]',
  '""',
  "''",
  '-',
  '—',
  '…',
  '.',
  '[{}]',
  '{"":""}',
);
const empty: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    blank,
    fc.constantFrom<Json>(null, [], {}),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'name', 'id'), tie('value'), { maxKeys: 2 }),
  ),
})).value;
const name = fc.constantFrom(
  ...'to cc bcc recipients payee webhook urls domains hosts ids fields columns files args query password api_key ssn'.split(
    ' ',
  ),
  ...'token roles permissions scopes members users tools headers env attachments approved_by confirm dry_run tags x'.split(
    ' ',
  ),
);
const dataField: fc.Arbitrary<DataField> = fc.oneof(blank, fc.record({ field: blank, classification: blank }));
/** Without keys of its own: those are words that somebody said. */
const silence = fc.oneof(
  blank,
  fc.constantFrom<Json>(null, [], {}, [[]], [{}], [null]),
  fc.array(blank, { maxLength: 2 }),
);
const message: fc.Arbitrary<Message> = fc.record({
  role: fc.constantFrom('user', 'assistant', 'tool', 'system', ''),
  content: silence,
  tool_calls: fc.array(silence, { maxLength: 2 }),
});

test('what holds nothing raises no score', () => {
  const added = fc.record({
    data_fields_accessed: fc.array(dataField, { maxLength: 2 }),
    preceding_actions: fc.array(blank, { maxLength: 2 }),
    conversation_history: fc.array(message, { maxLength: 2 }),
    parameters: fc.dictionary(name, empty, { maxKeys: 3 }),
    metadata: fc.dictionary(blank, empty, { maxKeys: 2 }),
  });
  fc.assert(
    fc.property(base, added, (event, more) => {
      const { score, violations } = scoreOf(event);
      const with_more = scoreOf({
        ...event,
        data_fields_accessed: [...(event.data_fields_accessed ?? []), ...more.data_fields_accessed],
        preceding_actions: [...(event.preceding_actions ?? []), ...more.preceding_actions],
        conversation_history: [...(event.conversation_history ?? []), ...more.conversation_history],
        parameters: { ...more.parameters, ...event.parameters },
        metadata: more.metadata,
      });
      const raised = with_more.violations.filter((violation) => !violations.includes(violation));
      assert.ok(with_more.score <= score && raised.length === 0, `${score} → ${with_more.score}: ${raised.join(' ')}`);
    }),
    { numRuns: 3_000 },
  );
});

test('a mask and hidden text in place of a field’s name are something, and cannot be judged', () => {
  for (const field of ['***', 'the card code of Ana, as told', '\u{e0073}\u{e0073}\u{e006e}']) {
    assert.ok(scoreOf({ action: 'db:table:read', data_fields_accessed: [field] }).score > 60, field);
  }
});
