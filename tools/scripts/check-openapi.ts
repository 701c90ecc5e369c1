/**
 * Sends many requests made from the OpenAPI documents to servers of its own: `npm run check:openapi -- 10000 [SEED]`. The suite
 * sends a few hundred of the same kind (test/api/openapi-requests.test.ts).
 */
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const [requests = '10000', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
console.log(`${requests} requests to each port, seed ${seed}`);
const child = spawn(
  process.execPath,
  ['--test', '--test-timeout=3600000', join(ROOT, 'test/api/openapi-requests.test.ts')],
  { stdio: 'inherit', env: { ...process.env, OPENAPI_REQUESTS: requests, OPENAPI_SEED: seed } },
);
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
