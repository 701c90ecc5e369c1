/**
 * Strict parsing of ISO 8601 date and time, independent of the machine's clock, locale and time zone. Events, query
 * parameters and the functions of conditions all use it.
 */

/** A parsed timestamp: clock fields in its own offset, `epoch_ms` in UTC. */
export interface Timestamp {
  epoch_ms: number;
  year: number;
  month: number;
  day: number;
  /** 0-23, in the timestamp's own offset. */
  hour: number;
  minute: number;
  second: number;
  /** 1 Monday to 7 Sunday, in the timestamp's own offset. */
  day_of_week: number;
  offset_minutes: number;
}

/** Longest text that can be a timestamp (characters); longer texts are refused without parsing. */
const MAX_LENGTH = 40;
const MAX_FRACTION_DIGITS = 12;
const MS_PER_DAY = 86_400_000;

/**
 * The timestamp in `text`, or null. Accepted: `YYYY-MM-DDThh:mm`, then optional seconds with an optional fraction, then
 * `Z`, `+hh:mm`, `-hh:mm` or nothing, which is read as UTC. Refused: days that do not exist, years outside 0001-9999,
 * hour 24, second 60, dates alone, and words such as `now` that a database would understand.
 *
 * Parses character by character, because conditions call it for every event and a regular expression took four times as
 * long.
 */
export function parseTimestamp(text: string): Timestamp | null {
  if (text.length > MAX_LENGTH || !hasSeparators(text)) return null;
  const year = number(text, 0, 4);
  const month = number(text, 5, 2);
  const day = number(text, 8, 2);
  const hour = number(text, 11, 2);
  const minute = number(text, 14, 2);
  if (!isDate(year, month, day) || !isBelow(hour, 24) || !isBelow(minute, 60)) return null;

  const has_seconds = text[16] === ':';
  const second = has_seconds ? number(text, 17, 2) : 0;
  const fraction_end = has_seconds ? endOfFraction(text, 19) : 16;
  const offset_minutes = offsetAt(text, fraction_end);
  if (!isBelow(second, 60) || Number.isNaN(offset_minutes)) return null;

  const days = daysSinceEpoch(year, month, day);
  const clock_ms = ((hour * 60 + minute) * 60 + second) * 1000 + milliseconds(text, fraction_end);
  const epoch_ms = days * MS_PER_DAY + clock_ms - offset_minutes * 60_000;
  return { epoch_ms, year, month, day, hour, minute, second, day_of_week: dayOfWeek(days), offset_minutes };
}

function hasSeparators(text: string): boolean {
  const is_date = text[4] === '-' && text[7] === '-';
  return is_date && (text[10] === 'T' || text[10] === 't') && text[13] === ':';
}

/** The number in `count` digits; NaN if a character is not a digit. */
function number(text: string, start: number, count: number): number {
  let value = 0;
  for (let at = start; at < start + count; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

/** Also false for NaN. */
function isBelow(value: number, limit: number): boolean {
  return value < limit;
}

/** End of the optional fraction at `start`; NaN if a point has no digits or too many. */
function endOfFraction(text: string, start: number): number {
  if (text[start] !== '.') return start;
  let end = start + 1;
  while (number(text, end, 1) >= 0) end += 1;
  const digits = end - start - 1;
  return digits >= 1 && digits <= MAX_FRACTION_DIGITS ? end : Number.NaN;
}

/** Digits beyond milliseconds are truncated: rounding could move a timestamp into the next day. */
function milliseconds(text: string, fraction_end: number): number {
  const digits = Math.min(fraction_end - 20, 3);
  return digits < 1 ? 0 : number(text, 20, digits) * 10 ** (3 - digits);
}

/** The offset in minutes if it fills the rest of the text; NaN otherwise. */
function offsetAt(text: string, start: number): number {
  const sign = text[start];
  if (start === text.length) return 0;
  if (sign === 'Z' || sign === 'z') return start + 1 === text.length ? 0 : Number.NaN;
  if ((sign !== '+' && sign !== '-') || text[start + 3] !== ':' || start + 6 !== text.length) return Number.NaN;
  const hours = number(text, start + 1, 2);
  const minutes = number(text, start + 4, 2);
  if (!isBelow(hours, 24) || !isBelow(minutes, 60)) return Number.NaN;
  const total = hours * 60 + minutes;
  return sign === '-' ? 0 - total : total;
}

function isDate(year: number, month: number, day: number): boolean {
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Days from 1 January 1970 in the Gregorian calendar. Years count from March, so that the leap day comes last. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const shifted_year = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted_year / 400);
  const year_of_era = shifted_year - era * 400;
  const day_of_year = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const day_of_era = year_of_era * 365 + Math.floor(year_of_era / 4) - Math.floor(year_of_era / 100) + day_of_year;
  // 719,468 days lie between 1 March of year 0 and 1 January 1970.
  return era * 146_097 + day_of_era - 719_468;
}

/** 1 January 1970 was a Thursday, day 4. */
function dayOfWeek(days: number): number {
  return ((((days + 3) % 7) + 7) % 7) + 1;
}
