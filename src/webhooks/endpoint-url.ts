/**
 * What an endpoint's URL may look like. Only its form: where its name leads is asked at each attempt, on the address that
 * the socket uses (`send.ts`), because a name may lead elsewhere tomorrow.
 */
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

const MAX_LENGTH = 2_048;
/** Ports of HTTPS; others are services of another kind. */
const PORTS = new Set(['', '443', '8443']);

/** Names that no public resolver answers, or that mean this machine or this network. RFC 6761, RFC 6762, RFC 8375. */
const PRIVATE_SUFFIXES = [
  'localhost',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
  'svc',
  'invalid',
  'onion',
  'alt',
];

/** What is wrong with it, for the caller; `null` when it may be registered. `allow_private`: for development. */
export function endpointUrlProblem(text: string, allow_private: boolean): string | null {
  if (text.length > MAX_LENGTH) return `must be at most ${MAX_LENGTH} characters`;
  // WHATWG parsing forgives what other programs read differently, so the text is looked at before it is parsed.
  const authority = /^https?:\/\/([^/?#\\]+)(?:[/?][^#\\]*)?$/i.exec(text)?.[1];
  if (authority === undefined || /[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) {
    return 'must be a URL such as https://hooks.example.com/weir, without fragment, spaces or backslashes';
  }
  const url = new URL(text);
  if (authority.includes('@')) return 'must not hold a user name or password';
  if (allow_private) return null;
  if (url.protocol !== 'https:') return 'must begin with https://';
  if (!PORTS.has(url.port)) return 'must use port 443 or 8443';
  return hostProblem(url.hostname, authority);
}

function hostProblem(hostname: string, authority: string): string | null {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0) {
    // 2130706433 and 0177.0.0.1 are 127.0.0.1 to some: whoever writes so has something to hide.
    const is_plain = isIP(address) === 6 || authority.startsWith(address);
    return is_plain && isPublicAddress(address) ? null : 'must be a public address, written plainly';
  }
  const labels = hostname.split('.');
  const is_private = PRIVATE_SUFFIXES.some((suffix) => hostname === suffix || hostname.endsWith(`.${suffix}`));
  if (labels.length < 2 || labels.includes('') || is_private) return 'must have a public host name';
  return null;
}
