/** Settings from which package managers learn where packages come from: registries, indexes, mirrors, proxies. */
import { hostOf, hostOfUrl, isLoopback } from './hosts.ts';
import type { World } from './world.ts';

/** Words of a command that sets such a place, in any of its arguments. */
const NAMES_SOURCE = /registry|index-?url|find-?links|proxy|sources?\b|mirror|channels?\b|repositor|trusted-?host/i;
const SETS = /^(?:config|set|sources?|env|repo|nuget|configure)$/;
const MAX_URLS = 16;
const URLS = /\bhttps?:\/\/[^\s"'<>,;|)\]]{1,400}/gi;

/** `npm config set registry URL`, `gem sources --add URL`, `go env -w GOPROXY=URL`. */
export function noteSourceSetting(w: World, words: readonly string[], excerpt: string): void {
  if (!SETS.test(words.find((word) => !word.startsWith('-')) ?? '')) return;
  const line = words.join(' ');
  if (/strict-ssl[ =]false|GO(?:NOSUMDB|NOSUMCHECK|INSECURE|FLAGS=-insecure)|GOSUMDB=off|trusted-host/i.test(line))
    w.add('bypasses_checks', 'one', 'package signatures', excerpt);
  if (!NAMES_SOURCE.test(line)) return;
  for (const word of words)
    for (const part of word.replace(/^[\w.@:-]{1,80}=/, '').split(',')) noteSource(w, hostOf(part), excerpt);
}

/** A file of settings is written: every address in it that is not a registry known to all. */
export function noteSourceFile(w: World, text: string, excerpt: string): void {
  let left = MAX_URLS;
  for (const [url] of text.matchAll(URLS)) {
    if (left-- <= 0) break;
    noteSource(w, hostOfUrl(url), excerpt);
  }
}

function noteSource(w: World, host: string, excerpt: string): void {
  if (host === '' || isLoopback(host)) return;
  const known = w.ontology.lists.get('package_registries') ?? [];
  if (known.some((one) => host === one || host.endsWith(`.${one}`))) return;
  w.noteHost(host);
  w.add('redirects_packages', 'one', host, excerpt);
}
