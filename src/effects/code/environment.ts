/** Environment variables as code of any language reads them: by an index, a member or a call. */
import { perOntology } from '../../ontology/per-ontology.ts';
import { setOf } from '../../ontology/words.ts';
import { HOLE } from '../data.ts';
import { giveKnown } from '../deeds/give-variable.ts';
import { environmentVariable } from '../key-variables.ts';
import type { World } from '../world.ts';
import { type Handler, text, unknown, type Value } from './values.ts';

/** Environment variables that hold a folder. */
export const placeVariables = perOntology((ontology) => ({
  home: setOf(ontology, 'home_variables'),
  indexed_home: setOf(ontology, 'indexed_home_variables'),
  temporary: setOf(ontology, 'temporary_folder_variables'),
}));

/** Value of an environment variable: known for folders and for variables that the code has set, otherwise unknown. */
export function environmentValue(world: World, name: string): Value {
  const { home, indexed_home, temporary } = placeVariables(world.ontology);
  if (home.has(name) || indexed_home.has(name)) return text('~');
  if (temporary.has(name)) return text('/tmp');
  const known = world.variables.get(name);
  return known === undefined ? unknown(environmentVariable(world, name).taint) : text(known.text, known.taint);
}

/** `getenv(name, otherwise)`. */
export const readsVariable: Handler = (c) => {
  const value = environmentValue(c.world, c.args[0]?.text ?? '');
  return value.taint === 0 && value.text === HOLE ? (c.args[1] ?? unknown()) : value;
};

/** `putenv(name, value)`, `os.environ.update({…})`: sets variables for this program and all that it starts. */
export const setsVariables: Handler = (c) => {
  const [first, second] = c.args;
  const joined = second === undefined ? /^(\w{1,64})=(.*)$/s.exec(first?.text ?? '') : null;
  const pairs: [string, Value][] = [...(first?.entries ?? []), ...c.named];
  if (joined !== null) pairs.push([joined[1]!, text(joined[2]!, first!.taint)]);
  else if (first !== undefined && second !== undefined) pairs.push([first.text, second]);
  for (const [name, value] of pairs) {
    c.world.variables.set(name, value);
    giveKnown(c.world, name, value);
  }
  return unknown();
};
