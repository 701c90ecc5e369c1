/** Which calls in a program are taken for calls of the host's tools, and with what. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { worldOf } from '../../../test/support/effects.ts';
import type { Language } from '../world.ts';

const calls = (code: string, language: Language): [name: string, parameters: unknown][] =>
  worldOf(code, language).tool_calls.map(({ name, parameters }) => [name, parameters]);

test('a tool is a method of the object that holds the tools, the name that a caller is given, or a function that nothing defines', () => {
  const given = { to: 'ana@north.example', urgent: true };
  for (const code of [
    "await tools.send_mail(to='ana@north.example', urgent=True)",
    "call_tool('send_mail', {'to': 'ana@north.example', 'urgent': True})",
    "call_tool('send_mail', to='ana@north.example', urgent=True)",
    `call_tool('send_mail', '{"to": "ana@north.example", "urgent": true}')`,
    "await session.call_tool('send_mail', arguments={'to': 'ana@north.example', 'urgent': True})",
    "send_mail(to='ana@north.example', urgent=True)",
    "to = 'ana' + '@north.example'\nprint(default_api.send_mail(to=to, urgent=True))",
  ])
    assert.deepEqual(calls(code, 'python').at(-1), ['send_mail', given], code);
  for (const code of [
    "await tools.send_mail({to: 'ana@north.example', urgent: true});",
    "const to = 'ana@north.example'; await client.callTool({name: 'send_mail', arguments: {to, urgent: true}});",
  ])
    assert.deepEqual(calls(code, 'javascript'), [['send_mail', given]], code);
  assert.deepEqual(calls("await mail.send({to: 'ana@north.example', urgent: true});", 'javascript'), [
    ['mail.send', given],
  ]);
});

test('values by their place, lists and objects are kept, and what is known only at run time is null', () => {
  assert.deepEqual(calls("drop_table('orders', 2)", 'python'), [['drop_table', { input: 'orders', input_2: 2 }]]);
  assert.deepEqual(calls('tools.tag_items(ids=[1, 2], by={"x": read()}, at=now())', 'python'), [
    ['tag_items', { ids: [1, 2], by: { x: null }, at: null }],
  ]);
});

test('what the program defines, imports or raises, and functions on its own objects, are no tools', () => {
  for (const code of [
    "def delete_user(name):\n    return name\ndelete_user(name='ana')",
    "from shop.users import delete_user\ndelete_user(name='ana')",
    "raise FileNotFoundError('orders.csv')",
    "clean = remove_outliers(df, column='price')\ndrop_missing_rows(clean, how='any')",
    "df = df.drop_duplicates(subset='id')",
    'reset_state()',
  ])
    assert.deepEqual(calls(code, 'python'), [], code);
  for (const code of ["const r = await fetch('http://localhost:3000/x');", "await page.click('#login');"])
    assert.deepEqual(calls(code, 'javascript'), [], code);
});

test('a client of servers that is called in a shell calls a tool', () => {
  for (const command of [
    `mcp-cli call mail/send_mail '{"to": "ana@north.example"}'`,
    `mcp-cli call mail send_mail '{"to": "ana@north.example"}'`,
    'mcporter call mail.send_mail to=ana@north.example',
    `mcptools call mail.send_mail --params '{"to": "ana@north.example"}' npx mail-server`,
  ])
    assert.deepEqual(calls(command, 'shell'), [['mail.send_mail', { to: 'ana@north.example' }]], command);
  assert.deepEqual(calls('mcp-cli tools mail', 'shell'), []);
});

test('objects that hold one another many times are copied within the work that an event may take', () => {
  const of = (value: string): string => Array.from({ length: 100 }, (_, i) => `k${i}: ${value}`).join(', ');
  const code = `const a = {${of('1')}}; const b = {${of('a')}}; const c = {${of('b')}};${' await tools.tag_all(c);'.repeat(50)}`;
  const world = worldOf(code, 'javascript');
  assert.ok(world.was_cut);
  const long = worldOf(`const t = '${'x'.repeat(7_000)}'; ${'await tools.tag_all({t});'.repeat(50)}`, 'javascript');
  assert.ok(long.was_cut);
  assert.ok(JSON.stringify(long.tool_calls).length < 100_000);
  const size = world.tool_calls.reduce((all, { parameters }) => all + JSON.stringify(parameters).length, 0);
  assert.ok(size < 1_000_000, `${size} characters`);
});

test('a tool that only the run tells is not understood', () => {
  for (const code of ["call_tool(pick(), {'id': 1})", 'tools[pick()](id=1)', 'getattr(tools, pick())(id=1)'])
    assert.notEqual(worldOf(code, 'python').unresolved, '', code);
  for (const code of ['await tools[pick()]({id: 1});', 'await client.callTool({name: pick(), arguments: {id: 1}});'])
    assert.notEqual(worldOf(code, 'javascript').unresolved, '', code);
  assert.equal(worldOf("tools['tag' + '_item'](id=1)", 'python').unresolved, '');
});
