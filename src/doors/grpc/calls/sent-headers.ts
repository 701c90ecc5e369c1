/**
 * The header lines of a call as they were sent. nghttp2 drops a value with a blank at its edge, and grpc-js one with a
 * character outside ASCII, both without telling the handler: a call with a malformed token would look like one without
 * a token. Access decisions therefore read these lines, trimmed as in HTTP/1, and never grpc-js's metadata.
 */
import type { ServerHttp2Stream } from 'node:http2';
import type { Server, ServerInterceptingCallInterface } from '@grpc/grpc-js';
import { type InnerServer, onNewStream } from './new-streams.ts';

const LINES = Symbol('header lines as sent');

/**
 * Stored on the stream itself: a weak map of streams took a quarter of each call's time, because every collection
 * traverses it.
 */
interface OpenedStream extends ServerHttp2Stream {
  /** Names and values in turn. */
  [LINES]: readonly string[];
}

/** Call it before the server listens. */
export function keepSentHeaders(server: Server): void {
  (server as unknown as InnerServer).commonServerOptions.strictFieldWhitespaceValidation = false;
  onNewStream(server, (stream, lines) => {
    (stream as OpenedStream)[LINES] = lines;
  });
}

const BLANKS_AT_EDGES = /^[ \t]+|[ \t]+$/g;

/** The values of each line with this name, in order. The name in lower case, as HTTP/2 sends it. */
export function sentValues(call: ServerInterceptingCallInterface, name: string): string[] {
  // Never absent; if they were, the call must fail rather than count as one without headers.
  const lines = (call as unknown as { stream: OpenedStream }).stream[LINES];
  const values: string[] = [];
  for (let at = 0; at < lines.length; at += 2) {
    if (lines[at] === name) values.push(lines[at + 1]!.replace(BLANKS_AT_EDGES, ''));
  }
  return values;
}
