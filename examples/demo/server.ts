/** A server to play on: the one that runs, or one of our own that is gone afterwards. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newApiKey, newId } from '../../src/platform/ids.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
/** A first start makes a database; on a slow machine that takes a while. */
const START_MS = 60_000;
const STOP_MS = 15_000;

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
  auth_url: string;
  customer_id: string;
}

/** Starts one with an empty database and free ports. */
export async function startServer(env: NodeJS.ProcessEnv): Promise<OwnServer> {
  const data_dir = await mkdtemp(join(tmpdir(), 'weir-demo-'));
  const api_key = newApiKey('weir');
  const customer_id = newId();
  const { DATABASE_URL: _, REDIS_URL: __, NATS_URL: ___, HOST: ____, ...rest } = env;
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    env: {
      ...rest,
      PORT: '0',
      AUTH_PORT: '0',
      GRPC_PORT: '0',
      DATA_DIR: data_dir,
      LOG_LEVEL: 'warn',
      BOOTSTRAP_CUSTOMER_ID: customer_id,
      BOOTSTRAP_API_KEY: api_key,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = collect(child);
  const stop = async (): Promise<void> => {
    await end(child);
    await rm(data_dir, { recursive: true, force: true });
  };
  try {
    return { ...(await addressesOf(child, said)), api_key, customer_id, stop };
  } catch (error) {
    await stop();
    throw new Error(`${(error as Error).message}\n${said()}`);
  }
}

/** What the server printed, for the case that it does not start. */
function collect(child: ChildProcess): () => string {
  const parts: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => parts.push(part.toString()));
  return () => parts.join('').slice(-4_000);
}

/** Where the scoring API and the auth service are: the server says so when everything is up. */
async function addressesOf(child: ChildProcess, said: () => string): Promise<Pick<OwnServer, 'url' | 'auth_url'>> {
  const deadline = performance.now() + START_MS;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode} while it started:`);
    const url = /scoring API +(http:\/\/\S+).*\n/.exec(said())?.[1];
    const auth_url = /auth service +(http:\/\/\S+).*\n/.exec(said())?.[1];
    if (url !== undefined && auth_url !== undefined) return { url, auth_url };
    await sleep(50);
  }
  throw new Error(`the server did not answer within ${START_MS / 1000} seconds:`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  // Not held up by its own timer once the server is gone.
  const in_time = await Promise.race([ended.then(() => true), sleep(STOP_MS, false, { ref: false })]);
  if (!in_time) child.kill('SIGKILL');
  await ended;
}
