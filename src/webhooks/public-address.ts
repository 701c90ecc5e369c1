/** Which addresses a webhook may use: those that are reachable on the public internet, and no others. */
import ipaddr from 'ipaddr.js';

/**
 * Whether an IP address is global unicast. IPv4 addresses embedded in IPv6 (mapped, compatible, NAT64, 6to4, Teredo)
 * are refused as such: webhooks do not need them, and a nearby translator could turn them into any address.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.kind() === 'ipv4') return address.range() === 'unicast';
  // RFC 4291 section 2.4 and the IANA registry: only 2000::/3 is allocated; the ranges below are parts of it.
  return (
    address.range() === 'unicast' && address.match(GLOBAL_UNICAST) && !SPECIAL.some((range) => address.match(range))
  );
}

const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/** IANA special-purpose ranges within 2000::/3: protocol assignments with Teredo, documentation, 6to4. */
const SPECIAL = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((range) => ipaddr.parseCIDR(range));
