/** The gRPC server: the service of the .proto file, health, reflection; limits, the log, and an orderly stop. */
import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Server as NetServer, Socket } from 'node:net';
import {
  type ChannelOptions,
  logVerbosity,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  setLogVerbosity,
} from '@grpc/grpc-js';
import type { Admit } from '../../platform/caller.ts';
import type { PortBounds } from '../../platform/http/connections.ts';
import { toWeirError } from '../../platform/http/http.ts';
import type { Intake } from '../../platform/http/intake.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { VerifyToken } from '../../tokens/verify/verify.ts';
import { createGate } from './calls/admit.ts';
import { MAX_MESSAGE_BYTES } from './calls/arrival.ts';
import { forgetClosed } from './calls/closed-streams.ts';
import { keepSentHeaders } from './calls/sent-headers.ts';
import { boundSessions } from './calls/sessions.ts';
import { addStandardServices } from './calls/standard-services.ts';
import { protoRoot, SERVICE } from './messages/proto.ts';
import type { Method } from './method.ts';
import { DeadlinePassed, toStatus } from './status.ts';

const OPTIONS: ChannelOptions = {
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  // Concurrent calls of one connection; more wait at the client. This bounds the bytes they can bring.
  'grpc.max_concurrent_streams': 256,
  // Bookkeeping for a debugging service that is not offered.
  'grpc.enable_channelz': 0,
  // A peer that vanished silently is noticed within 80 s.
  'grpc.keepalive_time_ms': 60_000,
};

/** Once all is sent and this side is closed: a peer that sends nothing for this long will not close its side. */
const LINGER_MS = 1_000;

export interface GrpcServer {
  /** Rejects with the socket's error code when it cannot listen. Resolves to the port. */
  listen(host: string, port: number): Promise<number>;
  /** Answers the calls that have begun, and after `drain_ms` altogether cuts the rest. */
  close(drain_ms: number): Promise<void>;
}

export interface GrpcServerParts {
  methods: readonly Method[];
  admit: Admit;
  verify: VerifyToken;
  log: Log;
  metrics: Pick<Metrics, 'calls'>;
  intake: Intake;
  bounds: PortBounds;
}

export function createGrpcServer({
  methods,
  admit,
  verify,
  log,
  metrics,
  intake,
  bounds,
}: GrpcServerParts): GrpcServer {
  const instance = randomBytes(4).toString('hex');
  let requests = 0;
  const newRequestId = (): string => `${instance}-g${(++requests).toString(36)}`;
  const report = (error: unknown, method: string, request_id: string) => {
    if (!(error instanceof DeadlinePassed)) logFailure(log, error, method, request_id);
    return toStatus(error, request_id);
  };
  const isGuarded = (path: string): boolean => path.startsWith(`/${SERVICE}/`);
  const gate = createGate({ admit, verify, isGuarded, newRequestId, intake });
  // It prints headers that it rejects, a token among them.
  setLogVerbosity(logVerbosity.NONE);
  const server = new Server({ ...OPTIONS, interceptors: [gate] });
  keepSentHeaders(server);
  forgetClosed(server);
  boundSessions(server, bounds, isGuarded);
  const stopping = new AbortController();
  // Each open stream listens to it.
  setMaxListeners(0, stopping.signal);
  const measure = (method: string, code: number, started: number): void =>
    metrics.calls.observe({ method, code }, (performance.now() - started) / 1_000);
  const surroundings = { newRequestId, report, measure, intake, stopping: stopping.signal };
  const bound = methods.map((one) => [one.name, one.bind(surroundings)] as const);
  server.addService(definitionOf(methods), Object.fromEntries(bound));
  const standard = addStandardServices(server);
  const sockets = new Set<Socket>();
  return {
    listen: async (host, port) => {
      const bound_port = await listen(server, host, port);
      trackSockets(server, sockets);
      return bound_port;
    },
    close: async (drain_ms) => {
      standard.stop();
      stopping.abort();
      // Not `forceShutdown`, which knows of no connections unless that debugging service is on.
      const cut = setTimeout(() => sockets.forEach((socket) => void socket.destroy()), drain_ms);
      await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      clearTimeout(cut);
    },
  };
}

/**
 * Tracks the sockets, and destroys those whose peer does not close them: a silent one would keep the server open.
 * grpc-js does not expose its listening servers.
 */
function trackSockets(server: Server, sockets: Set<Socket>): void {
  const { http2Servers } = server as unknown as { http2Servers: ReadonlyMap<NetServer, unknown> };
  for (const listening of http2Servers.keys()) {
    listening.on('connection', (socket) => {
      sockets.add(socket);
      let linger: NodeJS.Timeout | undefined;
      socket.once('finish', () => {
        let { bytesRead } = socket;
        linger = setInterval(() => {
          if (socket.bytesRead === bytesRead) socket.destroy();
          bytesRead = socket.bytesRead;
        }, LINGER_MS);
      });
      socket.once('close', () => {
        clearInterval(linger);
        sockets.delete(socket);
      });
    });
  }
}

/** The caller's faults are not logged; for others, the caller was told the request id that is in the log. */
function logFailure(log: Log, error: unknown, method: string, request_id: string): void {
  const { code, row } = toWeirError(error);
  if (row.status < 500 || code === 'overloaded') return;
  log[row.status === 500 ? 'error' : 'warn']({ request_id, route: `${SERVICE}/${method}`, code, err: error }, FAILED);
}

const FAILED = 'request failed';

/** Paths and streaming of the .proto file's methods, over bytes. Throws unless each has exactly one method. */
function definitionOf(methods: readonly Method[]): ServiceDefinition {
  const declared = protoRoot.lookupService(SERVICE).methodsArray;
  const names = (list: readonly { name: string }[]): string => list.map(({ name }) => name).join(', ');
  if (names(declared) !== names(methods)) throw new Error(`risk.proto has ${names(declared)}; not ${names(methods)}`);
  const asBytes = (bytes: Buffer): Buffer => bytes;
  return Object.fromEntries(
    declared.map(({ name, requestStream, responseStream }) => [
      name,
      {
        path: `/${SERVICE}/${name}`,
        requestStream: requestStream === true,
        responseStream: responseStream === true,
        requestSerialize: asBytes,
        requestDeserialize: asBytes,
        responseSerialize: asBytes,
        responseDeserialize: asBytes,
      },
    ]),
  );
}

function listen(server: Server, host: string, port: number): Promise<number> {
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return new Promise((resolve, reject) => {
    server.bindAsync(address, ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) resolve(bound);
      else reject(Object.assign(error, { code: /\bE[A-Z]{4,}\b/.exec(error.message)?.[0] }));
    });
  });
}
