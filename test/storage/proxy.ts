/** Stands between the driver and a PostgreSQL socket, and misbehaves on request, as networks do. */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Mode =
  | 'pass'
  /** Connections break, new ones too. */
  | 'refuse'
  /** Nothing gets through in either direction, and nobody is told. */
  | 'freeze'
  /** Questions arrive and take effect; at the first answer the connection breaks, once. */
  | 'lose answer';

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
    client.on('data', (data) => {
      if (mode !== 'freeze') upstream.write(data);
    });
    upstream.on('data', (data) => {
      if (mode === 'lose answer') {
        mode = 'pass';
        cut();
      } else if (mode !== 'freeze') {
        client.write(data);
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
