/** A Redis of a test's own, on a free port, that it may freeze, kill and start again. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './port.ts';

const PROGRAM = ['/usr/bin/redis-server', '/usr/local/bin/redis-server', '/opt/homebrew/bin/redis-server'].find(
  existsSync,
);

/** Why no server can be started here; `undefined` when it can. */
export const NO_REDIS_SERVER = PROGRAM === undefined ? 'SKIPPED: redis-server is not installed' : undefined;

export interface RedisServer {
  url: string;
  /** Takes connections and answers nothing. */
  freeze(): void;
  thaw(): void;
  /** `kill -9`, and a start on what was last saved. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startRedis(): Promise<RedisServer> {
  const port = await freePort();
  const dir = mkdtempSync(join(tmpdir(), 'weir-redis-'));
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', ''];
  const start = async (): Promise<ChildProcess> => {
    const child = spawn(PROGRAM!, options, { stdio: 'pipe' });
    let log = '';
    child.stdout.on('data', (chunk) => {
      log += chunk;
    });
    while (!log.includes('Ready to accept connections')) {
      if (child.exitCode !== null) throw new Error(`redis-server did not start:\n${log}`);
      await new Promise((done) => setTimeout(done, 10));
    }
    return child;
  };
  const end = async (child: ChildProcess): Promise<void> => {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  let child = await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async restart() {
      await end(child);
      child = await start();
    },
    async stop() {
      await end(child);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
