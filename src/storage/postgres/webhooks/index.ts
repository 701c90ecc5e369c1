/** Webhooks in PostgreSQL: endpoints, secrets, and the outbox that `publish_message` writes (see the migration `webhooks`). */
import type pg from 'pg';
import type { WebhookStore } from '../../ports/webhooks.ts';
import { claim, release } from './claim.ts';
import { deliveries, dropOld, replay, stats } from './deliveries.ts';
import { list, publishTo, register, setDisabled } from './endpoints.ts';
import { finish } from './finish.ts';
import { rewrap, rotateSecret, sealedOtherwise } from './secrets.ts';

export function webhookStore(pool: pg.Pool, onWork: WebhookStore['onWork']): WebhookStore {
  return {
    register: (...args) => register(pool, ...args),
    list: (customer_id) => list(pool, customer_id),
    rotateSecret: (...args) => rotateSecret(pool, ...args),
    setDisabled: (...args) => setDisabled(pool, ...args),
    publishTo: (...args) => publishTo(pool, ...args),
    deliveries: (...args) => deliveries(pool, ...args),
    replay: (...args) => replay(pool, ...args),
    claim: (...args) => claim(pool, ...args),
    finish: (...args) => finish(pool, ...args),
    release: (...args) => release(pool, ...args),
    dropOld: (days) => dropOld(pool, days),
    stats: () => stats(pool),
    sealedOtherwise: (...args) => sealedOtherwise(pool, ...args),
    rewrap: (...args) => rewrap(pool, ...args),
    onWork,
  };
}
