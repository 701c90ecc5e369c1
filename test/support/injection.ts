/**
 * Texts that the judged party writes to look harmless, and events to put them into: those of `corpus/`, and beside a
 * checkout with reference material also those of `../shared`.
 */
import { readFileSync } from 'node:fs';
import type { AgentEvent } from '../../src/events/event.ts';
import { sharedFile } from './shared.ts';

export interface InjectionVectors {
  bases: { name: string; event: AgentEvent }[];
  tests: { id: string; text: string }[];
}

export function injectionVectors(): InjectionVectors {
  const own = read(new URL('../../corpus/injection/texts.json', import.meta.url));
  const beside = sharedFile('vectors/prompt-injection.json');
  if (beside === null) return own;
  const { bases, tests } = read(beside);
  return { bases: [...own.bases, ...bases], tests: [...own.tests, ...tests] };
}

const read = (file: URL | string): InjectionVectors => JSON.parse(readFileSync(file, 'utf8')) as InjectionVectors;
