/**
 * Bounds what an HTTP/2 session may bring beside the calls of known callers: control frames, calls that are reset or
 * refused, and silence. All of it is counted before a key is read. Each session has an allowance in bytes; everything
 * that arrives spends from it, and calls with a valid key add to it, so that one who works may send as many control
 * frames as work needs.
 */
import type { ServerHttp2Session, ServerOptions } from 'node:http2';
import type { Server } from '@grpc/grpc-js';
import {
  boundConnections,
  type Connection,
  connectionOf,
  type PortBounds,
} from '../../../platform/http/connections.ts';
import { type InnerServer, onCreated } from './new-streams.ts';

/** Time for the preface of HTTP/2 and the first settings, which clients send at once. */
const PREFACE_MS = 5_000;
/** Time for the first call. A client that connects ahead of its first call connects again by itself. */
const FIRST_CALL_MS = 30_000;
const CHECK_MS = 100;

/** At first, and at most without a call with a valid key. */
const ALLOWANCE = 1_024 * 1_024;
/** At most with one: several messages that are refused for their size, each of which arrives up to its limit. */
const PROVEN_ALLOWANCE = 16 * 1_024 * 1_024;
const REFILL_PER_S = 4 * 1_024;
/** What a call with a valid key adds, and how much of the body of one whose key is not checked yet may be read: one window. */
const PER_CALL = 64 * 1_024;
/** What each byte of a call with a valid key adds: the frame around a message is up to twice as long as the message. */
const PER_BYTE = 4;
/** What is spent, beside its bytes, on the work that a frame makes. */
const COST = { call: 4_096, ping: 800, settings: 16_384 };

/** Limits of nghttp2 for each session; beyond them it closes the session. Those on resets are its own defaults. */
const SESSION_LIMITS: ServerOptions & { streamResetBurst: number; streamResetRate: number } = {
  maxSessionInvalidFrames: 100,
  maxSessionRejectedStreams: 100,
  maxSettings: 32,
  maxOutstandingPings: 4,
  streamResetBurst: 1_000,
  streamResetRate: 33,
};

const ALLOWED = Symbol('allowed');
interface Carrier {
  [ALLOWED]?: Allowance;
}

/** Call it before the server listens. */
export function boundSessions(server: Server, bounds: PortBounds, isGuarded: (path: string) => boolean): void {
  const inner = server as unknown as InnerServer;
  inner.commonServerOptions = { ...inner.commonServerOptions, ...SESSION_LIMITS };
  onCreated(server, (listening) => {
    boundConnections(listening, bounds);
    const allowances = new Set<Allowance>();
    listening.prependListener('session', (session) => {
      const connection = connectionOf(session.socket);
      if (connection === undefined) return;
      const allowance = new Allowance(connection);
      (session as Carrier)[ALLOWED] = allowance;
      allowances.add(allowance);
      session.once('close', () => allowances.delete(allowance));
      watch(session, connection, allowance, isGuarded);
    });
    const checking = setInterval(() => {
      for (const one of allowances) one.check();
    }, CHECK_MS);
    listening.once('close', () => clearInterval(checking));
  });
}

/** The session brought a call with a valid key. */
export function proveSession(session: object | undefined): void {
  (session as Carrier | undefined)?.[ALLOWED]?.prove();
}

/** Bytes of a call arrived. */
export function countBytes(session: object | undefined, bytes: number): void {
  (session as Carrier | undefined)?.[ALLOWED]?.arrived(bytes);
}

function watch(
  session: ServerHttp2Session,
  connection: Connection,
  allowance: Allowance,
  isGuarded: (path: string) => boolean,
): void {
  const silent = setTimeout(() => connection.cut('silent'), PREFACE_MS);
  const idle = setTimeout(() => session.close(), FIRST_CALL_MS);
  session.once('remoteSettings', () => clearTimeout(silent));
  session.on('remoteSettings', () => allowance.spend(COST.settings));
  session.on('ping', () => allowance.spend(COST.ping));
  session.on('stream', (stream, headers) => {
    clearTimeout(idle);
    const bodies = isGuarded(headers[':path'] ?? '') ? 1 : 0;
    connection.begin();
    allowance.open_bodies += bodies;
    stream.once('close', () => {
      connection.end();
      allowance.open_bodies -= bodies;
    });
    allowance.spend(COST.call);
  });
  session.once('close', () => {
    clearTimeout(silent);
    clearTimeout(idle);
  });
}

class Allowance {
  /** Calls that need a key and are under way: a window of each may have been read that nobody has taken yet. */
  open_bodies = 0;
  readonly #connection: Connection;
  #left = ALLOWANCE;
  #seen_bytes = 0;
  #seen_at = performance.now();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  prove(): void {
    this.#add(this.#connection.is_proven ? PER_CALL : PROVEN_ALLOWANCE);
    this.#connection.prove();
  }

  arrived(bytes: number): void {
    if (this.#connection.is_proven) this.#add(bytes * PER_BYTE);
  }

  spend(amount: number): void {
    this.#left -= amount;
    if (this.#left < 0) this.check();
  }

  check(): void {
    const now = performance.now();
    const refill = ((now - this.#seen_at) / 1_000) * REFILL_PER_S;
    this.#seen_at = now;
    this.#add(refill);
    if (this.#left < -this.open_bodies * PER_CALL) this.#connection.cut('flood');
  }

  /** After what has arrived was taken off: a large message earns more than fits. */
  #add(amount: number): void {
    const { bytesRead } = this.#connection.socket;
    const most = amount === PROVEN_ALLOWANCE || this.#connection.is_proven ? PROVEN_ALLOWANCE : ALLOWANCE;
    this.#left = Math.min(most, this.#left - (bytesRead - this.#seen_bytes) + amount);
    this.#seen_bytes = bytesRead;
  }
}
