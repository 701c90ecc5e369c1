/**
 * One attempt to deliver one message. The address is checked on the connection that is used, redirects are not
 * followed, and no answer can take more than a bounded time and memory.
 */
import { type LookupAddress, lookup as lookUp } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import type { Agent } from 'undici';
import { endpointUrlProblem } from './endpoint-url.ts';
import { isPublicAddress } from './public-address.ts';

/** The whole attempt, from name resolution to the end of the answer (Standard Webhooks: 15 to 30 s). */
const ATTEMPT_MS = 15_000;
/** Bytes that are read of an answer; they are discarded, and reading them lets the connection end cleanly. */
const ANSWER_BYTES = 4_096;

export interface Attempt {
  url: string;
  body: string;
  headers: Record<string, string>;
}

export type Result =
  | { kind: 'delivered'; status: number }
  /** `retry_after_s`: the pause that the receiver requested. */
  | { kind: 'failed'; status: number | null; reason: string; retry_after_s: number | null }
  /** 410: the receiver wants no more messages. */
  | { kind: 'gone'; status: number };

export type Resolve = (name: string, done: (error: Error | null, addresses: LookupAddress[]) => void) => void;

export interface SendOptions {
  /** Permits private addresses and plain http: for development. */
  allow_private: boolean;
  /** Certificates to trust in addition to the system's. */
  ca?: string;
  /** Default: the system's resolver. */
  resolve?: Resolve;
  attempt_ms?: number;
}

export interface Sender {
  send(attempt: Attempt): Promise<Result>;
  close(): Promise<void>;
}

const systemResolve: Resolve = (name, done) => lookUp(name, { all: true }, done);

export function createSender(options: SendOptions): Sender {
  const { allow_private, resolve = systemResolve, attempt_ms = ATTEMPT_MS } = options;
  let agent: Agent | null = null;
  // Loaded for the first attempt: most servers have no endpoint to deliver to.
  const load = async () => (await import('undici')).default;
  const makeAgent = (undici: Awaited<ReturnType<typeof load>>): Agent =>
    new undici.Agent({
      connect: {
        timeout: Math.min(5_000, attempt_ms),
        lookup: checkedLookup(resolve, allow_private),
        ...(options.ca !== undefined && { ca: options.ca }),
      },
      headersTimeout: attempt_ms,
      bodyTimeout: attempt_ms,
      // Each attempt resolves its name again.
      pipelining: 0,
      keepAliveTimeout: 1,
      maxHeaderSize: 16_384,
    });
  return {
    async send({ url, body, headers }) {
      const problem = endpointUrlProblem(url, allow_private);
      if (problem !== null) return failed(`the endpoint’s URL ${problem}`);
      const undici = await load();
      agent ??= makeAgent(undici);
      const signal = AbortSignal.timeout(attempt_ms);
      try {
        const answer = await undici.request(url, { method: 'POST', body, headers, dispatcher: agent, signal });
        await drain(answer.body);
        return resultOf(answer.statusCode, answer.headers['retry-after']);
      } catch (error) {
        return failed(reasonOf(error, signal, attempt_ms));
      }
    },
    close: async () => agent?.destroy(),
  };
}

/**
 * Hands the addresses to the socket only when all of them are public. The socket connects to one of these and does not
 * resolve again, so a name that changes a moment later has no effect.
 */
function checkedLookup(resolve: Resolve, allow_private: boolean): LookupFunction {
  return (hostname, { all }, done) => {
    resolve(hostname, (error, addresses) => {
      if (error !== null) return done(error, '', 0);
      const refused = addresses.find(({ address }) => !allow_private && !isPublicAddress(address));
      if (refused !== undefined || addresses.length === 0) return done(new Error(NOT_PUBLIC), '', 0);
      if (all) return done(null, addresses);
      done(null, addresses[0]!.address, isIP(addresses[0]!.address));
    });
  };
}

const NOT_PUBLIC = 'the host name resolves to an address that is not public';

/** Reads a little of the answer and discards the rest, however long or slow it is. */
async function drain(body: AsyncIterable<Uint8Array> & { destroy(): void }): Promise<void> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes >= ANSWER_BYTES) break;
  }
  body.destroy();
}

function resultOf(status: number, retry_after: string | string[] | undefined): Result {
  if (status >= 200 && status < 300) return { kind: 'delivered', status };
  if (status === 410) return { kind: 'gone', status };
  const reason =
    status >= 300 && status < 400 ? 'answered with a redirect, which is not followed' : `answered ${status}`;
  return { kind: 'failed', status, reason, retry_after_s: secondsOf(retry_after) };
}

/** RFC 9110 section 10.2.3: seconds, or a date. */
function secondsOf(header: string | string[] | undefined): number | null {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1_000));
}

function failed(reason: string): Result {
  return { kind: 'failed', status: null, reason, retry_after_s: null };
}

/** In Weir's own words: the text of a socket error could reveal something about the network. */
function reasonOf(error: unknown, signal: AbortSignal, attempt_ms: number): string {
  if (signal.aborted) return `did not answer within ${attempt_ms / 1_000} s`;
  const { code, message } = error as NodeJS.ErrnoException;
  if (message === NOT_PUBLIC) return NOT_PUBLIC;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the host name cannot be resolved';
  if (code === 'ECONNREFUSED' || code === 'UND_ERR_CONNECT_TIMEOUT') return 'the endpoint refuses connections';
  if (code?.startsWith('ERR_TLS') || code?.includes('CERT') || code?.includes('SSL'))
    return 'its certificate is not valid';
  return 'the connection broke';
}
