/**
 * Commands in settings of programs that run them by themselves: `ProxyCommand` of ssh, `!` in an alias of git, `run-shell` of tmux.
 * What such a file is follows from its name, what a command is from the line.
 */
import type { Ontology } from '../ontology/index.ts';
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
    if (command !== undefined) found.push(asCommand(command.trim()));
    if (found.length >= MAX_COMMANDS) break;
  }
  return { commands: found.join('\n'), runsByItself: kind.runsByItself };
}

/** What an element of markup holds between its tags or gives as a value. */
const ELEMENT = />([^<>]{1,1000})<|\b(?:value|line|executable)="([^"]{1,1000})"|^"([^"]{1,200})"/g;
const WORD = /"((?:[^"\\]|\\.){0,1000})"|'([^']{0,1000})'/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&apos;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
};

/** A command as it stands in a file: as a text, as a list of words, or as elements of markup. */
function asCommand(command: string): string {
  if (/<\/?\w/.test(command) && command.includes('>')) {
    const words = [...command.matchAll(ELEMENT)]
      .map(([, inside, value, first]) => (inside ?? value ?? first ?? '').trim())
      .filter((word) => word !== '');
    return words
      .map((word) => quoted(word.replace(/&(?:quot|apos|lt|gt|amp);/g, (entity) => ENTITIES[entity]!)))
      .join(' ');
  }
  if (!/^["'][^"']{0,200}["']\s{0,8},\s{0,8}["']/.test(command)) return command.replaceAll('\\"', '"');
  return [...command.matchAll(WORD)]
    .map(([, double, single]) => quoted(double?.replaceAll('\\"', '"') ?? single ?? ''))
    .join(' ');
}

const quoted = (word: string): string => (/[\s|;&"']/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : word);
