/** What code inside the parameters does: shell, SQL, Python, JavaScript, URLs and HTTP calls, parsed into effects. */

import type { CloudCall } from '../../../effects/cloud/cloud-call.ts';
import { readStored } from '../../../effects/deeds.ts';
import type { Effect } from '../../../effects/effects.ts';
import { hostOfUrl } from '../../../effects/hosts.ts';
import { interpret, MAX_SNIPPET } from '../../../effects/languages.ts';
import { isStoredKey, readFileTool } from '../../../effects/parameters/file-tools.ts';
import { readHttp } from '../../../effects/parameters/http.ts';
import { hostOpenings } from '../../../effects/parameters/manifests.ts';
import { findHttpCall, findSnippets, type Snippet, urlsOf } from '../../../effects/parameters/snippets.ts';
import { namesOf } from '../../../effects/parameters/tool-names.ts';
import { World } from '../../../effects/world.ts';
import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import type { Ontology } from '../../../ontology/index.ts';

export type { Effect, EffectKind } from '../../../effects/effects.ts';

export interface ContentReading {
  /** Languages found. */
  languages: ('shell' | 'sql' | 'python' | 'javascript' | 'script' | 'http')[];
  effects: Effect[];
  /** Effects of code that is stored in a file and not run: they happen when the file is run. */
  dormant_effects: Effect[];
  /** SQL: a DELETE or UPDATE without a bounding WHERE. */
  has_unbounded_statement: boolean;
  /** Values in the code, so that provenance and sinks see them. */
  hosts: string[];
  paths: string[];
  /** Programs that command lines call. */
  programs: string[];
  /** Calls of cloud platforms in commands. */
  cloud_calls: readonly CloudCall[];
  /** Nothing but computation and output. */
  is_inert: boolean;
  /** What decides what runs and is known only when it runs; '' when there is nothing of the kind. */
  unresolved: string;
  /** A program of which neither name nor words tell anything; '' when there is none. */
  unknown_program: string;
  /** Something looked like code and could not be parsed, or was over the size bound: lowers confidence. */
  has_unparsed: boolean;
  /** A bound on the work left code unread. */
  was_cut: boolean;
}

const isAlwaysRun = (): boolean => true;

/** Characters of code that are read per event; the rest only counts as unread. */
const MAX_EVENT = 4 * MAX_SNIPPET;

/** Reads all parameters of one event. Text that does not look like code is skipped quickly and has no effects. */
export function readContent(event: AgentEvent, ontology: Ontology): ContentReading {
  const parameters = event.parameters;
  if (parameters === undefined) return NO_CONTENT;
  const walk = parametersOf(event);
  const { hints, file_verb: verb } = namesOf(ontology, event);
  const isRun = verb === 'write' ? (key: string): boolean => !isStoredKey(ontology, key) : isAlwaysRun;
  const snippets = findSnippets(ontology, walk, hints, parameters, isRun);
  const call = findHttpCall(ontology, parameters, hints);
  const urls = urlsOf(ontology, walk);
  const fileVerb = snippets.length > 0 ? null : verb;
  const openings = hostOpenings(ontology, walk.leaves);
  if (snippets.length === 0 && call === null && urls.length === 0 && fileVerb === null && openings.length === 0)
    return NO_CONTENT;
  const world = new World(ontology, interpret);
  runSnippets(snippets, world);
  if (fileVerb !== null) readFileTool(fileVerb, parameters, world);
  if (call !== null) {
    world.languages.add('http');
    readHttp(call, world);
  }
  // A manifest that is only written to a file opens nothing yet.
  for (const opening of openings)
    world.add('breaks_isolation', fileVerb === null ? 'one' : 'scratch', opening, opening);
  readStored(world);
  for (const url of urls) world.noteHost(hostOfUrl(url));
  return toReading(world);
}

function runSnippets(snippets: readonly Snippet[], world: World): void {
  let left = MAX_EVENT;
  for (const { language, code } of snippets) {
    world.languages.add(language);
    if (left < code.length) {
      world.has_unparsed = true;
      world.was_cut = true;
    }
    if (left > 0) world.run(language, code.slice(0, left));
    left -= code.length;
  }
}

/** The reading of most events. Shared, because readings are never changed. */
export const NO_CONTENT: ContentReading = {
  languages: [],
  effects: [],
  dormant_effects: [],
  has_unbounded_statement: false,
  hosts: [],
  paths: [],
  programs: [],
  cloud_calls: [],
  is_inert: false,
  has_unparsed: false,
  unresolved: '',
  unknown_program: '',
  was_cut: false,
};

function toReading(world: World): ContentReading {
  const effects = world.effects.items;
  const dormant = world.dormant.items;
  return {
    languages: [...world.languages],
    effects,
    dormant_effects: dormant,
    has_unbounded_statement: world.has_unbounded_statement,
    hosts: [...world.hosts],
    paths: [...world.paths],
    programs: [...world.programs],
    cloud_calls: world.cloud,
    is_inert:
      world.languages.size > 0 &&
      effects.length === 0 &&
      dormant.length === 0 &&
      !world.has_unparsed &&
      !world.has_unknown,
    has_unparsed: world.has_unparsed,
    unresolved: world.unresolved,
    unknown_program: world.unknown_program,
    was_cut: world.was_cut || world.effects.was_cut || world.dormant.was_cut,
  };
}
