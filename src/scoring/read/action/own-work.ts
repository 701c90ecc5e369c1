/**
 * Whether an action is everyday work on the user's own project: it looks at files, edits them, runs the project's programs,
 * commits, pushes a branch. Its gravest consequence can be taken back with the project's own means. Anything that was not
 * understood is not everyday work.
 */

import type { Effect } from '../../../effects/effects.ts';
import { fileParameters } from '../../../effects/parameters/file-tools.ts';
import { PathTraits } from '../../../effects/paths.ts';
import { programsOf } from '../../../effects/programs/index.ts';
import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import { asciiLower, wordsOf } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { inverseOf, patternOf, setOf } from '../../../ontology/words.ts';
import { isInterrupt, toolWords, worksOnProject, workspacePrograms } from '../conversation/grade.ts';
import { workspaceWords } from '../conversation/heeded.ts';
import type { TextReading } from '../conversation/text.ts';
import { missingModules, packageOfModule } from '../conversation/transcript/missing-modules.ts';
import type { ActionReading } from './action.ts';
import type { ContentReading } from './content/content.ts';
import { editsOfEvent } from './content/edits.ts';
import { domainOf } from './naming/action-domain.ts';
import { findTool } from './naming/tools.ts';
import { isOwnPage, isOwnServer } from './own-page.ts';

/** Shorter names stand in every text. */
const SHORTEST_PROGRAM = 4;
/** Groups of actions that change nothing. */
const LOOKING: ReadonlySet<string> = new Set(['read', 'list_search']);
/** Domains whose things everybody may look at. */
const PAGES: ReadonlySet<string> = new Set(['web', 'browser']);
/** How far an effect reaches, least first. */
const REACH: readonly string[] = ['scratch', 'one', 'many', 'everything'];

const wordsFor = perOntology((ontology) => ({
  groups: setOf(ontology, 'own_work_groups'),
  agent_scopes: setOf(ontology, 'own_agent_scopes'),
  servers: setOf(ontology, 'coding_hosts'),
  /** Effect → the widest reach that everyday work has. */
  effects: inverseOf(ontology, 'own_work_effects'),
  /** Effect → the widest reach with which code still stays within the workspace. */
  staying: inverseOf(ontology, 'workspace_effects'),
  /** Effect → the widest reach of a step from which little comes. */
  slight: inverseOf(ontology, 'slight_effects'),
  /** Programs of which only what is known is everyday work. */
  told: new Set(
    ontology.programs.flatMap(({ reader, names }) => (setOf(ontology, 'own_work_readers').has(reader) ? names : [])),
  ),
  later: setOf(ontology, 'grave_later_effects'),
  asks: setOf(ontology, 'asking_later_effects'),
  machine_looks: setOf(ontology, 'own_machine_looks'),
  shown: setOf(ontology, 'shown_plans'),
  continuing: setOf(ontology, 'continuing_tools'),
  typed: setOf(ontology, 'typed_parameters'),
  pushes: patternOf(ontology, 'own_work', 'pushes'),
}));

function rankOf(reach: string): number {
  return REACH.indexOf(reach);
}

export function isOwnWork(
  event: AgentEvent,
  ontology: Ontology,
  action: ActionReading,
  content: ContentReading,
  text: TextReading,
): boolean {
  const words = wordsFor(ontology);
  if (words.shown.has(event.action) && isToolOfAgent(event, ontology)) return true;
  if (content.was_cut || content.has_unbounded_statement) return false;
  const isFile = isFileAct(event, ontology, content);
  // What a program that is written asks of others it asks when it is run, and sends them nothing by that.
  const asksLater =
    isFile && content.languages.length === 0 && content.dormant_effects.every(({ kind }) => words.asks.has(kind));
  if (!asksLater && !content.hosts.every((host) => isOwnServer(host, text))) return false;
  if (content.effects.some((effect) => !isEveryday(effect, ontology) && !installsWhatIsMissing(effect, event, text)))
    return false;
  if (content.dormant_effects.some(({ kind }) => words.later.has(kind))) return false;
  if (content.languages.includes('http')) return false;
  if (content.languages.includes('sql') && !onlyLooksAtDatabase(content)) return false;
  if (showsMore(event, ontology, content)) return true;
  if (isOwnAgent(event, ontology, content) || isOwnPage(event, ontology, text, action.effective_group)) return true;
  if (!isOfProject(event, ontology, action)) return false;
  return isFile ? isOwnFile(event, ontology, action) : isOwnCommand(content, text, ontology);
}

/**
 * Code that is run, or a file that is written, by a tool that works on the project, whose effects were all read and stay within
 * the workspace: it looks, writes, runs programs, installs from registries or removes single things. Unlike everyday work it may
 * run programs that nobody lists, and a file may name hosts of others. What such an act does is known from itself.
 */
export function staysInWorkspace(
  event: AgentEvent,
  ontology: Ontology,
  action: ActionReading,
  content: ContentReading,
): boolean {
  const { staying } = wordsFor(ontology);
  const { effects, languages } = content;
  if (content.was_cut || content.has_unbounded_statement) return false;
  if (!effects.every(({ kind, scope }) => rankOf(scope) <= rankOf(staying.get(kind) ?? ''))) return false;
  if (!isOfProject(event, ontology, action)) return false;
  if (isFileAct(event, ontology, content)) return isOwnFile(event, ontology, action);
  return effects.length > 0 && !content.has_unparsed && !languages.includes('http') && !languages.includes('sql');
}

/**
 * A step outside everyday work of which everything is read and from which little comes: it shows pages of the web, or it is a command
 * of the project whose effects are looks, files of its own, programs that the command line names, and questions to the own machine.
 */
export function isSlightStep(
  event: AgentEvent,
  ontology: Ontology,
  action: ActionReading,
  content: ContentReading,
): boolean {
  const { effects } = content;
  if (content.was_cut || content.has_unbounded_statement || content.has_unparsed || content.unresolved !== '')
    return false;
  const { slight } = wordsFor(ontology);
  if (!effects.every(({ kind, scope }) => rankOf(scope) <= rankOf(slight.get(kind) ?? ''))) return false;
  // A page that is asked for by its address. Tools of a service that is called after pages do other things.
  if (LOOKING.has(action.effective_group) && PAGES.has(action.known_domain) && content.languages.includes('http'))
    return true;
  if (!isOfProject(event, ontology, action) || content.languages.includes('sql')) return false;
  const isFile = content.languages.length === 0 || editsOfEvent(event, ontology).length > 0;
  return isFile ? isOwnFile(event, ontology, action) : content.unknown_program === '';
}

/** The tool works on the project: it runs commands there or reads and writes its files. */
const isOfProject = (event: AgentEvent, ontology: Ontology, { tool_name }: ActionReading): boolean =>
  worksOnProject(tool_name === '' ? wordsOf(event.action) : toolWords(tool_name, ontology), ontology);

/** A file is looked at or written, and no command run. A file that is written holds code that nothing runs yet. */
const isFileAct = (event: AgentEvent, ontology: Ontology, content: ContentReading): boolean =>
  (content.programs.length === 0 && !isCmdlet(content)) || editsOfEvent(event, ontology).length > 0;

/**
 * A built-in tool by which a coding agent notes what is to be done, asks its user or hands a part of its work to an agent of its
 * own, which is judged at each of its steps. Nothing is run by the call itself.
 */
function isOwnAgent(event: AgentEvent, ontology: Ontology, { effects, programs }: ContentReading): boolean {
  return effects.length === 0 && programs.length === 0 && isToolOfAgent(event, ontology);
}

/** More output of a command that was judged when it was started. What is typed into one, be it a line end, may answer its question; a key that ends it answers none. */
function showsMore(event: AgentEvent, ontology: Ontology, { effects, programs }: ContentReading): boolean {
  const { tool_name = '', server_name = '' } = event.mcp_context ?? {};
  const { continuing, typed } = wordsFor(ontology);
  if (effects.length + programs.length > 0 || !continuing.has(asciiLower(tool_name))) return false;
  // A tool of another name or kind may end what it names.
  if (findTool(tool_name, server_name, ontology)?.action !== event.action) return false;
  const { leaves } = parametersOf(event);
  return (
    isOfCodingHost(server_name, ontology) &&
    leaves.every(({ name, value }) => !typed.has(name) || value === '' || isInterrupt(String(value)))
  );
}

/** A built-in tool of a coding agent for its own tasks and for agents that it starts. */
export function isToolOfAgent(event: AgentEvent, ontology: Ontology): boolean {
  const { tool_name = '', server_name = '' } = event.mcp_context ?? {};
  const listed = findTool(tool_name, server_name, ontology);
  if (listed?.server !== 'coding-agents' || listed.action !== event.action) return false;
  const [domain, scope = ''] = listed.action.split(':');
  if (domain !== 'agent' || !wordsFor(ontology).agent_scopes.has(scope)) return false;
  return isOfCodingHost(server_name, ontology);
}

const isOfCodingHost = (server: string, ontology: Ontology): boolean =>
  wordsOf(server).every((word) => wordsFor(ontology).servers.has(word));

/**
 * A tool for files under a name that coding agents give it, or a piece of text in a named file that is replaced by another: only the
 * file itself can tell the old text. What else the server is called says nothing, unless it is named after a product: who names it so
 * keeps its documents there.
 */
function isFileTool(server: string, event: AgentEvent, ontology: Ontology): boolean {
  if (domainOf(server, ontology) !== undefined) return false;
  const listed = findTool(event.mcp_context?.tool_name ?? '', server, ontology);
  if (listed?.server === 'coding-agents' && listed.action === event.action) return true;
  return editsOfEvent(event, ontology).some((edit) => !edit.is_whole && edit.path !== '' && edit.before !== '');
}

/** Cmdlets are known by their effects alone. */
function isCmdlet({ languages, effects, unknown_program }: ContentReading): boolean {
  return languages.includes('powershell') && effects.length > 0 && unknown_program === '';
}

/** A client in a shell of this machine is told to show something. A tool that takes statements serves a database of others. */
function onlyLooksAtDatabase({ programs, effects }: ContentReading): boolean {
  return programs.length > 0 && effects.every(({ kind }) => kind === 'reads');
}

/** Programs of the project's work, and others that only show something. */
function isOwnCommand(content: ContentReading, text: TextReading, ontology: Ontology): boolean {
  const { programs, looking_programs, has_unparsed, silent_programs } = content;
  const own = workspacePrograms(ontology);
  const { told } = wordsFor(ontology);
  return (
    !has_unparsed &&
    programs.every(
      (name) =>
        own.has(name) ||
        looking_programs.has(name) ||
        (told.has(name) && !silent_programs.has(name)) ||
        isNamedByProject(name, text, ontology),
    )
  );
}

/** A program that nobody lists and that the project's own texts name, such as the command of its workflow. It has to be there already. */
function isNamedByProject(name: string, text: TextReading, ontology: Ontology): boolean {
  return name.length >= SHORTEST_PROGRAM && !programsOf(ontology).has(name) && workspaceWords(text).has(name);
}

/** A tool that reads or edits files, on a host that is known to run coding agents or that the event does not name, or known by itself. */
function isOwnFile(event: AgentEvent, ontology: Ontology, { effective_group }: ActionReading): boolean {
  const { groups } = wordsFor(ontology);
  if (!groups.has(effective_group)) return false;
  const server = event.mcp_context?.server_name ?? '';
  const { leaves } = parametersOf(event);
  if (!isOfCodingHost(server, ontology) && !isFileTool(server, event, ontology)) return false;
  const { paths } = fileParameters(ontology);
  return leaves.every(({ key, value }) => {
    if (typeof value !== 'string' || !paths.test(key)) return true;
    const path = new PathTraits(value, '', ontology);
    if (value.includes('://') || path.place === 'system' || path.is_credential || path.is_start) return false;
    // Instructions of agents may be looked at like any file.
    return !path.is_agent || LOOKING.has(effective_group);
  });
}

/** Installs from the registry what programs of the project said they lack. */
function installsWhatIsMissing({ kind, object }: Effect, event: AgentEvent, text: TextReading): boolean {
  if (kind !== 'installs') return false;
  const missing = missingModules(event, text);
  return missing.size > 0 && object.split(' ').every((name) => missing.has(packageOfModule(name)));
}

function isEveryday({ kind, scope, object, excerpt }: Effect, ontology: Ontology): boolean {
  const { effects, pushes, machine_looks } = wordsFor(ontology);
  if (kind === 'reconnoitres') return machine_looks.has(object);
  if (kind === 'deploys') return rankOf(scope) <= rankOf('one') && pushes.test(excerpt);
  return rankOf(scope) <= rankOf(effects.get(kind) ?? '');
}
