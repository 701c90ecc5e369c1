/** Stands between the driver and a PostgreSQL socket, and misbehaves on request, as networks do. */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export type Mode =
  | 'pass'
  /** Connections break, new ones too. */
  | 'refuse'
  /** Nothing gets through in either direction, and nobody is told. */
  | 'freeze'
  /** Questions arrive and take effect; at the first answer the connection breaks, once. */
  | 'lose answer'
  /** Each piece takes up to 20 ms longer, and one in twenty 200 ms more, as when it was lost and sent again. Order is kept. */
  | 'jitter';

export interface SocketProxy {
  /** Directory with a socket of the name the driver looks for. */
  socket_dir: string;
  mode: Mode;
  close(): Promise<void>;
}

const SOCKET = '.s.PGSQL.5432';

export async function startProxy(server_dir: string): Promise<SocketProxy> {
  const socket_dir = mkdtempSync(join(tmpdir(), 'weir-proxy-'));
  const pairs = new Set<[Socket, Socket]>();
  let mode: Mode = 'pass';

  /** Writes at once, or late but in order. */
  function sender(socket: Socket): (data: Buffer) => void {
    let last = Promise.resolve();
    return (data) => {
      if (mode !== 'jitter') {
        void last.then(() => socket.write(data));
        return;
      }
      const delay = Math.random() * 20 + (Math.random() < 0.05 ? 200 : 0);
      last = Promise.all([last, sleep(delay)]).then(() => void socket.write(data));
    };
  }

  function link(client: Socket): void {
    const upstream = connect(join(server_dir, SOCKET));
    const pair: [Socket, Socket] = [client, upstream];
    const cut = () => {
      pairs.delete(pair);
      client.destroy();
      upstream.destroy();
    };
    pairs.add(pair);
    for (const socket of pair) socket.on('error', cut).on('close', cut);
    if (mode === 'refuse') cut();
    const [up, down] = [sender(upstream), sender(client)];
    client.on('data', (data) => {
      if (mode !== 'freeze') up(data);
    });
    upstream.on('data', (data) => {
      if (mode === 'lose answer') {
        mode = 'pass';
        cut();
      } else if (mode !== 'freeze') {
        down(data);
      }
    });
  }

  const server = createServer(link);
  await new Promise<void>((resolve) => server.listen(join(socket_dir, SOCKET), resolve));
  return {
    socket_dir,
    get mode() {
      return mode;
    },
    set mode(value: Mode) {
      mode = value;
      // After a freeze a conversation has holes, so it ends.
      if (value === 'pass' || value === 'refuse') for (const pair of pairs) for (const socket of pair) socket.destroy();
    },
    async close() {
      for (const [client] of pairs) client.destroy();
      await new Promise((resolve) => server.close(resolve));
      rmSync(socket_dir, { recursive: true, force: true });
    },
  };
}
