/** GET /scores/event/{event_id}: everything about one scored event. */
import { endpoint } from '../platform/endpoint.ts';
import { WeirError } from '../platform/errors.ts';
import { scoreDetail } from '../records/views.ts';
import type { Storage } from '../storage/ports.ts';
import { scoreDetailSchema } from './score-schemas.ts';

export function getScore({ storage }: { storage: Storage }) {
  return endpoint({
    method: 'GET',
    path: '/scores/event/{event_id}',
    operation: 'get_score',
    summary: 'One score in full, with its decomposition and the event',
    description: 'Percent-encode the event_id. Events of other customers are not found, like events that never were.',
    tag: 'scores',
    access: 'api_key',
    answers: { 200: { description: 'the score', schema: scoreDetailSchema } },
    errors: ['not_found'],
    handle: async ({ caller, path }) => {
      const record = await storage.scores.find(caller.customer_id, path.event_id);
      if (record === null) throw eventNotFound();
      return { body: scoreDetail(record) };
    },
  });
}

/** The same for an event that never was and for another customer's: it must not tell the two apart. */
export function eventNotFound(): WeirError {
  return new WeirError('not_found', { detail: 'you have no scored event with this event_id' });
}
