/** A server of a test's own, with its data in a folder of its own, that the test may freeze, kill and start again. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

export interface OwnServer {
  url: string;
  /** It keeps its connections and takes new ones, and says nothing. */
  freeze(): void;
  thaw(): void;
  /** `kill -9`, and a start on the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface OwnServerParts {
  program: string;
  url: string;
  /** Of the command line, with the folder for its data. */
  options: (dir: string) => readonly string[];
  /** What it prints once it answers. */
  is_ready: string;
}

export async function startOwnServer({ program, url, options, is_ready }: OwnServerParts): Promise<OwnServer> {
  const name = basename(program);
  const dir = mkdtempSync(join(tmpdir(), `weir-${name}-`));
  const start = async (): Promise<ChildProcess> => {
    const child = spawn(program, options(dir), { stdio: 'pipe' });
    let log = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        log += chunk;
      });
    while (!log.includes(is_ready)) {
      if (child.exitCode !== null) throw new Error(`${name} did not start:\n${log}`);
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
    url,
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
