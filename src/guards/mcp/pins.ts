/** The file of pinned definitions of one server: what its tools said when somebody, or the first use, took them over. */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Definition, INSTRUCTIONS } from './definitions.ts';
import { isObject, type Params } from './peer.ts';

export interface Pins {
  /** Taken over, by id. The definition is kept to show what has changed. */
  pinned: Record<string, { hash: string; definition: Params }>;
  /** Hashes of definitions that were there at the first use and that Weir has not let pass yet, by id. */
  first_use: Record<string, string>;
}

/** Tools and instructions apart: a server gives its instructions first, and its tools come later. */
export const pinsFile = (state_dir: string, kind: 'tools' | 'instructions', server: string): string =>
  join(state_dir, 'mcp', kind, `${server}.json`);

/** `null` before the first use. Throws when the file cannot be read or understood: then nothing is pinned, and nothing passes. */
export async function readPins(file: string): Promise<Pins | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const value: unknown = JSON.parse(text);
  if (!isObject(value) || !isObject(value['pinned']) || !isObject(value['first_use']))
    throw new Error(`\`${file}\` is no file of pins`);
  return value as unknown as Pins;
}

/** Writes beside the file and renames, so that readers see the old pins or the new ones. */
export async function writePins(file: string, pins: Pins): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // Sessions of one process may write at the same time.
  const part = `${file}.${randomUUID()}.part`;
  const handle = await open(part, 'w', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(pins, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(part, file);
}

/** `new`: seen at the first use, and to be scored. */
export type Standing = 'pinned' | 'new' | 'changed' | 'appeared';

export function standingOf({ id, hash }: Definition, pins: Pins | null): Standing {
  if (pins === null) return 'new';
  const known = Object.hasOwn(pins.pinned, id) ? pins.pinned[id] : undefined;
  if (known !== undefined) return known.hash === hash ? 'pinned' : 'changed';
  return Object.hasOwn(pins.first_use, id) && pins.first_use[id] === hash ? 'new' : 'appeared';
}

/** Why a definition does not pass, and what a person can do. */
export function refusalOf(
  { id, pinned }: Definition,
  standing: 'changed' | 'appeared',
  pins: Pins,
  server: string,
): string {
  const what = id === INSTRUCTIONS ? 'Its instructions' : `The tool \`${String(pinned['name'])}\``;
  const before = pins.pinned[id]?.definition ?? {};
  const parts = [...new Set([...Object.keys(before), ...Object.keys(pinned)])].filter(
    (part) => JSON.stringify(before[part]) !== JSON.stringify(pinned[part]),
  );
  const how =
    standing === 'changed'
      ? `changed since the server \`${server}\` was pinned (${parts.join(', ')})`
      : `came after the server \`${server}\` was pinned`;
  return `${what} ${how}. A person has to look at the difference: \`weir mcp-proxy pin --server ${server}\`.`;
}
