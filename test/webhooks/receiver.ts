/** A receiver in this process that behaves as a test tells it, and remembers what it was sent. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS } from '../support/patience.ts';

export interface Received {
  headers: Record<string, string>;
  body: string;
  at: number;
}

export type Behaviour = (request: IncomingMessage, response: ServerResponse, path: string) => void;

export interface Receiver {
  url: string;
  received: Received[];
  /** What was sent to one path. */
  at(path: string): Received[];
  behave(path: string, behaviour: Behaviour): void;
  close(): Promise<void>;
}

export const answers =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (_, response) =>
    void response.writeHead(status, headers).end();

export async function startReceiver(): Promise<Receiver> {
  const behaviours = new Map<string, Behaviour>();
  const received: (Received & { path: string })[] = [];
  const server = createServer(async (request, response) => {
    response.on('error', () => {});
    const path = request.url!;
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ path, body, headers: request.headers as Record<string, string>, at: performance.now() });
    (behaviours.get(path) ?? answers(204))(request, response, path);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    at: (path) => received.filter((one) => one.path === path),
    behave: (path, behaviour) => void behaviours.set(path, behaviour),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Waits until something holds; fails with what it last was. */
export async function until<T>(look: () => Promise<T> | T, holds: (value: T) => boolean, what: string): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const value = await look();
    if (holds(value)) return value;
    if (performance.now() > deadline) throw new Error(`${what}: ${JSON.stringify(value)}`);
    await sleep(30);
  }
}
