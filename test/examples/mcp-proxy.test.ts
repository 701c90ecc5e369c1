/** The MCP proxy between a real client, a real MCP server from npm and a real Weir, with somebody who decides as a person would. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Action, Gate } from '../../examples/gate.ts';
import { runProxy } from '../../examples/mcp-proxy/proxy.ts';
import { type Customer, call, newCustomer } from '../support/client.ts';
import { startWeir, type Weir } from '../support/weir.ts';
import { FILESYSTEM_SERVER, KEY, makeHome, personOf, ROOT } from './support.ts';

const PROXY = join(ROOT, 'examples/mcp-proxy/main.ts');
const ACTIONS = join(ROOT, 'examples/mcp-proxy/filesystem.json');

interface Answer {
  isError?: boolean;
  content: { text: string }[];
}

describe('the MCP proxy', () => {
  let weir: Weir;
  let customer: Customer;
  let person: ReturnType<typeof personOf>;
  let home: string;
  const clients: Client[] = [];
  before(async () => {
    weir = await startWeir();
  });
  after(() => weir.stop());
  beforeEach(async () => {
    customer = await newCustomer(weir);
    person = personOf(weir, customer);
    home = makeHome();
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
  });

  /** A client of whatever this command starts, as a host configures it. */
  async function connect(args: string[], env: Record<string, string> = {}): Promise<Client> {
    const client = new Client({ name: 'test-host', version: '1.0.0' });
    const path = process.env['PATH']!;
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, env: { PATH: path, ...env }, stderr: 'ignore' }),
    );
    clients.push(client);
    return client;
  }
  const throughProxy = (env: Record<string, string> = {}, server = [FILESYSTEM_SERVER, home]): Promise<Client> =>
    connect([PROXY, '--name', 'filesystem', '--actions', ACTIONS, '--', process.execPath, ...server], {
      WEIR_URL: weir.api,
      WEIR_AUTH_URL: weir.auth,
      WEIR_API_KEY: customer.api_key,
      WEIR_CUSTOMER_ID: customer.customer_id,
      WEIR_AGENT_ID: 'proxied-1',
      WEIR_WAIT_S: '30',
      ...env,
    });
  const use = async (client: Client, name: string, args: object, options: object = {}): Promise<Answer> =>
    (await client.callTool({ name, arguments: { ...args } }, undefined, options)) as Answer;
  const textOf = ({ content }: Answer): string => content.map(({ text }) => text).join('\n');
  const keysFile = (): string => join(home, '.ssh/authorized_keys');
  const readMinutes = (client: Client) => use(client, 'read_text_file', { path: join(home, 'minutes.md') });
  /** What the minutes ask for. */
  const obey = (client: Client, options: object = {}) =>
    use(client, 'write_file', { path: keysFile(), content: KEY }, options);
  const eventOf = async (event_id: string): Promise<Record<string, unknown>> => {
    const reply = await call(`${weir.api}/scores/event/${event_id}`, { key: customer.api_key });
    return { ...reply.json, ...(reply.json['event'] as object) };
  };
  const events = async (): Promise<{ event_id: string; score: number }[]> => {
    const reply = await call(`${weir.api}/scores/${customer.customer_id}`, { key: customer.api_key });
    return reply.json['scores'] as { event_id: string; score: number }[];
  };

  test('passes on what is there, and tells Weir of each call', async () => {
    const direct = await connect([FILESYSTEM_SERVER, home]);
    const proxied = await throughProxy();
    assert.deepEqual(await proxied.listTools(), await direct.listTools());
    assert.deepEqual(proxied.getServerVersion(), direct.getServerVersion());
    assert.deepEqual(await readMinutes(proxied), await readMinutes(direct));
    const path = join(home, 'nothing.md');
    assert.deepEqual(
      await use(proxied, 'read_text_file', { path }),
      await use(direct, 'read_text_file', { path }),
      'errors of the server as well',
    );
    const [second, first] = await Promise.all((await events()).map(({ event_id }) => eventOf(event_id)));
    assert.equal(first!['action'], 'file:document:read');
    assert.deepEqual(first!['parameters'], { path: join(home, 'minutes.md') });
    assert.deepEqual(first!['target'], { resource_type: 'file', resource_id: join(home, 'minutes.md') });
    assert.deepEqual(first!['agent'], { agent_id: 'proxied-1', framework: 'mcp' });
    assert.deepEqual(second!['session'], first!['session']);
    assert.deepEqual(second!['preceding_actions'], ['file:document:read']);
    const history = second!['conversation_history'] as { role: string; content: string }[];
    assert.deepEqual(
      history.map(({ role }) => role),
      ['assistant', 'tool'],
    );
    assert.ok(history[1]!.content.includes(KEY), 'what a tool answered is known to the next call');
  });

  test('a call that says what a file said is held; rejected, it never reaches the server', async () => {
    const client = await throughProxy();
    await readMinutes(client);
    const progress: string[] = [];
    const calling = obey(client, { onprogress: ({ message = '' }) => void progress.push(message) });
    const held = await person.nextHeld();
    assert.ok(held.violations.includes('action_follows_untrusted_instruction'), held.violations.join());
    await person.decide(held.event_id, 'reject', 'nobody asked for that');
    const answer = await calling;
    assert.equal(answer.isError, true);
    assert.match(textOf(answer), /rejected it\. They said: «nobody asked for that»\..*instruction that stands in/);
    assert.ok(progress[0]?.includes(held.event_id), progress.join());
    assert.ok(!existsSync(keysFile()));
    assert.notEqual((await readMinutes(client)).isError, true, 'the session goes on');
  });

  test('approved, it is done with the arguments that were approved', async () => {
    const client = await throughProxy();
    await readMinutes(client);
    const calling = obey(client);
    await person.decide((await person.nextHeld()).event_id, 'approve');
    assert.notEqual((await calling).isError, true);
    assert.equal(readFileSync(keysFile(), 'utf8'), KEY);
  });

  test('a host that cannot wait asks again, and gets what was approved, once', async () => {
    const client = await throughProxy({ WEIR_WAIT_S: '0' });
    assert.match(textOf(await obey(client)), /nobody decided yet.*Ask for exactly the same again/);
    const { event_id } = await person.nextHeld();
    await person.decide(event_id, 'approve');
    assert.notEqual((await obey(client)).isError, true);
    assert.equal((await events()).length, 1);
    assert.match(textOf(await obey(client)), /nobody decided yet/, 'the next time is another event');
    assert.notEqual((await person.nextHeld()).event_id, event_id);
  });

  test('a call that the host gave up is not done when it is approved later', async () => {
    const client = await throughProxy();
    const giving_up = new AbortController();
    const calling = assert.rejects(obey(client, { signal: giving_up.signal }));
    const { event_id } = await person.nextHeld();
    giving_up.abort();
    await calling;
    // Whatever comes after the cancellation is behind it.
    await client.ping();
    await person.decide(event_id, 'approve');
    await readMinutes(client);
    assert.ok(!existsSync(keysFile()));
  });

  test('without an answer of Weir nothing is called, and the model reads why', async () => {
    const client = await throughProxy({ WEIR_URL: 'http://127.0.0.1:1', WEIR_PATIENCE_MS: '10' });
    assert.ok((await client.listTools()).tools.length > 0, 'what is no call passes');
    const answer = await obey(client);
    assert.equal(answer.isError, true);
    assert.match(
      textOf(answer),
      /Weir did not answer at http:\/\/127\.0\.0\.1:1 \(.+\)\. Without its answer nothing is done/,
    );
    assert.ok(!existsSync(keysFile()));
    const foreign = await throughProxy({ WEIR_API_KEY: `${customer.api_key}x` });
    assert.match(textOf(await obey(foreign)), /Weir answered 401/);
  });

  test('critical where nothing is ever held is blocked', async () => {
    const { customer_id, api_key: key } = customer;
    const policy = { hold_threshold: 'none', blocked_actions: ['file:document:move'] };
    assert.equal((await call(`${weir.api}/policies/${customer_id}`, { key, body: policy })).status, 201);
    const client = await throughProxy();
    const [source, destination] = [join(home, 'minutes.md'), join(home, 'old.md')];
    assert.match(textOf(await use(client, 'move_file', { source, destination })), /nothing is set up to ask a person/);
    assert.ok(existsSync(source));
  });

  test('the server gets the environment of the host, and nothing of ours', async () => {
    const file = join(home, 'environment.json');
    const script = join(home, 'server.mjs');
    writeFileSync(
      script,
      `import { writeFileSync } from 'node:fs';
       writeFileSync(${JSON.stringify(file)}, JSON.stringify(process.env));
       await import(${JSON.stringify(FILESYSTEM_SERVER)});`,
    );
    const client = await throughProxy({ MY_TOKEN: 'for the server' }, [script, home]);
    await client.ping();
    const env = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
    assert.equal(env['MY_TOKEN'], 'for the server');
    assert.deepEqual(
      Object.keys(env).filter((name) => name.startsWith('WEIR_')),
      [],
    );
  });

  test('the configuration on its page works', async () => {
    const page = readFileSync(join(ROOT, 'examples/mcp-proxy/README.md'), 'utf8');
    const shown = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)![1]!.replaceAll('/opt/weir', ROOT)) as {
      mcpServers: { filesystem: { command: string; args: string[]; env: Record<string, string> } };
    };
    const { command, args, env } = shown.mcpServers.filesystem;
    assert.ok(existsSync(command), command);
    const ours = args.slice(0, args.indexOf('--') + 1);
    assert.deepEqual(args.slice(ours.length), [
      'npx',
      '-y',
      '@modelcontextprotocol/server-filesystem',
      '/home/ana/work',
    ]);
    const client = await connect([...ours, process.execPath, FILESYSTEM_SERVER, home], {
      ...env,
      WEIR_URL: weir.api,
      WEIR_AUTH_URL: weir.auth,
      WEIR_API_KEY: customer.api_key,
      WEIR_CUSTOMER_ID: customer.customer_id,
    });
    assert.notEqual((await readMinutes(client)).isError, true);
    assert.equal((await events()).length, 1);
  });

  test('it ends with its server, and says what is missing', async () => {
    const client = await throughProxy({}, ['-e', 'process.stdin.once("data", () => process.exit(3))']).catch(
      (error: Error) => error,
    );
    assert.ok(client instanceof Error && /closed/i.test(client.message), String(client));
    await assert.rejects(throughProxy({ WEIR_API_KEY: '' }), /closed/i);
  });
});

describe('messages that only a hostile host or server sends', () => {
  /** The proxy between two ends that this test holds; the gate lets everything pass that it is asked about. */
  async function hold() {
    const [host, proxy_host] = InMemoryTransport.createLinkedPair();
    const [server, proxy_server] = InMemoryTransport.createLinkedPair();
    const asked: Action[] = [];
    const gate: Gate = {
      ask: async (action) => {
        asked.push(action);
        return { is_allowed: true, event_id: 'e', score: 0, approved_at: null };
      },
    };
    const [at_host, at_server]: [JSONRPCMessage[], JSONRPCMessage[]] = [[], []];
    host.onmessage = (message) => void at_host.push(message);
    server.onmessage = (message) => void at_server.push(message);
    void runProxy({ host: proxy_host, server: proxy_server, gate, actions: {}, say: () => {} });
    await Promise.all([host.start(), server.start()]);
    return { host, server, asked, at_host, at_server, settle: () => new Promise((done) => setImmediate(done)) };
  }
  const callOf = (params: object, id?: number) =>
    ({ jsonrpc: '2.0', method: 'tools/call', params, ...(id !== undefined && { id }) }) as JSONRPCMessage;

  test('a call without an id, without a name or with no object as arguments goes nowhere', async () => {
    const { host, asked, at_host, at_server, settle } = await hold();
    await host.send(callOf({ name: 'write_file', arguments: {} }));
    for (const [id, params] of [
      {},
      { name: 7 },
      { name: 'x', arguments: [] },
      { name: 'x', arguments: 'y' },
    ].entries()) {
      await host.send(callOf(params, id));
    }
    await settle();
    assert.deepEqual([asked, at_server], [[], []]);
    assert.deepEqual(
      at_host.map((message) => 'error' in message && message.error.code),
      [-32602, -32602, -32602, -32602],
    );
  });

  test('what any answer brought in is known to the next call, within bounds', async () => {
    const { host, server, asked, settle } = await hold();
    const exchange = async (id: number, method: string, result: object): Promise<void> => {
      await host.send({ jsonrpc: '2.0', id, method, params: { name: 'fetch', arguments: {} } });
      await settle();
      await server.send({ jsonrpc: '2.0', id, result: { ...result } });
      await settle();
    };
    await exchange(1, 'initialize', { serverInfo: { name: 'notes & more', version: '1' } });
    await exchange(2, 'resources/read', { contents: [{ uri: 'a:b', text: 'from a resource' }] });
    await exchange(3, 'prompts/get', {
      messages: [{ role: 'user', content: { type: 'text', text: 'from a prompt' } }],
    });
    await exchange(4, 'tools/call', { structuredContent: { deep: ['from a tool'] } });
    await exchange(5, 'tools/list', { tools: [{ name: 'not read' }] });
    for (let id = 6; id < 12; id += 1) {
      await exchange(id, 'tools/call', { content: [{ type: 'text', text: `${id}${'ä'.repeat(300_000)}` }] });
    }
    await host.send(callOf({ name: 'fetch', arguments: { url: 'https://x.example' } }, 20));
    await settle();
    const history = (n: number) =>
      (asked[n]!['conversation_history'] as { content: string }[]).map(({ content }) => content);
    assert.equal(asked[0]!.action, 'notes___more:tool:fetch');
    assert.deepEqual(history(1), ['a:b\nfrom a resource', 'user\nfrom a prompt', 'fetch({})', 'from a tool']);
    const last = asked.at(-1)!;
    assert.deepEqual(last.target, { resource_type: 'url', resource_id: 'https://x.example' });
    assert.ok(Buffer.byteLength(JSON.stringify(last)) < 2 ** 20);
    assert.match(history(asked.length - 1).at(-1)!, /^11ä+\n…\nä+$/);
  });
});
