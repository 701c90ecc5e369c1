/** Cmdlets without a reading of their own: the group of the verb and the class of the noun say what they do. */
import { administeredRights } from '../administered/rights.ts';
import { noteAdministeredSettings } from '../administered/settings.ts';
import { HOLE } from '../data.ts';
import type { EffectKind, Scope } from '../effects.ts';
import type { Session } from './session.ts';
import { type Arguments, itemsOf, type Value } from './values.ts';
import { powershellWords } from './words.ts';

type Words = ReturnType<typeof powershellWords>;

/** Shorter nouns stand inside of others by chance. */
const SHORTEST_INNER = 6;

/** Adds the effects of `Verb-Noun` as the ontology's table of verb groups and noun classes tells them. `input`: what is piped in. */
export function noteCmdlet(s: Session, name: string, p: Arguments, input: Value | undefined, excerpt: string): void {
  const words = powershellWords(s.world.ontology);
  const { verbs, effects, reachesOut } = words;
  const dash = name.indexOf('-');
  const group = verbs.get(name.slice(0, dash));
  const noun = name.slice(dash + 1);
  const known = classOf(noun, words);
  const host = p.named(...reachesOut);
  if (host !== undefined && group !== 'looks')
    s.world.add('moves_laterally', itemsOf(host).length > 1 ? 'many' : 'one', host.text, excerpt);
  const given = p.value(0, 'name', 'identity', 'path') ?? input;
  const object = given?.text ?? noun;
  if (group !== 'looks') noteAdministeredSettings(s.world, excerpt, excerpt, { isLine: true });
  const ofClass = effects.get(`${group ?? ''} ${known}`) ?? effects.get(`any ${known}`);
  const told =
    ofClass ?? (words.ofSession.some((one) => noun.startsWith(one)) ? [] : (effects.get(`${group ?? ''} any`) ?? []));
  const isAll = group !== 'looks' && (given?.isAll === true || given?.text === '*' || input?.isAll === true);
  // Of what an unknown condition lets through nobody can say what is lost with it.
  const isNarrowed = given !== undefined && given === input && !isAll && given.text.includes(HOLE);
  for (const effect of told) {
    const [kind, scope = 'one'] = effect.split(' ') as [EffectKind, Scope?];
    if (isNarrowed && kind === 'destroys_data') continue;
    s.world.add(kind, isAll ? 'everything' : scope, object === '' || isAll ? noun : object, excerpt);
  }
  // A member of a group that may do everything may do everything.
  const { rights } = administeredRights(s.world.ontology);
  if (known === 'account' && group === 'makes' && noun.includes('member') && rights.has(object.toLowerCase()))
    s.world.add('grants', 'everything', object, excerpt);
}

/** The class whose longest noun begins the name; else the first one of which a longer noun stands in it: `VBRRestorePoint`. */
function classOf(noun: string, { nouns }: Words): string {
  let known: readonly [string, string] | undefined;
  for (const entry of nouns)
    if (noun.startsWith(entry[0]) && (known === undefined || entry[0].length > known[0].length)) known = entry;
  known ??= nouns.find(([start]) => start.length >= SHORTEST_INNER && noun.includes(start));
  return known?.[1] ?? '';
}

/** Whether a cmdlet that looks things up returns all of them: nothing narrows it, or `-Filter *` does. */
export function listsAll(s: Session, name: string, p: Arguments): boolean {
  const { verbs, unlimited, broad } = powershellWords(s.world.ontology);
  if (verbs.get(name.slice(0, name.indexOf('-'))) !== 'looks') return false;
  return p.givenBut(broad).every(({ text }) => unlimited.has(text.toLowerCase()));
}
