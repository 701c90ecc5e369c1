/** What speaks against a package that is installed: where it comes from, who named it, whether its version is fixed. */

import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import type { ActionReading } from '../action/action.ts';
import type { ContentReading } from '../action/content.ts';
import { corpusOf } from '../conversation/corpus.ts';
import type { TextReading } from '../conversation/text.ts';
import { locate } from '../values/locate.ts';
import { readValue } from '../words/normalise.ts';

export type PackageSign =
  | 'url'
  | 'other_index'
  | 'unpinned'
  | 'from_tool_text'
  | 'named_nowhere'
  | 'scripts_forced'
  | 'redirected';

const NAME_KEYS = new Set(['package', 'package_name', 'packages', 'module', 'dependency', 'name', 'plugin', 'image']);
const INSTALLING = new Set(['install', 'upgrade', 'add', 'update']);
const OTHER_INDEX = /(?:^|\s)(?:--(?:extra-)?index-url|--registry|--find-links|-i\s+https?:)/i;
const FORCED = /(?:^|\s)--(?:unsafe-perm|allow-unauthenticated|force-yes|ignore-scripts=false|trusted-host)\b/i;
const URL_NAME = /^(?:git\+|github:|https?:)/i;
/** `==1.2`, `@1.2`, `=1.2`, `:1.2` behind a name; `@scope/name` has none. */
const PINNED = /.(?:==?|@|:)v?\d/;
const MAX_NAMES = 32;

interface Installation {
  names: string[];
  command: string;
}

function installations(event: AgentEvent, action: ActionReading, content: ContentReading): Installation[] {
  const found: Installation[] = content.effects
    .filter(({ kind, scope, object }) => kind === 'installs' && scope !== 'scratch' && object !== 'declared packages')
    .map(({ object, excerpt }) => ({ names: object.split(' ').slice(0, MAX_NAMES), command: excerpt }));
  if (action.known_domain === 'package' && action.verbs.some((verb) => INSTALLING.has(verb))) {
    const named = parametersOf(event).leaves.filter(
      ({ name, value }) => NAME_KEYS.has(name) && typeof value === 'string',
    );
    const version = parametersOf(event).leaves.find(({ name }) => name === 'version')?.value;
    const pin = version === undefined || version === 'latest' || version === '' ? '' : `@${version}`;
    found.push({ names: named.slice(0, MAX_NAMES).map(({ value }) => `${value}${pin}`), command: '' });
  }
  return found;
}

/** `requests==2.31` → `requests`. */
const bareName = (name: string): string => name.replace(/(.)(?:[=<>~!]=?|@|:)v?\d.*$/, '$1');

export function packageSigns(
  event: AgentEvent,
  action: ActionReading,
  content: ContentReading,
  text: TextReading,
): PackageSign[] {
  const signs = new Set<PackageSign>();
  // Where packages come from now on is for the user to say.
  for (const { kind, object } of content.effects)
    if (
      kind === 'redirects_packages' &&
      locate(corpusOf(text), 'user', readValue(object, 'host', text.ontology)).length === 0
    )
      signs.add('redirected');
  for (const { names, command } of installations(event, action, content)) {
    if (OTHER_INDEX.test(command)) signs.add('other_index');
    if (FORCED.test(command)) signs.add('scripts_forced');
    for (const name of names.filter((one) => one !== '')) {
      if (URL_NAME.test(name)) signs.add('url');
      else if (!PINNED.test(name)) signs.add('unpinned');
      const origin = originOf(bareName(name), text);
      if (origin !== undefined) signs.add(origin);
    }
  }
  return [...signs].sort();
}

/** Undefined when the user named it, or when nobody's words are there to tell. */
function originOf(name: string, text: TextReading): PackageSign | undefined {
  const value = readValue(name, 'package', text.ontology);
  const corpus = corpusOf(text);
  if (!text.has_request || locate(corpus, 'user', value).length > 0) return undefined;
  return locate(corpus, 'tool', value).length > 0 ? 'from_tool_text' : 'named_nowhere';
}
