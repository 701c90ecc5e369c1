/**
 * Health (grpc.health.v1) and reflection (v1 and v1alpha), from the gRPC project's own packages. They need no key: they
 * reveal the state of the server and the published .proto file.
 */
import { relative, resolve } from 'node:path';
import type {
  Server,
  ServerDuplexStream,
  ServiceDefinition,
  UntypedHandleCall,
  UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { HealthImplementation, protoPath as healthFile } from 'grpc-health-check';
import { fileDescriptors } from '../messages/descriptors.ts';
import { loadProto, PROTO_DIR, protoRoot, SERVICE } from '../messages/proto.ts';

export interface StandardServices {
  /** Reports NOT_SERVING to watchers, and ends the streams that would keep their connections open. */
  stop(): void;
}

export function addStandardServices(server: Server): StandardServices {
  const streams = new Set<Stream>();
  const target = { addService: (service: object, handlers: object) => add(server, service, handlers, streams) };
  const health = new HealthImplementation({ '': 'SERVING', [SERVICE]: 'SERVING' });
  health.addToServer(target);
  const services = [SERVICE, 'grpc.health.v1.Health'];
  new ReflectionService(described(), { services }).addToServer(target);
  return {
    stop: () => {
      for (const name of ['', SERVICE]) health.setStatus(name, 'NOT_SERVING');
      for (const stream of streams) stream.end();
    },
  };
}

type Stream = ServerDuplexStream<unknown, unknown>;
type Definition = ServiceDefinition<UntypedServiceImplementation>;

function add(server: Server, service: object, handlers: object, streams: Set<Stream>): void {
  const definition = service as Definition;
  const bound = Object.entries(handlers as UntypedServiceImplementation).map(([name, handler]) => {
    const method = Object.values(definition).find((one) => one.originalName === name || one.path.endsWith(`/${name}`));
    return [name, method?.responseStream ? tracked(handler, streams) : handler] as const;
  });
  server.addService(definition, Object.fromEntries(bound));
}

/** Tracks the stream until it ends, and stops reading from a client that does not take its answers. */
function tracked(handler: UntypedHandleCall, streams: Set<Stream>): UntypedHandleCall {
  return (stream: Stream) => {
    streams.add(stream);
    stream.on('cancelled', () => streams.delete(stream));
    (handler as (stream: Stream) => void)(stream);
    if (typeof stream.pause !== 'function') return;
    stream.on('data', () => {
      if (stream.writableNeedDrain) stream.pause();
    });
    stream.on('drain', () => stream.resume());
  };
}

type Described = ConstructorParameters<typeof ReflectionService>[0];

const HEALTH_DIR = resolve(healthFile, '../../..');

/** Weir's own files and that of health, in the one field of a definition that reflection reads. */
function described(): Described {
  const health = loadProto(HEALTH_DIR, [relative(HEALTH_DIR, healthFile)]);
  const files = [...fileDescriptors(protoRoot, PROTO_DIR), ...fileDescriptors(health, HEALTH_DIR)];
  return { files: { fileDescriptorProtos: files } } as unknown as Described;
}
