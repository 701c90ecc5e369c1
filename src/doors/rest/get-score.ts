/** GET /scores/event/{event_id}: everything about one scored event. */
import type { Waiting } from '../../holds/await-decision.ts';
import { WeirError } from '../../platform/errors.ts';
import { type Answer, endpoint } from '../../platform/http/endpoint.ts';
import { oneOf, wholeNumber } from '../../platform/http/parameters.ts';
import { scoreDetail } from '../../records/views.ts';
import { pendingSchema, scoreDetailSchema } from './score-schemas.ts';

/** Below the idle time-outs of the usual proxies and load balancers. */
const MAX_WAIT_S = 60;

export function getScore({ waiting }: { waiting: Waiting }) {
  return endpoint({
    method: 'GET',
    path: '/scores/event/{event_id}',
    operation: 'get_score',
    summary: 'One score in full, with its decomposition and the event',
    description:
      'Percent-encode the event_id. Events of other customers are not found, like unknown events. With `wait`, the answer for a held event comes as soon as a person decides, and for an event that is not scored yet as soon as it is scored, or decided if its score holds it. After that many seconds the answer is its current state.',
    tag: 'scores',
    access: 'api_key',
    scope: 'scores:read',
    query: {
      wait: wholeNumber(0, MAX_WAIT_S, 0, 'seconds to wait for a decision'),
      articles: oneOf(
        ['first', 'all'],
        'first: at most six in `compliance_refs`, as in all answers; all: every article',
      ),
    },
    answers: {
      200: { description: 'the score', schema: scoreDetailSchema },
      202: { description: 'accepted in a batch, not scored yet', schema: pendingSchema },
    },
    errors: ['not_found'],
    handle: async ({ caller, path, query, request }) => {
      const record = await waiting.lookUp(caller.customer_id, path.event_id, query.wait, request.checkWanted);
      if (record === null) throw eventNotFound();
      if (record === 'queued') return pending(path.event_id);
      return { body: scoreDetail(record, query.articles) };
    },
  });
}

/** The answer for an event that is accepted and not scored yet. */
export function pending(event_id: string): Answer {
  return { status: 202, headers: { 'retry-after': '1' }, body: { event_id, status: 'pending' } };
}

/** The same answer for an unknown event and for another customer's, so that the two cannot be told apart. */
export function eventNotFound(): WeirError {
  return new WeirError('not_found', { detail: 'you have no scored event with this event_id' });
}
