/**
 * GET /metrics for Prometheus. Not on the scoring API, which customers reach: on the auth service, under the same key as
 * the rest of it, and on a port of its own without one (`METRICS_PORT`), so that a scraper need not hold that key.
 */
import { Type } from 'typebox';
import { type Access, type Endpoint, endpoint } from './endpoint.ts';

export interface MetricsText {
  metrics_text: () => Promise<string>;
  metrics_type: string;
}

export function metricsEndpoint({ metrics_text, metrics_type }: MetricsText, access: Access): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/metrics',
    operation: 'metrics',
    summary: 'Measures of this process, for Prometheus',
    description: 'Text format of Prometheus. No customer, key or id is in it. See docs/metrics.md.',
    tag: 'health',
    access,
    answers: { 200: { description: 'the measures', schema: Type.String(), content_type: 'text/plain' } },
    handle: async () => ({ headers: { 'content-type': metrics_type }, body: await metrics_text() }),
  });
}
