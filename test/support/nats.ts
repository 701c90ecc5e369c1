/** NATS for tests: the machine's own, or one that a test starts and stops. */
import { existsSync } from 'node:fs';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { type OwnServer, startOwnServer } from './own-server.ts';
import { freePort } from './port.ts';

/** Removes what a Weir with this prefix made. */
export async function removeStreams(url: string, prefix: string): Promise<void> {
  const connection = await connect({ servers: url });
  const manager = await jetstreamManager(connection);
  for (const name of [`${prefix}_work`, `${prefix}_dead`]) await manager.streams.delete(name).catch(() => false);
  await connection.close();
}

const PROGRAM = ['/usr/sbin/nats-server', '/usr/bin/nats-server', '/usr/local/bin/nats-server'].find(existsSync);

/** Why no server can be started here; `undefined` when it can. */
export const NO_NATS_SERVER = PROGRAM === undefined ? 'SKIPPED: nats-server is not installed' : undefined;

/** A server of the test's own with JetStream on disk, on a free port unless one is given. `flags` are of nats-server. */
export async function startNats(flags: readonly string[] = [], port?: number): Promise<OwnServer> {
  port ??= await freePort();
  return startOwnServer({
    program: PROGRAM!,
    url: `nats://127.0.0.1:${port}`,
    options: (dir) => ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', dir, ...flags],
    is_ready: 'Server is ready',
  });
}
