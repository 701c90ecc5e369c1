/** Writes a hook into the settings of a host, after showing what changes. */
import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { Host } from './host.ts';

export interface Change {
  file: string;
  /** Lines with `-`, `+` and the lines around them; empty when nothing changes. */
  difference: string;
  /** Empty: nothing is left, and the file is removed. */
  text: string;
}

/**
 * What installing (with a command) or removing (without one) would change in the host's settings below `folder`. Symbolic links
 * are followed, so that one stays one, but out of `folder` only where `may_leave` is true: the settings of a project came with
 * it, and are not to choose a file elsewhere. Throws for such a link, and when the settings are no JSON object.
 */
export function planChange(host: Host, folder: string, command: string | null, may_leave: boolean): Change {
  const file = followed(join(folder, host.settings_file));
  const way = relative(followed(folder), file);
  if (!may_leave && (way === '..' || way.startsWith(`..${sep}`)))
    throw new Error(
      `\`${join(folder, host.settings_file)}\` leads out of the project, to \`${file}\`; nothing was changed`,
    );
  const before = readSettings(file);
  const settings = parse(before, file);
  const changed = host.install(settings, command);
  const text = command === null && isBare(changed) ? '' : `${JSON.stringify(changed, null, 2)}\n`;
  const is_same = text === before || JSON.stringify(changed) === JSON.stringify(settings);
  return { file, difference: is_same ? '' : differenceOf(before, text), text };
}

/** Settings that say nothing: what an installation makes of an empty file, without its hooks. */
const isBare = (settings: Record<string, unknown>): boolean =>
  Object.entries(settings).every(
    ([name, value]) => name === 'version' || (name === 'hooks' && Object.keys(value as object).length === 0),
  );

/** Writes beside the file and renames, so that the host never reads half of it. The file it replaces is kept as `.before-weir`. */
export function writeChange({ file, text }: Change): void {
  mkdirSync(dirname(file), { recursive: true });
  const before = readSettings(file);
  if (before !== '') writeNew(`${file}.before-weir`, before, 0o600);
  if (text === '') {
    rmSync(file);
    return;
  }
  writeNew(`${file}.part`, text, statSync(file, { throwIfNoEntry: false })?.mode ?? 0o600);
  renameSync(`${file}.part`, file);
}

/** In the place of whatever has this name; where that is a symbolic link, what it leads to stays as it is. */
function writeNew(file: string, text: string, mode: number): void {
  rmSync(file, { force: true });
  writeFileSync(file, text, { mode: mode & 0o777, flag: 'wx' });
}

/** The absolute path without symbolic links, also of a file that is not there yet. */
function followed(file: string): string {
  const path = resolve(file);
  try {
    return realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return join(followed(dirname(path)), basename(path));
  }
}

function readSettings(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

function parse(text: string, file: string): Record<string, unknown> {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new Error(`\`${file}\` is not a JSON object; nothing was changed`);
}

const AROUND = 3;

/** The changed lines between the common beginning and the common end, with a few lines around them. */
export function differenceOf(before: string, after: string): string {
  const old = before === '' ? [] : before.trimEnd().split('\n');
  const now = after === '' ? [] : after.trimEnd().split('\n');
  let first = 0;
  while (first < Math.min(old.length, now.length) && old[first] === now[first]) first += 1;
  let last = 0;
  const room = Math.min(old.length, now.length) - first;
  while (last < room && old.at(-1 - last) === now.at(-1 - last)) last += 1;
  const lines = (list: string[], mark: string): string[] =>
    list.slice(first, list.length - last).map((line) => `${mark} ${line}`);
  return [
    ...now.slice(Math.max(0, first - AROUND), first).map((line) => `  ${line}`),
    ...lines(old, '-'),
    ...lines(now, '+'),
    ...now.slice(now.length - last, now.length - last + AROUND).map((line) => `  ${line}`),
  ].join('\n');
}
