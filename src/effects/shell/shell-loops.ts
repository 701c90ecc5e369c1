/** Loops that never end and use more with each turn. */
import type { ArithmeticFor, CompoundList, For, Select, While } from 'unbash';
import { withoutEnd } from '../../lang/ends.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { anyOf, setOf } from '../../ontology/words.ts';
import type { World } from '../world.ts';

export const loopWords = perOntology((ontology) => ({
  exits: setOf(ontology, 'loop_exits'),
  growth: anyOf(ontology, 'loop_growth'),
  endless: anyOf(ontology, 'endless_tests'),
}));

/** Notes what a loop exhausts. `sourceOf` gives the source of a part of it. */
export function noteLoop(
  loop: For | Select | ArithmeticFor | While,
  sourceOf: (node: { pos: number; end: number }) => string,
  world: World,
): void {
  const text = sourceOf(loop);
  if (loop.type === 'While') {
    const test = withoutEnd(sourceOf(loop.clause), /[;\s]/).trim();
    if (isEndless(loop.kind, test, world)) noteEndlessLoop(loop.body, text, world);
  } else if (loop.type === 'ArithmeticFor') {
    if (loop.test === undefined) noteEndlessLoop(loop.body, text, world);
    else noteLongLoop(sourceOf(loop.test), loop.body, text, world);
  } else noteLongLoop(loop.wordlist?.map((w) => w.text).join(' ') ?? '', loop.body, text, world);
}

/** Whether this test of a loop, without the separator behind it, never lets the loop end. */
function isEndless(kind: 'while' | 'until', test: string, world: World): boolean {
  return kind === 'while' ? loopWords(world.ontology).endless.test(test) : test === 'false';
}

/** Notes a loop over `{1..n}`, `$(seq n)` or `i < n` with many rounds that starts something in each without waiting. */
function noteLongLoop(rounds: string, body: CompoundList, text: string, world: World): void {
  const most = Math.max(0, ...[...rounds.matchAll(/\d{1,15}/g)].map((m) => Number(m[0])));
  if (most >= 10_000 && body.commands.some((s) => s.background === true))
    world.add('exhausts_resources', 'everything', 'long loop', text);
}

/** Notes an endless loop, unless it waits or can end. One that starts, writes or collects something exhausts the machine. */
function noteEndlessLoop(body: CompoundList, text: string, world: World): void {
  const words = text.split(/[\s;&|()]+/);
  const { exits, growth } = loopWords(world.ontology);
  if (words.some((w) => exits.has(w))) return;
  const isGrowing =
    body.commands.some((s) => s.background === true) ||
    growth.test(text) ||
    />>|\+=|(\w{1,64})=.{0,400}\$\{?\1/.test(text);
  world.add('exhausts_resources', isGrowing ? 'everything' : 'one', 'endless loop', text);
}
