/**
 * The words of the ontology. Fields keep the names they have in the files of `ontology/`; an absent text is ''.
 *
 * Regular expressions: those of value detectors carry the flag `g`, for `matchAll` and `replace`, which begin at the
 * start each time. All others carry no `g`, so that `test` and `exec` keep no position between two calls.
 */

/** A document of `ontology/`: its path below that folder, with slashes, and its parsed content. */
export interface OntologyDocument {
  path: string;
  content: unknown;
}

export interface VerbEntry {
  verb: string;
  group: string;
  /** 0 changes nothing … 4 cannot be undone */
  reversibility: number;
  /** 0 none … 4 beyond the organisation */
  blast_radius: number;
  /** 0-100, of the verb alone on an ordinary internal object with legitimate intent */
  base_risk: number;
  reason: string;
}

export interface ScopeEntry {
  /** 0 public … 4 critical */
  sensitivity: number;
  implied_class: string;
}

export interface DomainEntry {
  domain: string;
  /** 0 public … 4 critical */
  default_sensitivity: number;
  implied_class: string;
  description: string;
  /** Other names of this domain. */
  aliases: readonly string[];
  /** Domains that usually appear in the same task. */
  usual_companions: readonly string[];
  scopes: ReadonlyMap<string, ScopeEntry>;
}

export interface ToolEntry {
  /** As the server spells it. */
  tool: string;
  /** Name of the file in `actions/tools/`. */
  server: string;
  /** Names under which the server presents itself, lower case. */
  server_names: readonly string[];
  /** `domain:scope:verb`, all three known. */
  action: string;
  /** The name was read in the tool's own repository. */
  is_confirmed: boolean;
}

export interface DataClassEntry {
  data_class: string;
  /** 0-4 */
  severity: number;
  meaning: string;
}

export interface FieldNameEntry {
  /** The finer kind, which findings call subclass. */
  kind: string;
  data_class: string;
  severity: number;
  /** Normalised: lower case with underscores. */
  names: readonly string[];
}

/** How sure a field name makes us, by how it matches. */
export interface FieldNameMatching {
  /** The whole name is an entry. */
  whole: number;
  /** An entry is the first or last part between underscores. */
  at_border: number;
  /** An entry of at least `inside_min_length` characters stands anywhere. */
  inside: number;
  inside_min_length: number;
  /** Subtracted when the name also has one of `negative_parts`. */
  negative_penalty: number;
  negative_parts: readonly string[];
  /** Short names that need a value or a domain that fits. */
  ambiguous: readonly string[];
}

export interface PatternExamples {
  matches: readonly string[];
  misses: readonly string[];
}

/**
 * Which part of a detector's match is the value. Where the pattern has a group, the group is.
 *
 * `whole`: all of it. `last_word`: the words before it only lead to it. `assigned`: what follows `:` or `=`, unless it
 * is code or a plain word. `behind_equals_sign`, `behind_label`: the rest. `password_of_url`: between `:` and `@`.
 * `public_address`: all of it, unless it is a private IPv4 address.
 */
export type DetectedPart =
  | 'whole'
  | 'last_word'
  | 'assigned'
  | 'behind_equals_sign'
  | 'behind_label'
  | 'password_of_url'
  | 'public_address';

/** Where in a text it pays to run a detector's pattern. */
export interface DetectorSearch {
  /** Lower case. The pattern runs on a window around each of these; on the whole text when it is empty. */
  near: readonly string[];
  /** Instead of `near`: with the flag `g`, linear by itself; the windows begin at its matches. */
  beginning: RegExp | null;
  /** Characters of the window before and after the beginning of the literal. */
  before: number;
  after: number;
  /** Lower case. The text must hold one of these; any text will do when it is empty. */
  requires: readonly string[];
  /** The text must hold so many digits. */
  digits: number;
  /** The text must hold a run of so many letters, digits and `+/_-`. */
  run: number;
  /** The value counts only beside a value of this detector, or (`secret_key`) below a key that speaks of a secret. */
  only_with: string;
}

export interface ValueDetector {
  id: string;
  data_class: string;
  /** A kind of field names. */
  subclass: string;
  severity: number;
  confidence: number;
  /** With the flag `g`. */
  pattern: RegExp;
  /** Name of a check in `validators.ts`, '' when the pattern is enough. It gets the first group, or the whole match. */
  validator: string;
  value: DetectedPart;
  search: DetectorSearch;
  examples: PatternExamples;
}

export interface InjectionMarker {
  marker: string;
  /** Without the flag `g`. */
  pattern: RegExp;
  /** 0-1 */
  strength: number;
  examples: PatternExamples;
}

export interface ArticleEntry {
  /** As in compliance_refs. */
  id: string;
  framework: string;
  article: string;
  title: string;
  obligation: string;
  bound: string;
  /** It binds only some customers or systems: a sentence about it begins with that condition. */
  is_conditional: boolean;
  applies_when: string;
  consequence: string;
  consequence_tier: string;
  /** Articles that set the consequence. */
  consequence_basis: readonly string[];
  kind: string;
  /** ISO date of the first day on which a breach is possible. */
  enforceable_from: string;
  enforceable_note: string;
  themes: readonly string[];
  /** The article of which this is a pinpoint. */
  parent: string;
  /** The same topic in a newer edition. */
  successor: string;
  note: string;
  /** Official address. */
  source: string;
  /** text, excerpt, title, secondary or none: how much of the source was read. */
  verification_level: string;
  verified: boolean;
}

export interface FrameworkEntry {
  framework: string;
  name: string;
  edition: string;
  issuer: string;
  kind: string;
  jurisdiction: string;
  aliases: readonly string[];
  id_form: string;
  status_note: string;
  articles: ReadonlyMap<string, ArticleEntry>;
}

/** When a framework binds: for which customers and for which events. */
export interface FrameworkBinding {
  /** `always` and `when` bind a customer that says nothing of itself. */
  binds: 'always' | 'when' | 'never_without_profile';
  /** Over the facts; only for events for which it is true. '' for all. */
  condition: string;
  /** Over the facts; events that show what its articles are about. '' where every event does. */
  shown_when: string;
  /** Customers that work in one of these; empty for everywhere. */
  regions: readonly string[];
  /** Customers of one of these; empty for all. */
  sectors: readonly string[];
}

/** How a violation is put into words for one kind of framework. */
export interface Phrasing {
  kind: string;
  /** Sentence with placeholders such as `{article}`, for an article that applies on the day of the event. */
  in_force: string;
  /** The same for one that applies later. */
  not_yet: string;
  states_consequence: boolean;
  /** Follows the sentence where the event shows that the article binds; '' for none. */
  where_shown: string;
  /** Words that would claim too much. */
  never_says: readonly string[];
  /** Which articles a reader sees first: 0 laws, 1 standards, 2 threat lists. */
  rank: number;
  /** Counts in frameworks_impacted; others count only when nothing else is cited. */
  counts_as_impacted: boolean;
}

/** Programs that one mechanism of `src/effects/programs` reads, with the words and patterns that it asks for by name. */
export interface ProgramEntry {
  /** File and first name, for messages. */
  where: string;
  /** Name of the mechanism. */
  reader: string;
  /** Lower case, without folder and `.exe`. Each program stands in one entry. */
  names: readonly string[];
  /** Options, sub-commands and other words by the name under which the reader asks for them. */
  words: ReadonlyMap<string, readonly string[]>;
  /** Without the flag `g`. */
  patterns: ReadonlyMap<string, RegExp>;
}

/** Calls of one language's libraries that mean the same. Exactly one of `reader`, `effect` and `returns` is not ''. */
export interface CallEntry {
  /** File and first name, for messages. */
  where: string;
  /** Name of the mechanism in `src/effects` that reads the arguments. */
  reader: string;
  /** The only effect of these calls. */
  effect: string;
  /** How far the effect reaches: scratch, one, many, everything. */
  scope: string;
  /** What the effect reaches. '': the first argument. */
  object: string;
  /** Where the content of the result comes from: network, file, secret, personal, system, processes, … */
  result: readonly string[];
  /** The text that these calls return. */
  returns: string;
  /** Dotted names. `.close` is a method of any object, `f().close` one of what `f` returns; `x.y=` is a property. */
  names: readonly string[];
}

/** What the libraries of one programming language do. */
export interface Library {
  where: string;
  calls: readonly CallEntry[];
  /** Dotted name → text. */
  constants: ReadonlyMap<string, string>;
  /** Module → the name under which `calls` has it. */
  module_aliases: ReadonlyMap<string, string>;
}

export interface Ontology {
  /** SHA-256 hex prefix over all documents, set by the loader. */
  version: string;
  verbs: ReadonlyMap<string, VerbEntry>;
  /** Most dangerous first. */
  group_danger_order: readonly string[];
  /** Canonical names and aliases alike. */
  domains: ReadonlyMap<string, DomainEntry>;
  /** Resource type → sensitivity 0-4. */
  resource_types: ReadonlyMap<string, number>;
  /** By lower-case tool name; several servers may share a name. */
  tools: ReadonlyMap<string, readonly ToolEntry[]>;
  /** Word of a tool name → verb. */
  tool_verb_prefixes: ReadonlyMap<string, string>;
  /** Words of a tool name that say «many», and what they add to the base risk of the verb that follows. */
  bulk: { words: readonly string[]; base_risk_bonus: number };
  /** What an action whose verb nobody knows is taken for. */
  unknown_verb: { base_risk: number; confidence_penalty: number };
  data_classes: ReadonlyMap<string, DataClassEntry>;
  /** Lower-case label → data class. */
  class_labels: ReadonlyMap<string, string>;
  field_names: readonly FieldNameEntry[];
  field_name_matching: FieldNameMatching;
  value_detectors: readonly ValueDetector[];
  /** role → parameter key names, lower case with underscores */
  argument_roles: ReadonlyMap<string, readonly string[]>;
  /** kind of thing → words of names that speak of it; `_` joins words that follow one another */
  subject_words: ReadonlyMap<string, readonly string[]>;
  /** what a parameter is for (owner, label, operation, …) → names of such parameters */
  name_keys: ReadonlyMap<string, readonly string[]>;
  injection_markers: readonly InjectionMarker[];
  /** Added to the strength of a passage that echoes the action, and of one that was hidden or encoded. */
  injection_combination: { echo_bonus: number; hidden_bonus: number };
  /** verb group → words of a request */
  intent_words: ReadonlyMap<string, readonly string[]>;
  /** verb group → SQL keywords; `...` stands for anything between */
  sql_words: ReadonlyMap<string, readonly string[]>;
  /** verb group → programs, or programs with their first words */
  shell_programs: ReadonlyMap<string, readonly string[]>;
  /** Named word lists: free_mail_domains, exfiltration_hosts, credential_paths, prohibition_markers, … */
  lists: ReadonlyMap<string, readonly string[]>;
  /** Every table of `lists/` by name: row → words. Those with a field of their own are here as well. */
  tables: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
  /** Every program that a command line may name, with what its reader needs to know. */
  programs: readonly ProgramEntry[];
  /** Calls that act on the world, by programming language. */
  libraries: ReadonlyMap<string, Library>;
  /** Named patterns by group: shell_shapes, sql_signals, host_shapes, test_values. Without the flag `g`. */
  patterns: ReadonlyMap<string, ReadonlyMap<string, RegExp>>;
  /** agent type → domains it usually works in */
  agent_types: ReadonlyMap<string, readonly string[]>;
  frameworks: ReadonlyMap<string, FrameworkEntry>;
  /** All articles by id. */
  articles: ReadonlyMap<string, ArticleEntry>;
  /** Sectors that a customer's profile may name, each with what belongs to it. */
  sectors: ReadonlyMap<string, string>;
  /** profile → framework → when it binds */
  profiles: ReadonlyMap<string, ReadonlyMap<string, FrameworkBinding>>;
  consequence_tiers: ReadonlyMap<string, { text: string; basis: readonly string[] }>;
  /** theme → steps in order */
  remediation_playbooks: ReadonlyMap<string, readonly string[]>;
  /** kind of framework → how it speaks */
  phrasing: ReadonlyMap<string, Phrasing>;
  /** Begins a sentence about a conditional article; has the placeholder `{bound}`. */
  phrasing_condition: string;
  /** Terms of the graph: see `countNodes`. */
  node_count: number;
}
