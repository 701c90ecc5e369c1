/** `weir mcp-proxy`: runs the proxy until its host is gone or a signal comes. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createClient } from '../../../clients/typescript/src/client.ts';
import { fileStore } from '../../../clients/typescript/src/file-store.ts';
import { optionsFromEnvironment } from '../../../clients/typescript/src/node.ts';
import type { ProxyConfig } from './config.ts';
import type { ProxyOptions } from './proxy-options.ts';
import { Session } from './session.ts';

/** A model waits for each call; after that Weir counts as unreachable. */
const PATIENCE_MS = '3000';

type Environment = Readonly<Record<string, string | undefined>>;

export const stateDirOf = ({ stateDir }: ProxyConfig, env: Environment): string =>
  stateDir ?? (env['WEIR_STATE_DIR'] || join(homedir(), '.local/state/weir'));

/** Resolves when everything is closed. Throws with what is missing or wrong. */
export async function runProxy(config: ProxyConfig, env: Environment, version: string): Promise<void> {
  const options = await proxyOptions(config, env, version);
  const { promise, resolve } = Promise.withResolvers<void>();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const close =
    config.listen === undefined ? await overStdio(options, resolve) : await overHttp(options, config.listen);
  const stop = (): void => void close().finally(resolve);
  for (const signal of signals) process.once(signal, stop);
  await promise;
}

async function overStdio(options: ProxyOptions, onEnd: () => void): Promise<() => Promise<void>> {
  const session = new Session(options);
  session.onend = onEnd;
  process.stdin.once('end', () => void session.close());
  await session.connect(new StdioServerTransport());
  return () => session.close();
}

async function overHttp(options: ProxyOptions, address: string): Promise<() => Promise<void>> {
  const { allowedHosts = [], allowedOrigins = [], tokenFile } = options.config;
  const token = tokenFile === undefined ? null : readFileSync(tokenFile, 'utf8').trim();
  if (token === '') throw new Error(`\`${tokenFile}\` is empty: it must hold the bearer token`);
  // Few hosts connect over HTTP, and its server takes a quarter of a start.
  const { listen } = await import('./listen.ts');
  const { url, close } = await listen(options, {
    address,
    token,
    allowed_hosts: allowedHosts.map((host) => host.toLowerCase()),
    allowed_origins: allowedOrigins,
  });
  options.say(`listening at ${url}`);
  return close;
}

async function proxyOptions(config: ProxyConfig, env: Environment, version: string): Promise<ProxyOptions> {
  const { weir = {}, waitSeconds, unreachable, agentId } = config;
  const state_dir = stateDirOf(config, env);
  const { wait_s = 0, ...known } = await optionsFromEnvironment({
    WEIR_PATIENCE_MS: PATIENCE_MS,
    ...env,
    // A key in the environment would hide the file that the configuration names.
    ...(weir.apiKeyFile !== undefined && { WEIR_API_KEY_FILE: weir.apiKeyFile, WEIR_API_KEY: undefined }),
    ...(weir.url !== undefined && { WEIR_URL: weir.url }),
    ...(weir.keysFile !== undefined && { WEIR_KEYS_FILE: weir.keysFile }),
    ...(weir.authUrl !== undefined && { WEIR_AUTH_URL: weir.authUrl }),
    ...(weir.customerId !== undefined && { WEIR_CUSTOMER_ID: weir.customerId }),
  });
  const client = createClient({
    ...known,
    url_setting: '--url, `weir.url` of the configuration or WEIR_URL',
    store: fileStore(join(state_dir, 'holds')),
    on_failure: unreachable ?? 'deny',
  });
  return {
    config,
    client,
    state_dir,
    wait_s: waitSeconds ?? wait_s,
    agent_id: agentId ?? (env['WEIR_AGENT_ID'] || undefined),
    version,
    // Standard output belongs to the protocol.
    say: (text) => console.error(`weir mcp-proxy: ${text}`),
  };
}
