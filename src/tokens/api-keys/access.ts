/**
 * Authentication by `X-API-Key`. Every invalid key gets the same answer, byte for byte, so that the answer does not
 * reveal which keys exist.
 */
import { hash } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import { WeirError } from '../../platform/errors.ts';
import type { Admit, Caller } from '../../platform/http/endpoint.ts';
import { createRates } from '../../platform/http/rates.ts';
import { isApiKeyShaped } from '../../platform/ids.ts';
import type { StoredApiKey } from '../../storage/ports/storage.ts';
import { createKeyCache, type FindByHash } from './key-cache.ts';

export interface KeyAccess {
  admit: Admit;
  /** A key was revoked or made in this process: drop what is cached. */
  keysChanged(): void;
}

export interface KeyAccessOptions {
  findByHash: FindByHash;
  /** `TOKEN_PREFIX`. */
  prefix: string;
  /** Requests per minute for each key; 0 means no limit. */
  rate_limit_rpm: number;
  /** The same for each customer, over all its keys. */
  customer_rate_limit_rpm: number;
  clock: Clock;
}

/**
 * Look-ups of unknown keys that one address may cause: a burst, then a steady rate. Generous, because one address can
 * be a whole company; it only has to keep guessing from loading the database.
 */
const UNKNOWN_BURST = 1_000;
const UNKNOWN_PER_SECOND = 50;

export function createKeyAccess(options: KeyAccessOptions): KeyAccess {
  const { findByHash, prefix, rate_limit_rpm, customer_rate_limit_rpm, clock } = options;
  const cache = createKeyCache(findByHash, clock);
  const guesses = createRates(UNKNOWN_BURST, UNKNOWN_PER_SECOND, clock);
  const perMinute = (rpm: number) => (rpm === 0 ? null : createRates(rpm, rpm / 60, clock));
  const of_keys = perMinute(rate_limit_rpm);
  const of_customers = perMinute(customer_rate_limit_rpm);

  const decide = (key: StoredApiKey | null, address: string): Caller => {
    if (key === null || key.revoked_at !== null) {
      guesses.take(address);
      throw notAuthenticated();
    }
    return admitted(key);
  };

  const admitted = ({ key_id, customer_id }: StoredApiKey): Caller => {
    const wait_s = of_keys?.take(key_id) ?? 0;
    if (wait_s > 0) throw tooFast(`this API key may make ${rate_limit_rpm} requests per minute`, wait_s);
    const customer_wait_s = of_customers?.take(customer_id) ?? 0;
    if (customer_wait_s > 0)
      throw tooFast(`this customer may make ${customer_rate_limit_rpm} requests per minute`, customer_wait_s);
    return { customer_id, key_id };
  };

  return {
    admit: (request) => {
      const text = request.headers['x-api-key'];
      // Node joins repeated headers with a comma, which no key contains, so two keys are rejected.
      if (typeof text !== 'string' || hasKeyInQuery(request.url)) throw notAuthenticated();
      const digest = hash('sha256', text, 'buffer');
      const fresh = cache.fresh(digest);
      // Nearly every request carries a key that was verified a moment ago; the checks below are for the others.
      if (fresh?.revoked_at === null) return admitted(fresh);
      if (!isApiKeyShaped(text, prefix)) throw notAuthenticated();
      const address = request.socket.remoteAddress ?? '';
      if (!guesses.has(address) && !cache.wasKnown(digest))
        throw tooFast('too many unknown API keys from this address', 1);
      if (fresh !== undefined) return decide(fresh, address);
      return cache.ask(digest).then((key) => decide(key, address));
    },
    keysChanged: cache.clear,
  };
}

/** A key in a URL ends up in logs and histories, so it is refused even beside a valid header. */
const KEY_IN_QUERY = /[?&](?:x[-_])?api[-_]?key=/i;

function hasKeyInQuery(url = ''): boolean {
  return url.includes('?') && KEY_IN_QUERY.test(url);
}

function notAuthenticated(): WeirError {
  return new WeirError('unauthenticated', {
    detail: 'no valid API key; send exactly one in the `X-API-Key` header and none in the URL',
  });
}

function tooFast(what: string, wait_s: number): WeirError {
  return new WeirError('rate_limited', { detail: `${what}; try again in ${wait_s} s`, retry_after_s: wait_s });
}
