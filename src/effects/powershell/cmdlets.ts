/** Cmdlets without a reading of their own: the group of the verb and the class of the noun say what they do. */
import { noteAdministeredSettings } from '../administered/settings.ts';
import type { EffectKind, Scope } from '../effects.ts';
import type { Session } from './session.ts';
import { type Arguments, itemsOf } from './values.ts';
import { powershellWords } from './words.ts';

/** Adds the effects of `Verb-Noun` as the ontology's table of verb groups and noun classes tells them. */
export function noteCmdlet(s: Session, name: string, p: Arguments, excerpt: string): void {
  const { verbs, nouns, effects, reachesOut } = powershellWords(s.world.ontology);
  const dash = name.indexOf('-');
  const group = verbs.get(name.slice(0, dash));
  const noun = name.slice(dash + 1);
  let known: readonly [string, string] | undefined;
  for (const entry of nouns)
    if (noun.startsWith(entry[0]) && (known === undefined || entry[0].length > known[0].length)) known = entry;
  const host = p.named(...reachesOut);
  if (host !== undefined && group !== 'looks')
    s.world.add('moves_laterally', itemsOf(host).length > 1 ? 'many' : 'one', host.text, excerpt);
  const object = p.value(0, 'name', 'identity', 'path')?.text ?? noun;
  if (group !== 'looks') noteAdministeredSettings(s.world, excerpt, excerpt, { isLine: true });
  const told = effects.get(`${group ?? ''} ${known?.[1] ?? ''}`) ?? effects.get(`any ${known?.[1] ?? ''}`) ?? [];
  for (const effect of told) {
    const [kind, scope = 'one'] = effect.split(' ') as [EffectKind, Scope?];
    s.world.add(kind, scope, object === '' ? noun : object, excerpt);
  }
}
