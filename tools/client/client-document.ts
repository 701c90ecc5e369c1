/** The part of the OpenAPI document that `weir-client` calls, and its hash, which tells when the written types are stale. */

import type { JsonObject } from '../../src/lang/json.ts';
import { sha256 } from '../../src/platform/ids.ts';
import { canonicalJson } from '../../src/platform/json/canonical.ts';

/** What the client calls. */
const OPERATIONS: readonly (readonly [path: string, method: string])[] = [
  ['/events', 'post'],
  ['/scores/event/{event_id}', 'get'],
];

export const HASH_LINE = '// document: ';

/** The document with the client's operations alone. Throws when one of them is gone. */
export function clientDocument(document: Record<string, unknown>): JsonObject {
  const all = document['paths'] as Record<string, JsonObject>;
  const paths = OPERATIONS.map(([path, method]) => {
    const operation = all[path]?.[method];
    if (operation === undefined) throw new Error(`the API has no ${method} ${path}`);
    return [path, { [method]: operation }];
  });
  const { openapi, info, components } = document as JsonObject;
  return { openapi: openapi!, info: info!, components: components!, paths: Object.fromEntries(paths) };
}

export const documentHash = (document: JsonObject): string => sha256(canonicalJson(document));
