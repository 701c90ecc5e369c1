/** Dates in a request beside dates of a record: «on December 7», «on Friday». */

import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { listOf, setOf, tableOf } from '../../../ontology/words.ts';
import { letterWordsIn, wordsIn } from '../words/fold.ts';
import { quantitiesIn } from './contradiction/values/quantities.ts';

const names = perOntology((ontology) => ({
  months: listOf(ontology, 'month_names').map((month) => month.slice(0, 3)),
  prefixes: tableOf(ontology, 'month_prefixes'),
  weekdays: listOf(ontology, 'weekday_names'),
  /** Days from today → words for that day. */
  relative_days: tableOf(ontology, 'relative_days'),
  /** Words right before a date on which something takes place; «since» and «before» bound a time. */
  placing: setOf(ontology, 'date_placing_words'),
}));
const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ].{0,24})?$/;
/** A day of a month, as a number or an ordinal. */
export const DAY_OF_MONTH = /^(\d{1,2})(?:st|nd|rd|th)?$/;
const MS_PER_DAY = 86_400_000;
const SECONDS_PER_DAY = 86_400;

/** The day that the user names, in the user's words, if none of the dates among these values is that day; else ''. */
export function otherDate(asked: string, values: readonly string[], ontology: Ontology): string {
  const dates = values.flatMap((value) => ISO.exec(value) ?? []).length === 0 ? [] : values.filter((v) => ISO.test(v));
  if (dates.length === 0) return '';
  const named = namedDays(asked, ontology);
  if (named.length === 0) return '';
  const fits = named.some((day) => dates.some((date) => day.is(ISO.exec(date)!)));
  return fits ? '' : named[0]!.text;
}

interface NamedDay {
  text: string;
  is: (date: RegExpExecArray) => boolean;
}

/** Every day that the text names by a date or a weekday; none where a word bounds a time by it («since Friday»). */
function namedDays(asked: string, ontology: Ontology): NamedDay[] {
  const { months, weekdays, placing } = names(ontology);
  const words = asked.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const days: NamedDay[] = [];
  for (const [i, word] of words.entries()) {
    const weekday = weekdays.indexOf(word);
    const month = word.length < 3 ? -1 : months.indexOf(word.slice(0, 3));
    const day = DAY_OF_MONTH.exec(words[i + 1] ?? '')?.[1];
    const is_date = month >= 0 && day !== undefined;
    if (weekday < 0 && !is_date) continue;
    // A bounded time, or another one, may be what the date belongs to.
    if (!placing.has(words[i - 1] ?? '')) return [];
    if (is_date)
      days.push({ text: `${word} ${day}`, is: (d) => Number(d[2]) === month + 1 && Number(d[3]) === Number(day) });
    else days.push({ text: word, is: (d) => weekdayOf(d) === weekday });
  }
  return days;
}

/** 0 is Sunday. */
function weekdayOf(date: RegExpExecArray): number {
  // 1970-01-01 was a Thursday.
  return (((dayNumber(date) + 4) % 7) + 7) % 7;
}

/** Days since 1970-01-01. */
const dayNumber = (date: RegExpExecArray): number =>
  Date.UTC(Number(date[1]), Number(date[2]) - 1, Number(date[3])) / MS_PER_DAY;

/** Whether a text gives the day of an ISO date in words or with points: «31 July», «July 31st», `31.07.2026`. */
export function isSaidDate(said: string, date: string, ontology: Ontology): boolean {
  const [, year = '', month = '', day = ''] = ISO.exec(date) ?? [];
  if (day === '') return false;
  const words = wordsIn(said);
  const prefixes = names(ontology).prefixes.get(String(Number(month))) ?? [];
  const isMonth = (word: string | undefined): boolean =>
    word !== undefined && prefixes.some((prefix) => word.startsWith(prefix));
  return words.some((word, i) => {
    if (Number(DAY_OF_MONTH.exec(word)?.[1]) !== Number(day)) return false;
    const isNumeric = Number(words[i + 1]) === Number(month) && words[i + 2] === year;
    // «31. de julio»
    return isNumeric || isMonth(words[i + 1]) || isMonth(words[i + 2]) || isMonth(words[i - 1]);
  });
}

/** Months differ in length, and a span may be counted from either end of a day. */
const SPAN_TOLERANCE = 0.03;

/**
 * Whether a text gives the day of an ISO date in any way: as a date, as a weekday, as a day seen from `now` («tomorrow»), or by a
 * span that ends or begins now («older than 90 days»).
 */
export function isSaidDay(said: string, date: string, now: string, ontology: Ontology): boolean {
  const day = ISO.exec(date);
  const today = ISO.exec(now);
  if (day === null) return false;
  if (isSaidDate(said, date, ontology)) return true;
  if (today === null) return false;
  const offset = dayNumber(day) - dayNumber(today);
  const { relative_days, weekdays } = names(ontology);
  const words = letterWordsIn(said);
  const names_of_day = [...(relative_days.get(String(offset)) ?? [])];
  if (offset > 0 && offset <= 7) names_of_day.push(weekdays[weekdayOf(day)]!);
  if (words.some((word) => names_of_day.includes(word))) return true;
  const seconds = Math.abs(offset) * SECONDS_PER_DAY;
  return quantitiesIn(said, ontology).some(
    ({ value, dimensions }) =>
      dimensions.includes('units_time') &&
      Math.abs(value - seconds) <= Math.max(SECONDS_PER_DAY, value * SPAN_TOLERANCE),
  );
}
