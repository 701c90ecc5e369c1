/** NATS for tests: the machine's own, or one that a test starts and stops. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
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

export interface NatsServer {
  url: string;
  /** It keeps its connections and takes new ones, and says nothing, until it goes on. */
  freeze(): void;
  goOn(): void;
  /** `kill -9`, and a start on the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A server of the test's own with JetStream on disk, on a free port unless one is given. `flags` are of nats-server. */
export async function startNats(flags: readonly string[] = [], port?: number): Promise<NatsServer> {
  port ??= await freePort();
  const dir = mkdtempSync(join(tmpdir(), 'weir-nats-'));
  const start = async (): Promise<ChildProcess> => {
    const child = spawn(PROGRAM!, ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', dir, ...flags], {
      stdio: 'pipe',
    });
    let log = '';
    child.stderr.on('data', (chunk) => {
      log += chunk;
    });
    while (!log.includes('Server is ready')) {
      if (child.exitCode !== null) throw new Error(`nats-server did not start:\n${log}`);
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
    url: `nats://127.0.0.1:${port}`,
    freeze: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
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
