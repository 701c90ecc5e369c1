/** How often something is to happen, in texts and in parameters: «every 8 hours», «once a week», `frequency: daily`, `0 7 * * 1`. */
import type { AgentEvent } from '../../../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../../../events/parameters.ts';
import { singular, wordsOf } from '../../../../../lang/names.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { inverseOf, listOf, setOf } from '../../../../../ontology/words.ts';
import { foldText } from '../../../words/fold.ts';

export interface Frequency {
  /** Times in a day. */
  per_day: number;
  /** As it was written. */
  text: string;
}

export interface GivenFrequency extends Frequency {
  path: string;
}

const words = perOntology((ontology) => ({
  adverbs: numbersOf(ontology, 'frequency_adverbs'),
  periods: numbersOf(ontology, 'frequency_periods'),
  times: numbersOf(ontology, 'frequency_times'),
  counting: setOf(ontology, 'frequency_counting'),
  each: setOf(ontology, 'frequency_each'),
  other: setOf(ontology, 'frequency_other'),
  per: setOf(ontology, 'frequency_per'),
  names: setOf(ontology, 'frequency_names'),
  gap_names: setOf(ontology, 'frequency_gap_names'),
  numerals: listOf(ontology, 'number_words'),
}));

const numbersOf = (ontology: Ontology, table: string): ReadonlyMap<string, number> =>
  new Map([...inverseOf(ontology, table)].map(([word, number]) => [word, Number(number)]));

const MAX_TEXT = 16_384;
const MAX_FOUND = 16;
const LONGEST_VALUE = 120;
const MAX_LEAVES = 100;

/** The frequencies that a text names; at most 16. */
export function frequenciesIn(text: string, ontology: Ontology): readonly Frequency[] {
  const tokens = foldText(text.slice(0, MAX_TEXT)).match(/[\p{L}]{1,32}|\d{1,4}/gu) ?? [];
  const found: Frequency[] = [];
  for (let at = 0; at < tokens.length && found.length < MAX_FOUND; ) {
    const one = frequencyAt(tokens, at, ontology);
    if (one !== undefined) found.push({ per_day: one.per_day, text: tokens.slice(at, at + one.length).join(' ') });
    at += one?.length ?? 1;
  }
  return found;
}

interface Found {
  per_day: number;
  /** In tokens. */
  length: number;
}

/** «Every 8 hours», «every other day»; «twice a day», «3 times daily», «once weekly»; «daily». */
function frequencyAt(tokens: readonly string[], at: number, ontology: Ontology): Found | undefined {
  const { adverbs, each, times, per, counting } = words(ontology);
  const token = tokens[at]!;
  if (each.has(token)) return everyPeriod(tokens, at, ontology);
  const count = times.get(token) ?? (counting.has(tokens[at + 1] ?? '') ? numberIn(token, ontology) : undefined);
  if (count !== undefined) {
    const next = at + (times.has(token) ? 1 : 2);
    const rate = adverbs.get(tokens[next] ?? '');
    if (rate !== undefined) return { per_day: count * rate, length: next + 1 - at };
    const period = per.has(tokens[next] ?? '') ? periodOf(tokens[next + 1], ontology) : undefined;
    return period === undefined ? undefined : { per_day: count / period, length: next + 2 - at };
  }
  const rate = adverbs.get(token);
  return rate === undefined ? undefined : { per_day: rate, length: 1 };
}

function everyPeriod(tokens: readonly string[], at: number, ontology: Ontology): Found | undefined {
  const { other } = words(ontology);
  const next = tokens[at + 1] ?? '';
  const count = other.has(next) ? 2 : numberIn(next, ontology);
  const period = periodOf(tokens[at + (count === undefined ? 1 : 2)], ontology);
  if (period === undefined || count === 0) return undefined;
  return { per_day: 1 / (period * (count ?? 1)), length: count === undefined ? 2 : 3 };
}

/** In days. */
const periodOf = (token: string | undefined, ontology: Ontology): number | undefined =>
  token === undefined
    ? undefined
    : (words(ontology).periods.get(token) ?? words(ontology).periods.get(singular(token)));

function numberIn(token: string, ontology: Ontology): number | undefined {
  if (/^\d+$/.test(token)) return Number(token);
  const at = words(ontology).numerals.indexOf(token);
  return at < 0 ? undefined : at + 1;
}

/** The frequencies that parameters hold: by a name such as `frequency` or `schedule`, or `interval_hours` with a number. */
export function givenFrequencies(event: AgentEvent, ontology: Ontology): readonly GivenFrequency[] {
  return parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .flatMap((leaf) => givenIn(leaf, ontology) ?? []);
}

function givenIn({ path, name, value }: Leaf, ontology: Ontology): GivenFrequency | undefined {
  const { names, gap_names } = words(ontology);
  const of_name = wordsOf(name);
  const number = Number(value);
  if (typeof value !== 'boolean' && value !== '' && Number.isFinite(number)) {
    const period = periodOf(of_name.at(-1), ontology);
    if (period === undefined || number <= 0) return undefined;
    const before = of_name.at(-2) ?? '';
    if (gap_names.has(before)) return { path, per_day: 1 / (period * number), text: `${name}: ${value}` };
    return words(ontology).per.has(before) && words(ontology).counting.has(of_name[0]!)
      ? { path, per_day: number / period, text: `${name}: ${value}` }
      : undefined;
  }
  if (typeof value !== 'string' || value.length > LONGEST_VALUE || !of_name.some((word) => names.has(word)))
    return undefined;
  const per_day = cronRate(value) ?? shorthandRate(value);
  if (per_day !== undefined) return { path, per_day, text: value };
  // Of several the parameter says something that is not compared.
  const found = frequenciesIn(value.replaceAll('_', ' '), ontology);
  return found.length === 1 ? { path, per_day: found[0]!.per_day, text: value } : undefined;
}

const DAYS_PER_WEEK = 7;
const DAYS_PER_MONTH = 30;
const HOURS_PER_DAY = 24;

/** Of a cron line with one minute: by its hours, and by its days of the week or of the month. */
function cronRate(value: string): number | undefined {
  const [minute, hour, day, month, weekday] = value.trim().split(/\s+/);
  if (weekday === undefined || month !== '*' || !/^\d{1,2}$/.test(minute!)) return undefined;
  const hours = membersOf(hour!, HOURS_PER_DAY);
  const days = membersOf(day!, DAYS_PER_MONTH);
  const weekdays = membersOf(weekday, DAYS_PER_WEEK);
  if (hours === undefined || days === undefined || weekdays === undefined) return undefined;
  return hours * (days / DAYS_PER_MONTH) * (weekdays / DAYS_PER_WEEK);
}

/** How many members of a field of `all` a part of a cron line takes: every one, each nth, a list or a range. */
function membersOf(field: string, all: number): number | undefined {
  const [, step = '1'] = /^\*(?:\/(\d{1,2}))?$/.exec(field) ?? [undefined, undefined];
  if (field.startsWith('*')) return Number(step) > 0 ? all / Number(step) : undefined;
  let count = 0;
  for (const part of field.split(',')) {
    const [, from, to] = /^(\w{1,3})(?:-(\w{1,3}))?$/.exec(part) ?? [];
    if (from === undefined) return undefined;
    const span = to === undefined ? 0 : Number(to) - Number(from);
    if (!(span >= 0)) return undefined;
    count += span + 1;
  }
  return count;
}

/** `q8h` of prescriptions; `FREQ=WEEKLY;INTERVAL=2` of calendars. */
function shorthandRate(value: string): number | undefined {
  const hours = /^q\s?(\d{1,2})\s?h(?:rs?)?$/i.exec(value.trim())?.[1];
  if (hours !== undefined && Number(hours) > 0) return HOURS_PER_DAY / Number(hours);
  const kind = /\bFREQ=([A-Z]{5,8})\b/.exec(value)?.[1] ?? '';
  const per_day = PER_DAY.get(kind);
  if (per_day === undefined) return undefined;
  const interval = Number(/\bINTERVAL=(\d{1,3})\b/.exec(value)?.[1] ?? 1);
  const days = /\bBYDAY=([A-Z,]{2,27})/.exec(value)?.[1]?.split(',').length ?? 1;
  return (per_day * (kind === 'WEEKLY' ? days : 1)) / Math.max(1, interval);
}

/** RFC 5545, FREQ. */
const PER_DAY: ReadonlyMap<string, number> = new Map(
  Object.entries({ HOURLY: 24, DAILY: 1, WEEKLY: 1 / 7, MONTHLY: 1 / 30, YEARLY: 1 / 365 }),
);
