/** Scripts of attack tools that an interpreter runs, and command lines that log on to another machine as such tools do. */
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../ontology/words.ts';
import type { Programs } from '../programs/index.ts';
import { type Call, field } from './call.ts';

const words = perOntology((ontology) => ({
  options: setOf(ontology, 'stolen_logon_options'),
  script: patternOf(ontology, 'attack_scripts', 'script'),
}));

/** An account of a domain with its password at a machine: `corp.test/anna:secret@10.0.0.4`. */
const LOGON = /^[\w.-]{1,64}[\\/][\w.$-]{1,64}:[^@\s]{1,128}@[\w.-]{2,253}$/;
/** Options that may stand before the script. */
const MAX_OPTIONS = 6;

/**
 * Runs a script by the name of the attack tool that it is, and notes a logon with a hash or at a machine of a domain.
 *
 * @param isInterpreter the program runs the first file among its words
 */
export function noteAttackScript(c: Call, isInterpreter: boolean, programs: Programs): void {
  const { options, script } = words(c.world.ontology);
  const isStolen = c.args.some(({ text }) => options.has(text));
  const at = isInterpreter ? c.args.slice(0, MAX_OPTIONS).findIndex(({ text }) => !text.startsWith('-')) : -1;
  if (at >= 0) {
    const name = c.args[at]!.text.split(/[\\/]/).at(-1)!.toLowerCase();
    const stem = script.exec(name)?.[1] ?? '';
    // A script may have the name of a tool by chance, unless its words are those of one.
    const tool = programs.get(name)?.isOffensive ? name : isStolen && programs.get(stem)?.isOffensive ? stem : '';
    if (tool !== '') {
      c.invoke([field(tool), ...c.args.slice(at + 1)], c.stdin);
      return;
    }
  }
  if (isStolen) c.world.add('attacks', 'one', `${c.name} ${c.args[0]?.text ?? ''}`, c.excerpt);
  const logon = c.args.find(({ text }) => LOGON.test(text));
  if (logon !== undefined) c.world.add('moves_laterally', 'everything', logon.text, c.excerpt);
}
