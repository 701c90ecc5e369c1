/** GET /scores/{customer_id}/summary: counts by level and the mean. */
import { endpoint } from '../../platform/http/endpoint.ts';
import type { Storage } from '../../storage/ports/storage.ts';
import { scoreSummarySchema } from './score-schemas.ts';

export function summariseScores({ storage }: { storage: Storage }) {
  return endpoint({
    method: 'GET',
    path: '/scores/{customer_id}/summary',
    operation: 'summarise_scores',
    summary: 'Counts by risk level and the mean score',
    tag: 'scores',
    access: 'api_key',
    scope: 'scores:read',
    answers: { 200: { description: 'the summary', schema: scoreSummarySchema } },
    handle: async ({ path }) => {
      const { would_hold_count, ...summary } = await storage.scores.summary(path.customer_id);
      return { body: { customer_id: path.customer_id, ...summary, would_have_held_count: would_hold_count } };
    },
  });
}
