/**
 * Every reader of the engine. The bench (`measure.ts`) measures all of them, `src/effects/hostile-readers.test.ts` holds them to a
 * linear reference.
 */
import { fileReaders } from './files.ts';
import type { HostileReader } from './hostile-reader.ts';
import { languageReaders } from './languages.ts';
import { textReaders } from './texts.ts';

export const hostileReaders: Readonly<Record<string, HostileReader>> = {
  ...languageReaders,
  ...fileReaders,
  ...textReaders,
};
