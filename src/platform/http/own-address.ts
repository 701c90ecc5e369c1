/** Where people reach the auth service: `AUTH_PUBLIC_URL`, else the address that it listens on. */
import type { Settings } from '../settings.ts';

export interface OwnAddress {
  /** Without a final slash. */
  url(): string;
  /** Called once the port is known; of no effect where `AUTH_PUBLIC_URL` is set. */
  listensOn(url: string): void;
}

export function createOwnAddress(settings: Pick<Settings, 'AUTH_PUBLIC_URL' | 'HOST' | 'AUTH_PORT'>): OwnAddress {
  const { AUTH_PUBLIC_URL: set, HOST, AUTH_PORT } = settings;
  let url = (set ?? `http://${reachable(HOST)}:${AUTH_PORT}`).replace(/\/$/, '');
  return {
    url: () => url,
    listensOn: (found) => {
      if (set === null) url = found;
    },
  };
}

/** The unspecified addresses are for binding only; a caller on this machine uses the loopback address. */
export function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
