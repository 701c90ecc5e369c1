/**
 * The account that PostgreSQL runs under. PostgreSQL refuses to run as root, so under root it gets an unprivileged
 * account; where that account cannot reach the files (a checkout below /root, a 0700 directory), it also gets the
 * capability to traverse directories.
 */
import { readFileSync, type Stats, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { StartError } from '../start-error.ts';

export interface Account {
  uid: number;
  gid: number;
  /** It cannot reach all the files without extra capabilities. */
  needs_passage: boolean;
}

export interface Command {
  file: string;
  args: string[];
  /** For spawn(); empty when the command changes the account itself or no change is needed. */
  identity: { uid?: number; gid?: number };
}

/**
 * The account for a cluster: `null` (this process's own) unless it is root. An existing cluster keeps its owner; a new
 * one gets `postgres` when that user exists, otherwise `nobody`. `paths` are the files that it must reach.
 */
export function chooseAccount(cluster_dir: string, paths: string[]): Account | null {
  if (process.getuid?.() !== 0) return null;
  const { uid, gid } = ownerOf(cluster_dir) ?? lookUp('postgres') ?? lookUp('nobody') ?? { uid: 65534, gid: 65534 };
  return { uid, gid, needs_passage: !paths.every((path) => canReach(path, uid, gid)) };
}

/** `file` as run under the account. */
export function commandFor(account: Account | null, file: string, args: string[]): Command {
  if (account === null) return { file, args, identity: {} };
  const { uid, gid, needs_passage } = account;
  if (!needs_passage) return { file, args, identity: { uid, gid } };
  const caps = '+dac_override,+dac_read_search';
  const flags = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', `--inh-caps=${caps}`, `--ambient-caps=${caps}`];
  // PostgreSQL checks its programs with access(2), which ignores these capabilities for users other than root unless
  // this bit is set.
  flags.push('--securebits=+no_setuid_fixup');
  return { file: findSetpriv(dirname(file)), args: [...flags, '--', file, ...args], identity: {} };
}

function findSetpriv(unreachable: string): string {
  const path = process.env['PATH'] ?? '/usr/bin:/bin';
  const found = path.split(delimiter).find((directory) => directory !== '' && exists(join(directory, 'setpriv')));
  if (found !== undefined) return join(found, 'setpriv');
  throw new StartError(
    `PostgreSQL does not run as root, and an unprivileged account cannot reach \`${unreachable}\` or the data directory: install \`setpriv\` (util-linux), open the directories above them (chmod o+x), start Weir as another user, or set DATABASE_URL`,
  );
}

/** True when the account may traverse every directory above `path` and use `path` itself, judged by the file modes. */
function canReach(path: string, uid: number, gid: number): boolean {
  const stats = statOf(path);
  const is_ok = stats === null || allows(stats, uid, gid);
  const parent = dirname(path);
  return is_ok && (parent === path || canReach(parent, uid, gid));
}

function allows(stats: Stats, uid: number, gid: number): boolean {
  const shift = stats.uid === uid ? 6 : stats.gid === gid ? 3 : 0;
  return ((stats.mode >> shift) & 1) === 1;
}

function ownerOf(path: string): { uid: number; gid: number } | null {
  const stats = statOf(path);
  return stats === null || stats.uid === 0 ? null : { uid: stats.uid, gid: stats.gid };
}

function lookUp(user: string): { uid: number; gid: number } | null {
  const line = readPasswd().find((entry) => entry.startsWith(`${user}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid === undefined || gid === undefined ? null : { uid: Number(uid), gid: Number(gid) };
}

function readPasswd(): string[] {
  try {
    return readFileSync('/etc/passwd', 'utf8').split('\n');
  } catch {
    return [];
  }
}

function statOf(path: string): Stats | null {
  return statSync(path, { throwIfNoEntry: false }) ?? null;
}

function exists(path: string): boolean {
  return statOf(path) !== null;
}
