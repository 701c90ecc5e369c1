/**
 * `npm run client:types`: writes `clients/typescript/src/openapi.ts` from the service's own OpenAPI document, reduced to the
 * calls of the client. openapi-typescript comes with the packages of `clients/typescript` (`npm ci --prefix clients/typescript`).
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { clientDocument, documentHash, HASH_LINE } from '../client/client-document.ts';

const CLIENT = join(import.meta.dirname, '../../clients/typescript');
const [url] = process.argv.slice(2);
if (url === undefined) throw new Error('usage: node tools/scripts/client-types.ts http://HOST:PORT/openapi.json');

const document = clientDocument((await (await fetch(url)).json()) as Record<string, unknown>);
const file = createRequire(join(CLIENT, 'package.json')).resolve('openapi-typescript');
// Resolved as CommonJS, whose namespace is the `default` of the import.
const { default: openapi } = await import(pathToFileURL(file).href);
const types: string = openapi.astToString(await openapi.default(document));
writeFileSync(
  join(CLIENT, 'src/openapi.ts'),
  `// Written by \`npm run client:types\` from the service's OpenAPI document; do not edit.\n${HASH_LINE}${documentHash(document)}\n\n${types}`,
);
