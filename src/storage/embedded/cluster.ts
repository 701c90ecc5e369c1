/** The database's files below DATA_DIR, made whole or not at all, and the place of its private socket. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeDirectory } from '../../platform/make-directory.ts';
import { StartError } from '../start-error.ts';
import { type Account, chooseAccount, commandFor } from './account.ts';
import { type Binaries, findBinaries, POSTGRES_VERSION } from './binaries.ts';

export interface Cluster {
  /** PostgreSQL's data directory, mode 0700. */
  dir: string;
  /** Directory of its socket, which no other user may enter. */
  socket_dir: string;
  log_file: string;
  account: Account | null;
  binaries: Binaries;
}

export const SUPERUSER = 'weir';

/** A socket's path has at most 103 bytes on macOS and 107 on Linux. */
const MAX_SOCKET_PATH = 100;
const MAKING = 'postgres.new-';
/** Directories that this process is filling right now. */
const in_making = new Set<string>();
const ROOT_ADVICE =
  'PostgreSQL does not run as root and was started as another account; if that is the cause, start Weir as another user, or set DATABASE_URL';
const run = promisify(execFile);

/** Finds the cluster below `data_dir`, and makes it at the first start. */
export async function prepareCluster(data_dir: string): Promise<Cluster> {
  const binaries = await findBinaries();
  const root = makeDataDir(data_dir);
  const dir = join(root, 'postgres');
  const account = chooseAccount(dir, [root, binaries.postgres, binaries.initdb]);
  const cluster = { dir, socket_dir: dir, log_file: join(root, 'postgres.log'), account, binaries };
  removeLeftovers(root);
  if (!fs.existsSync(join(dir, 'PG_VERSION'))) await initialise(root, cluster);
  checkCluster(cluster);
  return { ...cluster, socket_dir: chooseSocketDir(cluster) };
}

function makeDataDir(data_dir: string): string {
  try {
    makeDirectory(data_dir);
    fs.accessSync(data_dir, fs.constants.W_OK | fs.constants.X_OK);
    return fs.realpathSync(data_dir);
  } catch (error) {
    throw new StartError(
      `cannot write to the data directory \`${data_dir}\`: ${reason(error)}; set DATA_DIR to a directory of your own, or DATABASE_URL`,
      { cause: error },
    );
  }
}

/** Makes the files in a directory beside the final one and renames it, so that a kill leaves no half-made cluster. */
async function initialise(root: string, cluster: Cluster): Promise<void> {
  const making = fs.mkdtempSync(join(root, `${MAKING}${process.pid}-`));
  in_making.add(making);
  const { account, binaries, dir } = cluster;
  const flags = ['--auth=trust', '--no-locale', '--encoding=UTF8', '--no-instructions'];
  try {
    const command = commandFor(account, binaries.initdb, ['-D', making, `--username=${SUPERUSER}`, ...flags]);
    if (account !== null) fs.chownSync(making, account.uid, account.gid);
    const initdb = run(command.file, command.args, { ...command.identity, cwd: '/', env: cleanEnv() });
    // If this process ends meanwhile, `initdb` ends as well; what it has written is removed by it or by the next start.
    const endInitdb = (): void => void initdb.child.kill('SIGTERM');
    process.once('exit', endInitdb);
    await initdb.finally(() => process.removeListener('exit', endInitdb));
    fs.renameSync(making, dir);
    syncDirectory(root);
  } catch (error) {
    removeTree(making);
    // Another process was faster; its cluster is equivalent.
    if (['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) return;
    if (error instanceof StartError) throw error;
    const text = isDiskFull(error) ? 'the disk is full; free some space and start again' : initdbReason(error, account);
    throw new StartError(`cannot make the database in \`${dir}\`: ${text}`, { cause: error });
  } finally {
    in_making.delete(making);
  }
}

function removeLeftovers(root: string): void {
  for (const name of fs.readdirSync(root).filter((entry) => entry.startsWith(MAKING))) {
    const path = join(root, name);
    const pid = Number(name.slice(MAKING.length).split('-')[0]);
    // This process id may have been another's before: in a container every start has the same one.
    const is_left = pid === process.pid ? !in_making.has(path) : !isAlive(pid);
    if (is_left) removeTree(path);
  }
}

/** A directory that cannot be removed does no harm; the next start tries again. */
function removeTree(path: string): void {
  try {
    fs.rmSync(path, { recursive: true, force: true });
  } catch {}
}

function checkCluster(cluster: Cluster): void {
  const { dir } = cluster;
  let version: string;
  try {
    version = fs.readFileSync(join(dir, 'PG_VERSION'), 'utf8').trim();
  } catch (error) {
    throw new StartError(
      `cannot read the database in \`${dir}\`: ${reason(error)}; start Weir as its owner or as root`,
      {
        cause: error,
      },
    );
  }
  if (version !== POSTGRES_VERSION) {
    throw new StartError(
      `the database in \`${dir}\` was made by PostgreSQL \`${version}\`, this version of Weir ships \`${POSTGRES_VERSION}\`: dump it with the old version and restore it, or set DATA_DIR to a new directory`,
    );
  }
}

/**
 * The cluster's own directory is private. Where the path would be too long for a socket, a directory in the temporary
 * folder is used.
 */
function chooseSocketDir({ dir, account }: Cluster): string {
  if (Buffer.byteLength(join(dir, '.s.PGSQL.5432')) <= MAX_SOCKET_PATH) return dir;
  const short = join(tmpdir(), `weir-${createHash('sha256').update(dir).digest('hex').slice(0, 16)}`);
  const owner = account?.uid ?? process.getuid?.();
  try {
    fs.mkdirSync(short, { mode: 0o700 });
    if (account !== null) fs.chownSync(short, account.uid, account.gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const stats = fs.lstatSync(short);
  if (!stats.isDirectory() || stats.uid !== owner || (stats.mode & 0o077) !== 0) {
    throw new StartError(`\`${short}\` belongs to another user: remove it, or set DATA_DIR to a shorter path`);
  }
  return short;
}

/** Only the variables that PostgreSQL needs: PGPORT, PGDATA and the like are meant for other servers. */
export function cleanEnv(): NodeJS.ProcessEnv {
  return { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}

export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function syncDirectory(path: string): void {
  const handle = fs.openSync(path, 'r');
  fs.fsyncSync(handle);
  fs.closeSync(handle);
}

function isDiskFull(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOSPC' || /No space left/.test(stderrOf(error));
}

function initdbReason(error: unknown, account: Account | null): string {
  const line = stderrOf(error)
    .split('\n')
    .find((text) => /error|FATAL|setpriv|No such file|denied/i.test(text));
  const text = line?.trim() ?? reason(error);
  return account === null ? text : `${text}; ${ROOT_ADVICE}`;
}

function stderrOf(error: unknown): string {
  return String((error as { stderr?: string }).stderr ?? '');
}

function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const words: Record<string, string> = {
    EACCES: 'permission denied',
    EPERM: 'not permitted',
    EROFS: 'the file system is read-only',
    ENOSPC: 'the disk is full',
    ENOTDIR: 'a part of the path is a file',
    EEXIST: 'it is a file',
  };
  return words[code ?? ''] ?? message;
}
