/** What the very first start makes: a customer with a key for gates, one for its owner, and a person who signs in by a link. */
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Parts } from '../../compose.ts';
import { signInUrl } from '../../people/people.ts';
import { newId } from '../../platform/ids.ts';
import { makeDirectory } from '../../platform/make-directory.ts';
import { GATE_SCOPES, OWNER_SCOPES, type Scope } from '../../tokens/api-keys/scopes.ts';

/** One key, and where it was written; `null`: it is shown. */
export interface FirstKey {
  api_key: string;
  file: string | null;
}

export interface FirstKeys {
  customer_id: string;
  gate: FirstKey;
  owner: FirstKey;
  /** Signs the first person in, once. */
  sign_in: { url: string; file: string | null };
}

/** There is no key, and none was made, because there is no place for it. */
export interface NoFirstKeys {
  /** Why the file cannot be written. */
  obstacle: string;
}

interface Place {
  file: string;
  handle: FileHandle;
}

const GATE_FILE = 'first-api-key';
const OWNER_FILE = 'first-owner-key';
const LINK_FILE = 'first-sign-in';
/** Until somebody adds people by their own names. */
const FIRST_PERSON = { email: 'owner@localhost', name: 'Owner', role: 'admin' };

/**
 * Makes the first keys of an empty database, null when there are keys. With `dir` the keys go into files there, which are made
 * first: a key that nobody can learn would keep later starts from making one.
 */
export async function makeFirstKeys(
  { storage, api_keys, people, address }: Pick<Parts, 'storage' | 'api_keys' | 'people' | 'address'>,
  dir: string | null,
): Promise<FirstKeys | NoFirstKeys | null> {
  const is_first = (await storage.whenUp(() => storage.api_keys.count())) === 0;
  if (!is_first) return null;
  const customer_id = newId();
  const issue = async (name: string, scopes: readonly Scope[]): Promise<string> =>
    (await api_keys.issue(customer_id, name, scopes)).api_key;
  const invite = async (): Promise<string> => {
    const by = { actor: 'first start', request_id: newId() };
    return signInUrl(address.url(), (await people.add({ customer_id, ...FIRST_PERSON }, by)).link);
  };
  if (dir === null) {
    const gate = { api_key: await issue('first key of gates', GATE_SCOPES), file: null };
    const owner = { api_key: await issue('first key of the owner', OWNER_SCOPES), file: null };
    return { customer_id, gate, owner, sign_in: { url: await invite(), file: null } };
  }
  const places: Place[] = [];
  try {
    for (const name of [GATE_FILE, OWNER_FILE, LINK_FILE]) places.push(await openNewFile(dir, name));
  } catch (error) {
    await remove(places);
    return { obstacle: (error as Error).message };
  }
  try {
    const [gate, owner, sign_in] = places as [Place, Place, Place];
    const keys = {
      gate: await write(gate, await issue('first key of gates', GATE_SCOPES)),
      owner: await write(owner, await issue('first key of the owner', OWNER_SCOPES)),
    };
    const { api_key: url, file } = await write(sign_in, await invite());
    return { customer_id, ...keys, sign_in: { url, file } };
  } catch (error) {
    await remove(places);
    throw error;
  } finally {
    for (const { handle } of places) await handle.close().catch(() => {});
  }
}

async function write({ file, handle }: Place, api_key: string): Promise<FirstKey> {
  await handle.writeFile(`${api_key}\n`);
  await handle.sync();
  return { api_key, file };
}

async function remove(places: readonly Place[]): Promise<void> {
  for (const { file, handle } of places) {
    await handle.close().catch(() => {});
    await unlink(file).catch(() => {});
  }
}

/**
 * A new file that only this user can read, because output that is no terminal is often kept. A file that is there stays:
 * it belongs to another database, and the new one goes beside it.
 */
async function openNewFile(dir: string, name: string): Promise<Place> {
  makeDirectory(dir);
  for (let n = 1; ; n += 1) {
    const file = resolve(dir, n === 1 ? name : `${name}-${n}`);
    try {
      return { file, handle: await open(file, 'wx', 0o600) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
