/** `weir mcp-proxy` in front of servers that misbehave: what they send is bounded in size and time, and the host goes on. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { before, beforeEach, describe, test } from 'node:test';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Event } from '../../clients/typescript/src/types.ts';
import { Session } from '../../src/guards/mcp/session.ts';
import { type Customer, newCustomer } from '../support/client.ts';
import { until } from '../support/patience.ts';
import { type SharedWeir, sharedWeir } from '../support/shared-weir.ts';
import { callsOf, hostileServer, hosts, textOf, use } from './mcp-support.ts';

const NAMES = ['echo', 'megabytes', 'silent', 'garbage', 'dies', 'floods'];
const tools = NAMES.map((name) => ({ name, description: 'A tool.', inputSchema: { type: 'object' } }));

describe('weir mcp-proxy in front of hostile servers', () => {
  const { environment, newState, write, stdio, proxyArgs, newClient, defer } = hosts();
  let weir: SharedWeir;
  let customer: Customer;
  before(async () => {
    weir = await sharedWeir();
  });
  beforeEach(async () => {
    customer = await newCustomer(weir);
  });
  const env = () => ({ ...environment(weir, customer), WEIR_STATE_DIR: newState() });
  const start = async (state: object, more: object = {}, client = newClient()) => {
    const mcpServers = { bad: hostileServer(write('definitions.json', state)) };
    const config = write('config.json', { mcpServers, ...more });
    return stdio(proxyArgs('--config', config), env(), { client });
  };

  test('a result of 10 MB is not passed on, one of 20 MB ends the server; both times the next call works', async () => {
    const { client } = await start({ tools });
    const large = await use(client, 'megabytes', { count: 10 });
    assert.equal(large.isError, true);
    assert.match(textOf(large), /with 10\d+ bytes; at most 4194304 are passed on\. The call was carried out/);
    assert.equal(textOf(await use(client, 'echo', { a: 1 })), '{"a":1}');
    const huge = await use(client, 'megabytes', { count: 20 });
    assert.equal(huge.isError, true);
    assert.match(textOf(huge), /did not answer `megabytes` \(Connection closed\)/);
    assert.equal(textOf(await use(client, 'echo', { a: 2 })), '{"a":2}', 'the server was started again');
    const passed = await use(client, 'megabytes', { count: 1 });
    assert.equal(textOf(passed).length, 1024 * 1024);
    assert.equal(
      textOf(await use(client, 'echo', { a: 3 })),
      '{"a":3}',
      'and the event of the next call is not too large',
    );
  });

  test('a server that never answers, that dies, that sends no JSON', async () => {
    const { client } = await start({ tools }, { timeoutSeconds: 1 });
    const silent = await use(client, 'silent');
    assert.match(textOf(silent), /did not answer `silent` \(Request timed out\)\. It may have been carried out or not/);
    assert.equal(textOf(await use(client, 'garbage')), 'after garbage');
    assert.match(textOf(await use(client, 'dies')), /did not answer `dies` \(Connection closed\)/);
    assert.equal(textOf(await use(client, 'echo', { a: 1 })), '{"a":1}');
  });

  test('a flood of notifications passes in order or is cut, and the call is answered', async () => {
    const client = newClient();
    const lines: unknown[] = [];
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void lines.push(params.data));
    await start({ tools }, {}, client);
    assert.equal(textOf(await use(client, 'floods', { count: 200 })), 'flooded');
    await until(() => lines.length >= 200, 'all lines have come');
    assert.deepEqual(
      lines,
      Array.from({ length: 200 }, (_, index) => `line ${index}`),
    );
    assert.equal(textOf(await use(client, 'floods', { count: 100_000 })), 'flooded');
    assert.equal(textOf(await use(client, 'echo', { a: 1 })), '{"a":1}');
  });

  test('a list without an end, tools without a name, schemas without a bottom', async () => {
    const endless = await start({ tools, endless: true });
    assert.deepEqual((await endless.client.listTools()).tools, []);
    const deep = `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`;
    const odd = [
      {},
      { name: 7, inputSchema: { type: 'object' } },
      { ...tools[0], name: 'deep', inputSchema: { type: 'object', properties: JSON.parse(deep) } },
      { ...tools[0], name: '__proto__' },
      tools[0],
    ];
    const { client } = await start({ tools: odd });
    const names = (await client.listTools()).tools.map(({ name }) => name);
    assert.deepEqual(names, ['__proto__', 'echo']);
    await assert.rejects(use(client, 'deep'), /Unknown tool/);
  });

  test('over HTTP: an answer without an end is cut, and a server that speaks no MCP does not start', async () => {
    let mode: 'endless' | 'html' = 'html';
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        if (mode === 'html') return response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>hello</h1>');
        const { id, method } = JSON.parse(body || '{}');
        if (id === undefined) return response.writeHead(202).end();
        const json = (result: object) => {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
        };
        if (method === 'initialize')
          return json({
            protocolVersion: '2025-06-18',
            capabilities: { tools: {} },
            serverInfo: { name: 'x', version: '1' },
          });
        if (method === 'tools/list') return json({ tools });
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(`data: {"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`);
        const more = (): void => {
          while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
          if (!response.destroyed) response.once('drain', more);
        };
        more();
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    defer(async () => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as { port: number };
    const config = write('config.json', { mcpServers: { bad: { url: `http://127.0.0.1:${port}/mcp` } } });
    await assert.rejects(stdio(proxyArgs('--config', config), env()), /no MCP server behind the proxy has started/);
    mode = 'endless';
    const { client } = await stdio(proxyArgs('--config', config), env());
    const answer = await use(client, 'echo');
    assert.match(textOf(answer), /did not answer `echo` \(Connection closed\)/);
    assert.equal((await client.listTools()).tools.length, NAMES.length, 'the next request has a new connection');
  });

  test('arguments that are larger than an event can be are refused, not passed on unscored', async () => {
    const { client } = await start({ tools });
    const answer = await use(client, 'echo', { text: 'x'.repeat(2 * 1024 * 1024) });
    assert.equal(answer.isError, true);
    assert.match(textOf(answer), /Weir answered 413/);
  });

  test('after 20 large results the next event still fits', async () => {
    const { client } = await start({ tools });
    for (let at = 0; at < 20; at += 1) {
      const answer = await use(client, 'echo', { text: `${at}${'ä\n"'.repeat(20_000)}` });
      assert.notEqual(answer.isError, true, textOf(answer).slice(0, 300));
    }
    const [event] = await callsOf(weir, customer, 1);
    const history = event!['conversation_history'] as { content: string }[];
    assert.ok(history.length > 4 && history.length < 38, String(history.length));
    assert.match(history.at(-1)!.content, /^{"text":"18/);
  });
});

describe('a host that sends what only a broken host sends', () => {
  test('a call without an id, without a name or with no object as arguments goes nowhere', async () => {
    const [host, ours] = InMemoryTransport.createLinkedPair();
    const asked: Event[] = [];
    const gate = async (event: Event) => {
      asked.push(event);
      throw new Error('nothing should be asked');
    };
    const session = new Session({
      config: { mcpServers: { bad: hostileServer('/nowhere') } },
      client: { gate } as never,
      state_dir: '/nowhere',
      wait_s: 0,
      agent_id: undefined,
      version: '1',
      say: () => {},
    });
    const answers: JSONRPCMessage[] = [];
    host.onmessage = (message) => void answers.push(message);
    await session.connect(ours);
    await host.start();
    const send = (params: object, id?: number) =>
      host.send({ jsonrpc: '2.0', method: 'tools/call', params, ...(id !== undefined && { id }) } as JSONRPCMessage);
    await send({ name: 'write_file', arguments: {} });
    const broken = [{}, { name: 7 }, { name: 'x', arguments: [] }, { name: 'x', arguments: 'y' }];
    for (const [id, params] of broken.entries()) await send(params, id);
    await until(() => answers.length >= broken.length, 'all are answered');
    assert.deepEqual(asked, []);
    assert.deepEqual(
      answers.map((message) => 'error' in message && message.error.code),
      [-32602, -32602, -32602, -32602],
    );
    await session.close();
  });
});
