/** Tables that the readers of code make of the ontology. */
import type { Ontology } from '../ontology/index.ts';
import { administeredCalls } from './administered/calls.ts';
import { consoleWords } from './administered/consoles.ts';
import { deviceWords } from './administered/devices.ts';
import { documentOperations } from './administered/documents.ts';
import { gitCalls } from './administered/git-calls.ts';
import { protectionWords } from './administered/protections.ts';
import { administeredRights } from './administered/rights.ts';
import { administeredSettings } from './administered/settings.ts';
import { trustWords } from './administered/trust.ts';
import { weakerGuardWords } from './administered/weaker-guards.ts';
import { cmdVariables } from './cmd/cmd.ts';
import { contentParameters, startSigns, statementOpening } from './code/code-calls.ts';
import { codeSigns } from './code/code-signs.ts';
import { placeVariables } from './code/environment.ts';
import { callingMembers, idleMethods, processStart } from './code/evaluator-words.ts';
import { serialisedCalls } from './code/serialised.ts';
import { toolWords } from './code/tool-calls.ts';
import { configuredCommands, markupElement } from './configured-commands.ts';
import { emptyFolders } from './deeds/empty-folder.ts';
import { innerDomains } from './deeds/network.ts';
import { dishonest } from './deeds/read-stored.ts';
import { wideProcessNames } from './deeds/sought-processes.ts';
import { commandEdits } from './edits/command-edits.ts';
import { editParameters } from './edits/edits.ts';
import { weakeningSigns } from './edits/weakened-checks.ts';
import { embeddedWords } from './embedded-commands.ts';
import { metadataHosts } from './hosts.ts';
import { javascriptModules } from './javascript/javascript.ts';
import { javascriptLibrary, javascriptWords } from './javascript/javascript-calls.ts';
import { sourceWords } from './package-sources.ts';
import { snippetWords } from './parameters/code-languages.ts';
import { dialectSigns } from './parameters/dialects.ts';
import { fileParameters } from './parameters/file-tools.ts';
import { handedForms } from './parameters/handed-files.ts';
import { sendingMethods } from './parameters/http.ts';
import { manifestWords } from './parameters/manifests.ts';
import { rolesOf } from './parameters/parameter-roles.ts';
import { codeShapes } from './parameters/shapes.ts';
import { structuredWords } from './parameters/structured-commands.ts';
import { nameReader } from './parameters/tool-names.ts';
import { pathKinds } from './paths.ts';
import { knownNames } from './powershell/commands.ts';
import { powershellWords } from './powershell/words.ts';
import { clientShells } from './programs/databases.ts';
import { originWords } from './programs/fetching/code-origins.ts';
import { debugWords } from './programs/fetching/network.ts';
import { outputWords } from './programs/files/outputs.ts';
import { programsOf } from './programs/index.ts';
import { scriptSigns } from './programs/script-interpreters.ts';
import { controls, registryPlaces } from './programs/services.ts';
import { lineWords } from './programs/unlisted/by-words.ts';
import { databaseWipes } from './programs/unlisted/database-wipes.ts';
import { foreignFileWords } from './programs/unlisted/foreign-files.ts';
import { handedCode } from './programs/unlisted/handed-code.ts';
import { handedPlaces } from './programs/unlisted/handed-places.ts';
import { codeOptions } from './programs/unlisted/unlisted.ts';
import { pythonLibrary, pythonWords } from './python/python-calls.ts';
import { modeNames } from './python/python-files.ts';
import { pythonLoops } from './python/python-loops.ts';
import { pythonObjects } from './python/python-network.ts';
import { notebookCommands, pythonModules } from './python/python-values.ts';
import { scriptLibrary } from './script/script-calls.ts';
import { scriptWords } from './script/script-words.ts';
import { settingWords } from './settings.ts';
import { dryRunWords, inputFiles } from './shell/call.ts';
import { variableChecks } from './shell/checked-variables.ts';
import { modelWords } from './shell/run-command.ts';
import { signs } from './shell/shell.ts';
import { loopWords } from './shell/shell-loops.ts';
import { namedVariables } from './shell/shell-variables.ts';
import { sqlWords } from './sql/sql-words.ts';
import { storedCode } from './stored-code.ts';
import { hiddenStreams } from './windows-places.ts';

const TABLES: readonly ((ontology: Ontology) => unknown)[] = [
  programsOf,
  clientShells,
  wideProcessNames,
  administeredSettings,
  administeredRights,
  administeredCalls,
  protectionWords,
  consoleWords,
  gitCalls,
  deviceWords,
  documentOperations,
  trustWords,
  weakerGuardWords,
  pathKinds,
  emptyFolders,
  storedCode,
  embeddedWords,
  configuredCommands,
  markupElement,
  dishonest,
  metadataHosts,
  sourceWords,
  settingWords,
  scriptSigns,
  controls,
  registryPlaces,
  lineWords,
  outputWords,
  codeOptions,
  foreignFileWords,
  handedCode,
  databaseWipes,
  dryRunWords,
  inputFiles,
  loopWords,
  namedVariables,
  signs,
  powershellWords,
  cmdVariables,
  pythonLibrary,
  pythonWords,
  pythonModules,
  pythonLoops,
  pythonObjects,
  modeNames,
  placeVariables,
  notebookCommands,
  javascriptLibrary,
  javascriptWords,
  javascriptModules,
  contentParameters,
  startSigns,
  statementOpening,
  processStart,
  callingMembers,
  idleMethods,
  originWords,
  debugWords,
  codeSigns,
  serialisedCalls,
  commandEdits,
  editParameters,
  weakeningSigns,
  sqlWords,
  scriptLibrary,
  scriptWords,
  rolesOf,
  snippetWords,
  dialectSigns,
  codeShapes,
  nameReader,
  structuredWords,
  fileParameters,
  sendingMethods,
  handedForms,
  manifestWords,
  toolWords,
  handedPlaces,
  modelWords,
  innerDomains,
  knownNames,
  hiddenStreams,
  variableChecks,
];

/**
 * Makes every such table. The loader of the ontology calls this, so that a list that is missing, or a program or call
 * whose entry is wrong, stops the service at its start.
 *
 * @throws OntologyError for the first table that cannot be made, with its problems
 */
export function prepareEffects(ontology: Ontology): void {
  for (const table of TABLES) table(ontology);
}
