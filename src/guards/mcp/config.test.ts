import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { oneServer, readConfig } from './config.ts';
import { shownNames } from './names.ts';

const EXAMPLE = join(import.meta.dirname, '../../../examples/mcp-proxy/mcp.json');

test('the name of one server is its package, its script or its program', () => {
  for (const [command, name] of [
    ['npx -y @modelcontextprotocol/server-filesystem /home/ana', 'server-filesystem'],
    ['npx -y @modelcontextprotocol/server-filesystem@1.2.3 /home/ana', 'server-filesystem'],
    ['uvx mcp-server-git', 'mcp-server-git'],
    ['node ./servers/notes.mjs', 'notes'],
    ['/opt/my_server', 'my-server'],
    ['node -e process.exit(3)', 'process-exit-3'],
  ] as const) {
    assert.deepEqual(Object.keys(oneServer(command.split(' '), undefined).mcpServers), [name]);
  }
  assert.throws(() => oneServer(['x'], 'a__b'), /`a__b` cannot be a server's name/);
});

test('the example is a configuration; variables are filled in, and a missing one is named', () => {
  const { mcpServers } = readConfig(EXAMPLE, { HOME: '/home/ana', CRM_TOKEN: 'secret' });
  assert.deepEqual(Object.keys(mcpServers), ['files', 'crm']);
  assert.deepEqual((mcpServers['crm'] as { headers: object }).headers, { authorization: 'Bearer secret' });
  assert.throws(() => readConfig(EXAMPLE, { HOME: '/home/ana' }), /the environment has no CRM_TOKEN/);
});

test('each fault of a configuration is named with its place', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weir-config-'));
  const messageOf = (content: string): string => {
    const file = join(folder, 'mcp.json');
    writeFileSync(file, content);
    let message = 'it was accepted';
    try {
      readConfig(file, {});
    } catch (error) {
      ({ message } = error as Error);
    }
    return message.replace(`\`${file}\``, 'FILE');
  };
  try {
    for (const [content, message] of [
      [
        '{"mcpServers":{"a":{"comand":"x"}}}',
        'FILE: `/mcpServers/a/command` is required; `/mcpServers/a/comand` is not a known field',
      ],
      ['{"mcpServers":{"a":{"url":"http://x","arg":[]}}}', 'FILE: `/mcpServers/a/arg` is not a known field'],
      ['{"mcpServers":{"a":{"command":"x"}},"waitSecond":3}', 'FILE: `/waitSecond` is not a known field'],
      ['{"mcpServers":{"a":{"command":"x"}},"weir":{"key":"k"}}', 'FILE: `/weir/key` is not a known field'],
      ['{"mcpServers":{"a":{"command":5}}}', 'FILE: `/mcpServers/a/command` must be string'],
      ['{"mcpServers":{"a":5}}', 'FILE: `/mcpServers/a` must be object'],
      ['{"servers":{}}', 'FILE: `/mcpServers` is required; `/servers` is not a known field'],
      ['[]', 'FILE: the file must be object'],
    ] as const)
      assert.equal(messageOf(content), message);
    assert.match(messageOf('{'), /^FILE cannot be read as JSON: /);
    assert.throws(() => readConfig(join(folder, 'none.json'), {}), /^Error: there is no file `[^`]+none\.json`$/);
    assert.throws(() => readConfig(folder, {}), /cannot be read: EISDIR/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('every shown name names one tool, whatever servers call theirs', () => {
  const owned = new Map([
    ['a', ['x', 'y', 'b__x', 'x']],
    ['b', ['y', 'a__x', 'a__y', 'z', '']],
    ['a-b', ['__z', 'x']],
  ]);
  const shown = shownNames(owned);
  const all = [...owned].flatMap(([server, names]) => [...new Set(names)].map((name) => `${server} ${name}`));
  assert.deepEqual(
    new Set([...shown.values()].map(({ server, name }) => `${server} ${name}`)),
    new Set(all),
    'each tool has a name',
  );
  assert.equal(shown.size, all.length);
  assert.deepEqual(shown.get('z'), { server: 'b', name: 'z' });
  assert.deepEqual(shown.get('a__y'), { server: 'a', name: 'y' });
  assert.deepEqual(shown.get('b__a__y'), { server: 'b', name: 'a__y' });
});
