/**
 * A connection to NATS that is made in the background, and made again whenever it ends: an unreachable, misconfigured
 * or frozen server must not keep Weir from starting or working. The log says what is wrong with it, and so does `away`.
 */
import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ConnectionOptions, connect, type NatsConnection, type TlsOptions } from '@nats-io/transport-node';
import { reasonOf } from '../reason-of.ts';
import { tellUsage } from '../usage.ts';

export interface KeptConnection {
  /** `null` while NATS cannot be used. */
  get(): NatsConnection | null;
  /** Why it cannot be used, in words for an operator; outdated while it can. */
  away(): string;
  /** Ends a faulty connection, unless it was already replaced; the next one is made as after any other end. */
  drop(unusable: NatsConnection, reason: unknown): void;
  /** Ends within `patience_ms`, whatever the server does. */
  close(patience_ms: number): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** A server that leaves pings unanswered for two to three times this long counts as gone, although its socket lives. */
const PING_MS = 2_000;
const UNANSWERED_PINGS = 2;
const RETRY_MS = 500;
const MAX_RETRY_MS = 5_000;
const DEFAULT_PORT = '4222';

/**
 * @param prepare called with each new connection before it is used; when it rejects, the connection is made again
 * @param notice receives messages for an operator
 */
export function keepConnected(
  url: string,
  prepare: (connection: NatsConnection) => Promise<void>,
  notice: (text: string) => void,
): KeptConnection {
  const { server, options } = readUrl(url);
  /** The configured server, and those that it advertises as members of its cluster: `host:port`. */
  let servers = [server];
  const stopping = new AbortController();
  const { signal } = stopping;
  let connection: NatsConnection | null = null;
  let endWith: (reason: unknown) => void = () => {};
  let away = 'there is no connection yet';
  let wait = RETRY_MS;
  const words = {
    name: `NATS at \`${server}\``,
    advice: 'workers look for work in the database meanwhile; check NATS_URL and the server',
  };
  const usage = tellUsage(words, notice);

  function sayAway(error: unknown): void {
    away = reasonOf(error);
    if (!signal.aborted) usage.away(away);
  }

  /** Rejects when the connection could not be made, and when it has ended. */
  async function useOne(place: string): Promise<never> {
    await greet(place, signal);
    const made = await connect({ ...options, servers: place });
    try {
      // Subscribed before anything else, so that no change is missed.
      const changes = made.status();
      await prepare(made);
      signal.throwIfAborted();
      servers = [...new Set([server, ...(made.info?.connect_urls ?? [])])];
      const dropped = new Promise<never>((_, reject) => {
        endWith = reject;
      });
      connection = made;
      wait = RETRY_MS;
      usage.up();
      await Promise.race([untilLost(changes), dropped]);
      throw new Error('the connection was lost');
    } finally {
      connection = null;
      // Not awaited: closing a connection to a frozen server takes forever.
      void made.close().catch(() => {});
    }
  }

  async function run(): Promise<void> {
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      await useOne(servers[attempt % servers.length]!).catch(sayAway);
      await sleep(wait, undefined, { signal, ref: false }).catch(() => {});
      wait = Math.min(wait * 2, MAX_RETRY_MS);
    }
  }

  const running = run();
  return {
    get: () => connection,
    away: () => away,
    drop: (unusable, reason) => {
      if (unusable === connection) endWith(reason);
    },
    async close(patience_ms) {
      stopping.abort();
      const closed = Promise.all([connection?.close(), running]);
      await Promise.race([closed, sleep(patience_ms, undefined, { ref: false })]);
    },
  };
}

async function untilLost(changes: ReturnType<NatsConnection['status']>): Promise<void> {
  for await (const { type } of changes) if (type === 'disconnect' || type === 'staleConnection') return;
}

/** The client reads neither user and password nor TLS from a URL. */
function readUrl(url: string): { server: string; options: ConnectionOptions } {
  const { protocol, hostname, port, username, password } = new URL(url);
  // The host that a certificate must be for, also where it is an address: otherwise the client would expect
  // `localhost`.
  const tls: TlsOptions & { host: string } = { host: withoutBrackets(hostname) };
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)];
  return {
    server: `${hostname}:${port || DEFAULT_PORT}`,
    options: {
      ...(user !== '' && (pass === '' ? { token: user } : { user, pass })),
      ...(protocol === 'tls:' && { tls }),
      name: 'weir',
      timeout: CONNECT_TIMEOUT_MS,
      pingInterval: PING_MS,
      maxPingOut: UNANSWERED_PINGS,
      // Reconnected here and not by the client, so that the reason of a failure is known.
      reconnect: false,
      ignoreClusterUpdates: true,
    },
  };
}

/**
 * Rejects unless a NATS server sends its greeting. The client would notice as well, but keeps the socket of an attempt
 * at a server that never answers.
 */
async function greet(place: string, stopping: AbortSignal): Promise<void> {
  const { hostname, port } = new URL(`nats://${place}`);
  const socket = connectSocket(Number(port), withoutBrackets(hostname));
  const late = AbortSignal.timeout(CONNECT_TIMEOUT_MS);
  const signal = AbortSignal.any([stopping, late]);
  try {
    const ended = once(socket, 'end', { signal }).then(() => Promise.reject(new Error('it hangs up')));
    const [greeting] = await Promise.race([once(socket, 'data', { signal }), ended]);
    if (!String(greeting).startsWith('INFO ')) throw new Error('the server at this address is not a NATS server');
  } catch (error) {
    throw late.aborted ? new Error('it does not answer') : error;
  } finally {
    socket.destroy();
  }
}

/** The brackets of an IPv6 address, which only a URL has. */
function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
