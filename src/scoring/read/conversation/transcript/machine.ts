/**
 * Results that are the machine's own words: outputs of commands that keep its packages, certificates and disks, and show nothing
 * that others wrote. When such a program says how to mend what it found («run dpkg --configure -a»), nobody outside orders it.
 */
import { programName } from '../../../../effects/shell/call.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf, tableOf } from '../../../../ontology/words.ts';
import type { Call } from '../calls.ts';
import { memoOf, type TextReading } from '../text.ts';
import { answersOf } from './answered-calls.ts';

const MAX_COMMAND = 1_024;
const ASSIGNMENT = /^\w{1,64}=\S*$/;

const words = perOntology((ontology) => ({
  keys: new Set(tableOf(ontology, 'parameter_roles').get('shell')),
  programs: setOf(ontology, 'machine_programs'),
  raises: setOf(ontology, 'raising_programs'),
}));

/** Indices of the messages that hold such results. */
export function machineMessages(text: TextReading): ReadonlySet<number> {
  return memoOf(text).get('machine messages', () => answersOf(text, (call) => keepsMachine(call, text.ontology)));
}

function keepsMachine({ args }: Call, ontology: Ontology): boolean {
  const { keys } = words(ontology);
  const commands = [...args].filter(([key]) => keys.has(key)).map(([, value]) => value);
  return commands.length > 0 && commands.every((command) => runsOnly(command, ontology));
}

/** Whether every part of the command runs one of the programs; what feeds them or is fed by them counts as well. */
function runsOnly(command: string, ontology: Ontology): boolean {
  const { programs, raises } = words(ontology);
  if (command.length > MAX_COMMAND || /[`<>]|\$\(/.test(command)) return false;
  return command.split(/&&|\|\||[;|\n]/).every((part) => {
    const first = part
      .trim()
      .split(/\s+/)
      .find((word) => !ASSIGNMENT.test(word) && !raises.has(word));
    return first !== undefined && programs.has(programName(first));
  });
}
