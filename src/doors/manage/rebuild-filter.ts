/** POST /bloom/rebuild: rebuilds the filter in the cache from the revocation log. */
import { Type } from 'typebox';
import { endpoint } from '../../platform/http/endpoint.ts';
import { auditLine } from '../../tokens/audit.ts';
import type { Auth } from '../../tokens/auth.ts';
import { operator } from './token-schemas.ts';

export function rebuildFilter({ view, store }: Pick<Auth, 'view' | 'store'>) {
  return endpoint({
    method: 'POST',
    path: '/bloom/rebuild',
    operation: 'rebuild_filter',
    summary: 'Rebuild the Bloom filter from the revocation log',
    description:
      'For maintenance: validators rebuild it by themselves when the cache has lost it. The old filter stays until the new one is complete.',
    tag: 'revocation',
    access: 'management',
    answers: {
      200: {
        description: 'rebuilt',
        schema: Type.Object({ rebuilt: Type.Boolean(), entries: Type.Integer({ description: 'revocations in it' }) }),
      },
    },
    handle: async ({ request }) => {
      const entries = await view.rebuild();
      const line = auditLine(operator(request), 'filter.rebuilt', { customer_id: null, details: { entries } });
      await store.audit.append(line);
      return { body: { rebuilt: true, entries } };
    },
  });
}
