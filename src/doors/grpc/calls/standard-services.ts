/**
 * Health (grpc.health.v1) and reflection (v1 and v1alpha), from the gRPC project's own packages. They need no key: they
 * reveal the state of the server and the published .proto file.
 * Few callers use them, and loading them takes a tenth of a start, so that they are loaded when one is called.
 */
import { createRequire } from 'node:module';
import { relative, resolve } from 'node:path';
import type {
  Server,
  ServerDuplexStream,
  ServerUnaryCall,
  ServiceDefinition,
  sendUnaryData,
  UntypedHandleCall,
  UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type * as Reflection from '@grpc/reflection';
import type * as Health from 'grpc-health-check';
import { fileDescriptors } from '../messages/descriptors.ts';
import { loadProto, PROTO_DIR, protoRoot, SERVICE } from '../messages/proto.ts';

export interface StandardServices {
  /** Reports NOT_SERVING to watchers, and ends the streams that would keep their connections open. */
  stop(): void;
}

/** Every method of these services, by its path; a test compares them with those of the packages. */
const METHODS = {
  '/grpc.health.v1.Health/Check': 'unary',
  '/grpc.health.v1.Health/List': 'unary',
  '/grpc.health.v1.Health/Watch': 'serverStream',
  '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo': 'bidi',
  '/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo': 'bidi',
} as const;

export function addStandardServices(server: Server): StandardServices {
  const streams = new Set<Stream>();
  let is_stopped = false;
  let loaded: Loaded | null = null;
  const methodOf = (path: string): Method => {
    loaded ??= load(is_stopped ? 'NOT_SERVING' : 'SERVING');
    return loaded.methods.get(path)!;
  };
  for (const [path, type] of Object.entries(METHODS)) {
    const handle = (call: Call, callback: Callback): void => methodOf(path).handle(call, callback);
    server.register(
      path,
      (type === 'unary' ? handle : tracked(handle, streams)) as UntypedHandleCall,
      (answer) => methodOf(path).serialize(answer),
      (bytes) => methodOf(path).deserialize(bytes),
      type,
    );
  }
  return {
    stop: () => {
      is_stopped = true;
      for (const name of REPORTED) loaded?.health.setStatus(name, 'NOT_SERVING');
      for (const stream of streams) stream.end();
    },
  };
}

type Stream = ServerDuplexStream<unknown, unknown>;
type Call = ServerUnaryCall<unknown, unknown> | Stream;
type Callback = sendUnaryData<unknown>;
type Handle = (call: Call, callback: Callback) => void;

interface Method {
  handle: Handle;
  serialize(answer: unknown): Buffer;
  deserialize(bytes: Buffer): unknown;
}

interface Loaded {
  health: Health.HealthImplementation;
  /** By path. */
  methods: Map<string, Method>;
}

/** Names whose health is reported: the whole server and the one service. */
const REPORTED = ['', SERVICE];

function load(status: 'SERVING' | 'NOT_SERVING'): Loaded {
  // A message is decoded as it arrives, which does not wait for an `import()`.
  const require = createRequire(import.meta.url);
  const { HealthImplementation, protoPath } = require('grpc-health-check') as typeof Health;
  const { ReflectionService } = require('@grpc/reflection') as typeof Reflection;
  const methods = new Map<string, Method>();
  const target = { addService: (service: object, handlers: object) => add(methods, service, handlers) };
  const health = new HealthImplementation(Object.fromEntries(REPORTED.map((name) => [name, status])));
  health.addToServer(target);
  const services = [SERVICE, 'grpc.health.v1.Health'];
  new ReflectionService(described(protoPath), { services }).addToServer(target);
  return { health, methods };
}

function add(methods: Map<string, Method>, service: object, handlers: object): void {
  const definitions = Object.values(service as ServiceDefinition<UntypedServiceImplementation>);
  for (const [name, handler] of Object.entries(handlers as UntypedServiceImplementation)) {
    const one = definitions.find(({ originalName, path }) => originalName === name || path.endsWith(`/${name}`));
    // A package may have a handler of a method that its .proto file does not declare.
    if (one === undefined) continue;
    const { path, responseSerialize: serialize, requestDeserialize: deserialize } = one;
    methods.set(path, { handle: handler as Handle, serialize, deserialize });
  }
}

/** Tracks the stream until it ends, and stops reading from a client that does not take its answers. */
function tracked(handle: Handle, streams: Set<Stream>): Handle {
  return (call, callback) => {
    const stream = call as Stream;
    streams.add(stream);
    stream.on('cancelled', () => streams.delete(stream));
    handle(stream, callback);
    if (typeof stream.pause !== 'function') return;
    stream.on('data', () => {
      if (stream.writableNeedDrain) stream.pause();
    });
    stream.on('drain', () => stream.resume());
  };
}

type Described = ConstructorParameters<typeof Reflection.ReflectionService>[0];

/** Weir's own files and that of health, in the one field of a definition that reflection reads. */
function described(health_file: string): Described {
  const directory = resolve(health_file, '../../..');
  const health = loadProto(directory, [relative(directory, health_file)]);
  const files = [...fileDescriptors(protoRoot, PROTO_DIR), ...fileDescriptors(health, directory)];
  return { files: { fileDescriptorProtos: files } } as unknown as Described;
}
