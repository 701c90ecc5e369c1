/** `fetch` by node:http alone: loading the built-in one takes longer than everything else that a hook does. */
import type { IncomingMessage } from 'node:http';

/** Most bytes of an answer; Weir's are a few kilobytes. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The part of `fetch` that the client uses: method, headers, a text body, a signal. Redirects are refused. */
export async function localFetch(url: string, init: RequestInit): Promise<Response> {
  // Not by `import`: that reads every export of node:http, of which WebSocket loads the built-in `fetch`.
  const { request } = process.getBuiltinModule(url.startsWith('https:') ? 'node:https' : 'node:http');
  const { method = 'GET', headers, body, signal } = init;
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(
      url,
      { method, headers: headers as Record<string, string>, ...(signal && { signal }) },
      resolve,
    );
    sent.on('error', reject);
    sent.end(body as string | undefined);
  });
  const status = message.statusCode ?? 0;
  if (status >= 300 && status < 400) {
    message.destroy();
    throw new Error(`it redirects to ${message.headers.location}`);
  }
  let text = '';
  message.setEncoding('utf8');
  for await (const chunk of message) {
    text += chunk;
    if (text.length > MAX_BYTES) throw new Error('its answer is too long');
  }
  const has = (name: string): boolean => message.headers[name] !== undefined;
  return { status, json: async () => JSON.parse(text), headers: { has } } as unknown as Response;
}
