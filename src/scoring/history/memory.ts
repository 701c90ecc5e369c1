/**
 * What the server remembers of one agent or one session: a few kilobytes whatever happened, plain JSON, made by adding
 * one trace after the other. Times are the database's. What is kept here can always be rebuilt from stored traces.
 */

import { inOrder } from '../../lang/in-order.ts';
import { remembering } from '../../lang/remember.ts';
import { HIGH } from '../level.ts';
import { type Bag, emptyBag, meet } from './bag.ts';
import { addHour, type Hours, hourOfWeekAt, noHours } from './hours.ts';
import { type Note, note } from './notes.ts';
import { addToPace, noPace, type Pace } from './pace.ts';
import { addToSeconds, type Seconds } from './seconds.ts';
import type { StoredTrace } from './trace.ts';

/** One of the last actions. */
export interface LastAction {
  event_id: string;
  at: number;
  action: string;
  domain: string;
  group: string;
  score: number;
  is_refused: boolean;
}

export interface Memory {
  /** Of seconds before this one it knew all that there was when it was made, or was to know no more. First, as is the next, so that a cache need not read on. */
  counted_from: number;
  seconds: Seconds;
  /** Actions added since this record began. */
  n: number;
  /** `scored_at` of the newest, '' while there is none. */
  latest: string;
  actions: Bag;
  resources: Bag;
  places: Bag;
  pace: Pace;
  /** When it acted, by the server's clock in UTC and by the timestamps it sent. */
  hours: Hours;
  claimed_hours: Hours;
  /** Sensitive classes of data read, in order. Never forgotten. */
  classes: string[];
  /** When its own actions last read each of them, in milliseconds, in order of the classes. */
  read_at: [data_class: string, at: number][];
  /** Files that were written and would attack when they run, `effect path`, newest last. */
  wrote: string[];
  /** Domains and effects of the first actions: the task that it began with. */
  task: string[];
  /** Newest last. */
  last: LastAction[];
  /** When it last did something refused or of high risk, in milliseconds; 0 for never. */
  trouble_at: number;
  /** Ids of actions that it was made with a moment after they were stored, and that may be told still. */
  told: string[];
  /** Sensitive classes of other sessions that it took, in order. Never forgotten. */
  inherited: string[];
  /** Of a customer: what its agents left for each other, oldest first. Empty for agents and sessions. */
  notes: Note[];
}

const MAX_ACTIONS = 64;
const MAX_RESOURCES = 48;
const MAX_PLACES = 32;
const MAX_WROTE = 24;
const MAX_LAST = 24;
/** So many first actions tell what a session is about. */
export const TASK_ACTIONS = 5;
const MS_PER_DAY = 86_400_000;
/** An event is told within so many milliseconds after it was stored, or by nobody. */
const TOLD_WITHIN_MS = 10_000;

export function emptyMemory(): Memory {
  return {
    counted_from: 0,
    seconds: [],
    n: 0,
    latest: '',
    actions: emptyBag(),
    resources: emptyBag(),
    places: emptyBag(),
    pace: noPace(),
    hours: noHours(),
    claimed_hours: noHours(),
    classes: [],
    read_at: [],
    wrote: [],
    task: [],
    last: [],
    trouble_at: 0,
    told: [],
    inherited: [],
    notes: [],
  };
}

/** Domain and effect, as `task` has them. */
export const domainAspect = remembering((domain) => `domain ${domain}`);
export const effectAspect = remembering((group) => `effect ${group}`);

/** Adds one event. Changes `memory` and returns it. An event among the last ones is known and not added again. */
export function remember(memory: Memory, stored: StoredTrace): Memory {
  if (!count(memory, stored)) return memory;
  const { event_id, scored_at, trace } = stored;
  const at = Date.parse(scored_at);
  const { n } = memory;
  meet(memory.actions, [trace.action], n, at, MAX_ACTIONS);
  // A refused action does not make its target or destination familiar.
  if (!trace.is_refused) {
    if (trace.resource !== '') meet(memory.resources, [trace.resource], n, at, MAX_RESOURCES);
    meet(memory.places, trace.places, n, at, MAX_PLACES);
  }
  addToPace(memory.pace, at, trace.is_change);
  addHour(memory.hours, hourOfWeekAt(at), Math.floor(at / MS_PER_DAY));
  addHour(memory.claimed_hours, trace.claimed_hour, trace.claimed_day);
  memory.classes = withAll(memory.classes, trace.classes);
  if (trace.seen !== undefined) memory.classes = withAll(memory.classes, trace.seen);
  for (const data_class of trace.classes) readAt(memory, data_class, at);
  // Traces of older versions have no such list, and most of this one have none.
  if (trace.wrote !== undefined && !trace.is_refused) memory.wrote = withNewest(memory.wrote, trace.wrote);
  if (trace.inherited !== undefined) memory.inherited = withAll(memory.inherited, trace.inherited);
  const { action, domain, group, score, is_refused } = trace;
  if (n <= TASK_ACTIONS) memory.task = withAll(memory.task, [domainAspect(domain), effectAspect(group)]);
  memory.last.push({ event_id, at, action, domain, group, score, is_refused });
  if (memory.last.length > MAX_LAST) memory.last.shift();
  if (is_refused || score >= HIGH) memory.trouble_at = Math.max(memory.trouble_at, at);
  return memory;
}

/** Counts the event, once; false for one that is known. Changes `memory`. */
function count(memory: Memory, { event_id, scored_at }: StoredTrace): boolean {
  // An event newer than all known ones cannot be among them: an event that is told again carries the same time.
  if (scored_at <= memory.latest && isKnown(memory, event_id)) return false;
  const at = Date.parse(scored_at);
  if (memory.told.length > 0 && at > memory.counted_from * 1_000 + TOLD_WITHIN_MS) memory.told = [];
  memory.n += 1;
  addToSeconds(memory.seconds, at);
  if (scored_at > memory.latest) memory.latest = scored_at;
  return true;
}

/** Adds one event with a mark to the memory of its customer, as `remember` does to those of its agent and session. */
export function rememberMark(memory: Memory, stored: StoredTrace): Memory {
  const { event_id, scored_at, trace, verdict = '' } = stored;
  if (trace.mark === undefined || !count(memory, stored)) return memory;
  const at = Date.parse(scored_at);
  note(memory.notes, trace.mark, at, verdict);
  const { score, is_refused } = trace;
  // To know the event when it is told again.
  memory.last.push({ event_id, at, action: '', domain: '', group: '', score, is_refused });
  if (memory.last.length > MAX_LAST) memory.last.shift();
  return memory;
}

const isKnown = ({ last, told }: Memory, event_id: string): boolean =>
  last.some((known) => known.event_id === event_id) || told.includes(event_id);

/** Classes are few, and no event names them: the list needs no bound. */
function readAt({ read_at }: Memory, data_class: string, at: number): void {
  const known = read_at.find(([name]) => name === data_class);
  if (known !== undefined) known[1] = Math.max(known[1], at);
  else {
    read_at.push([data_class, at]);
    read_at.sort(([one], [other]) => (one < other ? -1 : 1));
  }
}

/** Both lists as one, in order; the first one where it has all of the second. */
const withAll = (known: string[], more: readonly string[]): string[] =>
  more.every((name) => known.includes(name)) ? known : inOrder([...known, ...more]);

/** Both lists without repetition, the newest last and never more than fit. */
function withNewest(known: readonly string[], more: readonly string[]): string[] {
  return [...known.filter((one) => !more.includes(one)), ...more].slice(-MAX_WROTE);
}

/** The memory that these traces make, oldest first. */
export function memoryOf(traces: readonly StoredTrace[], add = remember): Memory {
  return traces.reduce(add, emptyMemory());
}
