/**
 * Settings that hand something over to another place: who vouches for logins, where images and code come from, who answers for names,
 * through whom traffic goes, where records are sent. A new address there is worth as much as a login to everything behind it.
 */
import { wordsOf } from '../../lang/names.ts';
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { listOf, patternOf, setOf, tableOf } from '../../ontology/words.ts';
import { codeSigns, isPrivateAddress, isStrange } from '../code/code-signs.ts';
import { hostOf, hostOfUrl, isLoopback } from '../hosts.ts';
import { isBelow, sourceWords } from '../package-sources.ts';
import type { World } from '../world.ts';
import { lastOf, type Pair, pairsInText } from './pairs.ts';

const MAX_TEXT = 16_000;
const MAX_FOUND = 8;
/** Values of one setting: a list of mirrors or of name servers. */
const MAX_VALUES = 4;
const MAX_WORDS = 24;

export const trustWords = perOntology((ontology) => {
  const settings = tableOf(ontology, 'trust_settings');
  return {
    trusted: new Set(settings.get('foreign')),
    weakly: new Set(settings.get('strange')),
    not: new Set(settings.get('excepted')),
    addresses: setOf(ontology, 'address_names'),
    kinds: setOf(ontology, 'kind_names'),
    known: [...listOf(ontology, 'trusted_services'), ...listOf(ontology, 'published_code_hosts')],
    internal: listOf(ontology, 'private_suffixes'),
    statements: [...patternsOf(ontology.patterns.get('trust_statements'))],
    files: patternOf(ontology, 'trust_files', 'names'),
    endings: patternOf(ontology, 'trust_files', 'endings'),
    hosts: patternOf(ontology, 'hosts_files', 'path'),
    host_line: new RegExp(patternOf(ontology, 'hosts_files', 'line').source, 'gim'),
    rewrites: [...patternsOf(ontology.patterns.get('address_rewrites'))],
  };
});

const patternsOf = (group: ReadonlyMap<string, RegExp> | undefined): RegExp[] =>
  [...(group?.values() ?? [])].map((one) => new RegExp(one.source, `${one.flags.replace('g', '')}g`));

/**
 * Notes the settings that point at places which are not the organisation's own.
 *
 * @param about words that say what is set: a command, an action, a file
 */
export function noteTrust(world: World, pairs: readonly Pair[], text: string, about: string, excerpt: string): void {
  const { trusted, weakly, kinds, statements } = trustWords(world.ontology);
  const kind = pairs.find(({ path }) => kinds.has(lastOf(path)))?.value ?? '';
  const context = wordsOf(`${about} ${kind}`.slice(0, MAX_TEXT).replace(/[^\w]+/g, '_')).slice(0, MAX_WORDS);
  let left = MAX_FOUND;
  for (const { path, value } of pairs) {
    if (left <= 0) return;
    const grade = gradeOf(world, path, context);
    if (grade === '') continue;
    for (const one of value.split(/[\s,]+/).slice(0, MAX_VALUES)) if (notePlace(world, one, grade, excerpt)) left--;
  }
  const isTrust = context.some((word) => trusted.has(word) || weakly.has(word));
  for (const statement of statements)
    for (const { groups } of text.slice(0, MAX_TEXT).matchAll(statement)) {
      if (left <= 0) return;
      if (isTrust || groups?.['always'] !== undefined)
        for (const one of (groups?.['place'] ?? '').split(/[\s,]+/).slice(0, MAX_VALUES))
          if (notePlace(world, one, 'foreign', excerpt)) left--;
    }
}

/** What about an address matters under these names: that it is foreign, that nobody answers for it, or nothing. */
function gradeOf({ ontology }: World, path: string, context: readonly string[]): '' | 'foreign' | 'strange' {
  const { trusted, weakly, not, addresses } = trustWords(ontology);
  const names = wordsOf(path.replace(/name[-_ ]servers?/gi, 'nameserver').replaceAll('.', '_')).slice(-MAX_WORDS);
  if (names.some((word) => not.has(word))) return '';
  const about = addresses.has(lastOf(path)) || addresses.has(names.at(-1) ?? '') ? [...names, ...context] : names;
  if (about.some((word) => trusted.has(word))) return 'foreign';
  return [...names, ...context].some((word) => weakly.has(word)) ? 'strange' : '';
}

/** Notes a place that is not the organisation's own; false where it is, or where the value is not a place. */
function notePlace(world: World, given: string, grade: 'foreign' | 'strange', excerpt: string): boolean {
  const project = /^(?:[\w.-]{1,60}\/)?projects\/([\w-]{4,60})\//.exec(given)?.[1];
  const host = project ?? hostIn(given.replace(/^["'@]{1,4}/, '').replace(/["';}]{1,4}$/, ''), world.ontology);
  if (host === '' || (project === undefined && isOwn(world, host))) return false;
  const { ipv4, ipv6, number } = codeSigns(world.ontology);
  const isNumber = ipv4.test(host) || ipv6.test(host) || number.test(host);
  const address = hostOfUrl(given) === '' ? `https://${host}` : given;
  if (grade === 'strange' && !isNumber && !isStrange(world, address)) return false;
  if (project === undefined) world.noteHost(host);
  world.add('redirects_trust', 'one', host, excerpt);
  return true;
}

const ADDRESS = /^(?:[a-z][a-z0-9+.-]{1,15}:)?\/\//i;

/** The host of an address, of `host:port/path` or of a name with a dot that is not a file. */
function hostIn(value: string, ontology: Ontology): string {
  if (ADDRESS.test(value)) return hostOf(value.startsWith('//') ? `https:${value}` : value);
  const bare = BARE.exec(value)?.[1];
  return bare === undefined || trustWords(ontology).endings.test(bare) ? '' : hostOf(bare);
}

const BARE = /^(?:[\w.-]{1,64}@)?((?:[a-z0-9-]{1,63}\.){1,8}[a-z0-9-]{1,24})(?::\d{1,5})?(?:\/\S{0,200})?\.?$/i;

function isOwn({ ontology }: World, host: string): boolean {
  const { known, internal } = trustWords(ontology);
  if (isLoopback(host) || isPrivateAddress(host) || !host.includes('.')) return true;
  return isBelow(host, internal) || isBelow(host, known) || isBelow(host, sourceWords(ontology).known);
}

/** Notes what the text of a file of settings points elsewhere. */
export function noteTrustFile(world: World, path: string, text: string, excerpt: string): void {
  const { files, hosts, host_line } = trustWords(world.ontology);
  if (files.test(path)) noteTrust(world, pairsInText(text), text, path, excerpt);
  if (!hosts.test(path)) return;
  for (const { groups } of [...text.slice(0, MAX_TEXT).matchAll(host_line)].slice(0, MAX_FOUND))
    notePlace(world, groups!['place']!, 'foreign', excerpt);
}

/** Notes rules by which git goes to another host than the address says: `url.<there>.insteadOf <here>`. */
export function noteRewrites(world: World, text: string, excerpt: string): void {
  if (!/insteadof/i.test(text)) return;
  for (const rewrite of trustWords(world.ontology).rewrites)
    for (const { groups } of text.slice(0, MAX_TEXT).matchAll(rewrite)) {
      const there = hostOf(groups?.['there'] ?? '');
      const here = hostOf(groups?.['here'] ?? '');
      if (there === '' || there === here || isOwn(world, there)) continue;
      world.noteHost(there);
      world.add('redirects_trust', 'many', there, excerpt);
    }
}
