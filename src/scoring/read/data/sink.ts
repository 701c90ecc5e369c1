/** Where data go: from what the action does, whom it names, and the hosts in its content. */

import { onlyDenies } from '../../../effects/cloud/access-policies.ts';
import type { AgentEvent } from '../../../events/event.ts';
import { asciiLower, namesNothing, singular, wordsOf } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import type { ContentReading } from '../action/content/content.ts';
import type { Argument } from '../values/argument.ts';
import { hostOf, isCollector, type Organisation, organisationOf, type Side, sideOf } from '../values/hosts.ts';
import { embeddedValues, MAX_EMBEDDED } from '../words/embedded.ts';
import { unfoldedHost } from '../words/normalise.ts';

export type Sink = 'none' | 'user' | 'internal' | 'external' | 'public' | 'unknown';

export interface SinkReading {
  sink: Sink;
  /** The values that name the destination. */
  destinations: Argument[];
  /** Every destination stands in the user's own words. */
  is_named_by_user: boolean;
  /** A host known for throw-away collection (webhook catchers, pastebins, raw addresses). */
  is_exfiltration_host: boolean;
}

/** From least to most exposed; the most exposed destination decides. */
const EXPOSURE: readonly Sink[] = ['none', 'user', 'internal', 'unknown', 'external', 'public'];

const words = perOntology((ontology) => ({
  looking: setOf(ontology, 'looking_groups'),
  /** Effects by which something reaches the other machine, or by which there was something grave to hand. */
  handing: setOf(ontology, 'handing_effects'),
  /** Groups whose meaning is that data leave the place where they are. */
  sending: setOf(ontology, 'sending_groups'),
  sending_verbs: setOf(ontology, 'sending_verbs'),
  destination_roles: setOf(ontology, 'destination_roles'),
  sending_roles: setOf(ontology, 'sending_destination_roles'),
  access_roles: setOf(ontology, 'access_roles'),
  public_domains: setOf(ontology, 'public_domains'),
  public_places: setOf(ontology, 'public_place_words'),
  public_speech: setOf(ontology, 'public_speech_verbs'),
  private_speech: setOf(ontology, 'private_speech_words'),
  world: setOf(ontology, 'world_words'),
  closed: setOf(ontology, 'closed_audience_words'),
  standing: setOf(ontology, 'standing_nouns'),
  granting: setOf(ontology, 'granting_nouns'),
  grantees: setOf(ontology, 'grantee_parameters'),
  origins: setOf(ontology, 'origin_words'),
  public_switch: patternOf(ontology, 'parameter_names', 'public_switch'),
}));

/** Publishing verbs reach strangers by themselves (ontology: blast radius beyond the organisation). */
const PUBLIC_BLAST = 4;

function visibilityOf({ path, value }: Argument, ontology: Ontology): Sink | undefined {
  const { world, closed, public_switch } = words(ontology);
  const text = asciiLower(value.trim());
  const key = asciiLower(path.slice(path.lastIndexOf('.') + 1));
  if (world.has(text) || (text === 'true' && public_switch.test(key)) || (text === 'false' && key === 'private'))
    return 'public';
  return closed.has(text) ? 'internal' : undefined;
}

/** A statement of an access policy that means everybody. */
const ANY_PRINCIPAL = /"Principal"\s{0,8}:\s{0,8}(?:"\*"|\{\s{0,8}"AWS"\s{0,8}:\s{0,8}\[?\s{0,8}"\*")/;

function isOpenPolicy({ path, value }: Argument): boolean {
  if (value === '*') return /\bprincipal(?:\.aws)?(?:\[\d+\])?$/i.test(path);
  return value.length <= 16_384 && value.includes('"Principal"') && ANY_PRINCIPAL.test(value) && !onlyDenies(value);
}

/** Text behind `?` long enough to carry something out. */
const CARRYING_QUERY = /[?&][^=&\s]{1,64}=[^&\s]{16,}/;

interface Context {
  event: AgentEvent;
  ontology: Ontology;
  action: ActionReading;
  organisation: Organisation;
}

const SIDE_SINK: Readonly<Record<Side, Sink>> = { internal: 'internal', external: 'external', unknown: 'unknown' };

/** An address in the query of another one, to which a redirector leads: `…/out?next=https%3A%2F%2Fcollect.test%2Fin`. */
const LEADS_ON = /[?&#][^=&\s]{1,64}=(https?(?::|%3a)(?:\/|%2f){2}[^&\s]{3,300})/i;

function ledTo(address: string): string | undefined {
  const inner = address.length < 8_192 ? LEADS_ON.exec(address)?.[1] : undefined;
  if (inner === undefined) return undefined;
  try {
    return decodeURIComponent(inner);
  } catch {
    return inner;
  }
}

/** One named destination, and where it leads on. */
function sinkOf(argument: Argument, context: Context): Sink {
  const led = argument.kind === 'url' ? ledTo(argument.value) : undefined;
  const own = sinkOfPlace(argument, context);
  if (led === undefined) return own;
  const there = sinkOfPlace({ ...argument, value: led }, context);
  // Anyone who sends by way of another host does not send within its own.
  const isElsewhere = hostOf(led)?.host !== hostOf(argument.value)?.host;
  return moreExposed(own, there === 'unknown' && isElsewhere ? 'external' : there);
}

/** One named destination. A name inside the organisation's own messenger is internal; a bare name elsewhere is unknown. */
function sinkOfPlace(argument: Argument, context: Context): Sink {
  const { ontology, action, organisation } = context;
  const value = argument.value.trim();
  if (isSessionUser(value, context)) return 'user';
  const place = argument.kind === 'identifier' || argument.kind === 'phrase' ? undefined : hostOf(value);
  // An address without a top-level domain is a name in some service, not a host of ours.
  if (place !== undefined && (place.host.includes('.') || !value.includes('@'))) {
    const side = SIDE_SINK[sideOf(place.host, organisation.own, ontology, organisation.configured)];
    return side === 'unknown' && argument.external === 'yes' ? 'external' : side;
  }
  if (argument.external === 'yes') return 'external';
  const inside = addressesIn(value, context);
  if (inside !== undefined) return inside;
  return action.known_domain === 'messaging' && !/^\+?[\d ()-]{6,}$/.test(value) ? 'internal' : 'unknown';
}

/** The person of the session; where the customer configured its domains, only at one of these. */
function isSessionUser(value: string, { event, ontology, organisation }: Context): boolean {
  const user_id = event.session?.user_id ?? '';
  if (!user_id.includes('@') || asciiLower(value) !== asciiLower(user_id)) return false;
  if (organisation.configured.size === 0) return true;
  const host = hostOf(user_id)?.host;
  return host !== undefined && sideOf(host, organisation.own, ontology, organisation.configured) === 'internal';
}

/** Several addresses in one text, or one behind a name (`"ana@north.test" <eve@evil.test>`): the most exposed decides. */
function addressesIn(value: string, { ontology, organisation }: Context): Sink | undefined {
  if (!value.includes('@') && !value.includes('://')) return undefined;
  const found = embeddedValues(value, ontology).filter(({ kind }) => kind === 'email' || kind === 'url');
  if (found.length === 0) return undefined;
  const sides = found.map(
    (one) => SIDE_SINK[sideOf(unfoldedHost(one), organisation.own, ontology, organisation.configured)],
  );
  // A list that was not read to its end may hold an address of anyone.
  return mostExposed(found.length >= MAX_EMBEDDED ? [...sides, 'unknown'] : sides);
}

const NO_SINKS: readonly Sink[] = [];
const moreExposed = (most: Sink, sink: Sink): Sink => (EXPOSURE.indexOf(sink) > EXPOSURE.indexOf(most) ? sink : most);
const mostExposed = (sinks: readonly Sink[]): Sink => sinks.reduce(moreExposed);

/** Whether a parameter says where something comes from, or what is looked for: `from_domain`, `condition.sender`. */
const isOrigin = (path: string, ontology: Ontology): boolean =>
  path.split('.').some((part) => words(ontology).origins.has(wordsOf(part)[0] ?? ''));

/** Arguments that name where data go, given what the action does. */
function destinationsOf(
  args: readonly Argument[],
  ontology: Ontology,
  action: ActionReading,
  content: ContentReading,
): Argument[] {
  const { looking, sending, sending_verbs, sending_roles, access_roles, destination_roles } = words(ontology);
  const group = action.effective_group;
  if (looking.has(group)) {
    return args.filter(({ role, value }) => role === 'url' && value.length < 8192 && CARRYING_QUERY.test(value));
  }
  const sends =
    sending.has(group) || sending_verbs.has(action.verb) || content.effects.some(({ kind }) => kind === 'sends_out');
  const roles = sends ? sending_roles : group === 'grant_escalate' ? access_roles : destination_roles;
  const isStanding = wordsOf(action.scope).some((word) => words(ontology).standing.has(singular(word)));
  return args.filter(({ path, role, kind, value }) => {
    if (isOrigin(path, ontology)) return false;
    // A rule that acts by itself sends to each address in it.
    if (isStanding && (kind === 'email' || (kind === 'url' && (role === 'url' || role === 'webhook')))) return true;
    if (!roles.has(role) || namesNothing(value)) return false;
    // Where nothing is sent, the name of a recipient is a participant; an address gets a message.
    return sends || role === 'webhook' || kind === 'email' || kind === 'url' || kind === 'host';
  });
}

/** Hosts in code count where the code sends or opens a channel. Code that names no host has an unknown destination. */
function contentSinks(content: ContentReading, { ontology, organisation }: Context): readonly Sink[] {
  if (!content.effects.some(({ kind }) => kind === 'sends_out' || kind === 'opens_channel' || kind === 'opens_tunnel'))
    return NO_SINKS;
  if (content.hosts.length === 0) return ['unknown'];
  return content.hosts.map((value) => {
    const host = hostOf(value)?.host ?? asciiLower(value);
    const side = sideOf(host, organisation.own, ontology, organisation.configured);
    // A literal host in code that sends is outside unless it is known to be inside.
    return side === 'unknown' ? 'external' : SIDE_SINK[side];
  });
}

function ownSink(action: ActionReading, has_destinations: boolean, is_closed: boolean, ontology: Ontology): Sink {
  const { looking, sending, public_domains } = words(ontology);
  const group = action.effective_group;
  if (looking.has(group)) return 'user';
  if (speaksBeforeAll(action, ontology)) return 'public';
  if (!sending.has(group)) return 'none';
  if (is_closed && group === 'share_publish' && !public_domains.has(action.known_domain)) return 'unknown';
  if (group === 'share_publish' && (action.blast_radius >= PUBLIC_BLAST || isPublicPlace(action, ontology)))
    return 'public';
  return has_destinations ? 'none' : 'unknown';
}

function isPublicPlace({ known_domain, scope, tool_name }: ActionReading, ontology: Ontology): boolean {
  const { public_domains, public_places } = words(ontology);
  return (
    public_domains.has(known_domain) || [...wordsOf(scope), ...wordsOf(tool_name)].some((w) => public_places.has(w))
  );
}

/** An answer or a film in a social network is read by everybody as a post is, unless its name says that one person gets it. */
function speaksBeforeAll({ known_domain, verb, scope, tool_name }: ActionReading, ontology: Ontology): boolean {
  const { public_domains, public_speech, private_speech } = words(ontology);
  if (!public_domains.has(known_domain) || !public_speech.has(verb)) return false;
  return ![...wordsOf(scope), ...wordsOf(tool_name)].some((word) => private_speech.has(word));
}

export function readSink(
  event: AgentEvent,
  ontology: Ontology,
  action: ActionReading,
  args: Argument[],
  content: ContentReading,
  internal_domains?: ReadonlySet<string>,
  is_closed = false,
): SinkReading {
  const context = { event, ontology, action, organisation: organisationOf(event, ontology, internal_domains) };
  const destinations = destinationsOf(args, ontology, action, content);
  const visible = visibleIn(args, action, ontology);
  let sink = ownSink(action, destinations.length > 0 || visible.length > 0, is_closed, ontology);
  for (const argument of destinations) sink = moreExposed(sink, sinkOf(argument, context));
  if (!words(ontology).looking.has(action.effective_group)) sink = visible.reduce(moreExposed, sink);
  sink = contentSinks(content, context).reduce(moreExposed, sink);
  // «Point the blog to 203.0.113.77»: a bare address that the user gave is not a drop box of somebody else.
  const given = new Set(args.filter(({ provenance }) => provenance === 'user').map(({ value }) => value.trim()));
  const onlyEntered = enteredHosts(content, args, ontology);
  const isForeign = (value: string): boolean =>
    isCollecting(value, ontology) && !(BARE_ADDRESS.test(value.trim()) && given.has(value.trim()));
  return {
    sink,
    destinations,
    is_named_by_user: destinations.length > 0 && destinations.every(({ provenance }) => provenance === 'user'),
    is_exfiltration_host:
      destinations.some(({ value }) => isForeign(value) && !onlyEntered.has(hostOf(value)?.host ?? '')) ||
      content.hosts.some((value) => isForeign(value) && !onlyEntered.has(value)),
  };
}

/** Machines of which the conversation knows, that a shell is opened on and nothing is handed: such a log-in takes in no data. */
function enteredHosts({ effects }: ContentReading, args: readonly Argument[], ontology: Ontology): ReadonlySet<string> {
  const { handing } = words(ontology);
  const isKnown = (host: string): boolean =>
    args.some(
      ({ kind, provenance, value }) =>
        kind !== 'command' && (provenance === 'user' || provenance === 'tool') && value.includes(host),
    );
  const entered = new Set(
    effects.filter(({ kind, object }) => kind === 'moves_laterally' && isKnown(object)).map(({ object }) => object),
  );
  if (entered.size > 0)
    for (const { kind, object } of effects)
      if (handing.has(kind)) {
        entered.delete(object);
        if (kind !== 'sends_out' && kind !== 'leaks') entered.clear();
      }
  return entered;
}

/** Who gets a permission: everybody. */
function isGrantee({ path, value }: Argument, ontology: Ontology): boolean {
  const key = asciiLower(path.slice(path.lastIndexOf('.') + 1));
  return words(ontology).grantees.has(key) && words(ontology).world.has(asciiLower(value.trim()));
}

const BARE_ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?$/;

function isCollecting(value: string, ontology: Ontology): boolean {
  const place = hostOf(value);
  return place !== undefined && isCollector(place.host, place.path, ontology);
}

function visibleIn(args: readonly Argument[], action: ActionReading, ontology: Ontology): readonly Sink[] {
  const grants = action.name_words.some((word) => words(ontology).granting.has(singular(word)));
  let found: Sink[] | null = null;
  for (const argument of args) {
    const visible =
      argument.role === 'visibility' || argument.role === 'permission' ? visibilityOf(argument, ontology) : undefined;
    // A permission says who may read something. Only a permission for everybody says where data go.
    const isTold = argument.role === 'visibility' || visible === 'public';
    if (visible !== undefined && isTold) (found ??= []).push(visible);
    else if (isOpenPolicy(argument)) (found ??= []).push('public');
    // Of a permission, `type: anyone` says to whom it is given.
    else if (grants && isGrantee(argument, ontology)) (found ??= []).push('public');
  }
  return found ?? NO_SINKS;
}
