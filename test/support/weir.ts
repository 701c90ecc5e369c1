/** A real `weir serve` as a child process: free ports, its own data directory, stopped and removed afterwards. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const MAIN = join(ROOT, 'src/main.ts');
/** First starts make a database; on a busy machine that takes a while. */
const START_TIMEOUT_MS = 60_000;

export interface Weir {
  /** Scoring API and auth service. */
  api: string;
  auth: string;
  customer_id: string;
  /** The key printed at the first start; '' at later ones. */
  api_key: string;
  data_dir: string;
  child: ChildProcess;
  /** What it printed so far. */
  stdout(): string;
  stderr(): string;
  /** SIGTERM; resolves with exit code and the time it took. The data directory stays when it was given. */
  stop(): Promise<{ code: number | null; took_ms: number }>;
}

export interface StartOptions {
  env?: Record<string, string>;
  /** An existing data directory, kept afterwards. Default: a new one, removed afterwards. */
  data_dir?: string;
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Starts `weir serve` and waits until it says where it is. Throws with its output when it ends instead. */
export async function startWeir(options: StartOptions = {}): Promise<Weir> {
  const data_dir = options.data_dir ?? temporaryDirectory();
  const run = launch(data_dir, options.env ?? {});
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!isUp(run.stdout())) {
    if (run.child.exitCode !== null || Date.now() > deadline) {
      run.child.kill('SIGKILL');
      throw new Error(`weir did not start (exit ${run.child.exitCode}):\n${run.stdout()}\n${run.stderr()}`);
    }
    await new Promise((done) => setTimeout(done, 20));
  }
  const find = (pattern: RegExp): string => pattern.exec(run.stdout())?.[1] ?? '';
  return {
    api: find(/scoring API +(http:\S+)/),
    auth: find(/auth service +(http:\S+)/),
    customer_id: find(/customer_id +(\S+)/),
    api_key: find(/API key +(\S+)/),
    data_dir,
    ...run,
    stop: async () => {
      const start = performance.now();
      if (run.child.exitCode === null && run.child.signalCode === null) {
        const exit = once(run.child, 'exit');
        run.child.kill('SIGTERM');
        await exit;
      }
      if (options.data_dir === undefined) rmSync(data_dir, { recursive: true, force: true });
      return { code: run.child.exitCode, took_ms: performance.now() - start };
    },
  };
}

/** Runs `weir serve` with settings that should make it end by itself. */
export async function runToEnd(env: Record<string, string>, data_dir = temporaryDirectory()): Promise<Ended> {
  const run = launch(data_dir, env);
  const cut = setTimeout(() => run.child.kill('SIGKILL'), START_TIMEOUT_MS);
  const [code] = (await once(run.child, 'close')) as [number | null];
  clearTimeout(cut);
  return { code, stdout: run.stdout(), stderr: run.stderr() };
}

/** A new directory that an unprivileged database server may enter. */
export function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'weir-test-'));
}

function launch(data_dir: string, env: Record<string, string>) {
  // Only what a program needs to run: settings of the machine must not reach the tests.
  const passed = ['PATH', 'HOME', 'TMPDIR', 'NODE_OPTIONS'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  const base = { ...Object.fromEntries(passed), DATA_DIR: data_dir, PORT: '0', AUTH_PORT: '0' };
  const child = spawn(process.execPath, [MAIN, 'serve'], { cwd: ROOT, env: { ...base, ...env } });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  return { child, stdout: () => stdout, stderr: () => stderr };
}

/** The welcome is one write, and the data line comes after the addresses. */
function isUp(stdout: string): boolean {
  return (
    /Weir is running[\s\S]*\n {2}data .*\n/.test(stdout) &&
    (!stdout.includes('First start') || /\ncurl .*\n/.test(stdout))
  );
}
