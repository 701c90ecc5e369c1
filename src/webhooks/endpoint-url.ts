/**
 * Which URLs an endpoint may have. Only the form is checked here: the address of its name is checked at each attempt,
 * on the address that the socket uses (`send.ts`), because a name may resolve to another one tomorrow.
 */
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

const MAX_LENGTH = 2_048;
/** Ports of HTTPS; others belong to other services. */
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

/** The fault, for the caller; `null` when the URL may be registered. `allow_private`: for development. */
export function endpointUrlProblem(text: string, allow_private: boolean): string | null {
  if (text.length > MAX_LENGTH) return `must be at most ${MAX_LENGTH} characters`;
  // WHATWG parsing accepts forms that other programs read differently, so the text is checked before it is parsed.
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
    // Some parsers read 2130706433 and 0177.0.0.1 as 127.0.0.1; such a spelling is only useful to hide an address.
    const is_plain = isIP(address) === 6 || authority.startsWith(address);
    return is_plain && isPublicAddress(address) ? null : 'must be a public address, written plainly';
  }
  const labels = hostname.split('.');
  const is_private = PRIVATE_SUFFIXES.some((suffix) => hostname === suffix || hostname.endsWith(`.${suffix}`));
  if (labels.length < 2 || labels.includes('') || is_private) return 'must have a public host name';
  return null;
}
