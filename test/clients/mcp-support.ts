/** Hosts of `weir mcp-proxy`: the SDK's client over stdio or HTTP, the proxy as the process that a host starts. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ROOT } from '../cli/support.ts';
import { type Customer, call } from '../support/client.ts';
import { programOf } from '../support/programs.ts';
import type { Weir } from '../support/weir.ts';

const MAIN = programOf('src/main.ts');
/** Real servers, from npm. */
const EVERYTHING_SERVER = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);
/** A server that misbehaves as it is told; `definitions` is a file with its tools, read for each list. */
export const hostileServer = (definitions: string) => ({
  command: process.execPath,
  args: [join(ROOT, 'test/clients/hostile-server.mjs'), definitions],
});

export interface Answer {
  isError?: boolean;
  content: { type: string; text: string }[];
  _meta?: Record<string, unknown>;
}

export const textOf = ({ content }: Answer): string => content.map(({ text }) => text).join('\n');

export const use = async (client: Client, name: string, args: object = {}, options: object = {}): Promise<Answer> =>
  (await client.callTool({ name, arguments: { ...args } }, undefined, options)) as unknown as Answer;

/** What one test file needs. Folders are removed and processes end with the file. */
export function hosts() {
  const folder = mkdtempSync(join(tmpdir(), 'weir-mcp-'));
  const open: (() => Promise<unknown>)[] = [];
  let count = 0;
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const environment = (weir: Pick<Weir, 'api' | 'auth'>, customer: Customer): Record<string, string> => ({
    PATH: process.env['PATH']!,
    HOME: folder,
    WEIR_URL: weir.api,
    WEIR_AUTH_URL: weir.auth,
    WEIR_API_KEY: customer.api_key,
    WEIR_CUSTOMER_ID: customer.customer_id,
    WEIR_AGENT_ID: 'proxied-1',
  });

  async function connected(client: Client, transport: unknown): Promise<Client> {
    await client.connect(transport as Transport);
    open.push(() => client.close());
    return client;
  }

  return {
    folder,
    environment,
    /** A folder of state that no other test has. */
    newState: (): string => join(folder, `state-${(count += 1)}`),
    write(name: string, value: unknown): string {
      const file = join(folder, `${(count += 1)}-${name}`);
      writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
      return file;
    },
    /** Something to stop at the end of this test. */
    defer: (close: () => Promise<unknown>): void => void open.push(close),
    newClient: (capabilities: object = {}): Client =>
      new Client({ name: 'test-host', version: '1.0.0' }, { capabilities }),
    /** The SDK's client of any command, as a host starts it. `stderr` collects what it says to people. */
    async stdio(
      args: readonly string[],
      env: Record<string, string>,
      { client = new Client({ name: 'test-host', version: '1.0.0' }), stderr = [] as string[] } = {},
    ): Promise<{ client: Client; transport: StdioClientTransport }> {
      const transport = new StdioClientTransport({ command: process.execPath, args: [...args], env, stderr: 'pipe' });
      transport.stderr?.on('data', (chunk) => void stderr.push(String(chunk)));
      return { client: await connected(client, transport), transport };
    },
    proxyArgs: (...args: string[]): string[] => [MAIN, 'mcp-proxy', ...args],
    /** The proxy with `--listen`; resolves with its address. */
    async listening(
      args: readonly string[],
      env: Record<string, string>,
    ): Promise<{ url: string; child: ChildProcess }> {
      const child = spawn(process.execPath, [MAIN, 'mcp-proxy', '--listen', '127.0.0.1:0', ...args], {
        env,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      open.push(() => stopped(child));
      const [, url] = await lineOf(child, /listening at (\S+)/);
      return { url: url!, child };
    },
    http: (url: string, headers: Record<string, string> = {}, client = new Client({ name: 'web', version: '1' })) =>
      connected(client, new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })),
  };
}

/** Waits until a process says this on standard error, which stays open. */
export function lineOf(child: ChildProcess, line: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr!.on('data', (chunk) => {
      said += chunk;
      const found = line.exec(said);
      if (found !== null) resolve(found);
    });
    child.once('exit', () => reject(new Error(`it ended: ${said}`)));
  });
}

/** The server from npm that has everything, over streamable HTTP. */
export async function startEverything(port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [EVERYTHING_SERVER, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await lineOf(child, /listening/);
  return child;
}

export async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}

/** The newest events of the customer, oldest first, without those about definitions. */
export async function callsOf(
  weir: Pick<Weir, 'api'>,
  customer: Customer,
  most = 100,
): Promise<Record<string, unknown>[]> {
  const listed = await call(`${weir.api}/scores/${customer.customer_id}?per_page=${most}`, { key: customer.api_key });
  assert.equal(listed.status, 200, listed.text);
  const scores = listed.json['scores'] as { event_id: string }[];
  const all: Record<string, unknown>[] = [];
  // In turn: Weir bounds the bytes that are on their way.
  for (const { event_id } of scores) {
    const { status, json, text } = await call(`${weir.api}/scores/event/${event_id}`, { key: customer.api_key });
    assert.equal(status, 200, text);
    all.push({ ...json, ...(json['event'] as Record<string, unknown>) });
  }
  return all.filter(({ action }) => action !== 'mcp:tools:list').reverse();
}
