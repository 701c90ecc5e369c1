/** Every method of a storage port is called somewhere in the suite that all backends pass: no method without a contract. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const ROOT = resolve(import.meta.dirname, '../..');

const suite = globSync('test/contract/*.ts', { cwd: ROOT })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(ROOT, file), 'utf8'))
  .join('\n');

/** Methods of the interfaces of a file: members of an exported interface that are written as `name(…): …`. */
function methodsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
  return [...text.matchAll(/export interface \w+[^{]*\{\n([\s\S]*?)\n\}/g)].flatMap(([, body]) =>
    [...body!.matchAll(/^ {2}(\w+)(?:<[^>]*>)?\(/gm)].map(([, name]) => name!),
  );
}

/** Methods that other suites cover, because they concern one process or one server and not a backend's promise. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  // Only a cache that processes share compares memories.
  ['takeTurn', 'src/storage/redis/redis.test.ts'],
  ['removeShort', 'src/storage/redis/redis.test.ts'],
  ['moveOn', 'src/storage/redis/redis.test.ts'],
  // Chooses among backends.
  ['ask', 'src/storage/graphs.test.ts'],
  // NATS is the only dispatch.
  ['announce', 'src/storage/nats/dispatch.test.ts'],
  ['isUp', 'src/storage/nats/dispatch.test.ts'],
  ['serve', 'src/storage/nats/dispatch.test.ts'],
  // The start, and what metrics show of a process.
  ['whenUp', 'test/api/start.test.ts'],
  ['load', 'test/api/metrics.test.ts'],
]);

for (const file of globSync('src/storage/ports/*.ts', { cwd: ROOT }).toSorted()) {
  test(`${file}: each method has a contract test`, () => {
    for (const method of methodsOf(file)) {
      const elsewhere = ELSEWHERE.get(method);
      if (elsewhere !== undefined) {
        assert.ok(existsSync(join(ROOT, elsewhere)), `${method}: ${elsewhere} is missing`);
        continue;
      }
      assert.match(suite, new RegExp(`\\.${method}\\b`), `no test in test/contract calls \`${method}\`; write one`);
    }
  });
}

test('methods of the ports are found', () => {
  assert.ok(methodsOf('src/storage/ports/storage.ts').includes('recordInOrder'));
});
