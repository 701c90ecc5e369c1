/** Programs that `ontology/programs/` does not list: the command they run, and what their own words say they destroy. */

import { alternatives } from '../../ontology/pattern.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { anyOf, listOf } from '../../ontology/words.ts';
import type { Scope } from '../effects.ts';
import { type Call, type Field, lineOf } from '../shell/call.ts';

/** Words beyond these say what a command works on, not what it does. */
const MAX_WORDS = 4;
/** A command stands near the beginning: behind the options and operands of the program that runs it. */
const MAX_SKIPPED = 12;

export const lineWords = perOntology((ontology) => ({
  destroys: anyOf(ontology, 'destroying_words'),
  destroyingOption: anyOf(ontology, 'destroying_options'),
  codeOption: anyOf(ontology, 'code_options'),
  codeOptionWithValue: new RegExp(`^--${alternatives(listOf(ontology, 'long_code_options'))}=(.+)$`, 's'),
  container: anyOf(ontology, 'containers'),
  disk: anyOf(ontology, 'disks'),
  attack: anyOf(ontology, 'attack_programs'),
}));

/** Does `c` as far as its words tell. */
export function runUnlisted(c: Call, isListed: (name: string) => boolean): void {
  const { codeOption, codeOptionWithValue, attack } = lineWords(c.world.ontology);
  if (attack.test(c.name)) c.world.add('attacks', 'one', `${c.name} ${lineOf(c)}`, c.excerpt);
  for (const [i, a] of c.args.entries()) {
    const code = codeOption.test(a.text) ? c.args[i + 1]?.text : codeOptionWithValue.exec(a.text)?.[1];
    if (code !== undefined && /\s/.test(code)) c.world.run('shell', code);
  }
  const at = commandAt(c.args, isListed);
  if (at >= 0) c.invoke(c.args.slice(at), c.stdin);
  else noteDestruction(c);
}

/** Where another command begins: behind `--`, else at the first operand that is a program's name. */
function commandAt(args: readonly Field[], isListed: (name: string) => boolean): number {
  const first = args.slice(0, MAX_SKIPPED);
  const marked = first.findIndex((a) => a.text === '--');
  if (marked >= 0 && marked + 1 < args.length) return marked + 1;
  return first.findIndex(
    ({ text }) =>
      /^(?:\/(?:usr\/)?(?:local\/)?s?bin\/)?[\w.+-]+$/.test(text) && !text.startsWith('-') && isListed(text),
  );
}

/** `app db:drop`, `zorp cluster delete x`, `zorp --wipe`: the words of the command itself, not what stands in quotes. */
export function noteDestruction(c: Call): void {
  const { destroys, destroyingOption, container, disk } = lineWords(c.world.ontology);
  const words = c.args.filter((a) => !a.text.startsWith('-') && !/\s/.test(a.text)).slice(0, MAX_WORDS);
  if (!words.some((w) => destroys.test(w.text)) && !c.args.some((a) => destroyingOption.test(a.text))) return;
  const line = lineOf(c);
  const scope: Scope = disk.test(line) ? 'everything' : container.test(line) ? 'many' : 'one';
  c.world.add('deletes', scope, words.map((w) => w.text).join(' ') || c.name, c.excerpt);
}
