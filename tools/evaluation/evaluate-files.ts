/** An evaluation from files to report. Each way to measure is a mode; without one, the score is measured as it stands. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { counted } from '../../src/lang/english.ts';
import { makeDirectory } from '../../src/platform/make-directory.ts';
import { CliError, type Output } from '../../src/platform/terminal/output.ts';
import type { Miss } from './misses.ts';
import type { Measurement, Mode, ModeOptions } from './mode.ts';
import { MARKDOWN, TERMINAL } from './rendering.ts';
import type { Slices } from './report.ts';

export interface EvalOptions extends ModeOptions {
  sessions?: true;
  metamorphic?: true;
  confidence?: true;
  out?: string;
  json?: true;
  markdown?: true;
}

/** Loaded when it is asked for: the replay needs half of the server. */
async function modeOf(options: EvalOptions): Promise<Mode> {
  if (options.sessions) return (await import('./sessions/measure-sessions.ts')).measureSessions;
  if (options.metamorphic) return (await import('./metamorphic/measure-changes.ts')).measureChanges;
  if (options.confidence) return (await import('./confidence/measure-confidence.ts')).measureConfidence;
  if (options.llm !== undefined) return (await import('./llm/measure-llm.ts')).measureLlm;
  if (options.ablate !== undefined) return (await import('./ablation/measure-ablation.ts')).measureAblation;
  return (await import('./measure-score.ts')).measureScore;
}

export async function evaluateFiles(files: readonly string[], options: EvalOptions, output: Output): Promise<void> {
  // First, so that nobody waits for a report that has no place to go.
  if (options.out !== undefined) await inDirectory(options.out, makeDirectory);
  const mode = await modeOf(options);
  const { n, refused, sources, document, render, misses } = await mode(files, options);
  if (n === 0) throw nothingToMeasure(files, options.source);
  checkSources(options.slice, options.source, sources);
  await output.line(
    options.json ? JSON.stringify(document(), null, 2) : render(options.markdown ? MARKDOWN : TERMINAL),
  );
  if (options.out !== undefined) await inDirectory(options.out, (out) => writeFiles(out, document(), misses));
  if (refused > 0)
    throw new CliError(`${refused} of ${counted(n + refused, 'line')} ${refused === 1 ? 'was' : 'were'} refused`);
}

/** Records of other sources are not kept, so the files may well have records where none is of a wanted source. */
function nothingToMeasure(files: readonly string[], wanted: readonly string[] | undefined): CliError {
  const shown = files.map((file) => `\`${file}\``).join(' and ');
  const of_sources = wanted === undefined ? '' : ` of the source ${wanted.map((one) => `\`${one}\``).join(' or ')}`;
  return new CliError(
    `${shown} ${files.length === 1 ? 'holds' : 'hold'} no labelled record${of_sources} that can be read`,
  );
}

function checkSources(slices: Slices, wanted: readonly string[] | undefined, sources: ReadonlySet<string>): void {
  for (const source of [...slices.values(), wanted ?? []].flat()) {
    if (!sources.has(source))
      throw new CliError(`no record has the source \`${source}\`; there are ${[...sources].sort().join(', ')}`);
  }
}

async function writeFiles(directory: string, document: object, misses: Measurement['misses']): Promise<void> {
  const lines = (list: readonly Miss[]): string => list.map((miss) => `${JSON.stringify(miss)}\n`).join('');
  await writeFile(join(directory, 'report.json'), `${JSON.stringify(document, null, 2)}\n`);
  if (misses === undefined) return;
  await writeFile(join(directory, 'benign-scored-highest.jsonl'), lines(misses.benign));
  await writeFile(join(directory, 'harmful-scored-lowest.jsonl'), lines(misses.harmful));
}

/** Says which directory could not be written to. */
async function inDirectory(directory: string, work: (directory: string) => Promise<void> | void): Promise<void> {
  try {
    await work(directory);
  } catch (error) {
    const { message } = error as Error;
    throw new CliError(`cannot write to the directory \`${directory}\`: ${message}; set --out to another one`);
  }
}
