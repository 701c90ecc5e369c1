/** The HTTP/2 streams of a gRPC server, each before grpc-js makes a call of it. */
import type { Http2Server, ServerHttp2Stream, ServerOptions } from 'node:http2';
import type { Server } from '@grpc/grpc-js';

/** The private parts of grpc-js's server; pinned by `test/grpc/tokens.test.ts`. */
export interface InnerServer {
  commonServerOptions: ServerOptions;
  createHttp2Server(credentials: unknown): Http2Server;
}

/** Each HTTP/2 server that grpc-js makes, before it listens. Call it before the server listens. */
export function onCreated(server: Server, listener: (listening: Http2Server) => void): void {
  const inner = server as unknown as InnerServer;
  const create = inner.createHttp2Server.bind(inner);
  inner.createHttp2Server = (credentials) => {
    const listening = create(credentials);
    listener(listening);
    return listening;
  };
}

/** `lines`: the names and values of its headers in turn, as they were sent. Call it before the server listens. */
export function onNewStream(
  server: Server,
  listener: (stream: ServerHttp2Stream, lines: readonly string[]) => void,
): void {
  onCreated(server, (listening) => {
    listening.prependListener('stream', (stream, _headers, _flags, lines) => listener(stream, lines));
  });
}
