/**
 * What an action reaches, read from its parsed structure alone, for exceptions of a policy. Each list is known only where
 * everything that the event does was read and belongs to the list: then whatever is added to the event makes the list longer
 * or unknown, and a condition on all of its elements can only cease to hold. Comments, quoted text and the conversation are
 * no part of the structure.
 */

import { snippetWords } from '../../../../effects/parameters/code-languages.ts';
import { fileParameters } from '../../../../effects/parameters/file-tools.ts';
import { namesOf } from '../../../../effects/parameters/tool-names.ts';
import type { CommandCall } from '../../../../effects/world.ts';
import type { AgentEvent } from '../../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../../events/parameters.ts';
import { wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import type { ActionReading } from '../action.ts';
import type { ContentReading } from '../content/content.ts';
import { branchesOf, repositoriesOf } from './branches.ts';
import { PLAIN_HOST, plainHost, registriesOf } from './packages.ts';
import { classesOf, classesOfCall } from './paths.ts';
import { type Called, readCalled, readLine, type StructureWords, structureWords } from './words.ts';

/** A list of which every element is known; `undefined` where that cannot be said. Never empty. */
export type Known = readonly string[] | undefined;

type OfCall = (call: Called, words: StructureWords) => readonly string[] | null;

const sendingGroups = perOntology((ontology) => setOf(ontology, 'sending_groups'));

/** The first name of a leaf's path: `headers` for `headers.Accept`. */
const rootOf = ({ path }: Leaf): string => path.split(/[.[]/, 1)[0]!;

function known(values: readonly string[] | null): Known {
  return values === null || values.length === 0 ? undefined : [...new Set(values)].sort();
}

export class Structure {
  readonly #event: AgentEvent;
  readonly #ontology: Ontology;
  readonly #action: ActionReading;
  readonly #content: ContentReading;
  readonly #words: StructureWords;
  #calls: readonly CommandCall[] | null | undefined;
  #called: readonly Called[] | null | undefined;

  constructor(event: AgentEvent, ontology: Ontology, action: ActionReading, content: ContentReading) {
    this.#event = event;
    this.#ontology = ontology;
    this.#action = action;
    this.#content = content;
    this.#words = structureWords(ontology);
  }

  get programs(): Known {
    return known(this.#commands()?.map(({ program }) => program) ?? null);
  }

  get subcommands(): Known {
    const calls = this.#calledAll();
    return known(
      calls?.map(({ program, subcommand }) => (subcommand === '' ? program : `${program} ${subcommand}`)) ?? null,
    );
  }

  get registries(): Known {
    return this.#ofCalls(registriesOf);
  }

  get branches(): Known {
    return this.#ofCalls(branchesOf);
  }

  /** `shared` for a branch that others build on, by its name; `own` for the others. */
  get branch_kinds(): Known {
    const { shared_branches } = this.#words;
    return known(this.branches?.map((name) => (shared_branches.test(name) ? 'shared' : 'own')) ?? null);
  }

  get repositories(): Known {
    return this.#ofCalls(repositoriesOf);
  }

  get hosts(): Known {
    if (this.#commands() !== null) return this.#ofCalls(hostsOfCall);
    return known(this.#hostsOfRequest());
  }

  get path_classes(): Known {
    const calls = this.#commands();
    if (calls === null) return known(this.#classesOfFileTool());
    const { path_programs, without_effect, places } = this.#words;
    // A parameter that names the folder moves every relative path.
    if (parametersOf(this.#event).leaves.some(({ name }) => places.has(name))) return undefined;
    const found: string[] = [];
    for (const call of calls) {
      if (without_effect.has(call.program)) continue;
      const classes = path_programs.has(call.program) ? classesOfCall(call, this.#ontology) : null;
      if (classes === null) return undefined;
      found.push(...classes);
    }
    return known(found);
  }

  get recipient_domains(): Known {
    if (this.#hasCode() || !sendingGroups(this.#ontology).has(this.#action.effective_group)) return undefined;
    const { message } = this.#words;
    const recipients = new Set(this.#ontology.argument_roles.get('recipient') ?? []);
    const found: string[] = [];
    for (const leaf of parametersOf(this.#event).leaves) {
      const root = rootOf(leaf);
      if (message.has(root)) continue;
      const domains =
        typeof leaf.value === 'string' && recipients.has(root) && !leaf.path.includes('.')
          ? domainsOf(leaf.value)
          : null;
      if (domains === null) return undefined;
      found.push(...domains);
    }
    return known(found);
  }

  #hasCode(): boolean {
    const { languages, programs, effects, dormant_effects, has_unparsed } = this.#content;
    return languages.length + programs.length + effects.length + dormant_effects.length > 0 || has_unparsed;
  }

  /** Every command of an event that does nothing but run command lines, all of them read; `null` for any other event. */
  #commands(): readonly CommandCall[] | null {
    if (this.#calls === undefined) this.#calls = this.#isWhole() ? this.#content.calls : null;
    return this.#calls;
  }

  #isWhole(): boolean {
    const { calls, languages, stored_files, set_variables } = this.#content;
    if (calls.length === 0 || stored_files.length > 0 || !wasRead(this.#content)) return false;
    if (languages.some((language) => language !== 'shell')) return false;
    const { plain_variable, describing, places } = this.#words;
    if ([...set_variables].some((name) => !plain_variable.test(name))) return false;
    // `env PATH=/tmp gh`, `make CC=…`: what follows runs with another setting.
    if (calls.some(({ words }) => words.some(({ text }) => setsVariable(text, plain_variable)))) return false;
    const { hints, file_verb } = namesOf(this.#ontology, this.#event);
    if (!this.#action.only_runs_content || !hints.shell || file_verb !== null) return false;
    const { leaves } = parametersOf(this.#event);
    const { roleOf } = snippetWords(this.#ontology);
    // A parameter that is not a command line and does not describe one may be anything to the tool.
    return (
      leaves.length <= MAX_LEAVES &&
      leaves.every(({ key, name, path, value }) => {
        if (path === key && (describing.has(name) || places.has(name))) return true;
        if (roleOf(key) !== 'shell' || typeof value !== 'string') return false;
        return path === key ? value.trim().length >= 2 : WORD_OF_LIST.test(path.slice(key.length));
      })
    );
  }

  #calledAll(): readonly Called[] | null {
    if (this.#called !== undefined) return this.#called;
    const calls = this.#commands()?.map((call) => readCalled(call, this.#words)) ?? [null];
    this.#called = calls.every((call) => call !== null) ? (calls as Called[]) : null;
    return this.#called;
  }

  /** What every call contributes; unknown where one that has an effect contributes nothing. */
  #ofCalls(read: OfCall): Known {
    const calls = this.#calledAll()?.filter(({ program }) => !this.#words.without_effect.has(program));
    if (calls === undefined) return undefined;
    const found: string[] = [];
    for (const call of calls) {
      const values = read(call, this.#words);
      if (values === null) return undefined;
      found.push(...values);
    }
    return known(found);
  }

  #isRequestTool(): boolean {
    if (namesOf(this.#ontology, this.#event).hints.http) return true;
    const names = wordsOf(`${this.#event.action} ${this.#event.mcp_context?.tool_name ?? ''}`);
    return names.some((word) => this.#words.request_tools.has(word));
  }

  /** Hosts of a tool that sends a request to the address that its parameters name. */
  #hostsOfRequest(): readonly string[] | null {
    if (this.#content.languages.some((language) => language !== 'http') || this.#content.was_cut) return null;
    if (this.#content.programs.length > 0 || this.#content.has_unparsed) return null;
    if (!this.#isRequestTool()) return null;
    const { roleOf } = snippetWords(this.#ontology);
    const found: string[] = [];
    for (const leaf of parametersOf(this.#event).leaves) {
      if (
        roleOf(leaf.key) === 'url' ||
        (typeof leaf.value === 'string' && this.#words.host_parameter.test(leaf.name))
      ) {
        const host = typeof leaf.value === 'string' ? hostIn(leaf.value) : null;
        if (host === null) return null;
        found.push(host);
        continue;
      }
      const root = rootOf(leaf);
      const role = roleOf(root);
      if (role !== 'method' && role !== 'carrier' && role !== 'payload' && !this.#words.request.has(root)) return null;
    }
    return found;
  }

  /** Classes of the paths of a tool that reads, writes, moves or removes files. */
  #classesOfFileTool(): readonly string[] | null {
    const { file_verb } = namesOf(this.#ontology, this.#event);
    const { was_cut, programs, languages } = this.#content;
    if (file_verb === null || was_cut || programs.length > 0 || languages.includes('http')) return null;
    const { paths, sources, destinations, contents } = fileParameters(this.#ontology);
    const found: string[] = [];
    for (const { path: at, name, value } of parametersOf(this.#event).leaves) {
      const is_place = paths.test(name) || sources.test(name) || destinations.test(name);
      if (is_place) {
        const classes = typeof value === 'string' ? classesOf(value, '', this.#ontology) : null;
        if (classes === null) return null;
        found.push(...classes);
      } else if (
        at.includes('.') ||
        !(contents.test(name) || this.#words.edit.has(name) || this.#words.describing.has(name))
      )
        return null;
    }
    return found;
  }
}

/** Commands have few parameters; the walk over them is bounded too. */
const MAX_LEAVES = 1_000;
const WORD_OF_LIST = /^\[\d+\]$/;

function wasRead({ has_unparsed, unresolved, was_cut, calls_are_partial }: ContentReading): boolean {
  return !has_unparsed && unresolved === '' && !was_cut && !calls_are_partial;
}

function setsVariable(text: string, plain: RegExp): boolean {
  const equals = text.indexOf('=');
  const name = equals < 1 ? '' : text.slice(0, equals);
  return /^[A-Za-z_]\w*$/.test(name) && !plain.test(name);
}

function hostIn(value: string): string | null {
  const url = plainHost(value);
  if (url !== null) return url;
  const host = value.toLowerCase().replace(/:\d{1,5}$/, '');
  return host.includes('.') && PLAIN_HOST.test(host) ? host : null;
}

/** Hosts that a client of URLs is given; `null` where an option or word may lead elsewhere. */
function hostsOfCall(call: Called, words: StructureWords): readonly string[] | null {
  if (!words.url_clients.has(call.program)) return null;
  const line = readLine(call.rest, words.url_switches, words.url_values);
  const hosts = line?.operands.map(plainHost) ?? [];
  return hosts.length > 0 && hosts.every((host) => host !== null) ? (hosts as string[]) : null;
}

const ADDRESS = /^[^\s@<>"',;:()[\]\\]{1,64}@((?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24})$/i;
const NAMED = /^[^@<>,;]{0,128}<([^<>\s]{3,320})>$/;

/** Domains of the addresses in a list of recipients; `null` where one entry is not a plain address. */
function domainsOf(value: string): readonly string[] | null {
  if (value.length > 4_096) return null;
  const found: string[] = [];
  for (const entry of value.split(/[,;]/)) {
    const text = entry.trim();
    const domain = ADDRESS.exec(NAMED.exec(text)?.[1] ?? text)?.[1];
    if (domain === undefined) return null;
    found.push(domain.toLowerCase());
  }
  return found;
}
