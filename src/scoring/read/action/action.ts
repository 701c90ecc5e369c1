/** What the action is: claimed verb, the tool behind it, and the most dangerous thing any of its parts says it does. */

import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import { inOrder } from '../../../lang/in-order.ts';
import { asciiLower, isPlausibleName, namesNothing, wordsOf } from '../../../lang/names.ts';
import { joinedName, Recall } from '../../../lang/remember.ts';
import type { Ontology, ToolEntry, VerbEntry } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { inverseOf, listOf, setOf, tableOf } from '../../../ontology/words.ts';
import { claimedVerb, type Segments } from '../words/claimed-verb.ts';
import { verbOfName } from '../words/verb-lookup.ts';
import { type VerbLookup, verbLookup } from '../words/verb-table.ts';
import { paymentOfArguments, verbOfArguments, verbOfNoun } from './argument-shape.ts';
import type { ContentReading } from './content/content.ts';
import { effectVerbs } from './content/effects-as-verbs.ts';
import { writingVerbs } from './content/writing-bodies.ts';
import { placesOf, type ToldDomains, toldDomains } from './naming/action-domain.ts';
import { dispatchedVerb, namedOperations, switchedOffGuards, switchedOnVerbs } from './naming/operation.ts';
import { findTool, serverWordsBefore } from './naming/tools.ts';

export interface ActionReading {
  domain: string;
  scope: string;
  verb: string;
  /** `mcp_context.tool_name`, '' when absent. */
  tool_name: string;
  /** Words of scope, verb and tool name, in this order. */
  name_words: readonly string[];
  /** Neither the verb nor the tool's name, listed or split into words, is known. */
  is_unknown: boolean;
  /** The ontology's domain (aliases resolved), '' when unknown. */
  known_domain: string;
  /** All domains that the names tell. */
  domains: ToldDomains;
  /** Verb group of the claimed verb, `unknown` when the ontology has none. */
  verb_group: string;
  /** The most dangerous of: claimed verb, tool name, HTTP method, effects of the content. Rules use this one. */
  effective_group: string;
  /** 0-100, 0-4, 0-4: of the most dangerous part. */
  base_risk: number;
  reversibility: number;
  blast_radius: number;
  /** Every verb that the verb, the tool, an HTTP method, a named operation or an effect stands for, sorted. */
  verbs: readonly string[];
  /** The names of action and tool say only that given code is run. */
  only_runs_content: boolean;
  /** It only runs given code, and the effects of all of that code are known: the place where it runs says nothing about data. */
  runs_understood_content: boolean;
  /** The groups of these verbs, sorted. `effective_group` is only the most dangerous of them. */
  groups: readonly string[];
}

/**
 * An unknown verb weighs like a change of settings: more than every read, draft and ordinary write, less than verbs that
 * are known to destroy, pay or publish. The ontology gives the risk.
 */
function unknownVerb(ontology: Ontology): VerbEntry {
  const { base_risk } = ontology.unknown_verb;
  return { verb: '', group: 'unknown', reversibility: 2, blast_radius: 2, base_risk, reason: 'nobody knows this verb' };
}

const words = perOntology((ontology) => ({
  carriers: setOf(ontology, 'carrier_verbs'),
  interpreters: setOf(ontology, 'interpreter_words'),
  method_keys: setOf(ontology, 'method_parameters'),
  method_verbs: inverseOf(ontology, 'http_methods'),
  generic_groups: setOf(ontology, 'generic_groups'),
  switching_groups: setOf(ontology, 'switching_groups'),
  paid_groups: setOf(ontology, 'paid_groups'),
  made_payments: setOf(ontology, 'made_payments'),
  physical: setOf(ontology, 'physical_domains'),
  handling: new Set(
    listOf(ontology, 'handling_steps').flatMap((kind) => tableOf(ontology, 'step_kinds').get(kind) ?? []),
  ),
}));

/** An HTTP method has no more characters. */
const LONGEST_METHOD = 7;

function methodVerbs(event: AgentEvent, ontology: Ontology, lookup: VerbLookup): VerbEntry[] {
  const { method_keys, method_verbs } = words(ontology);
  const found: VerbEntry[] = [];
  for (const { key, value } of parametersOf(event).leaves) {
    if (typeof value !== 'string' || value.length > LONGEST_METHOD || !method_keys.has(asciiLower(key))) continue;
    const verb = lookup.verbs.get(method_verbs.get(asciiLower(value)) ?? '');
    if (verb !== undefined) found.push(verb);
  }
  return found;
}

/** What the name of the tool says: the ontology's entry, else the words of the name. */
function toolVerb(names: Names, tool: ToolEntry | undefined, lookup: VerbLookup): VerbEntry | undefined {
  const listed = tool === undefined ? undefined : lookup.verbs.get(tool.action.slice(tool.action.lastIndexOf(':') + 1));
  if (listed !== undefined || !isPlausibleName(names.tool)) return listed;
  const words = wordsOf(names.tool);
  const before = serverWordsBefore(words, names.server);
  const own = before === 0 ? undefined : verbOfName(words.slice(before).join('_'), lookup);
  return own ?? verbOfName(names.tool, lookup);
}

function segmentsOf(action: string): Segments {
  const [domain = '', scope = '', verb = ''] = action.split(':');
  return { domain, scope, verb };
}

function isInterpreter(action: Segments, tool_name: string, ontology: Ontology): boolean {
  const { interpreters } = words(ontology);
  // A sentence in place of a tool's name must not make an interpreter of anything.
  const named = isPlausibleName(tool_name) ? wordsOf(tool_name) : [];
  return [wordsOf(action.domain), wordsOf(action.scope), named].some((names) =>
    names.some((word) => interpreters.has(word)),
  );
}

interface Names {
  action: string;
  tool: string;
  server: string;
}

/** Where machines handle things, `drop` and `break` are movements and delete no data. */
function inPlace(
  entry: VerbEntry | undefined,
  name: string,
  domains: ToldDomains,
  ontology: Ontology,
): VerbEntry | undefined {
  const { handling, physical } = words(ontology);
  if (!handling.has(asciiLower(name))) return entry;
  if (!placesOf(domains, ontology).some(({ domain }) => physical.has(domain))) return entry;
  return ontology.verbs.get('handle_object') ?? entry;
}

/** What follows from the names of action, tool and server alone. */
interface Named {
  segments: Segments;
  name_words: readonly string[];
  claimed: VerbEntry | undefined;
  of_tool: VerbEntry | undefined;
  domains: ToldDomains;
  is_interpreter: boolean;
  /** A tool name that no program could have hides which tool it is. */
  is_hidden: boolean;
}

const namedByNames = perOntology(() => new Recall<Named>());

function readNames(names: Names, ontology: Ontology): Named {
  const { action, tool: tool_name, server } = names;
  return namedByNames(ontology).get(joinedName(action, tool_name, server), () => {
    const lookup = verbLookup(ontology);
    const segments = segmentsOf(action);
    const tool = findTool(tool_name, server, ontology);
    const domains = toldDomains(segments, tool, names, ontology);
    const of_tool = inPlace(toolVerb(names, tool, lookup), tool_name, domains, ontology);
    return {
      segments,
      name_words: [segments.scope, segments.verb, tool_name].flatMap(wordsOf),
      claimed: inPlace(claimedVerb(segments, tool_name, of_tool, lookup), segments.verb, domains, ontology),
      of_tool,
      domains,
      is_interpreter: isInterpreter(segments, tool_name, ontology),
      is_hidden: !namesNothing(tool_name) && !isPlausibleName(tool_name),
    };
  });
}

function highest(parts: readonly VerbEntry[], what: 'base_risk' | 'reversibility' | 'blast_radius'): number {
  let most = 0;
  for (const part of parts) if (part[what] > most) most = part[what];
  return most;
}

const sorted = (names: readonly string[]): readonly string[] =>
  names.length < 2 ? names : inOrder(names.filter((name) => name !== ''));

/** `content` matters twice: its effects count as verbs, and where it was understood the word `execute` says nothing more. */
export function readAction(event: AgentEvent, ontology: Ontology, content: ContentReading): ActionReading {
  const lookup = verbLookup(ontology);
  const { carriers, generic_groups, switching_groups, paid_groups, made_payments: made } = words(ontology);
  const tool_name = event.mcp_context?.tool_name ?? '';
  const server = event.mcp_context?.server_name ?? '';
  const named = readNames({ action: event.action, tool: tool_name, server }, ontology);
  const { of_tool } = named;
  const effects = effectVerbs(content, ontology);
  // A harmless command beside a program of which nothing is known explains none of what that program does.
  const is_understood =
    effects.length > 0 && !content.has_unparsed && content.unknown_program === '' && named.is_interpreter;
  const parts: VerbEntry[] = [];
  const dispatched = dispatchedVerb(event, ontology, lookup);
  // Where the names tell no more than that something is called, the parameters tell what it does.
  const isNameless = of_tool === undefined && named.claimed?.verb === 'call_function' && effects.length === 0;
  const of_arguments =
    isNameless && !named.is_hidden && dispatched === undefined
      ? (verbOfArguments(event, ontology) ?? verbOfNoun(event, tool_name, ontology))
      : undefined;
  const claimed = of_arguments ?? named.claimed;
  // A carrier says no more than that something is done: its content, or the tool that it calls, says what.
  const is_told = is_understood || dispatched !== undefined;
  for (const verb of [claimed, of_tool])
    if (verb !== undefined && !(is_told && carriers.has(verb.verb))) parts.push(verb);
  if (dispatched !== undefined) parts.push(dispatched);
  const of_method = methodVerbs(event, ontology, lookup);
  parts.push(...of_method, ...writingVerbs(event, ontology, lookup), ...effects);
  parts.push(...switchedOnVerbs(event, ontology, lookup));
  // `mcp:acme:frobnicate` says that something is called, and its words say nothing of what.
  const isBlank = isNameless && of_arguments === undefined && !is_told && named.domains.own.length === 0;
  const is_unknown = (claimed === undefined || isBlank) && of_tool === undefined && of_method.length === 0;
  // A hidden tool weighs like an unknown verb beside the claim.
  if (is_unknown || named.is_hidden || parts.length === 0) parts.push(unknownVerb(ontology));
  const rankOf = (verb: VerbEntry): number => lookup.rank.get(verb.group) ?? lookup.rank.size;
  const mostDangerous = (most: VerbEntry, verb: VerbEntry): VerbEntry => (rankOf(verb) < rankOf(most) ? verb : most);
  const named_top = parts.reduce(mostDangerous);
  const operations = namedOperations(event, ontology, lookup);
  // In a search, a switch that is off is what is looked for; in a change of settings it is what happens.
  const changes = named_top.group === 'send' ? of_method.some(({ group }) => switching_groups.has(group)) : false;
  if (changes || switching_groups.has(named_top.group)) operations.push(...switchedOffGuards(event, ontology, lookup));
  // Where the names say little, the operation that a parameter names decides. It never hides a more dangerous one.
  // «Call» and «click» say less than a graver operation that they carry out.
  const isCarrier = named_top.group === 'execute' && effects.length === 0;
  const top = generic_groups.has(named_top.group)
    ? operations.reduce(mostDangerous, named_top)
    : isCarrier
      ? operations.reduce((most, one) => (one.base_risk > most.base_risk ? one : most), named_top)
      : named_top;
  parts.push(...operations);
  const mayPay =
    paid_groups.has(top.group) || (top.group === 'create' && named.name_words.some((word) => made.has(word)));
  const paid = mayPay ? paymentOfArguments(event, named.name_words, ontology) : undefined;
  if (paid !== undefined) parts.push(paid);
  const { domain, scope, verb } = named.segments;
  const only_runs_content =
    named.is_interpreter &&
    !named.is_hidden &&
    dispatched === undefined &&
    [claimed, of_tool].every((one) => one === undefined || carriers.has(one.verb));
  return {
    domain,
    scope,
    verb,
    tool_name,
    name_words: named.name_words,
    is_unknown,
    known_domain: named.domains.known,
    domains: named.domains,
    verb_group: claimed?.group ?? 'unknown',
    effective_group: (paid ?? top).group,
    base_risk: highest(parts, 'base_risk'),
    reversibility: highest(parts, 'reversibility'),
    blast_radius: highest(parts, 'blast_radius'),
    only_runs_content,
    runs_understood_content: only_runs_content && is_understood,
    verbs: sorted(parts.map((part) => part.verb)),
    groups: sorted(parts.map((part) => part.group)),
  };
}
