/** What the reader of PowerShell asks of the ontology: names of cmdlets, members, types and parameters. */
import { perOntology } from '../../ontology/per-ontology.ts';
import { anyOf, inverseOf, listOf, patternOf, setOf, tableOf } from '../../ontology/words.ts';

export const powershellWords = perOntology((ontology) => ({
  /** Alias → cmdlet. */
  aliases: inverseOf(ontology, 'powershell_aliases'),
  /** Cmdlet → what it does, for those with a reading of their own. */
  roles: inverseOf(ontology, 'cmdlet_roles'),
  verbs: inverseOf(ontology, 'cmdlet_verbs'),
  nouns: [...tableOf(ontology, 'cmdlet_nouns')].flatMap(([noun, starts]) =>
    starts.map((start) => [start, noun] as const),
  ),
  keptTexts: listOf(ontology, 'kept_text_cmdlets'),
  ofSession: listOf(ontology, 'session_nouns'),
  unlimited: setOf(ontology, 'unlimited_values'),
  broad: setOf(ontology, 'broad_parameters'),
  narrowing: setOf(ontology, 'narrowing_cmdlets'),
  /** `verb group noun class` → effects. */
  effects: tableOf(ontology, 'cmdlet_effects'),
  switches: setOf(ontology, 'cmdlet_switches'),
  valued: setOf(ontology, 'cmdlet_valued_parameters'),
  /** Variable → its value. */
  variables: inverseOf(ontology, 'powershell_variables'),
  members: inverseOf(ontology, 'dotnet_members'),
  types: inverseOf(ontology, 'dotnet_types'),
  chosenProcesses: anyOf(ontology, 'chosen_processes'),
  guardInternals: anyOf(ontology, 'guard_internals'),
  memoryCalls: anyOf(ontology, 'memory_calls'),
  spyingCalls: anyOf(ontology, 'spying_calls'),
  uncheckedProperties: anyOf(ontology, 'unchecked_properties'),
  datedProperties: anyOf(ontology, 'dated_properties'),
  /** Operator → how it binds. */
  operators: inverseOf(ontology, 'powershell_operators'),
  /** Keyword → how its statement is read. */
  keywords: inverseOf(ontology, 'powershell_keywords'),
  pathArguments: listOf(ontology, 'path_arguments'),
  pathProperties: setOf(ontology, 'path_properties'),
  ownMachine: setOf(ontology, 'own_machine'),
  lastingEnvironments: setOf(ontology, 'lasting_environments'),
  sendingMethods: setOf(ontology, 'http_sending_methods'),
  registryKey: patternOf(ontology, 'registry_paths', 'key'),
  registryProvider: patternOf(ontology, 'registry_paths', 'provider'),
  reachesOut: setOf(ontology, 'remote_parameters'),
  recoveryClasses: anyOf(ontology, 'recovery_classes'),
  remoteWeakenings: anyOf(ontology, 'remote_weakenings'),
  startupClasses: anyOf(ontology, 'startup_classes'),
  making: patternOf(ontology, 'class_calls', 'makes'),
  startingMethods: patternOf(ontology, 'class_calls', 'starts'),
}));
