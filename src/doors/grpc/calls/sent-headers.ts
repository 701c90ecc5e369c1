/**
 * The header lines of a call as they were sent. nghttp2 leaves out a value with a blank at its edge, and grpc-js one with a
 * character outside ASCII, both without a word to the handler: a call with a bad token would be one without a token. So what
 * decides about access is read from here, with blanks cut off as HTTP/1 does, and never from grpc-js's metadata.
 */
import type { ServerHttp2Stream } from 'node:http2';
import type { Server, ServerInterceptingCallInterface } from '@grpc/grpc-js';
import { type InnerServer, onNewStream } from './new-streams.ts';

const LINES = Symbol('header lines as sent');

/** Kept by the stream itself: a weak map of streams cost a quarter of each call, because the collector goes through all of it each time. */
interface OpenedStream extends ServerHttp2Stream {
  /** Names and values in turn. */
  [LINES]: readonly string[];
}

/** To be called before the server listens. */
export function keepSentHeaders(server: Server): void {
  (server as unknown as InnerServer).commonServerOptions.strictFieldWhitespaceValidation = false;
  onNewStream(server, (stream, lines) => {
    (stream as OpenedStream)[LINES] = lines;
  });
}

const BLANKS_AT_EDGES = /^[ \t]+|[ \t]+$/g;

/** What each line of this name says, in order. The name in lower case, as HTTP/2 sends it. */
export function sentValues(call: ServerInterceptingCallInterface, name: string): string[] {
  // Never absent; if it were, the call must fail, and not be one without headers.
  const lines = (call as unknown as { stream: OpenedStream }).stream[LINES];
  const values: string[] = [];
  for (let at = 0; at < lines.length; at += 2) {
    if (lines[at] === name) values.push(lines[at + 1]!.replace(BLANKS_AT_EDGES, ''));
  }
  return values;
}
