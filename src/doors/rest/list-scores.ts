/** GET /scores/{customer_id}: scores by filter, in pages or by cursor. */

import { Type } from 'typebox';
import { parseActionPattern } from '../../lang/patterns.ts';
import { parseTimestamp, type Timestamp } from '../../lang/timestamp.ts';
import { WeirError } from '../../platform/errors.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import {
  dateTime,
  oneOf,
  optionalText,
  type ParameterValues,
  parsed,
  wholeNumber,
} from '../../platform/http/parameters.ts';
import { holdStates } from '../../records/hold.ts';
import { scoreListItem } from '../../records/views.ts';
import type { FacetFilter, ScoreFilter, Storage } from '../../storage/ports/storage.ts';
import { formatCursor, parseCursor, scoreOrders } from './score-cursor.ts';
import { riskLevels, scoreListSchema } from './score-schemas.ts';

/** Rows that may lie before the end of a page: deeper pages take the database longer than they are worth. */
const MAX_DEPTH = 1_000_000;
/** As of identifiers in events. */
const MAX_ID = 256;
/** More than a cursor with the longest event_id has. */
const MAX_CURSOR = 2_048;

const filters = {
  risk_level: oneOf(riskLevels, 'only this level'),
  hold: oneOf(holdStates, 'only events that were held and are in this state now'),
  would_have_held: oneOf(['true', 'false'], 'only events that would have been held and were observed, or only others'),
  agent_id: optionalText(MAX_ID, 'only events of this agent'),
  session_id: optionalText(MAX_ID, 'only events of this session'),
  user_id: optionalText(MAX_ID, 'only events of sessions of this person'),
  rule: optionalText(MAX_ID, 'only events that violate this rule'),
  action: parsed(
    (text) => parseActionPattern(text.toLowerCase()),
    Type.String({
      pattern:
        '^(\\*|[A-Za-z0-9_.\\-]{1,64}:\\*|([A-Za-z0-9_.\\-]{1,64}|\\*)(:([A-Za-z0-9_.\\-]{1,64}|\\*)){2}|\\*:\\*)$',
      description: 'only events whose action matches this pattern; `*` stands for a segment, a final one for the rest',
    }),
    'an action such as github:pulls:merge, or a pattern such as github:* or *:*:delete',
  ),
  from_date: dateTime(parseDate, 'only scores made on or after'),
  to_date: dateTime(parseDate, 'only scores made on or before'),
};

export function listScores({ storage }: { storage: Storage }) {
  return endpoint({
    method: 'GET',
    path: '/scores/{customer_id}',
    operation: 'list_scores',
    summary: 'List scores',
    description: `Newest first unless \`order\` says otherwise. Pages reach at most ${MAX_DEPTH} records deep (page × per_page); \`next_cursor\` of an answer continues it at any depth, with the same filters.`,
    tag: 'scores',
    access: 'api_key',
    scope: 'scores:read',
    query: {
      page: wholeNumber(1, MAX_DEPTH, 1, 'starts at 1'),
      per_page: wholeNumber(1, 100, 50, 'records on one page'),
      order: oneOf(scoreOrders, 'newest first (default), oldest first, or the highest score first'),
      cursor: parsed(
        (text) => (text.length <= MAX_CURSOR ? parseCursor(text) : null),
        Type.String({
          minLength: 1,
          maxLength: MAX_CURSOR,
          description: '`next_cursor` of the answer before; instead of `page`',
        }),
        'the `next_cursor` of an answer of this endpoint, unchanged',
      ),
      ...filters,
    },
    answers: { 200: { description: 'one page', schema: scoreListSchema } },
    handle: async ({ path, query }) => {
      const { page, per_page, cursor } = query;
      if (page * per_page > MAX_DEPTH) throw tooDeep(page, per_page);
      const order = query.order ?? cursor?.order ?? 'newest';
      if (cursor !== undefined) {
        if (page !== 1) throw invalid('page', 'cannot be combined with `cursor`; send one of them');
        if (order !== cursor.order)
          throw invalid(
            'cursor',
            `continues a list in the order \`${cursor.order}\`; leave \`order\` out or send that one`,
          );
      }
      const { records, total, next } = await storage.scores.search(path.customer_id, {
        filter: filterOf(query),
        order,
        from: cursor === undefined ? { page } : { after: cursor.after },
        limit: per_page,
      });
      const next_cursor = next === null ? null : formatCursor({ order, after: next });
      return { body: { scores: records.map(scoreListItem), page, per_page, total, next_cursor } };
    },
  });
}

/** PostgreSQL, which parses the text again, accepts no offset of 16 hours; the largest offset in use is 14. */
const MAX_OFFSET_MINUTES = 16 * 60 - 1;

function parseDate(text: string): Timestamp | null {
  const date = parseTimestamp(text);
  return date !== null && Math.abs(date.offset_minutes) <= MAX_OFFSET_MINUTES ? date : null;
}

function filterOf({
  risk_level,
  hold,
  would_have_held,
  agent_id,
  session_id,
  user_id,
  rule,
  action,
  from_date,
  to_date,
}: ParameterValues<typeof filters>): ScoreFilter & FacetFilter {
  return {
    ...(risk_level !== undefined && { risk_level }),
    ...(hold !== undefined && { hold }),
    ...(would_have_held !== undefined && { would_hold: would_have_held === 'true' }),
    ...(agent_id !== undefined && { agent_id }),
    ...(session_id !== undefined && { session_id }),
    ...(user_id !== undefined && { user_id }),
    ...(rule !== undefined && { rule }),
    ...(action !== undefined && { action }),
    ...(from_date !== undefined && { from_date: inUtc(from_date) }),
    ...(to_date !== undefined && { to_date: inUtc(to_date) }),
  };
}

/** A time without an offset is UTC; written out, because a database would assume its own time zone. */
function inUtc(text: string): string {
  return /(?:z|[+-]\d\d:\d\d)$/i.test(text) ? text : `${text}Z`;
}

function tooDeep(page: number, per_page: number): WeirError {
  return invalid(
    'page',
    `${page} of ${per_page} lies beyond ${MAX_DEPTH} records; follow \`next_cursor\` instead, or narrow from_date and to_date`,
  );
}

function invalid(path: string, message: string): WeirError {
  return new WeirError('invalid', { detail: `query parameter \`${path}\`: ${message}`, errors: [{ path, message }] });
}
