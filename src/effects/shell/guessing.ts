/** Loops that try one password after another. */
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf } from '../../ontology/words.ts';
import type { World } from '../world.ts';

const words = perOntology((ontology) => ({
  place: new RegExp(patternOf(ontology, 'guessing', 'place').source, 'gi'),
  sets: patternOf(ontology, 'guessing', 'sets'),
}));

const MAX_BODY = 32_000;
const USED = /\$\{?(\w{1,40})/g;
const MAX_COPIES = 8;
/** `pw=$p`: the same value under another name. */
const COPY = /\b(\w{1,40})=["']?\$\{?(\w{1,40})\}?["']?(?=[\s;]|$)/g;
const VARIABLE = /^["']?\$\{?(\w{1,40})/;
const LONGEST = 48;

/**
 * Notes a loop in which the one thing that changes stands where a password does: `sshpass -p "$p" ssh …`. With a second variable of the
 * loop, the account, each round has a password of its own.
 *
 * @param names the variables of the loop
 */
export function noteGuessing(names: readonly string[], body: string, world: World): void {
  const { place, sets } = words(world.ontology);
  const text = body.slice(0, MAX_BODY);
  const known = usedIn(text);
  const used = names.filter((name) => known.has(name));
  if (used.length !== 1 || sets.test(text)) return;
  const same = new Set([used[0]!, ...copiesOf(used[0]!, text)]);
  for (const { index, 0: before } of text.matchAll(place)) {
    const [, name] = VARIABLE.exec(text.slice(index + before.length, index + before.length + LONGEST)) ?? [];
    if (name === undefined || !same.has(name)) continue;
    world.add('attacks', 'one', 'guessing of passwords', text);
    return;
  }
}

/** The variables that a body uses: a second one that stands nowhere in it changes nothing. */
const usedIn = (text: string): ReadonlySet<string> => new Set([...text.matchAll(USED)].map(([, name]) => name!));

function copiesOf(name: string, text: string): readonly string[] {
  const copies: string[] = [];
  for (const [, copy, from] of text.matchAll(COPY))
    if ((from === name || copies.includes(from!)) && copies.length < MAX_COPIES) copies.push(copy!);
  return copies;
}

/** The variables that a loop reads in each round: `while IFS= read -r p`. */
export function readNames(test: string): readonly string[] {
  const given = /\bread\s{1,4}(?:-[a-zA-Z]{1,4}\s{1,4}){0,4}(\w{1,40}(?:\s{1,4}\w{1,40}){0,8})/.exec(test)?.[1];
  return given === undefined ? [] : given.split(/\s+/);
}
