import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadSync } from '@grpc/proto-loader';
import { generateTypes, OUTPUT } from '../../../../tools/scripts/grpc-types.ts';
import { grpcMethods } from '../index.ts';
import { PROTO_DIR, protoRoot, SERVICE } from './proto.ts';

test('messages.ts matches the .proto files; run `npm run proto` after changing one', () => {
  assert.equal(readFileSync(OUTPUT, 'utf8'), generateTypes(protoRoot));
});

test('the contract also loads without a path for its imports', () => {
  const { [SERVICE]: service } = loadSync(join(PROTO_DIR, 'risk/v1/risk.proto'), {});
  assert.deepEqual(Object.keys(service!), ['EvaluateRisk', 'BatchEvaluateRisk', 'StreamEvaluateRisk']);
});

test('each rpc of the .proto file is a method of the list', () => {
  const declared = protoRoot.lookupService(SERVICE).methodsArray.map(({ name }) => name);
  // The list is assembled from parts, and only its names are read here.
  const methods = grpcMethods({} as Parameters<typeof grpcMethods>[0]);
  assert.deepEqual(
    methods.map(({ name }) => name),
    declared,
  );
});
