/**
 * The operator's key for the management plane: `AUTH_ADMIN_KEY`, or one that the first start makes and keeps in
 * `DATA_DIR/admin-key`, readable by its owner only. Where several nodes serve the management plane, set it.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type KeptSecret, readOrMakeSecret } from '../../platform/kept-secret.ts';
import type { Settings } from '../../platform/settings.ts';

type AdminKeySettings = Pick<Settings, 'AUTH_ADMIN_KEY' | 'AUTH_TRUST_NETWORK' | 'DATA_DIR' | 'TOKEN_PREFIX'>;

const FILE_NAME = 'admin-key';
const BYTES = 32;

export const adminKeyFile = ({ DATA_DIR }: Pick<Settings, 'DATA_DIR'>): string => join(DATA_DIR, FILE_NAME);

/** For the server; `null` where the network is trusted instead. Rejects with the file system's error. */
export async function openAdminKey(settings: AdminKeySettings): Promise<KeptSecret | null> {
  if (settings.AUTH_ADMIN_KEY !== null) return { text: settings.AUTH_ADMIN_KEY, is_new: false };
  if (settings.AUTH_TRUST_NETWORK) return null;
  return await readOrMakeSecret(adminKeyFile(settings), () => newAdminKey(settings.TOKEN_PREFIX));
}

/** `<prefix>_admin_` and 256 random bits. */
export function newAdminKey(prefix: string): string {
  return `${prefix}_admin_${randomBytes(BYTES).toString('base64url')}`;
}
