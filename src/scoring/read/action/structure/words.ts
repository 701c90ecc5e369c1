/** Words of `ontology/lists/structure.yaml`, and reading the options of a command with nothing left over. */
import type { CommandCall, CommandWord } from '../../../../effects/world.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { patternOf, setOf, tableOf } from '../../../../ontology/words.ts';

function setsOf(ontology: Ontology, table: string): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map([...tableOf(ontology, table)].map(([row, words]) => [row, new Set(words)]));
}

/** Names of branches that others build on, as the reader of `git` knows them. Without it every branch counts as one. */
function sharedBranches(ontology: Ontology): RegExp {
  const git = ontology.programs.find(({ names }) => names.includes('git'));
  return git?.patterns.get('shared_branches') ?? /^/;
}

export const structureWords = perOntology((ontology) => ({
  describing: setOf(ontology, 'describing_parameters'),
  places: setOf(ontology, 'folder_parameters'),
  message: setOf(ontology, 'message_parameters'),
  edit: setOf(ontology, 'edit_parameters'),
  request_tools: setOf(ontology, 'request_tools'),
  host_parameter: patternOf(ontology, 'host_parameters', 'name'),
  request: setOf(ontology, 'request_parameters'),
  without_effect: setOf(ontology, 'programs_without_effect'),
  with_subcommands: setOf(ontology, 'programs_with_subcommands'),
  of_three: setOf(ontology, 'subcommands_of_three'),
  groups: setsOf(ontology, 'subcommand_groups'),
  leading_switches: setsOf(ontology, 'leading_switches'),
  leading_values: setsOf(ontology, 'leading_values'),
  path_programs: setOf(ontology, 'path_programs'),
  url_clients: setOf(ontology, 'url_clients'),
  url_switches: setOf(ontology, 'url_client_switches'),
  url_values: setOf(ontology, 'url_client_values'),
  installers: setsOf(ontology, 'installers'),
  sources: setOf(ontology, 'source_options'),
  more_sources: setOf(ontology, 'more_source_options'),
  installer_switches: setOf(ontology, 'installer_switches'),
  push_switches: setOf(ontology, 'push_switches'),
  push_values: setOf(ontology, 'push_values'),
  branch_switches: setOf(ontology, 'branch_switches'),
  new_branch: setOf(ontology, 'new_branch_options'),
  shared_branches: sharedBranches(ontology),
  symbolic_refs: setOf(ontology, 'symbolic_refs'),
  forge_clients: setOf(ontology, 'forge_clients'),
  forge_commands: setOf(ontology, 'forge_commands'),
  repository_options: setOf(ontology, 'repository_options'),
  plain_variable: patternOf(ontology, 'plain_variables', 'name'),
}));

export type StructureWords = ReturnType<typeof structureWords>;

export const NO_WORDS: ReadonlySet<string> = new Set();

/** A word that stands there as the program gets it. */
export const isPlain = ({ is_known, has_wildcard }: CommandWord): boolean => is_known && !has_wildcard;

/** The options and operands of a command of which every option is known. */
export interface Line {
  options: readonly (readonly [name: string, value: string])[];
  operands: readonly string[];
}

/**
 * Reads the words of a command.
 *
 * @param stop_at_operand read no further than the first operand; `rest` are the words from there on
 * @returns `null` where a word is not known or an option is on neither list, because it may take the next word with it
 */
export function readLine(
  words: readonly CommandWord[],
  switches: ReadonlySet<string>,
  values: ReadonlySet<string>,
  stop_at_operand = false,
): (Line & { rest: readonly CommandWord[] }) | null {
  const options: [string, string][] = [];
  const operands: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (!isPlain(word)) return null;
    const { text } = word;
    if (!text.startsWith('-') || text === '-') {
      if (stop_at_operand) return { options, operands, rest: words.slice(i) };
      operands.push(text);
      continue;
    }
    const equals = text.indexOf('=');
    const name = text.slice(text.startsWith('--') ? 2 : 1, equals < 0 ? undefined : equals);
    if (equals < 0 && switches.has(name)) options.push([name, '']);
    else if (equals >= 0 && (values.has(name) || switches.has(name))) options.push([name, text.slice(equals + 1)]);
    else if (values.has(name)) {
      const value = words[++i];
      if (value === undefined || !isPlain(value)) return null;
      options.push([name, value.text]);
    } else return null;
  }
  return { options, operands, rest: [] };
}

/** A program with the sub-command that it is called with, and the words behind it. */
export interface Called {
  program: string;
  /** `''` for a program that has none. */
  subcommand: string;
  leading: Line['options'];
  rest: readonly CommandWord[];
}

const SUBCOMMAND = /^[a-z][a-z0-9:._-]{0,63}$/i;

/** `null` where the sub-command cannot be told. */
export function readCalled({ program, words: all }: CommandCall, words: StructureWords): Called | null {
  if (!words.with_subcommands.has(program)) return { program, subcommand: '', leading: [], rest: all };
  const switches = words.leading_switches.get(program) ?? NO_WORDS;
  const values = words.leading_values.get(program) ?? NO_WORDS;
  const line = readLine(all, switches, values, true);
  if (line === null) return null;
  const { options: leading, rest } = line;
  const first = rest[0]?.text;
  // A program without a sub-command explains itself or does what it does by default.
  if (first === undefined) return all.length === 0 ? { program, subcommand: '', leading, rest } : null;
  const groups = words.groups.get(program) ?? NO_WORDS;
  const length = words.of_three.has(program) ? 3 : groups.has('*') || groups.has(first) ? 2 : 1;
  const parts = rest.slice(0, length);
  if (!parts.every((part) => isPlain(part) && SUBCOMMAND.test(part.text))) return null;
  return { program, subcommand: parts.map(({ text }) => text).join(' '), leading, rest: rest.slice(parts.length) };
}
