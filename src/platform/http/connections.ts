/**
 * Bounds the connections of each port, so that a crowd of them takes neither the file descriptors of the process nor the
 * place of customers. A port that is full closes a connection for each new one: while more than half of them have not
 * brought a valid key, the oldest of the address that has most of those; else the one that has been idle for longest.
 */
import { readFileSync } from 'node:fs';
import type { Server as NetServer, Socket } from 'node:net';

/** Why a connection was closed: the port was full, no request began, or it brought little but control frames. */
export type CutReason = 'full' | 'silent' | 'flood';

export interface PortBounds {
  /** Connections at a time. */
  most: number;
  onCut?: (reason: CutReason) => void;
}

export interface Connection {
  readonly socket: Socket;
  /** A request with a valid key came over it. */
  prove(): void;
  readonly is_proven: boolean;
  /** A request begins, or ends. */
  begin(): void;
  end(): void;
  /** Closes it now. */
  cut(reason: CutReason): void;
}

/** Descriptors for stores, files, threads and messages that are sent; of a small limit, half. */
const KEPT_DESCRIPTORS = 128;
/** What is assumed where the limit cannot be read: the usual one of a shell. */
const USUAL_DESCRIPTORS = 1_024;
/** An idle connection of HTTP/2 takes some 30 kB: this many fit into a node of 1 GiB beside everything else. */
const MOST = 6_000;

/** Connections for each of `ports` ports of this process. `limits`: the text of `/proc/self/limits`, `null` where there is none. */
export function connectionsPerPort(ports: number, limits: string | null = readLimits()): number {
  const soft = /^Max open files +(\S+)/m.exec(limits ?? '')?.[1];
  const descriptors = soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft ?? USUAL_DESCRIPTORS);
  const free = Math.max(descriptors / 2, descriptors - KEPT_DESCRIPTORS);
  return Math.max(1, Math.min(MOST, Math.floor(free / Math.max(1, ports))));
}

function readLimits(): string | null {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return null;
  }
}

const CONNECTION = Symbol('connection');

/** The connection of a socket, or of the socket view of an HTTP/2 session; `undefined` on a port without bounds. */
export function connectionOf(socket: object | undefined): Connection | undefined {
  return (socket as { [CONNECTION]?: Connection } | undefined)?.[CONNECTION];
}

/** Call it before the server listens, and before others listen for its connections. */
export function boundConnections(server: NetServer, { most, onCut }: PortBounds): void {
  const unproven = new Map<string, Set<Kept>>();
  let unproven_count = 0;
  /** Least recently used first. */
  const proven = new Set<Kept>();

  const add = (one: Kept): void => {
    const beside = unproven.get(one.address);
    if (beside === undefined) unproven.set(one.address, new Set([one]));
    else beside.add(one);
    unproven_count += 1;
  };
  const remove = (one: Kept): void => {
    if (proven.delete(one)) return;
    const beside = unproven.get(one.address);
    if (beside?.delete(one) !== true) return;
    unproven_count -= 1;
    if (beside.size === 0) unproven.delete(one.address);
  };
  const prove = (one: Kept): void => {
    if (proven.has(one) || one.socket.destroyed) return;
    remove(one);
    proven.add(one);
  };
  const touch = (one: Kept): void => {
    if (proven.delete(one)) proven.add(one);
  };

  const makeRoom = (newest: Kept): void => {
    if (unproven_count + proven.size < most) return;
    const is_crowded = unproven_count > most / 2;
    const victim = (is_crowded ? undefined : idleOf(proven)) ?? oldestOfMost(unproven, newest);
    victim?.cut('full');
  };

  // Where nothing can be closed, further ones are refused before they become a socket.
  server.maxConnections = most;
  server.on('drop', () => onCut?.('full'));
  server.prependListener('connection', (socket: Socket) => {
    const one = new Kept(socket, { prove, touch, remove, onCut });
    Object.assign(socket, { [CONNECTION]: one });
    add(one);
    socket.once('close', () => remove(one));
    makeRoom(one);
  });
}

interface Bookkeeping {
  prove(one: Kept): void;
  touch(one: Kept): void;
  remove(one: Kept): void;
  onCut: ((reason: CutReason) => void) | undefined;
}

class Kept implements Connection {
  readonly socket: Socket;
  readonly address: string;
  is_proven = false;
  working = 0;
  readonly #books: Bookkeeping;

  constructor(socket: Socket, books: Bookkeeping) {
    this.socket = socket;
    this.address = networkOf(socket.remoteAddress ?? '');
    this.#books = books;
  }

  prove(): void {
    if (this.is_proven) return;
    this.is_proven = true;
    this.#books.prove(this);
  }

  begin(): void {
    this.working += 1;
  }

  end(): void {
    this.working -= 1;
    if (this.is_proven) this.#books.touch(this);
  }

  cut(reason: CutReason): void {
    if (this.socket.destroyed) return;
    this.#books.remove(this);
    this.#books.onCut?.(reason);
    this.socket.destroy();
  }
}

/** An IPv4 address, or the /64 of an IPv6 one, which a single caller has. */
function networkOf(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address;
  const [head = '', tail = ''] = address.split('::');
  const groups = head.split(':');
  const missing = 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  return [...groups, ...Array<string>(Math.max(0, missing)).fill('0')].slice(0, 4).join(':');
}

function idleOf(connections: ReadonlySet<Kept>): Kept | undefined {
  for (const one of connections) if (one.working === 0) return one;
  return undefined;
}

/** Of the address with most of them: the oldest without a request, else the oldest, but never the newest of all. */
function oldestOfMost(of: ReadonlyMap<string, ReadonlySet<Kept>>, newest: Kept): Kept | undefined {
  let crowd: ReadonlySet<Kept> = new Set();
  for (const beside of of.values()) if (beside.size > crowd.size) crowd = beside;
  const found = idleOf(crowd) ?? crowd.values().next().value;
  return found === newest ? undefined : found;
}
