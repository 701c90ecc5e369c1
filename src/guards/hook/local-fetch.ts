/** `fetch` without the built-in one: loading that takes longer than everything else that a hook does. */
import type { IncomingMessage } from 'node:http';
import { loopbackRequest, type PlainResponse } from './loopback-request.ts';

/** Most bytes of an answer; Weir's are a few kilobytes. */
const MAX_BYTES = 4 * 1024 * 1024;
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** The part of `fetch` that the client uses: method, headers, a text body, a signal. Redirects are refused. */
export async function localFetch(url: string, init: RequestInit): Promise<Response> {
  const to = new URL(url);
  const is_loopback = to.protocol === 'http:' && LOOPBACK.has(to.hostname) && to.username === '' && to.password === '';
  const { status, headers, text } = await (is_loopback ? loopbackRequest(to, init, MAX_BYTES) : nodeRequest(to, init));
  if (status >= 300 && status < 400) throw new Error(`it redirects to ${headers['location']}`);
  const has = (name: string): boolean => headers[name] !== undefined;
  return { status, json: async () => JSON.parse(text), headers: { has } } as unknown as Response;
}

/** By node:http or node:https. */
async function nodeRequest(url: URL, { method = 'GET', headers, body, signal }: RequestInit): Promise<PlainResponse> {
  // Not by `import`: that reads every export of node:http, of which WebSocket loads the built-in `fetch`.
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(
      url,
      { method, headers: headers as Record<string, string>, ...(signal && { signal }) },
      resolve,
    );
    sent.on('error', reject);
    sent.end(body as string | undefined);
  });
  let text = '';
  message.setEncoding('utf8');
  for await (const chunk of message) {
    text += chunk;
    if (text.length > MAX_BYTES) throw new Error('its answer is too long');
  }
  return { status: message.statusCode ?? 0, headers: message.headers as Record<string, string>, text };
}
