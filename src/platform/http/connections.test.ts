import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, test } from 'node:test';
import { boundConnections, type Connection, connectionOf, connectionsPerPort } from './connections.ts';

test('the ports share what the limit of descriptors leaves', () => {
  const limits = (soft: string) =>
    `Limit  Soft Limit\nMax open files            ${soft}              1048576   files\n`;
  assert.equal(connectionsPerPort(3, limits('1024')), 298);
  assert.equal(connectionsPerPort(4, limits('1024')), 224);
  assert.equal(connectionsPerPort(1, limits('64')), 32, 'of a small limit, half');
  assert.equal(connectionsPerPort(0, limits('2')), 1);
  assert.equal(connectionsPerPort(3, limits('1048576')), 6_000);
  assert.equal(connectionsPerPort(3, limits('unlimited')), 6_000);
  assert.equal(connectionsPerPort(3, null), 298, 'where the limit cannot be read, a usual one');
});

describe('a port that is full', () => {
  let server: Server;
  let reasons: string[];
  let here: Connection[];
  const clients: Socket[] = [];
  afterEach(() => {
    for (const client of clients) client.destroy();
    server.close();
  });

  async function listen(most: number): Promise<void> {
    server = createServer();
    reasons = [];
    here = [];
    boundConnections(server, { most, onCut: (reason) => reasons.push(reason) });
    server.on('connection', (socket) => here.push(connectionOf(socket)!));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  /** In turn. */
  async function come(from = '127.0.0.1'): Promise<Connection> {
    const { port } = server.address() as { port: number };
    const arrived = once(server, 'connection');
    clients.push(connect({ port, host: '127.0.0.1', localAddress: from }).on('error', () => {}));
    await arrived;
    return here.at(-1)!;
  }
  const isOpen = ({ socket }: Connection): boolean => !socket.destroyed;

  test('closes the oldest of the address that has most, and not that of another', async () => {
    await listen(5);
    const neighbour = await come('127.0.0.2');
    const crowd = [await come(), await come(), await come(), await come(), await come()];
    assert.deepEqual(crowd.map(isOpen), [false, false, true, true, true]);
    assert.ok(isOpen(neighbour));
    assert.deepEqual(reasons, ['full', 'full']);
  });

  test('closes those with a request last', async () => {
    await listen(4);
    const first = await come();
    first.begin();
    const second = await come();
    await come();
    await come();
    assert.deepEqual([isOpen(first), isOpen(second)], [true, false]);
  });

  test('those that are not known take at most half of the place of those that are', async () => {
    await listen(6);
    const known = [await come(), await come(), await come()];
    for (const one of known) one.prove();
    known[0]!.begin();
    known[0]!.end();
    known[1]!.begin();
    for (let i = 0; i < 10; i += 1) await come('127.0.0.2');
    assert.deepEqual(known.map(isOpen), [true, true, false], 'the idle one that was used least recently made room');
  });

  test('refuses further ones where everyone works', async () => {
    await listen(2);
    const known: Connection[] = [];
    for (let i = 0; i < 2; i += 1) {
      const one = await come();
      one.prove();
      one.begin();
      known.push(one);
    }
    const { port } = server.address() as { port: number };
    const dropped = once(server, 'drop');
    clients.push(connect(port, '127.0.0.1').on('error', () => {}));
    await dropped;
    assert.deepEqual(known.map(isOpen), [true, true]);
  });
});
