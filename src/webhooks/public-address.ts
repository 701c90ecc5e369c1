/** Which addresses a webhook may go to: those that anyone on the internet could reach, and nothing else. */
import ipaddr from 'ipaddr.js';

/**
 * Whether an IP address is global unicast. IPv4 addresses that hide in IPv6 (mapped, compatible, NAT64, 6to4, Teredo) are
 * refused as such: nobody needs them for a webhook, and a translator near us could turn them into anything.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.kind() === 'ipv4') return address.range() === 'unicast';
  // RFC 4291 section 2.4 and the IANA registry: only 2000::/3 is handed out; the ranges below lie in it.
  return (
    address.range() === 'unicast' && address.match(GLOBAL_UNICAST) && !SPECIAL.some((range) => address.match(range))
  );
}

const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/** IANA special-purpose ranges within 2000::/3: protocol assignments with Teredo, documentation, 6to4. */
const SPECIAL = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((range) => ipaddr.parseCIDR(range));
