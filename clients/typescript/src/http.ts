/** One call of Weir's API, repeated while Weir is unavailable or busy. */
import type { ClientOptions } from './types.ts';

/** Weir refused a request (`status` 4xx), or did not answer in time (`status` 0 or 5xx). */
export class WeirError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = 'WeirError';
    this.status = status;
  }
  /** No answer, or none that says anything about the request. */
  get is_unavailable(): boolean {
    return this.status === 0 || this.status >= 500 || this.status === 429;
  }
}

export interface Call {
  path: string;
  /** Sent with POST as JSON; GET without. */
  body?: object;
  /** Seconds that the server may wait before it answers. */
  wait_s?: number;
  signal?: AbortSignal | undefined;
}

export const PATIENCE_MS = 10_000;
const RETRY_MS = 500;

/** The answer's JSON object. Throws `WeirError`, or the reason of `signal`. */
export async function call(options: ClientOptions, { path, body, wait_s = 0, signal }: Call): Promise<object> {
  const { patience_ms = PATIENCE_MS, agent_token, api_key, fetch = globalThis.fetch } = options;
  const url = options.url.replace(/\/+$/, '') + path;
  const headers = {
    'x-api-key': api_key,
    ...(agent_token !== undefined && { authorization: `Bearer ${agent_token}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const request = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const end = Date.now() + patience_ms;
  for (;;) {
    signal?.throwIfAborted();
    const failed = await once(
      url,
      { ...request, headers, redirect: 'error' },
      Math.max(patience_ms, 1) + wait_s * 1_000,
      signal,
    );
    if (!(failed instanceof Failure)) return failed;
    const left_ms = end - Date.now();
    if (!failed.may_pass || left_ms <= RETRY_MS) throw new WeirError(failed.status, failed.text);
    await pause(RETRY_MS, signal);
  }

  async function once(url: string, init: RequestInit, time_ms: number, signal: AbortSignal | undefined) {
    // Not `AbortSignal.timeout`: its timer does not keep a process alive that has nothing else to do.
    let status = 0;
    const controller = new AbortController();
    const abort = (): void => controller.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    const timer = setTimeout(() => controller.abort(new Error(`no answer in ${time_ms} ms`)), time_ms);
    try {
      const response = await fetch(url, { ...init, signal: controller.signal });
      status = response.status;
      const answer = (await response.json()) as { detail?: unknown };
      if (status === 200 || status === 202) return answer;
      const is_foreign = typeof answer.detail !== 'string' || (status === 404 && body !== undefined);
      const text = is_foreign ? notWeir(options, status) : `Weir answered ${status}: ${answer.detail}`;
      // A 429 without Retry-After is a session that has spent its events: waiting does not help.
      const may_pass = status >= 500 || (status === 429 && response.headers.has('retry-after'));
      return new Failure(status, text, may_pass);
    } catch (error) {
      signal?.throwIfAborted();
      // A page instead of JSON: another service has the address.
      if (status === 404 && error instanceof SyntaxError) return new Failure(0, notWeir(options, status), true);
      return new Failure(0, `Weir did not answer at ${options.url} (${reasonOf(error)})`, true);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }
}

/** Weir has an endpoint at each path that is asked for, and gives each error a `detail`. */
const notWeir = ({ url, url_setting = '`url`' }: ClientOptions, status: number): string =>
  `what answers at ${url} is not the scoring API of Weir (it answered ${status}): check ${url_setting}`;

/**
 * The address of a service as it was given. Throws with the setting's name for a text that is no address of HTTP.
 *
 * @param setting what the user sets it with, such as `WEIR_URL`
 */
export function checkedUrl(text: string, setting: string): string {
  const protocol = URL.canParse(text) ? new URL(text).protocol : '';
  if (protocol === 'http:' || protocol === 'https:') return text;
  throw new Error(`${setting} must be an address such as http://127.0.0.1:8000; it is \`${text}\``);
}

class Failure {
  readonly status: number;
  readonly text: string;
  readonly may_pass: boolean;
  constructor(status: number, text: string, may_pass: boolean) {
    this.status = status;
    this.text = text;
    this.may_pass = may_pass;
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message;
}
