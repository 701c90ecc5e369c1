/**
 * Requests to the interface of a platform, told like calls of its operations: `POST /iam/roles/x/attach-policy`,
 * `DELETE https://guardduty.eu-west-1.amazonaws.com/detector/12`. The way that a request is made says what is done where no segment
 * of its path does.
 */
import { singular, wordsOf } from '../../lang/names.ts';
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { inverseOf, setOf } from '../../ontology/words.ts';
import { hostOf } from '../hosts.ts';
import type { World } from '../world.ts';
import { type CloudCall, cloudWords, readCloudCall } from './cloud-call.ts';

const MAX_CALLS = 32;
const MAX_PATH = 600;
const MAX_SEGMENTS = 12;
/** The operation in a query or a form. */
const ACTION = /(?:^|[?&"])(?:A|%41)ction=([A-Z]\w{3,60})/g;
/** Segments before the name of the service: a version, the word for an interface. */
const VERSION = /^v?\d[\w.-]{0,12}$/i;

const requestWords = perOntology((ontology) => ({
  methods: inverseOf(ontology, 'cloud_methods'),
  lead: setOf(ontology, 'cloud_path_leads'),
  looks: setOf(ontology, 'cloud_looking_verbs'),
  plain: setOf(ontology, 'cloud_stores_by_path'),
}));

/** Notes what a request does to the service of a platform that its path or host names. `given`: the text of its parameters. */
export function noteCloudRequest(world: World, method: string, url: string, given: string): void {
  if (world.cloud.length >= MAX_CALLS) return;
  const request = readCloudRequest(method, url, given, world.ontology);
  if (request === null) return;
  if (request.call !== null) world.cloud.push(request.call);
  else if (request.is_changing) world.unread_request ||= `${method} ${url}`;
}

interface CloudRequest {
  /** `null` when nothing is known of what it does. */
  call: CloudCall | null;
  is_changing: boolean;
}

/** What a request does to a service of a platform; `null` when it names none. */
function readCloudRequest(method: string, url: string, given: string, ontology: Ontology): CloudRequest | null {
  const { methods, lead } = requestWords(ontology);
  const verb = methods.get(method.trim() === '' ? 'get' : method.trim().toLowerCase());
  if (verb === undefined) return null;
  const path = url
    .slice(0, MAX_PATH)
    .replace(/^[a-z]{3,8}:\/\/[^/?#]{0,253}/i, '')
    .replace(/[?#].{0,600}$/s, '');
  const all = path
    .split('/', MAX_SEGMENTS)
    .filter((one) => one !== '' && !VERSION.test(one) && !lead.has(one.toLowerCase()));
  const service = serviceOf(hostOf(url), all, ontology);
  if (service === null) return null;
  const operations = service.is_segment ? [] : [...`${url}&${given}`.matchAll(ACTION)].map(([, name]) => name!);
  // Of several, one that changes something counts: which of them the platform takes is not known.
  const requests = operations
    .slice(0, MAX_CALLS)
    .map((one) => told(one, service.name, given.replaceAll(url, ''), ontology));
  const request = requests.find(({ is_changing }) => is_changing) ?? requests[0];
  if (request !== undefined) return request;
  const words = cloudWords(ontology);
  const rest = service.is_segment ? all.slice(1) : all;
  const last = rest.at(-1) ?? '';
  const said = wordsOf(last).filter((word) => words.verbs.has(word));
  // The name of a thing may have a verb in it: `access-keys`.
  const isThing = words.objects.has(
    wordsOf(last)
      .map((word) => singular(word))
      .join(' '),
  );
  const isDeed = !isThing && said.length > 0 && said.length < 3;
  const things = thingsIn(isDeed ? rest.slice(0, -1) : rest, ontology);
  const own = isDeed ? wordsOf(last) : [verb];
  const at = isDeed ? own.findIndex((word) => words.verbs.has(word)) : 0;
  // `roles/x/attach-policy` is `attach role policy`, `groups/x/add-user-to-group` stays as it is told.
  const names = [
    own.slice(0, at + 1).join('_'),
    ...things,
    ...own.slice(at + 1).filter((word) => !things.includes(singular(word))),
  ];
  // The words of the path say nothing about the parameters.
  return told(names.filter((one) => one !== '').join('_'), service.name, given.replaceAll(url, ''), ontology);
}

function told(operation: string, service: string, given: string, ontology: Ontology): CloudRequest {
  const { verbs } = cloudWords(ontology);
  const verb =
    wordsOf(operation)
      .map((word) => verbs.get(word))
      .find((said) => said !== undefined) ?? '';
  const is_changing = !requestWords(ontology).looks.has(verb);
  return { call: readCloudCall(operation, service, given, ontology), is_changing };
}

/** The service, as the first segment or in the name of the host. */
function serviceOf(
  host: string,
  segments: readonly string[],
  ontology: Ontology,
): { name: string; is_segment: boolean } | null {
  const words = cloudWords(ontology);
  const { plain } = requestWords(ontology);
  const isOfPlatform = words.hosts.some((one) => host === one || host.endsWith(`.${one}`));
  const label = host.split('.').find((one) => words.services.has(one));
  // Below the host of a store, the path is the name of what is kept.
  if (isOfPlatform) return label === undefined || plain.has(label) ? null : { name: label, is_segment: false };
  const first = (segments[0] ?? '').toLowerCase().replace(/[^a-z0-9]/g, '');
  const isService = words.services.has(first) && !words.plain_services.has(first);
  return isService ? { name: first, is_segment: true } : null;
}

/** The kinds of things that a path leads through, each in the singular: what follows a plural is the name of one. */
function thingsIn(segments: readonly string[], ontology: Ontology): readonly string[] {
  const { verbs } = cloudWords(ontology);
  const things: string[] = [];
  for (let i = 0; i < segments.length; i++) {
    const own = wordsOf(segments[i]!);
    if (own.length === 0 || own.length > 5) continue;
    if (own.some((word) => verbs.has(word)) && i < segments.length - 1) continue;
    things.push(...own.map((word) => singular(word)));
    const head = own.at(-1)!;
    if (singular(head) !== head) i++;
  }
  return things;
}
