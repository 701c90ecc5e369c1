/** The auth service with its webhooks on the data of the settings, for one piece of work on the command line. */

import { heldEventsIn } from '../holds/held-event.ts';
import { systemClock } from '../platform/clock.ts';
import { newId } from '../platform/ids.ts';
import { readSettings } from '../platform/settings.ts';
import type { Cache } from '../storage/ports/cache.ts';
import type { Storage } from '../storage/ports/storage.ts';
import type { Requester } from '../tokens/audit.ts';
import { type Auth, createAuth } from '../tokens/auth.ts';
import { createWebhooks, type Webhooks } from '../webhooks/webhooks.ts';
import { notice, openData } from './open-data.ts';

/** The audit log records the command line as a caller of its own. */
export const commandLine = (): Requester => ({ actor: 'command line', request_id: newId() });

/** Opens the storage, and closes it in any case. A server may run on the same data. */
export async function withAuth<T>(work: (auth: Auth, webhooks: Webhooks, storage: Storage) => Promise<T>): Promise<T> {
  const settings = readSettings(process.env);
  const { openCache } = await import('../compose.ts');
  const storage = await openData(settings);
  let cache: Cache | null = null;
  try {
    cache = await openCache(settings, notice);
    const auth = createAuth({
      store: storage.auth,
      findHeld: heldEventsIn(storage.holds),
      cache,
      clock: systemClock,
      settings,
    });
    const { master_key } = auth;
    const allow_private = settings.WEBHOOK_ALLOW_PRIVATE;
    const has_mail = settings.SMTP_URL !== null && settings.SMTP_FROM !== null;
    return await work(auth, createWebhooks({ store: storage.webhooks, master_key, allow_private, has_mail }), storage);
  } finally {
    await Promise.all([storage.close(), cache?.close()]);
  }
}
