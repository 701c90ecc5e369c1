/** GET /scores/{customer_id}: scores, newest first. */

import { parseTimestamp, type Timestamp } from '../../lang/timestamp.ts';
import { WeirError } from '../../platform/errors.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { dateTime, oneOf, wholeNumber } from '../../platform/http/parameters.ts';
import { holdStates } from '../../records/hold.ts';
import { scoreListItem } from '../../records/views.ts';
import type { ScoreFilter, Storage } from '../../storage/ports/storage.ts';
import { riskLevels, scoreListSchema } from './score-schemas.ts';

/** Rows that may lie before the end of a page: deeper pages take the database longer than they are worth. */
const MAX_DEPTH = 1_000_000;

export function listScores({ storage }: { storage: Storage }) {
  return endpoint({
    method: 'GET',
    path: '/scores/{customer_id}',
    operation: 'list_scores',
    summary: 'List scores, newest first',
    description: `At most ${MAX_DEPTH} records deep (page × per_page); narrow the dates to go further back.`,
    tag: 'scores',
    access: 'api_key',
    query: {
      page: wholeNumber(1, MAX_DEPTH, 1, 'starts at 1'),
      per_page: wholeNumber(1, 100, 50, 'records on one page'),
      risk_level: oneOf(riskLevels, 'only this level'),
      hold: oneOf(holdStates, 'only events that were held and are in this state now'),
      from_date: dateTime(parseDate, 'only scores made on or after'),
      to_date: dateTime(parseDate, 'only scores made on or before'),
    },
    answers: { 200: { description: 'one page', schema: scoreListSchema } },
    handle: async ({ path, query }) => {
      const { page, per_page } = query;
      if (page * per_page > MAX_DEPTH) throw tooDeep(page, per_page);
      const { records, total } = await storage.scores.list(path.customer_id, filterOf(query), page, per_page);
      return { body: { scores: records.map(scoreListItem), page, per_page, total } };
    },
  });
}

/** PostgreSQL, which parses the text again, accepts no offset of 16 hours; the largest offset in use is 14. */
const MAX_OFFSET_MINUTES = 16 * 60 - 1;

function parseDate(text: string): Timestamp | null {
  const date = parseTimestamp(text);
  return date !== null && Math.abs(date.offset_minutes) <= MAX_OFFSET_MINUTES ? date : null;
}

interface Filters {
  risk_level: ScoreFilter['risk_level'] | undefined;
  hold: ScoreFilter['hold'] | undefined;
  from_date: string | undefined;
  to_date: string | undefined;
}

function filterOf({ risk_level, hold, from_date, to_date }: Filters): ScoreFilter {
  return {
    ...(risk_level !== undefined && { risk_level }),
    ...(hold !== undefined && { hold }),
    ...(from_date !== undefined && { from_date: inUtc(from_date) }),
    ...(to_date !== undefined && { to_date: inUtc(to_date) }),
  };
}

/** A time without an offset is UTC; written out, because a database would assume its own time zone. */
function inUtc(text: string): string {
  return /(?:z|[+-]\d\d:\d\d)$/i.test(text) ? text : `${text}Z`;
}

function tooDeep(page: number, per_page: number): WeirError {
  const message = `page ${page} of ${per_page} lies beyond ${MAX_DEPTH} records; narrow from_date and to_date instead`;
  return new WeirError('invalid', { detail: message, errors: [{ path: 'page', message }] });
}
