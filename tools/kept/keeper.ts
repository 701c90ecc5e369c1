/**
 * The process between a command and the server that it starts (see kept-process.ts). It runs in a session of its own, so that no
 * signal from a terminal reaches it or the server. When the channel to the command closes, because the command has stopped
 * the server or has died in any way, the keeper ends the server and its embedded database and removes the folders.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than a stop of the server may take (LONGEST_STOP_MS in src/cli/serve.ts). */
const STOP_MS = 15_000;
const DATABASE_STOP_MS = 5_000;
const POLL_MS = 20;
const REMOVAL_MS = 10_000;
const REMOVAL_POLL_MS = 100;

/** What the keeper gets as its one argument, as JSON. */
export interface Task {
  /** Arguments of Node; `null` to keep folders alone. */
  args: readonly string[] | null;
  cwd: string;
  /** Folders to remove at the end; the data directory is one of them. They need not be there. */
  folders: readonly string[];
}

const { args, cwd, folders } = JSON.parse(process.argv[2]!) as Task;
// A signal to the process group or by name is meant for the command; its end is what counts.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGPIPE'] as const) process.on(signal, () => {});
// The command may have ended while this file was loaded; its event is over then.
const left = process.connected ? once(process, 'disconnect') : Promise.resolve();

let code = 0;
try {
  if (args === null) {
    tell({ pid: process.pid });
    await left;
  } else {
    code = await keep(spawn(process.execPath, args, { cwd, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }));
  }
} finally {
  for (const folder of folders) await remove(folder);
}
process.exit(code);

/** Resolves with the exit code of the server once it has ended, by itself or because the command has left. */
async function keep(server: ChildProcess): Promise<number> {
  const ended = once(server, 'exit');
  tell({ pid: server.pid });
  server.on('message', tell);
  process.on('message', (message) => {
    if (server.connected) server.send(message as object, () => {});
  });
  await Promise.race([left, ended]);
  if (server.exitCode === null && server.signalCode === null) {
    server.kill('SIGTERM');
    const is_over = await Promise.race([ended.then(() => true), sleep(STOP_MS, false, { ref: false })]);
    if (!is_over) server.kill('SIGKILL');
  }
  await ended;
  return server.exitCode ?? 1;
}

/** Says something to the command, unless it has left. */
function tell(message: unknown): void {
  if (process.connected) process.send!(message, undefined, undefined, () => {});
}

/** Ends a database that still runs in the folder, as after `kill -9` of the server, and removes the folder. */
async function remove(folder: string): Promise<void> {
  const pid = databaseOf(folder);
  if (pid !== null) {
    signal(pid, 'SIGQUIT');
    for (let waited = 0; waited < DATABASE_STOP_MS && signal(pid, 0); waited += POLL_MS) await sleep(POLL_MS);
    signal(pid, 'SIGKILL');
  }
  // `initdb` that is told to stop empties its directory itself, meanwhile: then the removal fails half-way, with any error.
  for (let waited = 0; ; waited += REMOVAL_POLL_MS) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (waited >= REMOVAL_MS) throw error;
      await sleep(REMOVAL_POLL_MS);
    }
  }
}

/** Process id of the database in this data directory; `null` when there is none. */
function databaseOf(folder: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8'), 10);
    return pid > 1 ? pid : null;
  } catch {
    return null;
  }
}

/** Whether the process was there to get it. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
