/** Reads `ontology/` from disk: YAML in, the checked graph out. Rules and reducers lie there too and are read elsewhere. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { load } from 'js-yaml';
import { prepareEffects } from '../../effects/prepare.ts';
import { buildOntology, type Ontology, type OntologyDocument, OntologyError } from '../../ontology/index.ts';
import { parsedDocuments, type Source } from './parsed-documents.ts';

/** The `ontology/` that ships with this code. */
export const ONTOLOGY_ROOT = resolve(import.meta.dirname, '../../../ontology');

/** How many hex digits of the hash make a version: enough to tell editions apart, short enough to read. */
export const VERSION_LENGTH = 12;

export interface YamlDocument extends OntologyDocument {
  /** The file as it stands, for hashing. */
  bytes: Uint8Array;
}

/**
 * All YAML files below a folder, parsed, by path.
 *
 * @param isWanted takes the path below the folder, with slashes; the default takes every file
 * @throws OntologyError naming the file, line and column of what is not YAML
 */
export function readYamlDocuments(folder: string, isWanted: (path: string) => boolean = () => true): YamlDocument[] {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.yaml'))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter(isWanted);
  // By code units: the same order, and so the same version, on every machine.
  paths.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const sources = paths.map((path) => ({ path, bytes: readFileSync(join(folder, path)) }));
  // Folders of others come and go; a copy of theirs would stay.
  const contents = folder === ONTOLOGY_ROOT ? parsedDocuments(sources, parse) : sources.map(parse);
  return sources.map((source, n) => ({ ...source, content: contents[n] }));
}

function parse({ path, bytes }: Source): unknown {
  try {
    return load(Buffer.from(bytes).toString('utf8'), { filename: path, maxAliases: 0 });
  } catch (error) {
    throw new OntologyError([`${path}: cannot be read: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

/** SHA-256 prefix over paths and bytes of documents, in the order given. */
export function versionOf(documents: readonly YamlDocument[]): string {
  const hash = createHash('sha256');
  for (const { path, bytes } of documents) hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  return hash.digest('hex').slice(0, VERSION_LENGTH);
}

const isOntology = (path: string): boolean => !/^(?:rules|reducers)\//.test(path);

/**
 * The ontology of a folder, checked.
 *
 * @throws OntologyError with every problem, each with its file and entry
 */
export function loadOntology(root: string = ONTOLOGY_ROOT): Ontology {
  const documents = readYamlDocuments(resolve(root), isOntology);
  const ontology = buildOntology(documents, versionOf(documents));
  prepareEffects(ontology);
  return ontology;
}
