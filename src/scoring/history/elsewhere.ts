/** What other agents and sessions of the customer did that bears on one event. It only ever adds. */
import { inOrder } from '../../lang/in-order.ts';
import type { History, Kin } from '../types.ts';
import { entryOf } from './bag.ts';
import type { Footprint } from './footprint.ts';
import type { Actor } from './marks.ts';
import type { Memory } from './memory.ts';
import type { Note } from './notes.ts';

export type Elsewhere = Pick<
  History,
  'refused_elsewhere' | 'is_refused_by_person' | 'troubled_place' | 'classes_of_others' | 'inherited'
>;

/** A mark counts for a day. */
const COUNTS_MS = 86_400_000;
/** A place that the agent has used for longer than this before the trouble is one of its own. */
const FAMILIAR_MS = 3_600_000;
/** Nearest first: anyone who is nearer to the one that was refused counts. */
const KIN: readonly Kin[] = ['self', 'parent', 'child', 'sibling', 'other'];

export function elsewhere(
  shared: Memory | null,
  { agent, session }: { agent: Memory | null; session: Memory | null },
  footprint: Footprint,
  actor: Actor,
  now: number,
): Elsewhere {
  const found: Elsewhere = {
    refused_elsewhere: '',
    is_refused_by_person: false,
    troubled_place: '',
    classes_of_others: [],
    inherited: session?.inherited ?? [],
  };
  if (shared === null || shared.notes.length === 0) return found;
  const { things = [] } = footprint;
  const classes: string[] = [];
  for (const one of shared.notes) {
    if (Math.abs(now - one.at) > COUNTS_MS || isOwn(one, actor)) continue;
    if (one.kind === 'refused' && isSameDeed(one, footprint)) noteRefusal(found, one, kinOf(one, actor));
    if (one.classes.length > 0 && one.things.some((thing) => things.includes(thing))) classes.push(...one.classes);
    const trouble = troubleOf(one, footprint, agent);
    if (trouble !== '' && found.troubled_place !== 'refused') found.troubled_place = trouble;
  }
  found.classes_of_others = inOrder(classes);
  return found;
}

/** Its own session remembers it; an event without a session is known by its agent. */
const isOwn = (one: Note, { agent, session }: Actor): boolean =>
  one.session === session && (session !== '' || one.agent === agent);

function kinOf(one: Note, { agent, parent }: Actor): Kin {
  if (agent === '' || one.agent === '') return 'other';
  if (one.agent === agent) return 'self';
  if (one.agent === parent) return 'parent';
  if (one.parent === agent) return 'child';
  return one.parent !== '' && one.parent === parent ? 'sibling' : 'other';
}

/** The same effect on the same thing, or anything else sent to the same place. */
function isSameDeed(
  { group, things, places }: Note,
  { group: own, things: mine = [], ...footprint }: Footprint,
): boolean {
  if (group === own && things.some((thing) => mine.includes(thing))) return true;
  return footprint.is_out === true && places.some((place) => footprint.places.includes(place));
}

function noteRefusal(found: Elsewhere, { is_by_person }: Note, kin: Kin): void {
  if (found.refused_elsewhere === '' || KIN.indexOf(kin) < KIN.indexOf(found.refused_elsewhere))
    found.refused_elsewhere = kin;
  found.is_refused_by_person ||= is_by_person;
}

/** '' for a place that this agent used long before: others cannot make a place of its daily work suspicious. */
function troubleOf(one: Note, { places, is_out }: Footprint, agent: Memory | null): History['troubled_place'] {
  if (one.kind === 'left' || is_out !== true) return '';
  const isFamiliar = (place: string): boolean => {
    const entry = agent === null ? undefined : entryOf(agent.places, place);
    return entry !== undefined && one.at - entry[2] > FAMILIAR_MS;
  };
  if (!places.some((place) => one.places.includes(place) && !isFamiliar(place))) return '';
  if (one.kind === 'refused' && one.is_by_person) return 'refused';
  return one.classes.length > 0 ? 'filled' : '';
}
