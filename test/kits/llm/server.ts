/**
 * A server that speaks the formats of the providers and behaves as told, in place of a language model. Tests run on the wire
 * against it: a mock cannot send half an answer.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Asked, answerBody, readAsked } from './formats.ts';

/** The answer's value, or a text that is sent in its place. */
export type Behaviour = (asked: Asked) => object | string;

/**
 * `answers` gives what the behaviour returns. All others are ways to fail. `slow` never answers; `half` ends the connection in the
 * middle of the body; `huge` sends ten megabytes; `drip` sends spaces for ever.
 */
export const modes = [
  'answers',
  'slow',
  'drip',
  'error',
  'busy',
  'busy_for_long',
  'half',
  'huge',
  'not_json',
  'not_text',
  'wrong_schema',
  'out_of_range',
  'refusal',
  'redirect',
  'forbidden',
  'reset',
] as const;
export type Mode = (typeof modes)[number];

export interface LlmServer {
  /** Ends in `/v1`. */
  url: string;
  /** Of all requests from now on. */
  mode: Mode;
  behaviour: Behaviour;
  /** Every question that came, in order. */
  readonly asked: Asked[];
  /** Questions whose connection the caller closed before the answer. */
  abandoned: number;
  /** Of `GET /models/…`: whether key and model are good. */
  is_known: boolean;
  /** Questions that came to where redirects lead. */
  redirected: number;
  stop(): Promise<void>;
}

export async function startLlmServer(behaviour: Behaviour, mode: Mode = 'answers'): Promise<LlmServer> {
  const http = createServer((request, response) => void serve(server, request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const server: LlmServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`,
    mode,
    behaviour,
    asked: [],
    abandoned: 0,
    is_known: true,
    redirected: 0,
    async stop() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return server;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const TEN_MEGABYTES = 10 * 2 ** 20;

async function serve(server: LlmServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.on('error', () => {});
  if (request.url!.startsWith('/elsewhere')) {
    server.redirected += 1;
    response.writeHead(200, JSON_TYPE).end('{}');
    return;
  }
  if (request.method === 'GET') {
    if (server.mode === 'slow') return;
    const data = server.is_known ? [{ id: 'claude-stand-in' }] : [];
    response.writeHead(server.is_known || request.url!.endsWith('/models') ? 200 : 404, JSON_TYPE);
    response.end(JSON.stringify({ id: 'claude-stand-in', data }));
    return;
  }
  const body: Buffer[] = [];
  for await (const chunk of request) body.push(chunk as Buffer);
  const asked = readAsked(request.url!, request.headers, JSON.parse(Buffer.concat(body).toString()));
  if (asked === null) {
    response.writeHead(404).end();
    return;
  }
  server.asked.push(asked);
  response.on('close', () => {
    if (!response.writableFinished) server.abandoned += 1;
  });
  const { format, model } = asked;
  const send = (text: string, is_refusal = false): void => {
    response.writeHead(200, JSON_TYPE).end(answerBody(format, model, text, is_refusal));
  };
  const fail = (status: number, headers: Record<string, string> = {}): void => {
    response.writeHead(status, { ...JSON_TYPE, ...headers });
    response.end(JSON.stringify({ error: { type: 'stand_in', message: `no: ${asked.key} ${asked.data}` } }));
  };
  switch (server.mode) {
    case 'answers': {
      const value = server.behaviour(asked);
      return send(typeof value === 'string' ? value : JSON.stringify(value));
    }
    case 'slow':
      return;
    case 'drip': {
      response.writeHead(200, JSON_TYPE);
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
      return;
    }
    case 'error':
      return fail(500);
    case 'busy':
      return fail(429);
    case 'busy_for_long':
      return fail(429, { 'retry-after': '30' });
    case 'half': {
      const whole = answerBody(format, model, JSON.stringify(server.behaviour(asked)));
      response.writeHead(200, { ...JSON_TYPE, 'content-length': String(whole.length) });
      response.write(whole.slice(0, whole.length / 2), () => response.destroy());
      return;
    }
    case 'huge':
      return send('x'.repeat(TEN_MEGABYTES));
    case 'not_json':
      response.writeHead(200, JSON_TYPE).end('<html>it works</html>');
      return;
    case 'not_text':
      return send('Certainly! I would say it is fine.');
    case 'wrong_schema':
      return send('{"verdict":"fine"}');
    case 'out_of_range':
      return send('{"score":-50,"confidence":7,"reasons":[]}');
    case 'refusal':
      return send('I cannot help with that.', true);
    case 'redirect':
      response.writeHead(307, { location: '/elsewhere/v1/messages' }).end();
      return;
    case 'forbidden':
      return fail(401);
    case 'reset':
      request.socket.resetAndDestroy();
      return;
  }
}
