/** Programs that no table names: what they run for somebody, and what their own words say they destroy. */

import type { Scope } from '../effects.ts';
import { type Call, type Field, lineOf } from '../shell/call.ts';

/** Words beyond these say what a command works on, not what it does. */
const MAX_WORDS = 4;
/** A command stands near the beginning: behind the options and operands of the program that runs it. */
const MAX_SKIPPED = 12;

const DESTROYS =
  /(?:^|[:._-])(?:delete|del|destroy|drop|purge|wipe|erase|undefine|terminate|rm|remove|uninstall|luksErase)(?:$|[:_-])|^(?:delete|destroy|erase|wipe)[A-Z]|[a-z](?:Erase|Delete|Destroy|Wipe)$|^(?:db|migrate):(?:reset|fresh|refresh)$/;
const DESTROYING_OPTION =
  /^--?(?:delete|destroy|purge|wipe|erase|security-erase(?:-\w+)?|delete-all|remove-all[\w-]*)(?:=|$)/;
/** Options whose value is a command line, whatever the program: `script -c '…'`, `nix-shell --run '…'`. */
const CODE_OPTION = /^(?:-\w?[cx]|--(?:run|exec|execute|command|cmd|eval))$/;

/** Containers of things: who removes one removes all that is in it. */
const CONTAINER =
  /(?:^|[\s:/_-])(?:all|\*|clusters?|databases?|db|keyspaces?|schemas?|pools?|namespaces?|buckets?|projects?|org(?:ani[sz]ation)?s?|accounts?|disks?|volumes?|datasets?|tablespaces?|topics?|queues?|apps?|stacks?|environments?|vaults?|secrets|instances?|vms?|trunk)(?=$|[\s:/_=-])|--?(?:all|recursive|recurse|prefix|cascade)\b/i;
const DEVICE = /\/dev\/(?:[shv]d[a-z]|nvme|disk|mmcblk|xvd|mapper|dm-)/;

/** Does `c` as far as its words tell, and says whether they told anything. */
export function runUnlisted(c: Call, isListed: (name: string) => boolean): void {
  for (const [i, a] of c.args.entries()) {
    const code = CODE_OPTION.test(a.text)
      ? c.args[i + 1]?.text
      : /^--(?:run|exec|command|cmd)=(.+)$/s.exec(a.text)?.[1];
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
  const words = c.args.filter((a) => !a.text.startsWith('-') && !/\s/.test(a.text)).slice(0, MAX_WORDS);
  const verb = words.findIndex((w) => DESTROYS.test(w.text));
  if (verb < 0 && !c.args.some((a) => DESTROYING_OPTION.test(a.text))) return;
  const line = lineOf(c);
  const scope: Scope = DEVICE.test(line) ? 'everything' : CONTAINER.test(line) ? 'many' : 'one';
  c.world.add('deletes', scope, words.map((w) => w.text).join(' ') || c.name, c.excerpt);
}
