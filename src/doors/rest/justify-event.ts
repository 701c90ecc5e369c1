/** GET /justification: why an event got its score, with the articles at stake. */
import type { WriteJustification } from '../../engine/llm/justification.ts';
import { MAX_EVENT_ID } from '../../events/event-schema.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { requiredText } from '../../platform/http/parameters.ts';
import { eventNotFound, pending } from './get-score.ts';
import { justificationSchema, pendingSchema } from './score-schemas.ts';

export function justifyEvent({ justify }: { justify: WriteJustification }) {
  return endpoint({
    method: 'GET',
    path: '/justification',
    operation: 'justify_event',
    summary: 'Compliance justification of one score',
    description:
      'Runs the rules again on the stored event and reports which fired, why, and which articles they touch. Where a language model is set up, it adds an analysis at every call, each sentence tied to rules, articles and controls that the report names.',
    tag: 'scores',
    access: 'api_key',
    scope: 'scores:read',
    query: { event_id: requiredText(2 * MAX_EVENT_ID, 'the scored event') },
    answers: {
      200: { description: 'the justification', schema: justificationSchema },
      202: { description: 'accepted in a batch, not scored yet', schema: pendingSchema },
    },
    errors: ['not_found'],
    handle: async ({ caller, query, request }) => {
      const justification = await justify(caller.customer_id, query.event_id, request);
      if (justification === null) throw eventNotFound();
      if (justification === 'queued') return pending(query.event_id);
      return { body: justification };
    },
  });
}
