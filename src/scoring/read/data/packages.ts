/** Warning signs of a package that is installed: where it comes from, who named it, whether its version is fixed. */

import { changedLines } from '../../../effects/edits/added-lines.ts';
import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import type { ContentReading } from '../action/content/content.ts';
import { editsOfEvent } from '../action/content/edits.ts';
import { corpusOf } from '../conversation/corpus.ts';
import { pointedBy } from '../conversation/pointed.ts';
import { requestOf } from '../conversation/request.ts';
import type { TextReading } from '../conversation/text.ts';
import { missingModules, packageOfModule } from '../conversation/transcript/missing-modules.ts';
import { locate } from '../values/locate.ts';
import { readValue } from '../words/normalise.ts';
import { declaredPackages, imitatedPackage, isPopular, registryOf } from './imitated-packages.ts';

export type PackageSign =
  | 'url'
  | 'other_index'
  | 'unpinned'
  | 'from_tool_text'
  | 'named_nowhere'
  | 'scripts_forced'
  | 'redirected'
  | 'imitates_known';

const words = perOntology((ontology) => ({
  names: setOf(ontology, 'package_parameters'),
  versions: setOf(ontology, 'version_parameters'),
  latest: setOf(ontology, 'latest_words'),
  installing: setOf(ontology, 'installing_verbs'),
  other_index: patternOf(ontology, 'package_commands', 'other_index'),
  forced: patternOf(ontology, 'package_commands', 'forced'),
  address: patternOf(ontology, 'package_names', 'address'),
}));
/** `==1.2`, `@1.2`, `=1.2`, `:1.2` behind a name; `@scope/name` has none. */
const PINNED = /.(?:==?|@|:)v?\d/;
const MAX_NAMES = 32;
const LONGEST_NAME = 256;

interface Installation {
  names: string[];
  command: string;
}

function installations(
  event: AgentEvent,
  ontology: Ontology,
  action: ActionReading,
  content: ContentReading,
): Installation[] {
  const { names, versions, latest, installing } = words(ontology);
  const found: Installation[] = content.effects
    .filter(({ kind, scope, object }) => kind === 'installs' && scope !== 'scratch' && object !== 'declared packages')
    .map(({ object, excerpt }) => ({ names: object.split(' ').slice(0, MAX_NAMES), command: excerpt }));
  if (action.known_domain === 'package' && action.verbs.some((verb) => installing.has(verb))) {
    const named = parametersOf(event).leaves.filter(({ name, value }) => names.has(name) && typeof value === 'string');
    const version = parametersOf(event).leaves.find(({ name }) => versions.has(name))?.value;
    const is_pinned = version !== undefined && version !== '' && !latest.has(String(version));
    const pin = is_pinned ? `@${version}` : '';
    found.push({ names: named.slice(0, MAX_NAMES).map(({ value }) => `${value}${pin}`), command: '' });
  }
  return found;
}

/** `requests==2.31` → `requests`. */
const bareName = (name: string): string =>
  name.slice(0, LONGEST_NAME).replace(/(.)(?:[=<>~!]=?|@|:)v?\d.{0,256}$/, '$1');

export function packageSigns(
  event: AgentEvent,
  ontology: Ontology,
  action: ActionReading,
  content: ContentReading,
  text: TextReading,
): PackageSign[] {
  const { other_index, forced, address } = words(ontology);
  const signs = new Set<PackageSign>();
  // Only the user may decide where packages come from.
  for (const { kind, object } of content.effects)
    if (
      kind === 'redirects_packages' &&
      locate(corpusOf(text), 'user', readValue(object, 'host', text.ontology)).length === 0
    )
      signs.add('redirected');
  for (const { names, command } of installations(event, ontology, action, content)) {
    if (other_index.test(command)) signs.add('other_index');
    if (forced.test(command)) signs.add('scripts_forced');
    for (const name of names.filter((one) => one !== '')) {
      if (address.test(name)) signs.add('url');
      else if (!PINNED.test(name)) signs.add('unpinned');
      const isNeeded = missingModules(event, text).has(packageOfModule(bareName(name)));
      const origin = isNeeded ? undefined : originOf(bareName(name), text);
      // What everybody installs is not a package that a text could smuggle in.
      const isKnown = origin === 'from_tool_text' && isPopular(bareName(name), registryOf(command, ontology), ontology);
      if (origin !== undefined && !isKnown && !isOfPointed(bareName(name), text)) signs.add(origin);
      if (origin !== undefined && imitatedPackage(bareName(name), registryOf(command, ontology), ontology) !== '')
        signs.add('imitates_known');
    }
  }
  if (declaresImitation(event, text, ontology)) signs.add('imitates_known');
  return [...signs].sort();
}

/** Only the source that the user points at names the package: «do PLAT-311» leaves its choice to that issue. */
function isOfPointed(name: string, text: TextReading): boolean {
  const request = requestOf(text, text.ontology);
  if (!request.is_open_ended) return false;
  const { messages } = pointedBy(text, request);
  const corpus = corpusOf(text);
  const places = locate(corpus, 'tool', readValue(name, 'package', text.ontology));
  return places.length > 0 && places.every(({ word }) => messages.has(corpus.tool.stretchOf(word).segment.index));
}

/** An edit declares a package that the user did not name and whose name is nearly a well-known one. */
function declaresImitation(event: AgentEvent, text: TextReading, ontology: Ontology): boolean {
  return editsOfEvent(event, ontology).some((edit) =>
    declaredPackages(edit.path, changedLines(edit).added, ontology).some(
      ([name, registry]) => originOf(name, text) !== undefined && imitatedPackage(name, registry, ontology) !== '',
    ),
  );
}

/** Undefined when the user named the package, or when there is no request to compare with. */
function originOf(name: string, text: TextReading): PackageSign | undefined {
  const value = readValue(name, 'package', text.ontology);
  const corpus = corpusOf(text);
  if (!text.has_request || locate(corpus, 'user', value).length > 0) return undefined;
  return locate(corpus, 'tool', value).length > 0 ? 'from_tool_text' : 'named_nowhere';
}
