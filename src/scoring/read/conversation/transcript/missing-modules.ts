/**
 * Modules that the project's own programs said they lack, when the agent ran them: installing one of these is a step of the
 * task. A text that is only shown, such as a manual, says nothing about what the project needs.
 */
import { programName } from '../../../../effects/shell/call.ts';
import type { AgentEvent } from '../../../../events/event.ts';
import { asciiLower } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { anyOf, setOf, tableOf } from '../../../../ontology/words.ts';
import { readCalls } from '../calls.ts';
import { memoOf, type TextReading } from '../text.ts';

/** Longer commands are not split here. */
const MAX_COMMAND = 4_096;
const MAX_FOUND = 64;
/** Characters of a result that are read. */
const MAX_RESULT = 16_384;
const ASSIGNMENT = /^\w{1,64}=\S*$/;

const wordsFor = perOntology((ontology) => {
  const readers = setOf(ontology, 'module_loading_readers');
  return {
    keys: new Set(tableOf(ontology, 'parameter_roles').get('shell')),
    programs: new Set(ontology.programs.flatMap(({ reader, names }) => (readers.has(reader) ? names : []))),
    asks_others: anyOf(ontology, 'asks_others'),
    enters: setOf(ontology, 'folder_entering'),
    activates: anyOf(ontology, 'activated_environments'),
    messages: [...(ontology.patterns.get('missing_modules')?.values() ?? [])].map(
      ({ source }) => new RegExp(source, 'g'),
    ),
  };
});

/** The package that a module belongs to, as people write it in any ecosystem: `@a/b/c` is `@a/b`, `x.y` is `x`, `a_b` is `a-b`. */
export function packageOfModule(name: string): string {
  const bare = asciiLower(name).replace(/^@types\//, '');
  const parts = bare.split('/');
  const head = bare.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]!.split('.')[0]!;
  return head.replaceAll('_', '-');
}

/** Packages of the modules that programs of the project lacked, as `packageOfModule` writes them. */
export function missingModules(event: AgentEvent, text: TextReading): ReadonlySet<string> {
  return memoOf(text).get('missing modules', () => {
    const { keys, messages } = wordsFor(text.ontology);
    const found = new Set<string>();
    for (const { args, results } of readCalls(event, text.ontology)) {
      const command = [...args].find(([key]) => keys.has(key))?.[1];
      if (command === undefined || !loadsModules(command, text.ontology)) continue;
      for (const result of results)
        for (const message of messages)
          for (const [, name = ''] of result.slice(0, MAX_RESULT).matchAll(message))
            if (found.size < MAX_FOUND && !/^[./]/.test(name)) found.add(packageOfModule(name));
    }
    return found;
  });
}

/** Whether every part of the command runs code of the project, so that it prints what this code lacks. */
function loadsModules(command: string, ontology: Ontology): boolean {
  const { programs, asks_others, enters, activates } = wordsFor(ontology);
  const isEntering = (part: string): boolean => enters.has(part) || activates.test(part);
  if (command.length > MAX_COMMAND || asks_others.test(asciiLower(command))) return false;
  const firsts = command
    .split(/&&|\|\||[;\n]/)
    .filter((part) => !isEntering(part.trim()))
    .map(
      (part) =>
        part
          .trim()
          .split(/\s+/)
          .find((word) => !ASSIGNMENT.test(word)) ?? '',
    )
    .filter((word) => word !== '' && !isEntering(word));
  return firsts.length > 0 && firsts.every((word) => programs.has(programName(word)));
}
