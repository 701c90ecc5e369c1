/**
 * A real `weir serve` as a child process: free ports, its own data directory, stopped and removed afterwards. For a test that only looks
 * at what the server answers, `hosted-weir.ts` takes a tenth of the processor time.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after } from 'node:test';
import { learnAdminKey } from './admin-keys.ts';
import { fillDataDir } from './embedded-template.ts';
import { PATIENCE_MS } from './patience.ts';
import { bareEnvironment, programOf } from './programs.ts';
import { WIDE_LIMITS_ENV } from './wide-limits.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** Servers that no test has stopped. Node ends when nothing is open, so that one of them would keep its file running. */
const running = new Set<Weir>();
// A test that fails does not come to its own `stop()`.
after(async () => {
  for (const weir of running) await weir.stop();
});

/** Where a server is, and what its first start made. */
export interface WeirPlace {
  /** Scoring API and auth service. */
  api: string;
  auth: string;
  /** '' unless METRICS_PORT is set. */
  metrics: string;
  /** `host:port` of the gRPC service. */
  grpc: string;
  customer_id: string;
  /** The owner's key that the first start made; '' at later ones. */
  api_key: string;
  /** The key for gates that the first start made; '' at later ones. */
  gate_key: string;
  /** Where the first person signs in, once; '' at later starts. */
  sign_in_url: string;
  /** The admin key of the auth service in `data_dir`; '' where it has none. */
  admin_key: string;
  data_dir: string;
}

/** A server, whether it is a process of its own or runs in the host process of the tests. */
export interface AnyWeir extends WeirPlace {
  /** What it printed so far. */
  stdout(): string;
  stderr(): string;
  isRunning(): boolean;
  stop(): Promise<unknown>;
}

export interface Weir extends AnyWeir {
  child: ChildProcess;
  /** SIGTERM; resolves with the exit code. The data directory stays when it was given. */
  stop(): Promise<{ code: number | null }>;
}

export interface StartOptions {
  /** Settings. The limits of stores are wide unless a test of them sets `USUAL_LIMITS_ENV`. */
  env?: Record<string, string>;
  /** An existing data directory, kept afterwards. Default: a new one, removed afterwards. */
  data_dir?: string;
  /** Roles of this process, as on the command line. Default: all. */
  roles?: string;
  /** The first start makes the embedded database itself, as for a customer. Default: it gets a prepared one without rows. */
  is_first_start?: boolean;
  /** It runs the sources, as `npm start` does. Default: what `programOf` answers. */
  is_source?: boolean;
  /** Limit of open files of the process. Default: that of this one. */
  open_files?: number;
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Starts `weir serve` and waits until it says where it is. Throws with its output when it ends instead. */
export async function startWeir(options: StartOptions = {}): Promise<Weir> {
  const data_dir = options.data_dir ?? temporaryDirectory();
  if (options.env?.['DATABASE_URL'] === undefined && !options.is_first_start) await fillDataDir(data_dir);
  const run = launch(data_dir, options.env ?? {}, options);
  if (!(await comesUp(run))) {
    run.child.kill('SIGKILL');
    throw new Error(`weir did not start (exit ${run.child.exitCode}):\n${run.stdout()}\n${run.stderr()}`);
  }
  const weir: Weir = {
    ...placeIn(run.stdout(), data_dir),
    ...run,
    isRunning: () => run.child.exitCode === null && run.child.signalCode === null,
    stop: async () => {
      running.delete(weir);
      if (run.child.exitCode === null && run.child.signalCode === null) {
        const exit = once(run.child, 'exit');
        run.child.kill('SIGTERM');
        await exit;
      }
      if (options.data_dir === undefined) rmSync(data_dir, { recursive: true, force: true });
      return { code: run.child.exitCode };
    },
  };
  running.add(weir);
  return weir;
}

/** What the welcome of a server with this data directory says. */
export function placeIn(welcome: string, data_dir: string): WeirPlace {
  const find = (pattern: RegExp): string => pattern.exec(welcome)?.[1] ?? '';
  const auth = find(/auth service +(http:\S+)/);
  return {
    api: find(/scoring API +(http:\S+)/),
    auth,
    metrics: find(/metrics +(http:\S+)\/metrics/),
    grpc: find(/gRPC +(\S+:\d+)/),
    customer_id: find(/customer_id +(\S+)/),
    api_key: firstKey(find(/owner key +in (.+)/)),
    gate_key: firstKey(find(/API key +in (.+)/)),
    sign_in_url: firstKey(find(/sign in once +in (.+)/)),
    admin_key: auth === '' ? '' : learnAdminKey(auth, data_dir),
    data_dir,
  };
}

/** The environment of a server: settings of the machine must not reach the tests. */
export function serverEnvironment(data_dir: string, env: Record<string, string>): Record<string, string> {
  const ports = { PORT: '0', GRPC_PORT: '0', AUTH_PORT: '0' };
  return { ...bareEnvironment(), DATA_DIR: data_dir, ...ports, ...WIDE_LIMITS_ENV, ...env };
}

/** Its output is a pipe here, so that the key is in a file. */
function firstKey(file: string): string {
  return file === '' ? '' : readFileSync(file, 'utf8').trim();
}

/** Runs `weir serve` with settings that should make it end by itself. Default: a new data directory, with a prepared database. */
export async function runToEnd(env: Record<string, string>, data_dir?: string): Promise<Ended> {
  const dir = data_dir ?? temporaryDirectory();
  if (data_dir === undefined && env['DATABASE_URL'] === undefined) await fillDataDir(dir);
  const run = launch(dir, env);
  const cut = setTimeout(() => run.child.kill('SIGKILL'), PATIENCE_MS);
  const [code] = (await once(run.child, 'close')) as [number | null];
  clearTimeout(cut);
  if (data_dir === undefined) rmSync(dir, { recursive: true, force: true });
  return { code, stdout: run.stdout(), stderr: run.stderr() };
}

/** A new directory that an unprivileged database server may enter. */
export function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'weir-test-'));
}

/** `kill -9` of the embedded database's first process, if there is one; the rest of it ends by itself. */
export function killDatabase(data_dir: string): void {
  const file = join(data_dir, 'postgres', 'postmaster.pid');
  if (!existsSync(file)) return;
  process.kill(Number(readFileSync(file, 'utf8').split('\n')[0]), 'SIGKILL');
}

function launch(
  data_dir: string,
  env: Record<string, string>,
  { roles, open_files, is_source }: Pick<StartOptions, 'roles' | 'open_files' | 'is_source'> = {},
) {
  const main = is_source ? join(ROOT, 'src/main.ts') : programOf('src/main.ts');
  const command = [process.execPath, main, 'serve', ...(roles === undefined ? [] : ['--roles', roles])];
  const limited =
    open_files === undefined ? command : ['/bin/sh', '-c', `ulimit -n ${open_files} && exec "$@"`, 'sh', ...command];
  const child = spawn(limited[0]!, limited.slice(1), {
    cwd: ROOT,
    env: serverEnvironment(data_dir, env),
  });
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

/** Resolves when the server says where it is (true), or when it ended or the time is over (false). */
function comesUp({ child, stdout }: ReturnType<typeof launch>): Promise<boolean> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => resolve(false), PATIENCE_MS);
    child.stdout.on('data', () => {
      if (!isUp(stdout())) return;
      clearTimeout(cut);
      resolve(true);
    });
    child.once('close', () => {
      clearTimeout(cut);
      resolve(false);
    });
  });
}

/** The welcome is one write, and the data line comes after the addresses. */
function isUp(stdout: string): boolean {
  return (
    /Weir is running[\s\S]*\n {2}data .*\n/.test(stdout) &&
    (!stdout.includes('First start') || /\n(?:curl|Make one) .*\n/.test(stdout))
  );
}
