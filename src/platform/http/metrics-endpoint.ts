/**
 * GET /metrics for Prometheus. Not on the scoring API, which customers reach: it is on the auth service under the admin
 * key, and on a port of its own without a key (`METRICS_PORT`), so that a scraper needs no key.
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
    summary: 'Metrics of this process, for Prometheus',
    description: 'Prometheus’s text format. It contains no customer, key or id. See docs/metrics.md.',
    tag: 'health',
    access,
    answers: { 200: { description: 'the measures', schema: Type.String(), content_type: 'text/plain' } },
    handle: async () => ({ headers: { 'content-type': metrics_type }, body: await metrics_text() }),
  });
}
