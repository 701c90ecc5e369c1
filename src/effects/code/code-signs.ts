/** What the text of code tells before any of it is read: a packer's marks, and addresses that no product has. */
import { perOntology } from '../../ontology/per-ontology.ts';
import { anyOf, listOf, patternOf } from '../../ontology/words.ts';
import { hostOfUrl, isLoopback } from '../hosts.ts';
import type { World } from '../world.ts';

const MAX_CODE = 64_000;
const MAX_LINKS = 32;
const PRIVATE_ADDRESS =
  /^(?:10\.|127\.|0\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[?(?:::1|f[cde])|255\.)/i;
/** User and password before the host, both written out. */
const WITH_PASSWORD = /^[a-z]+:\/\/[^/\s:@${}]{1,64}(?::[^/\s@${}]{1,64})?@/i;

export const codeSigns = perOntology((ontology) => {
  const link = patternOf(ontology, 'links', 'any');
  return {
    packed: anyOf(ontology, 'packed_code'),
    links: new RegExp(link.source, `${link.flags}g`),
    ipv4: patternOf(ontology, 'host_shapes', 'ipv4'),
    ipv6: patternOf(ontology, 'host_shapes', 'ipv6'),
    number: patternOf(ontology, 'host_shapes', 'number'),
    collectors: listOf(ontology, 'exfiltration_hosts'),
  };
});

/** Whether the host is a number inside a network of its own. */
export function isPrivateAddress(host: string): boolean {
  return PRIVATE_ADDRESS.test(host);
}

/** Adds what the text of stored code shows by itself. */
export function readSigns(w: World, code: string): void {
  const text = code.length > MAX_CODE ? code.slice(0, MAX_CODE) : code;
  const { packed, links } = codeSigns(w.ontology);
  const mark = packed.exec(text);
  if (mark !== null) w.add('obfuscates', 'one', 'packed code', mark[0]);
  if (!text.includes('://')) return;
  let left = MAX_LINKS;
  for (const [link] of text.matchAll(links)) {
    if (left-- <= 0) break;
    if (isStrange(w, link)) w.add('points_at_strangers', 'one', hostOfUrl(link), link);
  }
}

/** Whether an address names no product: a bare number, a host with its password, a place that takes anything from anybody. */
export function isStrange(w: World, link: string): boolean {
  const { ipv4, ipv6, number, collectors } = codeSigns(w.ontology);
  const host = hostOfUrl(link);
  if (host === '' || isLoopback(host) || PRIVATE_ADDRESS.test(host)) return false;
  if (ipv4.test(host) || ipv6.test(host) || number.test(host)) return true;
  if (WITH_PASSWORD.test(link)) return true;
  const rest = link.slice(link.indexOf('://') + 3);
  return collectors.some((one) =>
    one.includes('/')
      ? rest.startsWith(one)
      : host === one || host.endsWith(`.${one}`) || (!one.includes('.') && host.split('.').includes(one)),
  );
}
