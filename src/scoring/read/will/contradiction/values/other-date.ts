/** Dates of an action in another month than the user's: 12 July where the user said 12 June. */
import type { AgentEvent } from '../../../../../events/event.ts';
import { parametersOf } from '../../../../../events/parameters.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { listOf, setOf } from '../../../../../ontology/words.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { perRequest } from '../../../conversation/user-words.ts';
import { DAY_OF_MONTH } from '../../dates.ts';
import type { Contradiction } from '../contradicted.ts';

const words = perOntology((ontology) => ({
  months: new Map(
    listOf(ontology, 'month_names').flatMap((month, i) => [
      [month, i + 1],
      [month.slice(0, 3), i + 1],
    ]),
  ),
  between: setOf(ontology, 'between_days_words'),
  other_times: new Set([...listOf(ontology, 'weekday_names'), ...listOf(ontology, 'other_time_words')]),
}));

const MAX_LEAVES = 200;
const MAX_WORDS = 2_000;
const LONGEST_WRITTEN = 32;
const GIVEN = /^(\d{4})-(\d{2})-(\d{2})(?:[T ][\d:.+Z-]{0,24})?$/;
const ISO = /(?<!\d)\d{4}-(\d{2})-(\d{2})(?!\d)/g;
const MAX_BETWEEN = 4;

interface Day {
  month: number;
  day: number;
  text: string;
}

/**
 * A date of the same day in another month than every date that the user names: a slip or an invention, whatever a tool said.
 * Another day of the same month may follow from the user's («the evening before»), so it is left open.
 */
export function otherDates(event: AgentEvent, ontology: Ontology, text: TextReading): readonly Contradiction[] {
  const given = parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .flatMap(({ path, value }) => {
      const [whole = '', , month = '', day = ''] = typeof value === 'string' ? (GIVEN.exec(value.trim()) ?? []) : [];
      if (whole !== '') return [{ path, whole, month: Number(month), day: Number(day) }];
      // «14 May 2026», as forms and pages write it.
      if (typeof value !== 'string' || value.length > LONGEST_WRITTEN || !/\d/.test(value)) return [];
      const [written, ...more] = daysNamed(value, ontology);
      return written === undefined || more.length > 0 ? [] : [{ path, whole: value.trim(), ...written }];
    });
  if (given.length === 0) return [];
  const named = askedDays(text);
  if (named.length === 0) return [];
  return given.flatMap(({ path, whole, month, day }) => {
    // «11 December» as 2025-11-12: day and month changed places.
    const swapped = named.find((one) => one.day === month && one.month === day && day !== month);
    const asked = swapped ?? named.find((one) => one.day === day && one.month !== month);
    if (asked === undefined || named.some((one) => one.month === month)) return [];
    return [{ parameter: path, asked: asked.text, used: whole, kind: 'date', factor: 1, is_less: false }];
  });
}

const askedDays = perRequest(daysNamed);

/** The days that a text names with their month. */
function daysNamed(said: string, ontology: Ontology): readonly Day[] {
  const days: Day[] = [...said.matchAll(ISO)].map(([text, month, day]) => ({
    month: Number(month),
    day: Number(day),
    text,
  }));
  const { months, other_times, between } = words(ontology);
  const tokens = said
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .slice(0, MAX_WORDS);
  // «Since October 8 … due next Friday»: another time is mentioned, and the date may be that.
  if (tokens.some((word) => other_times.has(word))) return [];
  for (const [i, word] of tokens.entries()) {
    const month = months.get(word);
    if (month === undefined) continue;
    const add = (at: number): boolean => {
      const day = Number(DAY_OF_MONTH.exec(tokens[at] ?? '')?.[1] ?? 0);
      if (day >= 1 && day <= 31) days.push({ month, day, text: `${day} ${word}` });
      return day >= 1 && day <= 31;
    };
    for (let step = 1, at = i + 1; step <= MAX_BETWEEN && (add(at) || between.has(tokens[at] ?? '')); step++) at++;
    for (let step = 1, at = i - 1; step <= MAX_BETWEEN && at >= 0 && (add(at) || between.has(tokens[at]!)); step++)
      at--;
  }
  return days;
}
