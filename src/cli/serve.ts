/** `weir serve`: starts the roles, prints their addresses, and stops in order. */

import { setTimeout as sleep } from 'node:timers/promises';
import { compose, type Parts } from '../compose.ts';
import { warmUp } from '../engine/knowledge/warm-up.ts';
import { systemClock } from '../platform/clock.ts';
import { WeirError } from '../platform/errors.ts';
import { connectionsPerPort } from '../platform/http/connections.ts';
import { createLog, type Log } from '../platform/log.ts';
import { type SettingName, type Settings, unusedSettings } from '../platform/settings.ts';
import { SIGNALS } from '../platform/stop-signals.ts';
import { CliError, UsageError } from '../platform/terminal/output.ts';
import { type Role, type RoleParts, type RunningRole, roles, startMetrics, startRole } from '../roles.ts';
import { newAdminKey, openAdminKey } from '../tokens/keys/admin-key.ts';
import { makeFirstKeys } from './start/first-keys.ts';
import { type AdminKeyNews, welcome } from './start/welcome.ts';

export interface Running {
  /** Address of each running role, by name. */
  urls: Record<string, string>;
  /** Stops listening, lets requests in flight finish, closes the stores; immediate when idle. Safe to repeat. */
  stop(): Promise<void>;
}

/** Where lines for the user go. */
export interface Lines {
  line(text: string): Promise<void> | void;
  /** A person reads the lines, and nothing keeps them. */
  is_terminal: boolean;
}

/** Requests in flight may take this long after a stop. */
const DRAIN_MS = 10_000;
/** Time for the requests that are cut off then to end. */
const CUT_MS = 200;
/** Durable data is in the stores already, so a store that hangs does not delay the exit. */
const CLOSE_MS = 1_500;
/** A supervisor has to allow a node more time than this (deploy/). */
export const LONGEST_STOP_MS = DRAIN_MS + CUT_MS + CLOSE_MS;
/**
 * Time for a start that is told to stop, as long as an embedded database takes; a start that waits for a store is not
 * awaited.
 */
const START_PATIENCE_MS = 3_000;
/** Roles that announce work to other nodes or hear of it; the others start without NATS. */
const DISPATCHING: readonly Role['name'][] = ['api', 'worker'];

/** Starts roles (all by default) and prints their addresses; on the very first start also a new customer's API key. */
export async function serve(settings: Settings, out: Lines, role_names?: readonly string[]): Promise<Running> {
  const chosen = chooseRoles(role_names);
  const log = createLog(settings.LOG_LEVEL);
  for (const name of unusedSettings(process.env)) log.warn({ setting: name }, 'set, but not used in this version');
  const startIsOver = boundStart(log);
  try {
    const has_dispatch = chosen.some(({ name }) => DISPATCHING.includes(name));
    const composed = await compose(settings, { log, clock: systemClock, has_dispatch });
    const ports = chosen.filter(({ port }) => port !== null).length + (settings.METRICS_PORT === null ? 0 : 1);
    const { admin_key, news } = await adminKeyOf(chosen, settings);
    const { promise: started, resolve: onStarted } = Promise.withResolvers<void>();
    const parts = { ...composed, most_connections: connectionsPerPort(ports), admin_key, started };
    const running = await serveParts(parts, chosen, settings, out, log, news);
    onStarted();
    return running;
  } finally {
    startIsOver();
  }
}

async function serveParts(
  parts: RoleParts,
  chosen: Role[],
  settings: Settings,
  out: Lines,
  log: Log,
  admin_key: AdminKeyNews,
): Promise<Running> {
  const running: RunningRole[] = [];
  let metrics: Awaited<ReturnType<typeof startMetrics>> | null = null;
  let stopping: Promise<void> | null = null;
  const stopWith = (endNow: (reason: string) => void): Promise<void> =>
    stopAll([...running, ...(metrics === null ? [] : [metrics])], parts, endNow);
  const stop = (): Promise<void> => {
    stopping ??= stopWith((reason) => {
      log.error(reason);
      process.exit(1);
    });
    return stopping;
  };
  try {
    // Before anything listens: this key must be valid for the first request that is answered.
    await ensureBootstrapKey(parts, settings);
    for (const role of chosen) running.push(await start(role, parts, settings, log));
    if (settings.METRICS_PORT !== null)
      metrics = await startMetrics(parts, settings, log).catch(explainMetrics(settings));
    // After everything listens: a failed start must not use up the one time a first key is shown.
    const { is_terminal } = out;
    // Only where keys are used: the API.
    const has_api = chosen.some(({ name }) => name === 'api');
    const first_keys = has_api ? await makeFirstKeys(parts, is_terminal ? null : settings.DATA_DIR) : null;
    const metrics_url = metrics?.url ?? null;
    await out.line(welcome({ running, metrics_url, settings, first_keys, admin_key, is_terminal }));
    // Behind the line, so that the start does not take longer.
    if (chosen.some(({ scores }) => scores)) setImmediate(warmUp, parts.knowledge);
  } catch (error) {
    // A store that closes late must not hide why the start failed: the caller tells the reason and ends the process.
    await new Promise<void>((resolve, reject) => {
      const endNow = (reason: string): void => {
        log.error(reason);
        resolve();
      };
      stopWith(endNow).then(resolve, reject);
    });
    throw error;
  }
  const urls = running.flatMap(({ role, url }) => (url === null ? [] : [[role.name, url] as const]));
  return { urls: Object.fromEntries(urls), stop };
}

/** The roles with these names, each once, in the order of the list. */
export function chooseRoles(names: readonly string[] = roles.map(({ name }) => name)): Role[] {
  const known = roles.map(({ name }) => name).join(', ');
  const unknown = names.find((name) => !roles.some((role) => role.name === name));
  if (unknown !== undefined) throw new UsageError(`there is no role \`${unknown}\`; the roles are ${known}`);
  if (names.length === 0) throw new UsageError(`no role was given; the roles are ${known}`);
  return roles.filter((role) => names.includes(role.name));
}

/** `endNow` is called where something does not end in time; what is left then ends with the process. */
async function stopAll(
  running: Pick<RunningRole, 'stop'>[],
  parts: Parts,
  endNow: (reason: string) => void,
): Promise<void> {
  const closed_late = 'the stores did not close in time; ending without them';
  const drained = Promise.all(running.map((one) => one.stop(DRAIN_MS))).then(() => true);
  // A silent peer can keep a door open beyond its time; the stores are closed in order all the same.
  const is_drained = await Promise.race([drained, sleep(DRAIN_MS + CUT_MS, false, { ref: false })]);
  const cut = setTimeout(endNow, CLOSE_MS, closed_late);
  await parts.close();
  clearTimeout(cut);
  if (!is_drained) endNow('a connection did not close in time; ending without it');
}

/**
 * After the first signal the start has little time: within it, it finishes and is stopped in order, so that no database
 * is left behind; after it the process ends. The next signal has its default effect. Call the returned function when
 * the start is over.
 */
function boundStart(log: Log): () => void {
  let cut: NodeJS.Timeout | undefined;
  const forget = (): void => {
    for (const signal of SIGNALS) process.removeListener(signal, bound);
  };
  const bound = (): void => {
    forget();
    cut = setTimeout(() => {
      log.warn('told to stop before the start was over; ending without it');
      process.exit(1);
    }, START_PATIENCE_MS);
  };
  for (const signal of SIGNALS) process.on(signal, bound);
  return () => {
    forget();
    clearTimeout(cut);
  };
}

async function start(role: Role, parts: RoleParts, settings: Settings, log: Log): Promise<RunningRole> {
  try {
    return await startRole(role, parts, settings, log);
  } catch (error) {
    throw explainListen(error as NodeJS.ErrnoException, role, settings);
  }
}

function explainListen(error: NodeJS.ErrnoException, role: Role, settings: Settings): Error {
  return role.port === null ? error : explainPort(error, role.port, settings);
}

function explainMetrics(settings: Settings): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    throw explainPort(error, 'METRICS_PORT', settings);
  };
}

function explainPort(error: NodeJS.ErrnoException, name: SettingName, settings: Settings): Error {
  const port = settings[name];
  switch (error.code) {
    case 'EADDRINUSE':
      return new CliError(`port \`${port}\` on ${settings.HOST} is in use; stop the other program or set ${name}`);
    case 'EACCES':
      return new CliError(`port \`${port}\` may not be opened by this user; set ${name} to 1024 or more`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new CliError(`HOST: \`${settings.HOST}\` is no address of this machine; set it to one, such as 127.0.0.1`);
    default:
      return error;
  }
}

/** The key that the auth service asks for. Where no file can keep a new one, nobody knows it: the service takes API keys only. */
async function adminKeyOf(
  chosen: readonly Role[],
  settings: Settings,
): Promise<{ admin_key: string | null; news: AdminKeyNews }> {
  if (!chosen.some(({ name }) => name === 'auth')) return { admin_key: null, news: null };
  try {
    const key = await openAdminKey(settings);
    return { admin_key: key?.text ?? null, news: key?.is_new ? { made: key.text } : null };
  } catch (error) {
    return { admin_key: newAdminKey(settings.TOKEN_PREFIX), news: { obstacle: (error as Error).message } };
  }
}

/** Makes the key that BOOTSTRAP_* request, unless it exists. */
async function ensureBootstrapKey(parts: Parts, settings: Settings): Promise<void> {
  const { BOOTSTRAP_CUSTOMER_ID, BOOTSTRAP_API_KEY } = settings;
  if (BOOTSTRAP_CUSTOMER_ID === null || BOOTSTRAP_API_KEY === null) return;
  const ensure = () => parts.api_keys.ensure(BOOTSTRAP_CUSTOMER_ID, BOOTSTRAP_API_KEY);
  await parts.storage.whenUp(ensure).catch((error: unknown) => {
    throw error instanceof WeirError ? new CliError(`BOOTSTRAP_API_KEY: ${error.detail}`) : error;
  });
}
