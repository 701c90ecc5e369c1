/** `weir-client/node`: a store in a folder, and a client from environment variables. */
import { readFile } from 'node:fs/promises';
import { createClient } from './client.ts';
import { fileStore } from './file-store.ts';
import { checkedUrl } from './http.ts';
import type { Client, ClientOptions, KeySet } from './types.ts';

export { fileStore } from './file-store.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the customer's public keys come from: a file that was put there, or the auth service. */
export type KeySource =
  | { file: string }
  /** `api_key`: any key of the customer. */
  | { auth_url: string; customer_id: string; api_key: string };

/** Reads the keys anew for each decision: decisions are rare, and a key may have been rotated or disabled. */
export function keysFrom(source: KeySource): () => Promise<KeySet> {
  return async () => {
    if ('file' in source) return JSON.parse(await readFile(source.file, 'utf8')) as KeySet;
    const { auth_url, customer_id, api_key } = source;
    const response = await fetch(`${auth_url.replace(/\/+$/, '')}/keys/jwks/${customer_id}`, {
      headers: { 'x-api-key': api_key },
      signal: AbortSignal.timeout(10_000),
    });
    if (!response.ok) throw new Error(`the key set of customer ${customer_id} answered ${response.status}`);
    return (await response.json()) as KeySet;
  };
}

/**
 * The options as environment variables describe them: WEIR_URL, WEIR_API_KEY or WEIR_API_KEY_FILE, WEIR_AGENT_TOKEN,
 * WEIR_WAIT_S, WEIR_PATIENCE_MS, WEIR_STATE_DIR, and for the keys WEIR_KEYS_FILE or WEIR_AUTH_URL with WEIR_CUSTOMER_ID. Throws
 * with the name of what is missing or wrong.
 */
export async function optionsFromEnvironment(env: Environment): Promise<ClientOptions> {
  const agent_token = env['WEIR_AGENT_TOKEN'];
  const state_dir = env['WEIR_STATE_DIR'];
  const api_key = await apiKeyIn(env);
  const keys = keySourceIn(env, api_key);
  const wait_s = numberIn(env, 'WEIR_WAIT_S');
  const patience_ms = numberIn(env, 'WEIR_PATIENCE_MS');
  return {
    url: checkedUrl(env['WEIR_URL'] || 'http://127.0.0.1:8000', 'WEIR_URL'),
    url_setting: 'WEIR_URL',
    api_key,
    ...(agent_token && { agent_token }),
    ...(state_dir && { store: fileStore(state_dir) }),
    ...(keys !== null && { keys: keysFrom(keys) }),
    ...(wait_s !== undefined && { wait_s }),
    ...(patience_ms !== undefined && { patience_ms }),
  };
}

export async function clientFromEnvironment(env: Environment): Promise<Client> {
  return createClient(await optionsFromEnvironment(env));
}

async function apiKeyIn(env: Environment): Promise<string> {
  const key = env['WEIR_API_KEY'];
  if (key) return key;
  const file = env['WEIR_API_KEY_FILE'];
  if (!file) throw new Error('WEIR_API_KEY is not set, and no WEIR_API_KEY_FILE either');
  const key_of_file = await readFile(file, 'utf8').then(
    (text) => text.trim(),
    (error: NodeJS.ErrnoException) => {
      throw new Error(`WEIR_API_KEY_FILE: \`${file}\` cannot be read (${error.code ?? error.message})`);
    },
  );
  if (key_of_file === '') throw new Error(`WEIR_API_KEY_FILE: \`${file}\` is empty`);
  return key_of_file;
}

function keySourceIn(env: Environment, api_key: string): KeySource | null {
  const file = env['WEIR_KEYS_FILE'];
  if (file) return { file };
  const auth_url = env['WEIR_AUTH_URL'];
  if (auth_url) checkedUrl(auth_url, 'WEIR_AUTH_URL');
  const customer_id = env['WEIR_CUSTOMER_ID'];
  if (auth_url && !customer_id) throw new Error('WEIR_CUSTOMER_ID is not set: WEIR_AUTH_URL needs it to find the keys');
  return auth_url && customer_id ? { auth_url, customer_id, api_key } : null;
}

function numberIn(env: Environment, name: string): number | undefined {
  const text = env[name];
  if (text === undefined || text === '') return undefined;
  const value = Number(text);
  if (!(value >= 0)) throw new Error(`${name} must be a number, 0 or more; it is \`${text}\``);
  return value;
}
