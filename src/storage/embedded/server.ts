/** One PostgreSQL process on one cluster: start, find, ping, stop. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { connectionConfig, type SocketTarget } from '../postgres/connection/pool.ts';
import { StartError } from '../start-error.ts';
import { type Account, commandFor } from './account.ts';
import { type Cluster, cleanEnv, isAlive, SUPERUSER } from './cluster.ts';

/** Set on the command line, so that the settings of this version apply whatever the cluster's files say. */
const SETTINGS: Record<string, string> = {
  listen_addresses: '',
  port: '5432',
  unix_socket_permissions: '0700',
  // An acknowledged write is on disk.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // Nothing replicates from this server, so the write-ahead log need not support it.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '1GB',
  // Modest: the operating system's cache does the rest.
  shared_buffers: '128MB',
  max_connections: '60',
  max_parallel_workers_per_gather: '0',
  io_method: 'sync',
  jit: 'off',
  // Neither statements nor error details are logged: they may hold customers' data.
  log_min_messages: 'warning',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
  TimeZone: 'UTC',
};

/** A larger log is rotated at a start; the previous one is kept. */
const MAX_LOG_BYTES = 10 * 2 ** 20;
const POLL_MS = 10;

export function targetOf(cluster: Cluster, application_name: string): SocketTarget {
  return { socket_dir: cluster.socket_dir, user: SUPERUSER, database: 'postgres', application_name };
}

/** A connection when the server accepts one, otherwise `null`. */
export async function tryConnect(cluster: Cluster, application_name: string): Promise<pg.Client | null> {
  const client = new pg.Client(connectionConfig(targetOf(cluster, application_name)));
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch {
    return null;
  }
}

/** Starts the server as a detached process: it survives a kill of this process, and Ctrl-C does not reach it. */
export function spawnServer(cluster: Cluster): ChildProcess {
  const { account, binaries, dir, socket_dir, log_file } = cluster;
  const settings = { ...SETTINGS, unix_socket_directories: `"${socket_dir.replaceAll('"', '""')}"` };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = commandFor(account, binaries.postgres, ['-D', dir, ...flags]);
  const log = openLog(log_file, account);
  try {
    const options = { ...command.identity, cwd: '/', env: cleanEnv(), detached: true };
    const child = spawn(command.file, command.args, { ...options, stdio: ['ignore', log, log] });
    child.on('error', () => {});
    child.unref();
    return child;
  } finally {
    fs.closeSync(log);
  }
}

function openLog(file: string, account: Account | null): number {
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_LOG_BYTES) fs.renameSync(file, `${file}.1`);
  const log = fs.openSync(file, 'a', 0o600);
  // The cluster's owner may start it without Weir.
  if (account !== null) fs.fchownSync(log, account.uid, account.gid);
  return log;
}

/**
 * Process id of the server that has the cluster now, `null` when there is none; files left by a dead server are
 * removed.
 */
export function runningPid(cluster: Cluster): number | null {
  const pid = lockHolder(join(cluster.dir, 'postmaster.pid'), cluster);
  if (pid === null) lockHolder(join(cluster.socket_dir, '.s.PGSQL.5432.lock'), cluster);
  return pid;
}

/**
 * The process that holds a lock file. PostgreSQL only checks whether a process with that id exists, and refuses to
 * start while the dead one is a zombie, or when the id now belongs to another program. Therefore a stale file is
 * removed.
 */
function lockHolder(file: string, cluster: Cluster): number | null {
  const pid = Number.parseInt(readText(file), 10);
  if (Number.isNaN(pid)) return null;
  if (isServer(pid, cluster.dir)) return pid;
  fs.rmSync(file, { force: true });
  return null;
}

/**
 * True while the process lives and is a server on this directory, also when that was moved; an id alone is not proof.
 */
function isServer(pid: number, dir: string): boolean {
  if (!isAlive(pid)) return false;
  return commandLine(pid).includes(`-D ${dir} `) || workingDirectory(pid) === dir;
}

function workingDirectory(pid: number): string | null {
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

function commandLine(pid: number): string {
  if (process.platform === 'linux') return readText(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
  try {
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

/**
 * Stops the server: first with a fast shutdown, which closes the files in order; after `patience_ms` immediately, which
 * loses no data either.
 */
export async function stopServer(cluster: Cluster, patience_ms = 2_000): Promise<void> {
  await endProcess(cluster, patience_ms);
  // Only where it is a directory of its own; inside the cluster it stays.
  if (cluster.socket_dir !== cluster.dir) fs.rmSync(cluster.socket_dir, { recursive: true, force: true });
}

async function endProcess(cluster: Cluster, patience_ms: number): Promise<void> {
  const pid = runningPid(cluster);
  if (pid === null) return;
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    process.kill(pid, signal);
    for (let waited = 0; waited < patience_ms; waited += POLL_MS) {
      if (!isServer(pid, cluster.dir)) return;
      await sleep(POLL_MS);
    }
  }
}

/** Why the server did not start, from the end of its log. */
export function startFailure(cluster: Cluster): StartError {
  const pid = runningPid(cluster);
  if (pid !== null)
    return new StartError(`PostgreSQL on \`${cluster.dir}\` (process \`${pid}\`) runs but does not answer`);
  const lines = readText(cluster.log_file).split('\n').slice(-50);
  const line = lines.findLast((text) => /FATAL|PANIC|error|setpriv|could not/i.test(text)) ?? 'it said nothing';
  if (/No space left/.test(line)) {
    return new StartError(`the disk of \`${cluster.dir}\` is full: free some space and start again`);
  }
  const text = line.replace(/^.*?(FATAL|PANIC): +/, '');
  return new StartError(`PostgreSQL did not start on \`${cluster.dir}\`: ${text}; see \`${cluster.log_file}\``);
}

function readText(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
