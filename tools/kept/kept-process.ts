/**
 * A server that a command starts for itself and that never outlives it. Whatever ends the command (its own end, Ctrl-C, a closed
 * pipe, a hang-up, `kill -9`), a second process, the keeper, stops the server and removes its folders.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Task } from './keeper.ts';

const KEEPER = join(import.meta.dirname, 'keeper.ts');
const ROOT = join(import.meta.dirname, '../..');

export interface KeptProcess {
  /** Process id of the server. */
  pid: number;
  /** What the server prints; `null` unless `output` is `pipe`. */
  stdout: Readable | null;
  stderr: Readable | null;
  /** Exit code of the server; `null` while it runs. */
  code(): number | null;
  /** Sends a message to the server and resolves with the next one from it. */
  ask(message: string): Promise<unknown>;
  /** SIGTERM to the server, then the removal of its folders. Safe to repeat. */
  stop(): Promise<void>;
}

export interface KeptOptions {
  /** Arguments of Node; `null` starts no server and keeps the folders alone. */
  args: readonly string[] | null;
  env?: NodeJS.ProcessEnv;
  /** Folders that are removed when the server has ended. Make them after this call, so that none is left by a kill before it. */
  folders?: readonly string[];
  /** Where standard output and standard error go. Default: output nowhere, errors to the command's own. */
  output?: 'pipe' | 'errors';
}

/** Starts a server under a keeper. Rejects when the keeper ends at once. */
export async function startKept({ args, env = {}, folders = [], output }: KeptOptions): Promise<KeptProcess> {
  const task: Task = { args, cwd: ROOT, folders };
  const keeper = spawn(process.execPath, [KEEPER, JSON.stringify(task)], {
    cwd: ROOT,
    env,
    detached: true,
    stdio: output === 'pipe' ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(keeper, 'exit');
  const [first] = (await Promise.race([once(keeper, 'message'), ended])) as [{ pid: number } | number | null];
  if (typeof first !== 'object' || first === null) throw new Error('the keeper of the server did not start');
  return {
    pid: first.pid,
    stdout: keeper.stdout,
    stderr: keeper.stderr,
    code: () => (keeper.signalCode === null ? keeper.exitCode : 1),
    async ask(message) {
      const answer = once(keeper, 'message');
      keeper.send(message);
      return ((await answer) as [unknown])[0];
    },
    async stop() {
      if (keeper.connected) keeper.disconnect();
      await ended;
    },
  };
}

/** A path in the folder of temporary files that nothing has yet. */
export function newTemporaryPath(prefix: string): string {
  return join(tmpdir(), prefix + randomBytes(6).toString('hex'));
}

const stops: (() => Promise<void>)[] = [];
let is_ending = false;

/**
 * Ends this command in order at SIGINT, SIGTERM and SIGHUP and when the reader of its output has left: `stop` of every caller
 * runs, then the process ends with 128 + the number of the signal, as a shell counts it. Call it before the first line is printed.
 */
export function stopBeforeEnd(stop: () => Promise<void>): void {
  if (stops.push(stop) > 1) return;
  const end = (code: number): void => {
    // npm passes on a Ctrl-C that the terminal has already sent, so a second signal means nothing.
    if (is_ending) return;
    is_ending = true;
    void Promise.allSettled(stops.map((one) => one())).finally(() => process.exit(code));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, (_name: NodeJS.Signals, number: number) => end(128 + number));
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // 13 is SIGPIPE. Another failure of the output has nobody to be told to.
      end(error.code === 'EPIPE' ? 141 : 1);
    });
  }
}
