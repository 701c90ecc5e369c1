/** What is written to files: code, and downloads from places that are well known. */

import { downloadsAreKnown } from '../../../../effects/package-sources.ts';
import { languageOfPath } from '../../../../effects/stored-code.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import type { ContentReading } from './content.ts';

/** Files with code, by their endings. */
export const writtenCodeFiles = ({ effects }: ContentReading, ontology: Ontology): string[] =>
  effects
    .filter(({ kind, object }) => kind === 'writes' && languageOfPath(object, '', ontology) !== null)
    .map(({ object }) => object);

/** Whether the written code downloads something, and all of it from makers of well-known languages and tools. */
export const storedDownloadsAreKnown = ({ dormant_effects }: ContentReading, ontology: Ontology): boolean =>
  downloadsAreKnown(dormant_effects, ontology);
