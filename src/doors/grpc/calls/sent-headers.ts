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

/** The values of each line with this name, in order. The name in lower case, as HTTP/2 sends it. */
export function sentValues(call: ServerInterceptingCallInterface, name: string): string[] {
  // Never absent; if they were, the call must fail rather than count as one without headers.
  const lines = (call as unknown as { stream: OpenedStream }).stream[LINES];
  const values: string[] = [];
  for (let at = 0; at < lines.length; at += 2) {
    if (lines[at] === name) values.push(withoutEdges(lines[at + 1]!));
  }
  return values;
}

const isBlank = (unit: number): boolean => unit === 0x20 || unit === 0x09;

/**
 * Without blanks and tabs at both ends, in linear time: this runs before the key is checked, and an expression such as
 * `[ \t]+$` takes quadratic time on blanks inside the value.
 */
export function withoutEdges(value: string): string {
  let from = 0;
  let to = value.length;
  while (from < to && isBlank(value.charCodeAt(from))) from += 1;
  while (to > from && isBlank(value.charCodeAt(to - 1))) to -= 1;
  return value.slice(from, to);
}
