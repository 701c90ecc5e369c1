/** GET /health of the auth service. */
import { Type } from 'typebox';
import { endpoint } from '../../platform/http/endpoint.ts';

export function authHealth({ service_name }: { service_name: string }) {
  return endpoint({
    method: 'GET',
    path: '/health',
    operation: 'health',
    summary: 'Whether the service answers',
    tag: 'health',
    access: 'public',
    answers: {
      200: { description: 'it does', schema: Type.Object({ status: Type.Literal('healthy'), service: Type.String() }) },
    },
    handle: () => ({ body: { status: 'healthy', service: service_name } }),
  });
}
