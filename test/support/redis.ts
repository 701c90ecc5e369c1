/** A Redis of a test's own, on a free port. */
import { existsSync } from 'node:fs';
import { type OwnServer, startOwnServer } from './own-server.ts';
import { freePort } from './port.ts';

const PROGRAM = ['/usr/bin/redis-server', '/usr/local/bin/redis-server', '/opt/homebrew/bin/redis-server'].find(
  existsSync,
);

/** Why no server can be started here; `undefined` when it can. */
export const NO_REDIS_SERVER = PROGRAM === undefined ? 'SKIPPED: redis-server is not installed' : undefined;

/** A restart is on what was last saved: nothing is saved unless it is told to. */
export async function startRedis(): Promise<OwnServer> {
  const port = await freePort();
  return startOwnServer({
    program: PROGRAM!,
    url: `redis://127.0.0.1:${port}`,
    options: (dir) => ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', ''],
    is_ready: 'Ready to accept connections',
  });
}

/** The key that authenticates memories, the same in every process of a test. */
export const memory_key = async (): Promise<Buffer> => Buffer.alloc(32, 7);
