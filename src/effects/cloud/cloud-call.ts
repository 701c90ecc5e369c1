/**
 * What a call of a cloud platform does, from the verb and the object in the name of its operation, its service and its
 * parameters: `CreateAccessKey` of `iam`, `aws iam create-access-key`, `Microsoft.Storage/storageAccounts/listKeys/action`.
 */
import { singular, wordsOf } from '../../lang/names.ts';
import { Recall } from '../../lang/remember.ts';
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { inverseOf, listOf, patternOf, setOf, tableOf } from '../../ontology/words.ts';
import { onlyDenies } from './access-policies.ts';

export interface CloudCall {
  /** A row of `cloud_deeds`: `mints_credential`, `stops_logging`, … */
  deed: string;
  /** 2 needs a look, 3 needs a person. */
  grade: 2 | 3;
  /** `iam create access key` */
  operation: string;
  /** The parameters name everybody. */
  is_public: boolean;
}

/** Words of the longest object. */
const LONGEST_OBJECT = 5;
/** Characters of parameters that are read. */
const MAX_PARAMETERS = 16_384;
const LONGEST_OPERATION = 160;

export const cloudWords = perOntology((ontology) => {
  const objects = new Map<string, string[]>();
  for (const [kind, phrases] of tableOf(ontology, 'cloud_objects'))
    for (const phrase of phrases) objects.set(phrase, [...(objects.get(phrase) ?? []), kind]);
  const deeds = new Map<string, string>();
  for (const [deed, pairs] of tableOf(ontology, 'cloud_deeds')) for (const pair of pairs) deeds.set(pair, deed);
  const grades = tableOf(ontology, 'cloud_grades');
  return {
    services: inverseOf(ontology, 'cloud_services'),
    providers: setOf(ontology, 'cloud_providers'),
    hosts: listOf(ontology, 'cloud_hosts'),
    code_hosts: setOf(ontology, 'code_hosts'),
    plain_services: setOf(ontology, 'cloud_plain_services'),
    telling_services: setOf(ontology, 'cloud_telling_services'),
    address: patternOf(ontology, 'cloud_addresses', 'value'),
    platform: patternOf(ontology, 'cloud_platforms', 'prefix'),
    before_verbs: setOf(ontology, 'cloud_words_before_verbs'),
    verbs: inverseOf(ontology, 'cloud_verbs'),
    domain_objects: tableOf(ontology, 'cloud_domain_objects'),
    certain: new Set(grades.get('certain')),
    likely: new Set(grades.get('likely')),
    lifts: tableOf(ontology, 'cloud_lifts'),
    needs: tableOf(ontology, 'cloud_needs'),
    opening: setOf(ontology, 'cloud_opening_deeds'),
    open_value: patternOf(ontology, 'cloud_open_values', 'value'),
    web_ports: setOf(ontology, 'web_ports'),
    gravity: ontology.patterns.get('cloud_gravity') ?? new Map<string, RegExp>(),
    operation_keys: setOf(ontology, 'operation_keys'),
    service_keys: setOf(ontology, 'service_keys'),
    objects,
    deeds,
    known: new Recall<Named>(),
  };
});

export type CloudWords = ReturnType<typeof cloudWords>;

/** What follows from the names alone. */
interface Named {
  deeds: readonly string[];
  /** Those of a change that switches off what it changes. */
  ending: readonly string[];
  operation: string;
}

/** The domain of a service by its name, host or namespace: `iam.amazonaws.com`, `Microsoft.Authorization`; '' when unknown. */
export function domainOfService(service: string, words: CloudWords): string {
  for (const part of service.toLowerCase().split(/[./:]+/)) {
    const domain = words.services.get(part.replace(/[^a-z0-9]/g, ''));
    if (domain !== undefined) return domain;
  }
  const joined = service.toLowerCase().replace(/[^a-z0-9]/g, '');
  return words.services.get(joined.replace(words.platform, '')) ?? '';
}

/** What the call does; null when it does nothing that these tables know. `parameters`: the text of its parameters. */
export function readCloudCall(
  operation: string,
  service: string,
  parameters: string,
  ontology: Ontology,
): CloudCall | null {
  if (operation.length > LONGEST_OPERATION) return null;
  const words = cloudWords(ontology);
  const named = words.known.get(`${service}\n${operation}`, () => readNames(operation, service, words));
  const text = parameters.slice(0, MAX_PARAMETERS);
  const gives = (trait: string): boolean => words.gravity.get(trait)?.test(text) === true;
  let best: CloudCall | null = null;
  const deeds = named.ending.length > 0 && gives('switched_off') ? named.ending : named.deeds;
  for (const deed of deeds) {
    if (words.needs.get(deed)?.some(gives) === false) continue;
    if (words.opening.has(deed) && onlyDenies(text)) continue;
    const isLifted = words.lifts.get(deed)?.some(gives) === true;
    const isCertain = words.certain.has(deed) || (isLifted && !(deed === OPENS_NETWORK && opensWebOnly(text, words)));
    const grade = isCertain ? 3 : isLifted || words.likely.has(deed) ? 2 : 0;
    if (grade > 0 && (best === null || grade > best.grade))
      best = { deed, grade: grade as 2 | 3, operation: named.operation, is_public: gives('everyone') };
  }
  return best;
}

const OPENS_NETWORK = 'opens_network';

/** Whether each port of the rules is one of the public web. */
function opensWebOnly(text: string, { gravity, web_ports }: CloudWords): boolean {
  const port = gravity.get('port');
  if (port === undefined) return false;
  const ports = [...text.matchAll(new RegExp(port.source, 'gi'))].map(([, number = '']) => number);
  return ports.length > 0 && ports.every((number) => web_ports.has(number));
}

function readNames(operation: string, service: string, words: CloudWords): Named {
  const all = wordsOf(operation.replace(/[\s/]+/g, '_')).filter((word) => !/^v?\d+$/.test(word));
  const rest = withoutService(all, words);
  const domain = domainOfService(service, words) || domainOfService(operation, words) || domainInWords(all, words);
  const at = verbAt(rest, words);
  if (at < 0) return { deeds: [], ending: [], operation: rest.join(' ') };
  const verb = words.verbs.get(rest[at]!)!;
  // The name of a service may belong to the object: `storage account`.
  const before = all.slice(0, all.length - rest.length + at);
  const object = [...before, ...rest.slice(at + 1)].map((word) => singular(word));
  const isCodeHost = words.code_hosts.has(service.toLowerCase()) || words.code_hosts.has(all[0] ?? '');
  const kinds = kindsOf(object, domain, isCodeHost ? 2 : 1, words);
  const deedsOf = (way: string): string[] =>
    kinds.map((kind) => words.deeds.get(`${kind} ${way}`)).filter((deed) => deed !== undefined);
  const ending = verb === 'change' ? deedsOf('stop') : [];
  return { deeds: deedsOf(verb), ending, operation: [domain === '' ? service : '', ...rest].join(' ').trim() };
}

/** Without the platform and service that a name begins with: `aws_iam_create_access_key`. */
function withoutService(all: readonly string[], words: CloudWords): readonly string[] {
  let from = 0;
  while (from < all.length - 1) {
    const word = all[from]!;
    if (
      words.providers.has(word) ||
      (words.services.has(word) && !words.verbs.has(word) && !words.objects.has(singular(word)))
    )
      from++;
    else break;
  }
  return all.slice(from);
}

function domainInWords(all: readonly string[], words: CloudWords): string {
  for (const word of all.slice(0, 3)) {
    const domain = words.services.get(word);
    if (domain !== undefined) return domain;
  }
  return '';
}

/** A name begins with its verb (`CreateAccessKey`, `BatchGetSecretValue`) or ends with it (`role assignment create`). */
function verbAt(rest: readonly string[], words: CloudWords): number {
  if (words.verbs.has(rest[0] ?? '')) return 0;
  if (words.before_verbs.has(rest[0] ?? '') && words.verbs.has(rest[1] ?? '')) return 1;
  for (let i = rest.length - 1; i >= 0; i--) if (words.verbs.has(rest[i]!)) return i;
  return -1;
}

/** Classes of the longest object in these words; of two equally long ones the last, which is the head noun. */
function kindsOf(object: readonly string[], domain: string, shortest: number, words: CloudWords): readonly string[] {
  for (let length = Math.min(LONGEST_OBJECT, object.length); length >= shortest; length--)
    for (let i = object.length - length; i >= 0; i--) {
      const kinds = words.objects.get(object.slice(i, i + length).join(' '));
      if (kinds !== undefined)
        return length > 1 || domain === '' ? kinds : [...kinds, ...(words.domain_objects.get(domain) ?? [])];
    }
  return words.domain_objects.get(domain) ?? [];
}
