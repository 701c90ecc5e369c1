import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Server, type ServiceDefinition } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { HealthImplementation } from 'grpc-health-check';
import { addStandardServices } from './standard-services.ts';

test('every method that the packages declare is there, of the same kind', () => {
  const declared: [string, string][] = [];
  const target = {
    addService: (service: object) => {
      for (const { path, requestStream, responseStream } of Object.values(service as ServiceDefinition))
        declared.push([path, requestStream ? 'bidi' : responseStream ? 'serverStream' : 'unary']);
    },
  };
  new HealthImplementation().addToServer(target);
  new ReflectionService({ files: { fileDescriptorProtos: [] } } as never).addToServer(target);
  const found = new Map<string, string>();
  const server = new Server();
  server.register = (path, _handler, _serialize, _deserialize, type) => found.set(path, type).size > 0;
  addStandardServices(server);
  assert.deepEqual([...found].sort(), declared.sort());
});
