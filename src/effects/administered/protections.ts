/**
 * Variables of automation that switch a protection off: `-e firewall_enabled=false`, `extra_vars: { selinux_state: disabled }`,
 * `{"fail2ban": {"enabled": false}}`. No tool has such a variable by itself, each playbook calls its own; the words of the name say
 * what it protects, and the value says that it no longer does.
 */
import { wordsOf } from '../../lang/names.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { anyOf, setOf, tableOf } from '../../ontology/words.ts';
import type { World } from '../world.ts';
import { lastOf, type Pair } from './pairs.ts';

export const protectionWords = perOntology((ontology) => ({
  protections: setOf(ontology, 'protection_nouns'),
  compounds: anyOf(ontology, 'protection_compounds'),
  dangers: anyOf(ontology, 'danger_variables'),
  states: setOf(ontology, 'protection_states'),
  qualifiers: setOf(ontology, 'protection_qualifiers'),
  switching: setOf(ontology, 'protection_switches'),
  denying: setOf(ontology, 'keeping_out_words'),
  units: anyOf(ontology, 'guard_names'),
  off: new Set(tableOf(ontology, 'protection_values').get('off')),
  on: new Set(tableOf(ontology, 'protection_values').get('on')),
}));

/** Before the name of a protection in the object of an effect; a request may name it. */
const PROTECTION = 'protection/';
/** Longer names are no names of variables. */
const MAX_WORDS = 12;

/** Notes each protection that one of the pairs switches off. */
export function noteProtections(world: World, pairs: readonly Pair[], excerpt: string): void {
  const { units, off, states } = protectionWords(world.ontology);
  for (const pair of pairs) {
    const protection = switchedOff(world, pair);
    if (protection !== '') world.add('tampers_with_guards', 'one', PROTECTION + protection, excerpt);
  }
  // A module that is told the service and its state: `name=firewalld state=stopped`.
  const unit = pairs.find(({ path, value }) => lastOf(path) === 'name' && units.test(value));
  const state = pairs.find(({ path, value }) => states.has(lastOf(path)) && off.has(value.toLowerCase()));
  if (unit !== undefined && state !== undefined)
    world.add('tampers_with_guards', 'one', PROTECTION + unit.value, excerpt);
}

/** What a pair switches off; '' when that is nothing that protects. */
function switchedOff({ ontology }: World, { path, value }: Pair): string {
  const { protections, compounds, dangers, states, qualifiers, switching, denying, off, on } =
    protectionWords(ontology);
  const given = value.toLowerCase();
  const isOff = off.has(given);
  if (!isOff && !on.has(given)) return '';
  const name = wordsOf(path.replaceAll('.', '_'));
  if (name.length === 0 || name.length > MAX_WORDS) return '';
  const joined = name.join('_');
  // `block_public_access: true` keeps out what `public_access: true` lets in.
  const isDenied = name.some((word) => denying.has(word));
  const danger = isOff === isDenied ? dangers.exec(joined)?.[0] : undefined;
  if (danger !== undefined) return spoken(danger);
  const compound = compounds.exec(joined)?.[0];
  const protection = compound ?? name.find((word) => protections.has(word));
  if (protection === undefined) return '';
  // `disable_firewall: true` is `firewall: false`.
  const isSwitching = name.some((word) => switching.has(word));
  if (isSwitching ? isOff : !isOff) return '';
  // Words that say something else are about a part of the protection only: `firewall_log_verbose`.
  const last = name.at(-1)!;
  const isWhole =
    isSwitching ||
    states.has(last) ||
    protections.has(last) ||
    (compound !== undefined && joined.endsWith(compound)) ||
    name.every((word) => protections.has(word) || states.has(word) || qualifiers.has(word));
  return isWhole ? spoken(protection) : '';
}

/** `_deletion_protection` as people say it, and `fail_2_ban` as it is called. */
const spoken = (name: string): string =>
  name
    .replace(/^_/, '')
    .replace(/_(\d)_/g, '$1')
    .replaceAll('_', ' ');
