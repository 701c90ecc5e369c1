/** GET /health: the process is alive. */
import { Type } from 'typebox';
import { endpoint } from '../../platform/http/endpoint.ts';

export function health() {
  return endpoint({
    method: 'GET',
    path: '/health',
    operation: 'health',
    summary: 'Whether the service answers',
    tag: 'health',
    access: 'public',
    answers: { 200: { description: 'it does', schema: Type.Object({ status: Type.Literal('ok') }) } },
    handle: () => ({ body: { status: 'ok' } }),
  });
}
