/**
 * Commands in settings of programs that run them by themselves: `ProxyCommand` of ssh, `!` in an alias of git, `run-shell` of tmux.
 * What such a file is follows from its name, what a command is from the line.
 */
import type { Ontology } from '../ontology/index.ts';
import { perOntology } from '../ontology/per-ontology.ts';

export const configuredCommands = perOntology((ontology) => {
  const files = ontology.patterns.get('command_settings_files') ?? new Map<string, RegExp>();
  const lines = ontology.patterns.get('command_settings_lines') ?? new Map<string, RegExp>();
  return [...files].flatMap(([name, file]) => {
    const line = lines.get(name);
    return line === undefined ? [] : [{ file, line: new RegExp(line.source, `${line.flags.replace('g', '')}g`) }];
  });
});

/** Commands of one file that are read. */
const MAX_COMMANDS = 64;
const MAX_TEXT = 64_000;

/** The commands in a file of settings, one a line; '' when its name is none of these or it holds none. */
export function commandsConfigured(path: string, text: string, ontology: Ontology): string {
  const kind = configuredCommands(ontology).find(({ file }) => file.test(path));
  if (kind === undefined) return '';
  const found: string[] = [];
  for (const groups of text.slice(0, MAX_TEXT).matchAll(kind.line)) {
    const command = groups.slice(1).find((group) => group !== undefined);
    if (command !== undefined) found.push(command.trim().replaceAll('\\"', '"'));
    if (found.length >= MAX_COMMANDS) break;
  }
  return found.join('\n');
}
