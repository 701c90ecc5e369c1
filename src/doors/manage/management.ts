/**
 * Access to the management plane: the holder of the admin key, or of an API key with the scope of the endpoint; where
 * `AUTH_TRUST_NETWORK` says so, anyone who reaches it. A web page may steer a browser on this machine, so calls that a browser sends
 * for another site are refused, and without a key only local host names are served on loopback: a page that points its own name at
 * 127.0.0.1 is refused.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { type Admit, type AdmitPerson, type Caller, refuseForeignPage } from '../../platform/caller.ts';
import type { Clock } from '../../platform/clock.ts';
import { tooFast, WeirError } from '../../platform/errors.ts';
import { createRates } from '../../platform/http/rates.ts';
import type { Settings } from '../../platform/settings.ts';

type ManagementSettings = Pick<Settings, 'HOST' | 'AUTH_RATE_LIMIT_RPM'> & {
  /** What operators send; `null`: anyone who reaches the port is trusted. */
  admin_key: string | null;
};

const OPERATOR: Caller = { customer_id: '', key_id: '', scopes: [] };

export function createManagementGate(settings: ManagementSettings, clock: Clock): Admit {
  const admit = chooseGate(settings, clock);
  const { AUTH_RATE_LIMIT_RPM: rpm } = settings;
  const rates = rpm === 0 ? null : createRates(rpm, rpm / 60, clock);
  return (request) => {
    refuseForeignPage(request);
    // Before the rate: anyone who sends wrong keys from an address must not use up the requests of the right one.
    const caller = admit(request);
    const wait_s = rates?.take(addressOf(request)) ?? 0;
    if (wait_s > 0) throw tooFast(`each address may send ${rpm} requests per minute`, wait_s);
    return caller;
  };
}

/**
 * A caller with an API key is the customer of that key, with its scopes; any other goes through `gate`. Both at once are refused: the
 * caller must not be taken for whichever may do more.
 */
export function orApiKey(gate: Admit, admitKey: Admit, admitPerson: AdmitPerson = () => null): Admit {
  return (request) => {
    const { authorization, 'x-api-key': key } = request.headers;
    if (key === undefined) {
      const person = authorization === undefined ? admitPerson(request) : null;
      if (person !== null) refuseForeignPage(request);
      return person ?? gate(request);
    }
    refuseForeignPage(request);
    if (authorization !== undefined)
      throw new WeirError('unauthenticated', { detail: 'send `X-API-Key` or `Authorization`, not both' });
    return admitKey(request);
  };
}

function chooseGate({ HOST, admin_key }: ManagementSettings, clock: Clock): Admit {
  if (admin_key !== null) return needsKey(admin_key, clock);
  return isLoopback(HOST) ? needsLocalName : () => OPERATOR;
}

/** Wrong keys of one address that are told so; more are told to wait. */
const WRONG_KEYS_BURST = 100;
const WRONG_KEYS_PER_SECOND = 1;

function needsKey(admin_key: string, clock: Clock): Admit {
  const expected = digest(admin_key);
  const wrong = createRates(WRONG_KEYS_BURST, WRONG_KEYS_PER_SECOND, clock);
  return (request) => {
    const { headers } = request;
    const address = addressOf(request);
    const sent = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
    if (timingSafeEqual(digest(sent), expected)) return OPERATOR;
    // After the comparison: wrong keys from an address must not lock out who has the right one.
    if (wrong.take(address) > 0) throw tooFast('too many wrong keys from this address', 1);
    throw new WeirError('unauthenticated', {
      detail:
        'send `Authorization: Bearer` with AUTH_ADMIN_KEY, or with the key in DATA_DIR/admin-key; or `X-API-Key` with the scope for this',
    });
  };
}

const needsLocalName: Admit = ({ headers }) => {
  const name = URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? '';
  if (isLoopback(name)) return OPERATOR;
  throw new WeirError('forbidden', {
    detail: 'call this service by a local name such as 127.0.0.1, or send the admin key',
  });
};

/** `localhost`, `127.0.0.0/8` and `::1`, the last with or without brackets. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  return name === 'localhost' || name === '::1' || name === '[::1]' || (isIPv4(name) && name.startsWith('127.'));
}

function addressOf({ socket }: { socket?: { remoteAddress?: string | undefined } }): string {
  return socket?.remoteAddress ?? '';
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
