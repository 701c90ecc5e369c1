/**
 * What YAML documents hold, parsed once: parsing takes more than half of the time in which the ontology is loaded, reading the same
 * as JSON a twentieth of that. The copy lies with the code that Node has compiled, where a process has such a cache.
 */
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import yaml from 'js-yaml/package.json' with { type: 'json' };

export interface Source {
  /** Path below the folder of the documents. */
  path: string;
  bytes: Uint8Array;
}

interface Copy {
  /** Hash of all that the contents follow from. */
  key: string;
  contents: unknown[];
}

/**
 * The content of each source: from the copy when it was made from the same bytes, otherwise by `parse`. A copy that cannot be
 * read or written is not a failure.
 *
 * @param cache folder of the copies, undefined for none; the default is that of the compiled code
 */
export function parsedDocuments(
  sources: readonly Source[],
  parse: (source: Source) => unknown,
  cache: string | undefined = getCompileCacheDir(),
): unknown[] {
  if (cache === undefined) return sources.map(parse);
  // One copy for each set of paths: a change of a document replaces it, so that the folder does not grow.
  const file = join(cache, `documents-${hashOf(sources.map(({ path }) => path)).slice(0, 16)}.json`);
  const key = hashOf([yaml.version, ...sources.flatMap(({ path, bytes }) => [path, bytes])]);
  const kept = readCopy(file);
  if (kept?.key === key) return kept.contents;
  const contents = sources.map(parse);
  writeCopy(file, { key, contents });
  return contents;
}

function hashOf(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}\0`).update(part);
  return hash.digest('hex');
}

function readCopy(file: string): Copy | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Copy;
  } catch {
    return null;
  }
}

/** Contents that JSON cannot hold, such as dates, are not kept. The file is whole or not there. */
function writeCopy(file: string, copy: Copy): void {
  const json = JSON.stringify(copy);
  if (!isDeepStrictEqual(JSON.parse(json), copy)) return;
  const made = `${file}.${process.pid}`;
  try {
    writeFileSync(made, json);
    renameSync(made, file);
  } catch {
    // The next start parses again.
  }
}
