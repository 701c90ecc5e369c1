/** Stands between Weir and a server on a port, and takes it away or freezes it on request. */
import { connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  port: number;
  /** `gone`: connections break, new ones too. `frozen`: connections stay, and nothing gets through. */
  mode: 'pass' | 'gone' | 'frozen';
  close(): Promise<void>;
}

export async function startTcpProxy(host: string, port: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let mode: TcpProxy['mode'] = 'pass';
  const cutAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    const upstream = connect(port, host);
    const pair = [client, upstream];
    const cut = (): void => {
      for (const socket of pair) {
        socket.destroy();
        sockets.delete(socket);
      }
    };
    for (const socket of pair) {
      sockets.add(socket);
      socket.on('error', cut).on('close', cut);
    }
    if (mode === 'gone') return cut();
    client.on('data', (data) => void (mode === 'pass' && upstream.write(data)));
    upstream.on('data', (data) => void (mode === 'pass' && client.write(data)));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as { port: number }).port,
    get mode() {
      return mode;
    },
    set mode(next) {
      // What was swallowed leaves a connection out of step, so it ends with the freeze.
      const was = mode;
      mode = next;
      if (next === 'gone' || was === 'frozen') cutAll();
    },
    async close() {
      cutAll();
      await new Promise((done) => server.close(done));
    },
  };
}
