/** Settings from which package managers learn where packages come from: registries, indexes, mirrors, proxies. */
import type { Ontology } from '../ontology/index.ts';
import { perOntology } from '../ontology/per-ontology.ts';
import { anyOf, listOf, setOf } from '../ontology/words.ts';
import type { Effect } from './effects.ts';
import { hostOf, hostOfUrl, isLoopback } from './hosts.ts';
import type { World } from './world.ts';

export const sourceWords = perOntology((ontology) => ({
  verbs: setOf(ontology, 'source_setting_verbs'),
  settings: anyOf(ontology, 'source_settings'),
  unchecked: anyOf(ontology, 'unchecked_sources'),
  removed: anyOf(ontology, 'removed_sources'),
  known: listOf(ontology, 'package_registries'),
  installers: listOf(ontology, 'installer_hosts'),
  variables: setOf(ontology, 'source_variables'),
}));

const MAX_URLS = 16;
const URLS = /\bhttps?:\/\/[^\s"'<>,;|)\]]{1,400}/gi;

/** Notes the sources that a command sets: `npm config set registry URL`, `gem sources --add URL`, `go env -w GOPROXY=URL`. */
export function noteSourceSetting(w: World, words: readonly string[], excerpt: string): void {
  const { verbs, settings, unchecked, removed } = sourceWords(w.ontology);
  if (!verbs.has(words.find((word) => !word.startsWith('-')) ?? '')) return;
  const line = words.join(' ');
  if (unchecked.test(line)) w.add('bypasses_checks', 'many', 'package signatures', excerpt);
  if (!settings.test(line) || removed.test(line)) return;
  for (const word of words)
    for (const part of word.replace(/^[\w.@:-]{1,80}=/, '').split(',')) noteSource(w, hostOf(part), excerpt);
}

/** Notes the sources that a variable sets: `PIP_INDEX_URL=URL`, `GOPROXY=URL,direct`. */
export function noteSourceVariable(w: World, name: string, value: string): void {
  if (!sourceWords(w.ontology).variables.has(name)) return;
  for (const part of value.split(/[,|\s]/)) noteSource(w, hostOfUrl(part), `${name}=${value}`);
}

/** Notes every address in a settings file that is not a well-known registry. */
export function noteSourceFile(w: World, text: string, excerpt: string): void {
  let left = MAX_URLS;
  for (const [url] of text.matchAll(URLS)) {
    if (left-- <= 0) break;
    noteSource(w, hostOfUrl(url), excerpt);
  }
}

/** Whether the host is one of those, or below one of them. */
export const isBelow = (host: string, known: readonly string[]): boolean =>
  known.some((one) => host === one || host.endsWith(`.${one}`));

/** Whether the host is a well-known registry of packages. */
export const isKnownRegistry = (host: string, ontology: Ontology): boolean =>
  isBelow(host, sourceWords(ontology).known);

/** Whether something is downloaded, and all of it comes from registries and makers of well-known languages and tools. */
export function downloadsAreKnown(effects: readonly Effect[], ontology: Ontology): boolean {
  const { known, installers } = sourceWords(ontology);
  const hosts = effects.filter(({ kind }) => kind === 'downloads').map(({ object }) => object);
  return hosts.length > 0 && hosts.every((host) => isBelow(host, installers) || isBelow(host, known));
}

function noteSource(w: World, host: string, excerpt: string): void {
  if (host === '' || isLoopback(host)) return;
  if (isKnownRegistry(host, w.ontology)) return;
  w.noteHost(host);
  w.add('redirects_packages', 'one', host, excerpt);
}
