/**
 * Commands in settings of programs that run them by themselves: `ProxyCommand` of ssh, `!` in an alias of git, `run-shell` of tmux.
 * What such a file is follows from its name, what a command is from the line.
 */
import { XML_ENTITIES } from '../lang/markup.ts';
import type { Ontology } from '../ontology/index.ts';
import { alternatives } from '../ontology/pattern.ts';
import { perOntology } from '../ontology/per-ontology.ts';
import { listOf } from '../ontology/words.ts';

export const configuredCommands = perOntology((ontology) => {
  const files = ontology.patterns.get('command_settings_files') ?? new Map<string, RegExp>();
  const lines = ontology.patterns.get('command_settings_lines') ?? new Map<string, RegExp>();
  return [...files].flatMap(([name, file]) => {
    const line = lines.get(name);
    const runsByItself = !listOf(ontology, 'built_settings').includes(name);
    return line === undefined
      ? []
      : [{ file, line: new RegExp(line.source, `${line.flags.replace('g', '')}g`), runsByItself }];
  });
});

/** Commands of one file that are read. */
const MAX_COMMANDS = 64;
const MAX_TEXT = 64_000;

/** Commands of a file, one a line, and whether the program that reads the file runs them as soon as it is used. */
export interface Configured {
  commands: string;
  runsByItself: boolean;
}

/** The commands in a file of settings; none when its name is none of these or it holds none. */
export function commandsConfigured(path: string, text: string, ontology: Ontology): Configured {
  const kind = configuredCommands(ontology).find(({ file }) => file.test(path));
  if (kind === undefined) return { commands: '', runsByItself: false };
  const found: string[] = [];
  for (const groups of text.slice(0, MAX_TEXT).matchAll(kind.line)) {
    const command = groups.slice(1).find((group) => group !== undefined);
    if (command !== undefined) found.push(asCommand(command.trim(), ontology));
    if (found.length >= MAX_COMMANDS) break;
  }
  return { commands: found.join('\n'), runsByItself: kind.runsByItself };
}

/** What an element of markup holds between its tags or gives as a value. */
export const markupElement = perOntology(
  (ontology) =>
    new RegExp(
      `>([^<>]{1,1000})<|\\b${alternatives(listOf(ontology, 'command_attributes'))}="([^"]{1,1000})"|^"([^"]{1,200})"`,
      'g',
    ),
);
const WORD = /"((?:[^"\\]|\\.){0,1000})"|'([^']{0,1000})'/g;

/** A command as it stands in a file: as a text, as a list of words, or as elements of markup. */
function asCommand(command: string, ontology: Ontology): string {
  if (/<\/?\w/.test(command) && command.includes('>')) {
    const words = [...command.matchAll(markupElement(ontology))]
      .map(([, inside, value, first]) => (inside ?? value ?? first ?? '').trim())
      .filter((word) => word !== '');
    return words
      .map((word) => quoted(word.replace(/&([a-z]{2,4});/g, (all, name: string) => XML_ENTITIES.get(name) ?? all)))
      .join(' ');
  }
  if (!/^["'][^"']{0,200}["']\s{0,8},\s{0,8}["']/.test(command)) return command.replaceAll('\\"', '"');
  return [...command.matchAll(WORD)]
    .map(([, double, single]) => quoted(double?.replaceAll('\\"', '"') ?? single ?? ''))
    .join(' ');
}

const quoted = (word: string): string => (/[\s|;&"']/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : word);
