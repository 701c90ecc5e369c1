/**
 * The header lines of a call as they were sent. nghttp2 leaves out a value with a blank at its edge, and grpc-js one with a
 * character outside ASCII, both without a word to the handler: a call with a bad token would be one without a token. So what
 * decides about access is read from here, with blanks cut off as HTTP/1 does, and never from grpc-js's metadata.
 */
import type { Http2Server, ServerHttp2Stream, ServerOptions } from 'node:http2';
import type { Server, ServerInterceptingCallInterface } from '@grpc/grpc-js';

/** The parts of grpc-js's server that it shows nobody; pinned by `test/grpc/tokens.test.ts`. */
interface InnerServer {
  commonServerOptions: ServerOptions;
  createHttp2Server(credentials: unknown): Http2Server;
}

/** Names and values in turn. */
const sent = new WeakMap<ServerHttp2Stream, readonly string[]>();

/** To be called before the server listens. */
export function keepSentHeaders(server: Server): void {
  const inner = server as unknown as InnerServer;
  inner.commonServerOptions.strictFieldWhitespaceValidation = false;
  const create = inner.createHttp2Server.bind(inner);
  inner.createHttp2Server = (credentials) => {
    const listening = create(credentials);
    // Before grpc-js, which makes the call.
    listening.prependListener('stream', (stream, _headers, _flags, lines) => sent.set(stream, lines));
    return listening;
  };
}

const BLANKS_AT_EDGES = /^[ \t]+|[ \t]+$/g;

/** What each line of this name says, in order. The name in lower case, as HTTP/2 sends it. */
export function sentValues(call: ServerInterceptingCallInterface, name: string): string[] {
  // Never absent; if it were, the call must fail, and not be one without headers.
  const lines = sent.get((call as unknown as { stream: ServerHttp2Stream }).stream)!;
  const values: string[] = [];
  for (let at = 0; at < lines.length; at += 2) {
    if (lines[at] === name) values.push(lines[at + 1]!.replace(BLANKS_AT_EDGES, ''));
  }
  return values;
}
