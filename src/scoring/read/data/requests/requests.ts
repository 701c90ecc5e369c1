/**
 * Requests that only fetch something, and what they show all the same to whoever answers: the address, the name that is looked up,
 * the headers. A secret or a text that nobody can read is put there for no other end than to be taken out.
 */
import { isLoopback } from '../../../../effects/hosts.ts';
import type { AgentEvent } from '../../../../events/event.ts';
import { asciiLower } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { listOf, patternsOf, setOf } from '../../../../ontology/words.ts';
import type { ActionReading } from '../../action/action.ts';
import type { ContentReading } from '../../action/content/content.ts';
import type { TextReading } from '../../conversation/text.ts';
import type { Argument } from '../../values/argument.ts';
import { hostOf, organisationOf, registrable, sideOf } from '../../values/hosts.ts';
import type { DataReading } from '../data.ts';

/** The readings that requests and what they show are found in. */
export interface RequestParts {
  readonly evidence: { readonly policy: { readonly internal_domains: ReadonlySet<string> } };
  readonly event: AgentEvent;
  readonly ontology: Ontology;
  readonly action: ActionReading;
  readonly content: ContentReading;
  readonly arguments: readonly Argument[];
  readonly text: TextReading;
  readonly data: DataReading;
}

/** What one request shows to one host. */
export interface Request {
  host: string;
  /** Labels of the host below its registrable domain, without dots. */
  below_domain: string;
  /** Path, query and fragment; of a header the whole line. */
  shown: string;
  is_header: boolean;
  /** A whole command or program that reaches the host: what in it goes there is not known. */
  is_code?: boolean;
  /** The address as a whole. */
  address: string;
}

/** An address in a text, without the name and password that log in to its host. */
const ADDRESS = /^(?:[a-z][a-z0-9+.-]{1,12}:)?\/\/(?:[^\s/@?#]{0,1000}@)?([^\s/:?#\\]{1,253})(?::\d{1,5})?(.*)$/is;
const BARE = /^([\w-]{1,63}(?:\.[\w-]{1,63}){1,12})\.?(?::\d{1,5})?([/?#].*)?$/s;
/** More than an event names: harmless ones in front must not hide the one that counts. */
const MAX_REQUESTS = 1_024;
/** A shorter name holds nothing (characters). */
const LONG_NAME = 24;
const MAX_ADDRESS = 8_192;
/** Characters of a command that are looked through. */
const MAX_CODE = 65_536;

/** Groups in which somebody is asked or an address opened; in others a value is told, kept or sent. */
export const askingGroups = perOntology(
  (ontology): ReadonlySet<string> => new Set([...listOf(ontology, 'looking_groups'), 'execute', 'unknown']),
);

const words = perOntology((ontology) => ({
  /** Services that take the key of their caller in the path. */
  keyed: setOf(ontology, 'hosts_with_keys_in_addresses'),
  /** How programs of any kind are told the host that they reach. */
  told: [...patternsOf(ontology, 'told_hosts').values()].map(({ source }) => new RegExp(source, 'g')),
}));

function requestOf(address: string, r: RequestParts, header?: string): Request | undefined {
  const text = address.trim().slice(0, MAX_ADDRESS);
  const [, host = '', rest = ''] = ADDRESS.exec(text) ?? BARE.exec(text) ?? [];
  const name = asciiLower(host);
  if (name === '' || isLoopback(name)) return undefined;
  const organisation = organisationOf(r.event, r.ontology, r.evidence.policy.internal_domains);
  if (sideOf(name, organisation.own, r.ontology, organisation.configured) === 'internal') return undefined;
  const below = name.slice(0, Math.max(0, name.length - registrable(name, r.ontology).length)).replaceAll('.', '');
  if (header !== undefined) return { host: name, below_domain: '', shown: header, is_header: true, address: text };
  const { keyed } = words(r.ontology);
  const isKeyed = keyed.has(name) || keyed.has(registrable(name, r.ontology));
  // Of such a service only what follows the path can carry something else than its key.
  const shown = isKeyed ? rest.slice(/^[^?#]*/.exec(rest)![0].length) : rest;
  return { host: name, below_domain: below, shown, is_header: false, address: text };
}

/** Hosts as programs of any kind are told them. */
const hostsIn = (code: string, { ontology }: RequestParts): readonly string[] =>
  words(ontology).told.flatMap((form) => [...code.matchAll(form)].slice(0, MAX_REQUESTS).map(([, host]) => host!));

/** Requests of code, and addresses that a tool is handed that only looks or is not known, to hosts outside. */
export function requestsOf(r: RequestParts): readonly Request[] {
  const found: Request[] = [];
  const add = (one: Request | undefined): void => {
    if (one !== undefined && found.length < MAX_REQUESTS) found.push(one);
  };
  for (const [shown, address] of r.content.requests)
    add(shown === address ? requestOf(address, r) : requestOf(address, r, shown));
  // Whoever reaches a host has its name looked up first, by whatever program.
  for (const host of r.content.hosts) if (host.length >= LONG_NAME) add(requestOf(host, r));
  for (const { kind, value } of r.arguments) {
    if (kind !== 'command') continue;
    const code = value.slice(0, MAX_CODE);
    const reached = [...r.content.hosts, ...hostsIn(code, r)].flatMap((host) => requestOf(host, r) ?? []);
    if (reached[0] !== undefined) add({ ...reached[0], below_domain: '', shown: code, is_code: true, address: '' });
  }
  if (askingGroups(r.ontology).has(r.action.effective_group))
    for (const { kind, value } of r.arguments)
      if ((kind === 'url' || kind === 'host') && value.length <= MAX_ADDRESS && hostOf(value) !== undefined)
        add(requestOf(value, r));
  return found;
}
