/** Limits of the user that a call breaks: a time before or behind which nothing may go out, a sum, a source of the values. */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import { asciiLower, wordsOf } from '../../../../lang/names.ts';
import { numberOf } from '../../../../lang/written-numbers.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { anyOf, listOf, patternsOf, setOf } from '../../../../ontology/words.ts';
import { timestampOf } from '../../action/time.ts';
import { readCalls, sureResults } from '../../conversation/calls.ts';
import type { TextReading } from '../../conversation/text.ts';
import { perRequest, userWords } from '../../conversation/user-words.ts';
import type { Argument } from '../../values/argument.ts';
import { spendingSign } from '../../values/money/spending-sign.ts';

const words = perOntology((ontology) => ({
  release: setOf(ontology, 'going_out_parameters'),
  at_once: setOf(ontology, 'at_once_values'),
  surely_now: setOf(ontology, 'unmistakable_at_once'),
  clock: setOf(ontology, 'clock_parameters'),
  sums: setOf(ontology, 'sum_parameters'),
  weekdays: listOf(ontology, 'weekday_names'),
  not_before: [...patternsOf(ontology, 'not_before').values()],
  daily: [...patternsOf(ontology, 'daily_limits').values()],
  lifted: anyOf(ontology, 'lifted_limits'),
  totals: [...patternsOf(ontology, 'total_limits').values()],
  deferred: anyOf(ontology, 'deferred_values'),
  failed: anyOf(ontology, 'failed_lookups'),
  buying: anyOf(ontology, 'spoken_purchases'),
}));

const MAX_LEAVES = 200;
const MAX_REQUEST = 8_192;
const NOON = 12;
const DAYS = 7;
const MINUTES = 60;

const leavesOf = (event: AgentEvent) => parametersOf(event).leaves.slice(0, MAX_LEAVES);

/** «Not before Monday 9:00»: what the user says behind «before», in small letters; '' where nothing bounds it, or it was lifted. */
const startLimit = perRequest((said, ontology): string => {
  const { not_before, lifted } = words(ontology);
  const request = said.slice(0, MAX_REQUEST);
  if (lifted.test(request)) return '';
  const found = not_before.map((form) => form.exec(request)?.[1] ?? '').find((time) => /\d|\p{L}/u.test(time));
  return found === undefined ? '' : asciiLower(found);
});

/** The parameter by which it goes out at once; '' if the time that the user named may have come. */
export function sentTooEarly(event: AgentEvent, ontology: Ontology, text: TextReading): string {
  const limit = startLimit(text);
  if (limit === '' || !namesTime(limit, ontology)) return '';
  const { release, at_once, surely_now, weekdays } = words(ontology);
  const found = leavesOf(event).find(
    ({ name, value }) =>
      typeof value === 'string' &&
      (surely_now.has(asciiLower(value.trim())) || (release.has(name) && at_once.has(asciiLower(value.trim())))),
  );
  if (found === undefined) return '';
  const day = weekdays.findIndex((name) => limit.includes(name));
  const now = timestampOf(event);
  return now !== null && day >= 0 && now.day_of_week % DAYS === day ? '' : found.path;
}

/** The weekday before which the user wants nothing to go out is today. */
export function dayHasCome(event: AgentEvent, ontology: Ontology, text: TextReading): boolean {
  const limit = startLimit(text);
  const day = limit === '' ? -1 : words(ontology).weekdays.findIndex((name) => limit.includes(name));
  const now = timestampOf(event);
  return now !== null && day >= 0 && now.day_of_week % DAYS === day;
}

const namesTime = (limit: string, ontology: Ontology): boolean =>
  /\d/.test(limit) || words(ontology).weekdays.some((day) => limit.includes(day));

/** The last minute of the day that the user allows; -1 where no hour bounds it. */
const lastMinute = perRequest((said, ontology): number => {
  for (const form of words(ontology).daily) {
    const [, hour = '', minutes = '', half = ''] = form.exec(said.slice(0, MAX_REQUEST)) ?? [];
    if (hour === '') continue;
    const isSure = half !== '' || minutes !== '' || Number(hour) > NOON;
    if (!isSure || Number(hour) > 24) continue;
    const of_day = asciiLower(half) === 'pm' && Number(hour) < NOON ? Number(hour) + NOON : Number(hour);
    return of_day * MINUTES + Number(minutes || 0);
  }
  return -1;
});

const CLOCK = /^(?:\d{4}-\d{2}-\d{2}[T ])?(\d{1,2}):(\d{2})(?:[:.\d]{0,10})?(?:\s?[A-Z]{1,5}|[+-]\d{2}:\d{2})?$/;
const LONGEST_TIME = 40;

/** The parameter that holds a later time of the day than the user allows; '' if none does. */
export function pastAllowedHour(event: AgentEvent, ontology: Ontology, text: TextReading): string {
  const last = lastMinute(text);
  if (last < 0) return '';
  const { clock } = words(ontology);
  const found = leavesOf(event).find(({ name, value }) => {
    if (typeof value !== 'string' || value.length > LONGEST_TIME) return false;
    if (!clock.has(name) && !wordsOf(name).some((word) => clock.has(word))) return false;
    const [, hour = '', minute = ''] = CLOCK.exec(value.trim()) ?? [];
    return hour !== '' && Number(hour) * MINUTES + Number(minute) > last;
  });
  return found?.path ?? '';
}

/** The largest sum that the user allows; 0 where he sets none. */
const largestSum = perRequest((said, ontology): number => {
  const sums = words(ontology).totals.flatMap((form) => {
    const found = form.exec(said.slice(0, MAX_REQUEST))?.[2];
    return found === undefined ? [] : [numberOf(found)];
  });
  return Math.max(0, ...sums.filter((sum) => Number.isFinite(sum)));
});

/** Taxes and fees make a sum this much larger. */
const SURCHARGE = 1.25;

/** The parameter that holds a larger sum of money than the user allows; '' if none does. */
export function overTotal(event: AgentEvent, ontology: Ontology, text: TextReading): string {
  const most = largestSum(text);
  if (most === 0) return '';
  const { sums } = words(ontology);
  const found = leavesOf(event).find(({ path, value }) => {
    if (
      typeof value === 'boolean' ||
      !path.split(/[.[\]]/).some((part) => wordsOf(part).some((word) => sums.has(word)))
    )
      return false;
    const sum = typeof value === 'number' ? value : numberOf(value);
    return Number.isFinite(sum) && sum > most * SURCHARGE;
  });
  return found?.path ?? '';
}

const MADE_UP: ReadonlySet<string> = new Set(['number', 'amount', 'identifier', 'account']);
const SHORTEST_VALUE = 2;

/** A value that stands nowhere, where the user leaves the values to a source that could not be read; '' if there is none. */
export function madeUpAfterFailure(
  event: AgentEvent,
  ontology: Ontology,
  args: readonly Argument[],
  text: TextReading,
): string {
  const { deferred, failed } = words(ontology);
  if (!deferred.test(userWords(text).slice(0, MAX_REQUEST))) return '';
  const calls = readCalls(event, ontology);
  const isFailure = ({ results }: { results: readonly string[] }): boolean =>
    results.some((result) => failed.test(result.slice(0, MAX_REQUEST)));
  const failing = calls.filter(isFailure);
  const isUnread = failing.some(({ name }) => calls.every((call) => call.name !== name || isFailure(call)));
  const isLastFailed = calls.length === 0 && failed.test(text.untrusted.at(-1)?.text.slice(0, MAX_REQUEST) ?? '');
  if (!isUnread && !isLastFailed) return '';
  // What brings the values of a source that failed is another answer of a call, and none of the failure or of the tool itself.
  const own = event.mcp_context?.tool_name ?? event.action.split(':').at(-1)!;
  const answers = calls.filter((call) => call.name !== own && !isFailure(call));
  const said =
    calls.length > 0
      ? answers.flatMap((call) => sureResults(call, calls))
      : text.untrusted.slice(0, -1).map((passage) => passage.text);
  const isNew = ({ kind, value, provenance, path }: Argument): boolean =>
    MADE_UP.has(kind) &&
    provenance !== 'user' &&
    !path.includes('#') &&
    /\d/.test(value) &&
    value.length >= SHORTEST_VALUE &&
    !said.some((one) => one.includes(value)) &&
    !userWords(text).includes(value);
  return args.find(isNew)?.path ?? '';
}

/** The parameter that shows that money is spent, where the user speaks of no purchase; '' otherwise. */
export function spendsUnasked(event: AgentEvent, ontology: Ontology, text: TextReading): string {
  const said = userWords(text).slice(0, MAX_REQUEST);
  return said === '' || words(ontology).buying.test(said) ? '' : spendingSign(event, ontology);
}
