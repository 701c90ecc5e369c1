/**
 * What harm a step does after the steps before it: a small state of things (what is in the hand, inside, switched on, filled,
 * wet), kept over the agent's earlier calls. The things and the combinations that hurt are in `ontology/lists/physical.yaml`.
 */

import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import { singular, snakeCase } from '../../../lang/names.ts';
import { remembering } from '../../../lang/remember.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { listOf, tableOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import { readCalls } from '../conversation/calls.ts';

export interface PlanReading {
  /** What the step does to people or things; '' when it is harmless or nothing is known of its things. */
  hazard: string;
  /** The thing that is moved, used or broken, '' when it is not known. */
  thing: string;
  /** Where it goes, '' when it is not known. */
  place: string;
  /** The step and its things are known, whether they are harmless or not. */
  is_understood: boolean;
}

const NOTHING: PlanReading = { hazard: '', thing: '', place: '', is_understood: false };
const MAX_STEPS = 64;
const LONGEST_NAME = 64;
/** A name shorter than this is not an ending of another: `pan` is not the end of `marzipan`. */
const SHORTEST_ENDING = 4;

interface Hazard {
  name: string;
  thing: string;
  place: string;
}

const knowledge = perOntology((ontology) => {
  const properties = new Map<string, Set<string>>();
  for (const [property, names] of tableOf(ontology, 'thing_properties'))
    for (const name of names) properties.set(joined(name), (properties.get(joined(name)) ?? new Set()).add(property));
  const kinds = new Map<string, string>();
  for (const [kind, verbs] of tableOf(ontology, 'step_kinds')) for (const verb of verbs) kinds.set(joined(verb), kind);
  const hazards = new Map<string, Hazard[]>();
  for (const [name, steps] of tableOf(ontology, 'hazard_of_step')) {
    for (const step of steps) {
      const [kind = '', thing = '', place = ''] = step.split(' ');
      hazards.set(kind, [...(hazards.get(kind) ?? []), { name, thing, place }]);
    }
  }
  return {
    hazards,
    kinds,
    propertiesOf: remembering((name) => findProperties(name, properties)),
    item: listOf(ontology, 'step_thing_parameters'),
    place: listOf(ontology, 'step_place_parameters'),
    held: listOf(ontology, 'step_held_parameters'),
  };
});
type Knowledge = ReturnType<typeof knowledge>;

const joined = (name: string): string => snakeCase(name).replace(/[_\d]/g, '');
const NONE: ReadonlySet<string> = new Set();

/** By the whole name, else by its longest known ending: a `desk_lamp` is a lamp. */
function findProperties(name: string, known: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const one = joined(singular(name));
  for (let at = 0; one.length - at >= (at === 0 ? 2 : SHORTEST_ENDING); at++) {
    const found = known.get(one.slice(at));
    if (found !== undefined) return found;
  }
  return NONE;
}

/** The things as the steps so far left them. */
class Scene {
  hand = '';
  /** The thing in the hand was used since it was picked up: setting it down is part of that. */
  is_used = false;
  /** What the agent stands before. */
  focus = '';
  readonly on = new Set<string>();
  readonly filled = new Set<string>();
  readonly wet = new Set<string>();
  readonly inside = new Map<string, string[]>();
}

interface Step {
  kind: string;
  thing: string;
  place: string;
}

/** Where the tool's own name begins in `mcp__server__tool`. */
const afterServer = (name: string): number => (name.startsWith('mcp__') ? name.indexOf('__', 5) + 2 : 0);

export function readPlan(event: AgentEvent, ontology: Ontology, action: ActionReading): PlanReading {
  const known = knowledge(ontology);
  const kind = known.kinds.get(joined(action.tool_name)) ?? known.kinds.get(joined(action.verb));
  if (kind === undefined || !known.hazards.has(kind)) return NOTHING;
  const scene = new Scene();
  for (const { name, args } of readCalls(event, ontology).slice(-MAX_STEPS)) {
    const done = known.kinds.get(joined(name.slice(Math.max(name.lastIndexOf('.') + 1, afterServer(name)))));
    if (done !== undefined) apply(stepOf(done, args, scene, known), scene);
  }
  const args = new Map<string, string>();
  for (const { name, value } of parametersOf(event).leaves)
    if (typeof value === 'string' && value.length <= LONGEST_NAME && !args.has(name)) args.set(name, value);
  return judge(stepOf(kind, args, scene, known), scene, known);
}

/** Steps that act on what is in the hand, and for which another name is a place. */
const WITH_HAND = new Set(['places', 'pours', 'throws', 'drops']);

function stepOf(kind: string, args: ReadonlyMap<string, string>, scene: Scene, known: Knowledge): Step {
  const first = (names: readonly string[]): string => {
    for (const name of names) {
      const value = args.get(name);
      if (value !== undefined && value !== '') return snakeCase(value);
    }
    return '';
  };
  const held = first(known.held);
  const item = first(known.item);
  const place = first(known.place);
  if (kind === 'fills') return { kind, thing: withoutLiquid(item || scene.focus, known), place };
  if (!WITH_HAND.has(kind)) return { kind, thing: item || scene.focus, place };
  const other = item === held ? '' : item;
  if (held !== '') return { kind, thing: held, place: place || other || (scene.focus === held ? '' : scene.focus) };
  // `put({"object": "drawer"})` with a mug in the hand puts the mug there.
  if (scene.hand !== '' && item !== scene.hand && (place === '' || place === item))
    return { kind, thing: scene.hand, place: item || scene.focus };
  return { kind, thing: item || scene.hand, place: place || scene.focus };
}

/** `mug_wine` → `mug`: a vessel is named with what goes in. */
function withoutLiquid(name: string, known: Knowledge): string {
  const words = name.split('_');
  const isLiquid = words.length > 1 && known.propertiesOf(words.at(-1)!).has('liquid');
  return isLiquid ? words.slice(0, words.at(-2) === 'with' ? -2 : -1).join('_') : name;
}

function apply({ kind, thing, place }: Step, scene: Scene): void {
  switch (kind) {
    case 'finds':
      scene.focus = thing;
      break;
    case 'picks':
      scene.hand = thing;
      scene.is_used = false;
      for (const [where, things] of scene.inside) scene.inside.set(where, without(things, thing));
      break;
    case 'places':
      if (place !== '') scene.inside.set(place, [...(scene.inside.get(place) ?? []), thing]);
      if (scene.hand === thing) scene.hand = '';
      break;
    case 'fills':
      scene.filled.add(thing);
      break;
    case 'empties':
      scene.filled.delete(thing);
      break;
    case 'pours':
      scene.filled.delete(thing);
      scene.is_used = true;
      if (place !== '') scene.wet.add(place);
      if (place !== '') scene.filled.add(place);
      break;
    case 'turns_on':
      scene.on.add(thing);
      break;
    case 'turns_off':
      scene.on.delete(thing);
      break;
    case 'drops':
    case 'throws':
      scene.hand = '';
      break;
    default:
      scene.focus = thing || scene.focus;
      if (scene.hand !== '' && kind !== 'opens' && kind !== 'closes') scene.is_used = true;
  }
}

const without = (things: readonly string[], thing: string): string[] => things.filter((other) => other !== thing);

/** Properties of a thing as it is now: what it is, and what was done with it. */
function stateOf(thing: string, scene: Scene, known: Knowledge): Set<string> {
  const all = new Set(known.propertiesOf(thing));
  const mark = (sign: string): void => {
    for (const property of known.propertiesOf(thing)) all.add(`${property}_${sign}`);
  };
  if (scene.on.has(thing)) mark('on');
  if (scene.wet.has(thing)) mark('wet');
  if (scene.filled.has(thing)) all.add('filled');
  for (const inner of scene.inside.get(thing) ?? [])
    for (const property of known.propertiesOf(inner)) all.add(`contains_${property}`);
  return all;
}

/** Steps that act on what is inside a device. */
const ON_CONTENTS = new Set(['turns_on', 'closes', 'fills']);

function judge({ kind, thing, place }: Step, scene: Scene, known: Knowledge): PlanReading {
  const isOnContents = ON_CONTENTS.has(kind);
  const where = isOnContents ? thing : place;
  const contents = contentsOf(thing, scene, known);
  const moved = isOnContents
    ? contents.map((inner) => stateOf(inner, scene, known))
    : thing === ''
      ? []
      : [stateOf(thing, scene, known)];
  const at = where === '' ? NONE : stateOf(where, scene, known);
  const is_understood = (thing !== '' && known.propertiesOf(thing).size > 0) || at.size > 0;
  if (kind === 'drops' && scene.is_used) return { hazard: '', thing, place, is_understood };
  const found = (known.hazards.get(kind) ?? []).find(
    (hazard) =>
      has(at, hazard.place) &&
      (hazard.thing === 'nothing' ? contents.length === 0 && scene.hand === '' : hasAny(moved, hazard.thing)),
  );
  return { hazard: found?.name ?? '', thing, place: where === thing ? '' : place, is_understood };
}

/** What is in a thing; for a knob or a valve what is on the burners that it controls. */
function contentsOf(thing: string, scene: Scene, known: Knowledge): readonly string[] {
  const own = scene.inside.get(thing) ?? [];
  const of = known.propertiesOf(thing);
  if (!of.has('control')) return own;
  const isControlled = (place: string): boolean =>
    [...known.propertiesOf(place)].some((property) => property !== 'control' && of.has(property));
  return [...scene.inside].flatMap(([place, things]) => (place === thing || isControlled(place) ? things : []));
}

const hasAny = (things: readonly ReadonlySet<string>[], property: string): boolean =>
  property === 'any' ? true : things.some((thing) => has(thing, property));

function has(thing: ReadonlySet<string>, property: string): boolean {
  if (property === 'any') return true;
  return property.startsWith('!') ? thing.size > 0 && !thing.has(property.slice(1)) : thing.has(property);
}
