/** Loops that never end and leave more behind with every turn. */
import type { CompoundList } from 'unbash';
import type { World } from '../world.ts';

const LEAVES = new Set(['break', 'exit', 'return', 'sleep', 'read', 'wait', 'inotifywait']);

/** Rounds of a loop over `{1..n}`, `$(seq n)` or `i < n` that start something each time and do not wait for it. */
export function noteLongLoop(rounds: string, body: CompoundList, text: string, world: World): void {
  const most = Math.max(0, ...[...rounds.matchAll(/\d{1,15}/g)].map((m) => Number(m[0])));
  if (most >= 10_000 && body.commands.some((s) => s.background === true))
    world.add('exhausts_resources', 'everything', 'long loop', text);
}

/** An endless loop is harmless while it waits or can leave; one that starts, writes or collects exhausts the machine. */
export function noteEndlessLoop(body: CompoundList, text: string, world: World): void {
  const words = text.split(/[\s;&|()]+/);
  if (words.some((w) => LEAVES.has(w))) return;
  const isGrowing =
    body.commands.some((s) => s.background === true) ||
    />>|\+=|\bdd\b|\bfork\b|\btee -a\b|\bmkdir\b|\bcp\b|\btouch\b|\bmktemp\b|(\w+)=.*\$\{?\1/.test(text);
  world.add('exhausts_resources', isGrowing ? 'everything' : 'one', 'endless loop', text);
}
