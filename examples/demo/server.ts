/** A server to play on: the one that runs, or one that is started for this run and removed afterwards. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newApiKey, newId } from '../../src/platform/ids.ts';
import { type KeptProcess, newTemporaryPath, startKept } from '../../tools/kept/kept-process.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
/** A first start makes a database; on a slow machine that takes a while. */
const START_MS = 60_000;

export interface Server {
  url: string;
  api_key: string;
  stop: () => Promise<void>;
}

/** The server at WEIR_URL when it answers and there is a key for it, else one that is started for this run. */
export async function findServer(env: NodeJS.ProcessEnv, say: (text: string) => void): Promise<Server> {
  const url = (env['WEIR_URL'] ?? 'http://127.0.0.1:8000').replace(/\/$/, '');
  const api_key = env['WEIR_API_KEY'];
  if (!(await answers(url))) say(`No server answers at ${url}; starting one for this run.`);
  else if (!api_key) say(`A server answers at ${url}, but WEIR_API_KEY is not set; starting another one for this run.`);
  else return { url, api_key, stop: async () => {} };
  return await startServer(env);
}

async function answers(url: string): Promise<boolean> {
  const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
  await response?.body?.cancel();
  return response?.ok ?? false;
}

/** A server that is started for one run. */
export interface OwnServer extends Server {
  /** For the person: it decides about held events. `api_key` is a gate's, which does not. */
  owner_key: string;
  auth_url: string;
  customer_id: string;
}

/** Starts one with an empty database and free ports. `folders` are removed with it, however this process ends. */
export async function startServer(env: NodeJS.ProcessEnv, folders: readonly string[] = []): Promise<OwnServer> {
  const data_dir = newTemporaryPath('weir-demo-');
  const owner_key = newApiKey('weir');
  const customer_id = newId();
  const { DATABASE_URL: _, REDIS_URL: __, NATS_URL: ___, HOST: ____, ...rest } = env;
  const server = await startKept({
    args: [MAIN, 'serve'],
    env: {
      ...rest,
      PORT: '0',
      AUTH_PORT: '0',
      GRPC_PORT: '0',
      DATA_DIR: data_dir,
      LOG_LEVEL: 'warn',
      BOOTSTRAP_CUSTOMER_ID: customer_id,
      BOOTSTRAP_API_KEY: owner_key,
    },
    folders: [data_dir, ...folders],
    output: 'pipe',
  });
  const said = collect(server);
  try {
    const addresses = await addressesOf(server, said);
    const api_key = await makeGateKey(addresses.auth_url, customer_id, owner_key);
    return { ...addresses, api_key, owner_key, customer_id, stop: server.stop };
  } catch (error) {
    await server.stop();
    throw new Error(`${(error as Error).message}\n${said()}`);
  }
}

/** The key of a gate, which an agent may hold. */
async function makeGateKey(auth_url: string, customer_id: string, owner_key: string): Promise<string> {
  const response = await fetch(`${auth_url}/api-keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': owner_key },
    body: JSON.stringify({ customer_id, name: 'gate' }),
  });
  const answer = (await response.json()) as { api_key: string; detail?: string };
  if (!response.ok) throw new Error(`no key for the gate: ${answer.detail}`);
  return answer.api_key;
}

/** What the server printed, for the case that it does not start. */
function collect({ stdout, stderr }: KeptProcess): () => string {
  const parts: string[] = [];
  for (const stream of [stdout, stderr]) stream?.on('data', (part: Buffer) => parts.push(part.toString()));
  return () => parts.join('').slice(-4_000);
}

/** Where the scoring API and the auth service are: the server prints it when everything is up. */
async function addressesOf(server: KeptProcess, said: () => string): Promise<Pick<OwnServer, 'url' | 'auth_url'>> {
  const deadline = performance.now() + START_MS;
  while (performance.now() < deadline) {
    if (server.code() !== null) throw new Error(`the server ended with ${server.code()} while it started:`);
    const url = /scoring API +(http:\/\/\S+).*\n/.exec(said())?.[1];
    const auth_url = /auth service +(http:\/\/\S+).*\n/.exec(said())?.[1];
    if (url !== undefined && auth_url !== undefined) return { url, auth_url };
    await sleep(50);
  }
  throw new Error(`the server did not answer within ${START_MS / 1000} seconds:`);
}
