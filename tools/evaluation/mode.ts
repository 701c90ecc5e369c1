/** What every way to measure has in common. */
import type { Misses } from './misses.ts';
import type { Rendering } from './rendering.ts';
import type { Slices } from './report.ts';

export interface ModeOptions {
  slice: Slices;
  /** Records of other sources are passed over. */
  source?: readonly string[];
  rounds: number;
  seed: number;
  misses: number;
  /** Records of each source and label that are measured; 0: all. For the changes, ablations and second opinions. */
  sample?: number;
  /** Parts of the ontology to take out. */
  ablate?: readonly string[];
  byRule?: true;
  /** Who gives the second opinion: the provider of the settings, or the labels. */
  llm?: 'provider' | 'oracle';
}

export interface Measurement {
  /** Records that were measured. */
  n: number;
  /** Lines that were no labelled record; each was named on standard error. */
  refused: number;
  sources: ReadonlySet<string>;
  /** For a program to read. */
  document: () => object;
  render: (rendering: Rendering) => string;
  misses?: Misses;
}

export type Mode = (files: readonly string[], options: ModeOptions) => Promise<Measurement>;
