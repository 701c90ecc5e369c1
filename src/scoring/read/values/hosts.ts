/** Hosts and mail domains: whose they are, and whether they collect what strangers send. */

import type { AgentEvent } from '../../../events/event.ts';
import { asciiLower } from '../../../lang/names.ts';
import { remembering } from '../../../lang/remember.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { listOf, setOf } from '../../../ontology/words.ts';

export type Side = 'internal' | 'external' | 'unknown';

const MAX_HOST = 253;
const ADDRESS = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;

interface HostLists {
  free_mail: ReadonlySet<string>;
  /** Host or domain → beginnings of paths below it that collect; '' is all of it. */
  collectors: ReadonlyMap<string, readonly string[]>;
  /** One label anywhere in the host. */
  collector_labels: ReadonlySet<string>;
  /** Names that no public resolver answers for. */
  private_suffixes: ReadonlySet<string>;
  /** Below `co` in `example.co.uk` three labels make a registrable domain. */
  second_level: ReadonlySet<string>;
}

const hostLists = perOntology((ontology): HostLists => {
  const collectors = new Map<string, string[]>();
  const collector_labels = new Set<string>();
  for (const entry of listOf(ontology, 'exfiltration_hosts').map(asciiLower)) {
    // Entries with blanks are descriptions of a shape, not hosts.
    if (entry.includes(' ')) continue;
    const [host, path] = entry.includes('/') ? splitAt(entry, entry.indexOf('/')) : [entry, ''];
    if (path === '' && !host.includes('.')) collector_labels.add(host);
    else collectors.set(host, [...(collectors.get(host) ?? []), path]);
  }
  return {
    free_mail: setOf(ontology, 'free_mail_domains'),
    collectors,
    collector_labels,
    private_suffixes: setOf(ontology, 'private_suffixes'),
    second_level: setOf(ontology, 'second_level_registries'),
  };
});

const splitAt = (text: string, at: number): [string, string] => [text.slice(0, at), text.slice(at)];

/** Does this hold for the host itself or a domain above it? `a.b.c`, `b.c`, `c`. */
function someDomainAbove(host: string, holds: (domain: string) => boolean): boolean {
  if (holds(host)) return true;
  for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1))
    if (holds(host.slice(dot + 1))) return true;
  return false;
}

/** Host and path of a URL, an e-mail address or a bare host; undefined when the value is none of these. */
export function hostOf(value: string): { host: string; path: string } | undefined {
  const text = asciiLower(value.trim().slice(0, 2048));
  // Letters outside ASCII are kept: a host that only looks like another one is a different host.
  const mail = /^(?:mailto:)?[^\s@/]{1,64}@([a-z0-9.\u0080-\uffff-]{1,253})$/.exec(text);
  if (mail !== null) return { host: mail[1]!, path: '' };
  const parts =
    /^(?:[a-z][a-z0-9+.-]{0,20}:)?\/\/(?:[^\s/@\\?#]{0,256}@)?(\[[0-9a-f:.]+\]|[^\s/:?#\\]{1,253})(?::\d{1,5})?([/?#\\].*)?$/.exec(
      text,
    );
  if (parts !== null) return { host: parts[1]!.replace(/\.$/, ''), path: parts[2] ?? '' };
  const bare = /^([a-z0-9_](?:[a-z0-9_-]{0,62}\.){1,8}[a-z0-9-]{2,24})(?::\d{1,5})?(\/\S*)?$/.exec(text);
  return bare === null ? undefined : { host: bare[1]!, path: bare[2] ?? '' };
}

/** `mail.eu.example.co.uk` → `example.co.uk`: good enough to compare two hosts of one owner. */
export function registrable(host: string, ontology: Ontology): string {
  const { second_level } = hostLists(ontology);
  const labels = host.split('.');
  const take = labels.length > 2 && labels.at(-1)!.length === 2 && second_level.has(labels.at(-2)!) ? 3 : 2;
  return labels.slice(-take).join('.');
}

function isPrivateAddress(host: string): boolean {
  const match = ADDRESS.exec(host);
  if (match === null) return host === '[::1]' || /^\[f[cd]|^\[fe80/.test(host);
  const [a, b] = [Number(match[1]), Number(match[2])];
  return (
    a === 10 ||
    a === 127 ||
    a === 0 ||
    (a === 172 && b >= 16 && b <= 31) ||
    (a === 192 && b === 168) ||
    (a === 169 && b === 254)
  );
}

/** The domains that belong to the organisation, as far as they are known. */
export interface Organisation {
  /** Domain of the person behind the session, '' when unknown. */
  own: string;
  /** Domains that the customer's policy names, lower case; each with everything below it. */
  configured: ReadonlySet<string>;
}

const NO_DOMAINS: ReadonlySet<string> = new Set();

/**
 * Where the customer configured internal domains, only these count: the user of the session is a claim, and a claimed
 * address must not make a stranger's domain internal.
 */
export function organisationOf(
  event: AgentEvent,
  ontology: Ontology,
  configured: ReadonlySet<string> = NO_DOMAINS,
): Organisation {
  return { own: configured.size > 0 ? '' : organisationDomain(event, ontology), configured };
}

/** The domain of the person behind the session, '' when unknown. Free mail is nobody's organisation. */
export function organisationDomain(event: AgentEvent, ontology: Ontology): string {
  const user_id = event.session?.user_id ?? '';
  return user_id.includes('@') ? domainsOfUsers(ontology)(user_id) : '';
}

const domainsOfUsers = perOntology((ontology) =>
  remembering((user_id) => {
    const host = hostOf(user_id)?.host;
    return host === undefined || isFreeMail(host, ontology) ? '' : registrable(host, ontology);
  }),
);

/**
 * Which side a host is on: internal below the organisation's own domain or a domain that the customer configured. When
 * neither is known, only private names, free mail and collectors can be told apart.
 */
export function sideOf(
  host: string,
  own: string,
  ontology: Ontology,
  configured: ReadonlySet<string> = NO_DOMAINS,
): Side {
  if (host.length > MAX_HOST) return 'external';
  if (host === own && host !== '') return 'internal';
  const { private_suffixes } = hostLists(ontology);
  if (isPrivateAddress(host) || someDomainAbove(host, (domain) => private_suffixes.has(domain))) return 'internal';
  if (!host.includes('.') && !host.startsWith('[')) return 'internal';
  if (own !== '' && registrable(host, ontology) === own) return 'internal';
  if (isFreeMail(host, ontology) || isCollector(host, '', ontology)) return 'external';
  if (configured.size > 0 && someDomainAbove(host, (domain) => configured.has(domain))) return 'internal';
  return own === '' && configured.size === 0 ? 'unknown' : 'external';
}

/** A domain where anybody can have an address. */
export const isFreeMail = (host: string, ontology: Ontology): boolean => hostLists(ontology).free_mail.has(host);

/** A host that takes in whatever strangers send: request catchers, paste sites, tunnels, bare public addresses. */
export function isCollector(host: string, path: string, ontology: Ontology): boolean {
  if ((ADDRESS.test(host) || host.startsWith('[')) && !isPrivateAddress(host)) return true;
  if (ontology.patterns.get('host_shapes')?.get('number')?.test(host)) return true;
  const { collectors, collector_labels } = hostLists(ontology);
  if (host.split('.').some((label) => collector_labels.has(label))) return true;
  return someDomainAbove(
    host,
    (domain) => collectors.get(domain)?.some((beginning) => path.startsWith(beginning)) ?? false,
  );
}
