/** Tools that are programs: `kubectl` with `args: ["delete", "namespace", "shop"]`, where no parameter names the program. */
import type { ParameterWalk } from '../../events/parameters.ts';
import { wordsOf } from '../../lang/names.ts';
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { setOf } from '../../ontology/words.ts';
import { commandLine, text, unknown } from '../code/values.ts';
import { startsWithProgram } from './shapes.ts';

const words = perOntology((ontology) => ({
  programs: setOf(ontology, 'tool_programs'),
  names: setOf(ontology, 'program_name_parameters'),
  commands: setOf(ontology, 'program_command_parameters'),
  lists: setOf(ontology, 'argument_parameters'),
}));

const MAX_WORDS = 128;
const LONGEST = 16_384;
const LONGEST_NAME = 80;

/** The program of which the tool is named, or ''. */
export function programOfTool(names: string, ontology: Ontology): string {
  const { programs } = words(ontology);
  return wordsOf(names.replace(/[\s:.-]+/g, '_')).find((word) => programs.has(word)) ?? '';
}

/** The program that a parameter names, such as `tool: "gcloud_run"`; '' where none does. */
export function programInParameters(walk: ParameterWalk, ontology: Ontology): string {
  const { names } = words(ontology);
  for (const { name, value } of walk.leaves) {
    if (!names.has(name) || typeof value !== 'string' || value.length > LONGEST_NAME) continue;
    const program = programOfTool(value, ontology);
    if (program !== '') return program;
  }
  return '';
}

/** The command that the parameters hold without its program; null where they hold none, or name a program themselves. */
export function commandOfTool(program: string, walk: ParameterWalk, ontology: Ontology): string | null {
  const { commands, lists } = words(ontology);
  const given = walk.leaves.filter(({ value }) => typeof value === 'string' && value.length <= LONGEST);
  const line = given.find(({ name, is_element }) => !is_element && commands.has(name))?.value as string | undefined;
  const items = given
    .filter(({ name, is_element }) => is_element && (commands.has(name) || lists.has(name)))
    .slice(0, MAX_WORDS)
    .map(({ value }) => value as string);
  const first = (line ?? items[0] ?? '').trim();
  if (first === '' || startsWithProgram(first, ontology) || !/^[\w-]/.test(first)) return null;
  const rest = items.length > 0 ? commandLine({ ...unknown(), items: items.map((item) => text(item)) }).text : '';
  return [program, line ?? '', rest].filter((part) => part !== '').join(' ');
}
