/**
 * A connection to NATS that is made in the background, and made again whenever it ends: a server that is away, wrong or
 * frozen is no reason not to start or to stop working. The log says what is wrong with it, and so does `away`.
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
  /** Why it cannot be used, in words for an operator; old while it can. */
  away(): string;
  /** Ends a connection that is of no use, unless it is no longer in use; the next is made as after any other end. */
  drop(unusable: NatsConnection, reason: unknown): void;
  /** Ends within `patience_ms`, whatever the server does. */
  close(patience_ms: number): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** A server that leaves pings open for two to three times this long is gone, though its socket lives. */
const PING_MS = 2_000;
const UNANSWERED_PINGS = 2;
const RETRY_MS = 500;
const MAX_RETRY_MS = 5_000;
const DEFAULT_PORT = '4222';

/**
 * @param prepare called with each new connection before it is used; when it rejects, the connection is made anew
 * @param notice takes what an operator should know
 */
export function keepConnected(
  url: string,
  prepare: (connection: NatsConnection) => Promise<void>,
  notice: (text: string) => void,
): KeptConnection {
  const { server, options } = readUrl(url);
  /** The one that was named, and those that it names when it is one of a cluster: `host:port`. */
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
      // Asked for before anything else, so that no change is missed.
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
      // Not waited for: to say goodbye to a server that is frozen takes for ever.
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

/** The client takes neither names and passwords nor the demand for TLS from a URL. */
function readUrl(url: string): { server: string; options: ConnectionOptions } {
  const { protocol, hostname, port, username, password } = new URL(url);
  // What a certificate has to be for, also where it is an address: then the client would ask for one for `localhost`.
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
      // Made again here, where it can be seen why that fails.
      reconnect: false,
      ignoreClusterUpdates: true,
    },
  };
}

/**
 * Rejects unless a NATS server is there and speaks, as it does first. The client would find that out as well, but keeps the
 * socket of an attempt at one that never answers.
 */
async function greet(place: string, stopping: AbortSignal): Promise<void> {
  const { hostname, port } = new URL(`nats://${place}`);
  const socket = connectSocket(Number(port), withoutBrackets(hostname));
  const late = AbortSignal.timeout(CONNECT_TIMEOUT_MS);
  const signal = AbortSignal.any([stopping, late]);
  try {
    const ended = once(socket, 'end', { signal }).then(() => Promise.reject(new Error('it hangs up')));
    const [greeting] = await Promise.race([once(socket, 'data', { signal }), ended]);
    if (!String(greeting).startsWith('INFO ')) throw new Error('what answers there is no NATS');
  } catch (error) {
    throw late.aborted ? new Error('it does not answer') : error;
  } finally {
    socket.destroy();
  }
}

/** Of an IPv6 address, which has them in a URL only. */
function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
