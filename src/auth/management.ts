/**
 * Who may call the management plane: the holder of `AUTH_ADMIN_KEY`; without one, whoever is on this machine.
 * A browser on this machine may be steered by a web page, so without a key only local host names are served: a page
 * that points its own name at 127.0.0.1 is refused.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { Admit } from '../platform/access.ts';
import type { Caller } from '../platform/endpoint.ts';
import { WeirError } from '../platform/errors.ts';
import type { Settings } from '../platform/settings.ts';
import { SettingsError } from '../platform/settings.ts';

type ManagementSettings = Pick<Settings, 'HOST' | 'AUTH_ADMIN_KEY' | 'AUTH_TRUST_NETWORK'>;

const OPERATOR: Caller = { customer_id: '', key_id: '' };

/** Refuses to guard a port that a network can reach with nothing at all. */
export function createManagementGate({ HOST, AUTH_ADMIN_KEY, AUTH_TRUST_NETWORK }: ManagementSettings): Admit {
  if (AUTH_ADMIN_KEY !== null) return needsKey(AUTH_ADMIN_KEY);
  if (AUTH_TRUST_NETWORK) return () => OPERATOR;
  if (isLoopback(HOST)) return needsLocalName;
  throw new SettingsError(
    `HOST: the auth service would bind to \`${HOST}\` and take calls from anyone; set AUTH_ADMIN_KEY, or AUTH_TRUST_NETWORK=true if the network itself keeps others out`,
  );
}

function needsKey(admin_key: string): Admit {
  const expected = digest(admin_key);
  return ({ headers }) => {
    const sent = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
    if (timingSafeEqual(digest(sent), expected)) return OPERATOR;
    throw new WeirError('unauthenticated', { detail: 'send `Authorization: Bearer <AUTH_ADMIN_KEY>`' });
  };
}

const needsLocalName: Admit = ({ headers }) => {
  const name = URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? '';
  if (isLoopback(name)) return OPERATOR;
  throw new WeirError('forbidden', {
    detail: 'call this service by a local name such as 127.0.0.1, or set AUTH_ADMIN_KEY',
  });
};

/** `localhost`, `127.0.0.0/8` and `::1`, the last with or without brackets. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  return name === 'localhost' || name === '::1' || name === '[::1]' || (isIPv4(name) && name.startsWith('127.'));
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
