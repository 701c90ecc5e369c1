/** What one event leaves in the server's memory: small, and enough to recognise unusual events later. */

import { inOrder } from '../../lang/in-order.ts';
import type { Timestamp } from '../../lang/timestamp.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { inverseOf, setOf } from '../../ontology/words.ts';
import { blockedBy } from '../read/policy.ts';
import type { Readings } from '../read/readings.ts';
import { hostOf } from '../read/values/hosts.ts';
import { fileName } from './file-name.ts';
import type { Footprint, KeptFootprint } from './footprint.ts';
import { hourOfWeek } from './hours.ts';
import type { Mark } from './marks.ts';
import { nameOf } from './names.ts';
import type { Verdict } from './notes.ts';
import { reachOf } from './reach.ts';

export type { Footprint } from './footprint.ts';

/** When the event says that it took place, by the clock of its own offset. */
export interface ClaimedTime {
  /** Hour of the week (`hours.ts`), -1 when the timestamp cannot be read. */
  claimed_hour: number;
  /** Day counted from 1970, -1 as above. */
  claimed_day: number;
}

/** As kept with the score. */
export interface Trace extends KeptFootprint, ClaimedTime {
  /** By the rules alone: a modifier that raised it must not become the reason of the next one. */
  score: number;
  /** What it leaves for other agents and sessions; absent for most. */
  mark?: Mark;
  /** Sensitive classes of other sessions that it took; absent while there are none. */
  inherited?: string[];
  /**
   * Sensitive classes that its session had read before it; absent while there are none. A memory is rebuilt from the newest
   * traces alone, and any of them tells it what older ones read.
   */
  seen?: string[];
}

/** A kept trace, with what the store knows of it. */
export interface StoredTrace {
  event_id: string;
  /** Database time, ISO 8601 with microseconds, UTC. */
  scored_at: string;
  trace: Trace;
  /** What a person decided about the event; in traces of a customer alone. */
  verdict?: Verdict;
}

/** Rule catalogue, VOL-06. */
const HIGH_IMPACT = 60;
const MAX_PLACES = 8;
const MAX_FILES = 4;
const MAX_RUNS = 16;
const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = 86_400_000;

const words = perOntology((ontology) => ({
  reading: setOf(ontology, 'reading_groups'),
  unchanging: setOf(ontology, 'unchanging_groups'),
  place_roles: setOf(ontology, 'place_roles'),
  sensitive: setOf(ontology, 'sensitive_classes'),
  remembered: setOf(ontology, 'remembered_effects'),
  carrying: setOf(ontology, 'carrying_effects'),
  class_read_by_code: inverseOf(ontology, 'class_read_by_code'),
}));

/** Every page of a host is one place; every mailbox and account is one of its own. */
function placesOf({ sink, arguments: args, ontology }: Readings): string[] {
  const { place_roles } = words(ontology);
  const named = [...sink.destinations, ...args.filter(({ role }) => place_roles.has(role))];
  const places = named.map(({ kind, value }) => {
    const text = value.trim().toLowerCase();
    return nameOf(kind === 'url' ? (hostOf(text)?.host ?? text) : text);
  });
  return inOrder(places.filter((place) => place !== '')).slice(0, MAX_PLACES);
}

/** What an action that reads took in; code may read on its way to something else. */
function classesOf({ action, data, content, ontology }: Readings): string[] {
  const { reading, sensitive, class_read_by_code } = words(ontology);
  const touched = reading.has(action.effective_group) ? data.touched.map(({ data_class }) => data_class) : [];
  const by_code = content.effects.flatMap(({ kind }) => class_read_by_code.get(kind) ?? []);
  return inOrder([...touched, ...by_code].filter((data_class) => sensitive.has(data_class)));
}

const fileOf = (path: string): string => nameOf(fileName(path));

/** The gravest effects stand first in the list; one of them is kept for each file. */
function writtenBy({ content, ontology }: Readings): string[] {
  const { remembered } = words(ontology);
  const files: string[] = [];
  for (const [path, kinds] of content.stored_files) {
    const gravest = [...remembered].find((kind) => kinds.some((one) => one === kind));
    if (gravest !== undefined) files.push(`${gravest} ${fileOf(path)}`);
  }
  return files.slice(0, MAX_FILES);
}

/** Files that code runs or may run, and those that it touches where it schedules, publishes or sends something. */
function runBy({ content, ontology }: Readings): string[] {
  const { carrying } = words(ontology);
  const run = content.effects.filter(({ kind }) => kind === 'runs_code').map(({ object }) => object);
  const files = [...run, ...content.perhaps_run];
  if (content.effects.some(({ kind }) => carrying.has(kind))) files.push(...content.paths);
  return inOrder(files.filter((path) => /[\w.]/.test(path)).map(fileOf)).slice(0, MAX_RUNS);
}

function resourceOf({ event, target }: Readings): string {
  const id = event.target?.resource_id ?? '';
  return id === '' ? '' : nameOf(`${target.resource_type}:${id}`);
}

/** Reads the event's content alone: neither its history, nor the past that it claims, nor its time. */
export function footprintOf(readings: Readings): Footprint {
  const { event, action, ontology } = readings;
  const group = action.effective_group;
  const wrote = writtenBy(readings);
  const runs = runBy(readings);
  return {
    ...(wrote.length > 0 ? { wrote } : {}),
    ...(runs.length > 0 ? { runs } : {}),
    action: event.action,
    domain: action.known_domain === '' ? action.domain : action.known_domain,
    group,
    is_change: !words(ontology).unchanging.has(group),
    is_high_impact: action.base_risk >= HIGH_IMPACT,
    resource: resourceOf(readings),
    places: placesOf(readings),
    classes: classesOf(readings),
    is_refused: readings.intent.was_refused || blockedBy(readings.evidence.policy, readings) !== '',
    ...reachOf(readings),
  };
}

/** What of a footprint is kept. */
export function keptOf(footprint: Footprint): KeptFootprint {
  const { runs: _r, things: _t, payload: _p, may_carry: _m, is_out: _o, parent: _d, ...kept } = footprint;
  return kept;
}

/** @param time the event's timestamp as read, null when it cannot be */
export function claimedTimeOf(time: Timestamp | null): ClaimedTime {
  if (time === null) return { claimed_hour: -1, claimed_day: -1 };
  return {
    claimed_hour: hourOfWeek(time.day_of_week, time.hour),
    claimed_day: Math.floor((time.epoch_ms + time.offset_minutes * MS_PER_MINUTE) / MS_PER_DAY),
  };
}
