/** GET /audit: the audit log, newest first. */
import { Type } from 'typebox';
import { parseTimestamp } from '../../lang/timestamp.ts';
import { WeirError } from '../../platform/errors.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { dateTime, optionalText, requiredText, wholeNumber } from '../../platform/http/parameters.ts';
import { parseUuid } from '../../platform/ids.ts';
import type { AuditFilter } from '../../storage/ports/auth.ts';
import type { Auth } from '../../tokens/auth.ts';

const MAX_PAGE = 1_000;

/** Only with an offset: a database would take its own time zone. */
const parseUtc = (text: string) => (/(?:z|[+-]\d\d:\d\d)$/i.test(text) ? parseTimestamp(text) : null);

const entrySchema = Type.Object({
  audit_id: Type.Integer(),
  at: Type.String({ format: 'date-time' }),
  customer_id: Type.Union([Type.String({ format: 'uuid' }), Type.Null()]),
  action: Type.String({ description: 'such as token.issued, token.refused, tree.revoked, key.rotated, event.denied' }),
  actor: Type.String(),
  request_id: Type.String(),
  subject: Type.Union([Type.String(), Type.Null()], { description: 'jti, key_id or event_id' }),
  details: Type.Object({}, { additionalProperties: true }),
});

export function listAudit({ store }: Pick<Auth, 'store'>) {
  return endpoint({
    method: 'GET',
    path: '/audit',
    operation: 'list_audit',
    summary: 'The audit log of a customer',
    description: 'Newest first. For the next page send the smallest `audit_id` as `before`. Entries are never changed.',
    tag: 'audit',
    access: 'management',
    scope: 'admin',
    query: {
      customer_id: requiredText(36, 'the customer, a UUID'),
      before: wholeNumber(1, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 'only entries with a smaller audit_id'),
      limit: wholeNumber(1, MAX_PAGE, 100, 'entries on one page'),
      action: optionalText(64, 'only this action, or with a final `.` all that begin so: `token.`'),
      actor: optionalText(256, 'only entries of this caller'),
      subject: optionalText(256, 'only entries about this jti, key_id or event_id'),
      since: dateTime(parseUtc, 'only entries at or after'),
      until: dateTime(parseUtc, 'only entries at or before'),
    },
    answers: { 200: { description: 'entries', schema: Type.Object({ entries: Type.Array(entrySchema) }) } },
    handle: async ({ query }) => {
      const customer_id = parseUuid(query.customer_id);
      if (customer_id === null) {
        const errors = [{ path: 'customer_id', message: 'must be a UUID' }];
        throw new WeirError('invalid', { detail: '`customer_id` must be a UUID', errors });
      }
      const { before, limit, customer_id: _, ...wanted } = query;
      const filter = Object.fromEntries(
        Object.entries(wanted).filter(([, value]) => value !== undefined),
      ) as AuditFilter;
      return { body: { entries: await store.audit.list(customer_id, before, limit, filter) } };
    },
  });
}
