/**
 * Hosts tell the same call in different shapes: `claude-code:tool:Bash` with arguments, `mcp:<server>:<tool>`, a function call
 * whose arguments are JSON in a text. This turns such an event into one shape, so that its score depends on what is called and
 * not on who tells it. An event of any other shape is left as it is.
 */
import type { AgentEvent } from '../../../../events/event.ts';
import { workingCopy } from '../../../../events/working-copy.ts';
import type { JsonObject } from '../../../../lang/json.ts';
import { asciiLower, isPlausibleName, snakeCase, wordsOf } from '../../../../lang/names.ts';
import { elementsOf } from '../../../../lang/xml.ts';
import type { Ontology, ToolEntry } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { inverseOf, patternOf, setOf } from '../../../../ontology/words.ts';
import { inOneForm } from '../../conversation/forms/one-form.ts';
import { withWordsParted } from '../../words/lost-capitals.ts';
import { verbPlace } from '../../words/verb-lookup.ts';
import { verbLookup } from '../../words/verb-table.ts';
import { domainOf, domainsIn } from '../naming/action-domain.ts';
import { findTool, serverWordsBefore } from '../naming/tools.ts';
import { asSingleCall, unpack } from './packed-call.ts';
import { withPartedName } from './parted-name.ts';

const wordsFor = perOntology((ontology) => ({
  hosts: setOf(ontology, 'calling_hosts'),
  segments: setOf(ontology, 'calling_segments'),
  verbs: setOf(ontology, 'calling_verbs'),
  arguments: setOf(ontology, 'call_arguments'),
  bodies: setOf(ontology, 'body_parameters'),
  steps: inverseOf(ontology, 'step_kinds'),
  own_arguments: new Map([
    ['file', patternOf(ontology, 'file_parameters', 'paths')],
    ['shell', patternOf(ontology, 'file_parameters', 'commands')],
  ]),
}));

/** The parts of an action that the name of a tool leaves open. */
const NAMELESS = { domain: 'tool', scope: 'function', verb: 'call' };
/** A longer name is not a name, and a segment of an action has no more characters. */
const MAX_NAME = 128;
const MAX_SEGMENT = 64;

interface Place {
  /** Its words may stand in the name of the tool: of two servers that are told, the one beside the action. */
  server: string;
  /** Says what a tool works on whose name is a verb alone: the server that the action names, if it names one. */
  fallback: string;
}

interface Call {
  tool: string;
  server: string;
  place: Place;
  parameters: JsonObject | undefined;
}

/** The event as the readings take it: a copy, in the one shape if it tells a call in a host's shape. */
export function inOneShape(sent: AgentEvent, ontology: Ontology): AgentEvent {
  const event = asSingleCall(withElements(withName(withOneForm(sent, ontology), ontology), ontology), ontology);
  const call = callOf(event, ontology);
  if (call === null) return workingCopy(withParts(withoutPrefix(unwrapped(event, ontology)), ontology));
  const { tool, server, place, parameters } = call;
  if (parameters !== undefined) {
    const inner = { ...event, parameters, mcp_context: { ...event.mcp_context, tool_name: tool } };
    const single = asSingleCall(inner, ontology);
    if (single !== inner) return inOneShape(single, ontology);
  }
  const listed = findTool(tool, server, ontology);
  const means =
    listed !== undefined &&
    (isKnown(listed, server, ontology) || takesItsArguments(listed, parameters ?? event.parameters, ontology));
  const action = means ? listed.action : actionOf(event, tool, place, ontology);
  const { preceding_actions } = event;
  // A host that is told as a server is none.
  const { server_name: _told, ...context } = event.mcp_context ?? {};
  return workingCopy({
    ...event,
    action,
    // Earlier calls of the same tool stand in the shape in which this one was told.
    ...(preceding_actions?.includes(event.action) === true && {
      preceding_actions: preceding_actions.map((one) => (one === event.action ? action : one)),
    }),
    ...(parameters !== undefined && { parameters }),
    mcp_context: { ...context, ...(server !== '' && { server_name: server }), tool_name: tool },
  });
}

function withOneForm(event: AgentEvent, ontology: Ontology): AgentEvent {
  const history = event.conversation_history;
  const one = history === undefined ? undefined : inOneForm(history, ontology);
  return one === history || one === undefined ? event : { ...event, conversation_history: [...one] };
}

const withName = (event: AgentEvent, ontology: Ontology): AgentEvent =>
  withPartedName(event, (tool) => takesItsArguments(tool, event.parameters, ontology), ontology);

/** The body of a SOAP call as its elements: `body: '<Pay><To>A</To></Pay>'` has the parameter `body.Pay.To`. */
function withElements(event: AgentEvent, ontology: Ontology): AgentEvent {
  const { bodies } = wordsFor(ontology);
  let read: JsonObject | undefined;
  for (const [key, value] of Object.entries(event.parameters ?? {})) {
    const elements = typeof value === 'string' && bodies.has(snakeCase(key)) ? elementsOf(value) : undefined;
    if (elements !== undefined) read = { ...(read ?? event.parameters), [key]: elements };
  }
  return read === undefined ? event : { ...event, parameters: read };
}

/** A call as JSON in a text below an action of its own: `{name, arguments: '{…}'}` stands for the arguments and the tool's name. */
function unwrapped(event: AgentEvent, ontology: Ontology): AgentEvent {
  const { tool_name = '' } = event.mcp_context ?? {};
  const isText = Object.entries(event.parameters ?? {}).some(
    ([key, value]) => typeof value === 'string' && wordsFor(ontology).arguments.has(key),
  );
  const packed = isText ? unpack(event.parameters, ontology) : null;
  if (packed === null || packed.name === '' || !isPlausibleName(packed.name)) return event;
  // Another name of the tool contradicts this one.
  if (tool_name !== '' && asciiLower(tool_name) !== asciiLower(packed.name)) return event;
  return { ...event, parameters: packed.parameters, mcp_context: { ...event.mcp_context, tool_name: packed.name } };
}

const inWords = (name: string): string => wordsOf(name).join(' ');

/** `mcp__server__tool`, as hosts call the tools of an MCP server. */
const PREFIXED = /^mcp__(.{1,120}?)__(.{1,200})$/s;

/** A name that holds its server, as tool and server. A server that the event names differently contradicts it: nothing is parted. */
function parted(name: string, server: string): { tool: string; server: string } {
  const [, prefix = '', tool = ''] = PREFIXED.exec(name) ?? [];
  const isSame = server === '' || inWords(server) === inWords(prefix);
  return prefix !== '' && isSame ? { tool, server: server === '' ? prefix : server } : { tool: name, server };
}

function withoutPrefix(event: AgentEvent): AgentEvent {
  const { tool_name = '', server_name = '' } = event.mcp_context ?? {};
  const { tool, server } = parted(tool_name, server_name);
  if (tool === tool_name) return event;
  return { ...event, mcp_context: { ...event.mcp_context, server_name: server, tool_name: tool } };
}

/** The words of scope and verb parted: `ec2:instances:terminateinstances`. */
function withParts(event: AgentEvent, ontology: Ontology): AgentEvent {
  const [domain = '', scope = '', verb = ''] = event.action.split(':');
  const action = [domain, withWordsParted(scope, ontology), withWordsParted(verb, ontology)].join(':');
  return action === event.action ? event : { ...event, action };
}

/** The agent's own tools mean the same on every host. */
const isCodingTool = ({ server }: ToolEntry): boolean => server === 'coding-agents';

/** A tool that is listed for the server that is named means what its list says, and no word of its name. */
function isKnown(listed: ToolEntry, server: string, ontology: Ontology): boolean {
  if (!isCodingTool(listed)) {
    // People add a word to the name of a server: `k8s-prod`, `team_github`.
    const own = new Set(wordsOf(server));
    return server !== '' && wordsOf(listed.server).every((word) => own.has(word));
  }
  // `send_message` of a server for messages is not a message to another agent.
  const places = domainsIn(server, ontology);
  const own = domainOf(listed.action.slice(0, listed.action.indexOf(':')), ontology);
  return places.length === 0 || places.some((place) => place === own);
}

/** `Write` with a path, `Bash` with a command: the tool of a coding agent, whatever its server is called. */
function takesItsArguments(listed: ToolEntry, parameters: JsonObject | undefined, ontology: Ontology): boolean {
  const own = wordsFor(ontology).own_arguments.get(listed.action.slice(0, listed.action.indexOf(':')));
  return isCodingTool(listed) && own !== undefined && Object.keys(parameters ?? {}).some((key) => own.test(key));
}

function namesCodingTool(name: string, ontology: Ontology): boolean {
  const listed = findTool(name, '', ontology);
  return listed !== undefined && isCodingTool(listed);
}

/** Of a tool that is not a coding agent's: what it is called, without the host's own words. */
function actionOf({ action }: AgentEvent, tool: string, place: Place, ontology: Ontology): string {
  const [domain = '', scope = '', verb = ''] = action.split(':');
  if (!wordsFor(ontology).hosts.has(domain) && !isGeneric(scope, ontology)) return action;
  // An action that says more than the tool's name keeps its words. It is in lower case, so words may be parted in another way.
  const isName = inWords(parted(verb, '').tool) === inWords(tool) || asciiLower(tool) === verb;
  return isName || wordsFor(ontology).verbs.has(verb) ? namedAction(tool, place, ontology) : action;
}

/**
 * The action that the name of a tool tells, as instrumentation writes it: `BankManagerPayBill` is `tool:bank_manager_bill:pay`. What
 * reads the parts of an action then finds them, whichever host tells the call. The domain stays open: a server's name is no
 * statement of it.
 */
function namedAction(tool: string, { server, fallback }: Place, ontology: Ontology): string {
  const words = tool.length <= MAX_NAME && isPlausibleName(tool) ? wordsOf(tool) : [];
  const before = serverWordsBefore(words, server);
  const own = verbPlace(words.slice(before), verbLookup(ontology));
  const known = own < 0 ? verbPlace(words, verbLookup(ontology)) : before + own;
  // `pour` is a deed of machines alone, so that it is not a verb of the table.
  const place = known < 0 && wordsFor(ontology).steps.has(words.join('_')) ? 0 : known;
  const named = words.toSpliced(Math.max(place, 0), place < 0 ? 0 : 1);
  const scope = segmentOf(named) || segmentOf(wordsOf(fallback.slice(0, MAX_NAME)));
  return [NAMELESS.domain, scope || NAMELESS.scope, words[place] ?? NAMELESS.verb].join(':');
}

const segmentOf = (words: readonly string[]): string =>
  words
    .join('_')
    .replace(/[^a-z0-9_]/g, '')
    .slice(0, MAX_SEGMENT);

function isGeneric(segment: string, ontology: Ontology): boolean {
  return wordsFor(ontology).segments.has(segment);
}

function callOf(event: AgentEvent, ontology: Ontology): Call | null {
  const [domain = '', scope = '', verb = ''] = event.action.split(':');
  const { hosts, verbs } = wordsFor(ontology);
  const isOfHost = hosts.has(domain);
  if (!isOfHost && !isGeneric(scope, ontology)) return null;
  // `mcp:server:add` is an action on servers, not the tool `add` of a server named `server`.
  if (!isGeneric(scope, ontology) && ontology.domains.get(domain)?.scopes.has(scope) === true) return null;
  const unpacked = unpack(event.parameters, ontology);
  const named = event.mcp_context?.tool_name ?? unpacked?.name ?? '';
  // `claude-code:bash:run`, and `claude-code:write:file`, where the object follows the tool.
  const isScope = verbs.has(verb) || (isOfHost && namesCodingTool(scope, ontology) && !namesCodingTool(verb, ontology));
  const tool = named !== '' ? named : isScope && !isGeneric(scope, ontology) ? scope : verb;
  // Two names for the tool contradict each other: the event is read as it stands.
  if (unpacked !== null && unpacked.name !== '' && asciiLower(unpacked.name) !== asciiLower(tool)) return null;
  const isServer = isOfHost && !isGeneric(scope, ontology) && tool !== scope;
  const of_action = isServer ? scope : isGeneric(domain, ontology) ? '' : domain;
  const told = event.mcp_context?.server_name ?? '';
  // In the shape that instrumentation writes, `tool:bill:pay`, the middle part is what the tool works on.
  const server = domain === NAMELESS.domain && told !== '' ? told : serverOf(of_action, told, tool, ontology);
  const own = parted(tool, isHostName(server, ontology) ? '' : server);
  // `mcp__claude-code__Write` is the tool of that host.
  const of_tool = isHostName(own.server, ontology) ? '' : own.server;
  const isOfAction = server !== told && !isHostName(of_action, ontology);
  return {
    tool: own.tool,
    server: of_tool,
    place: {
      server: own.server !== server ? own.server : told || server,
      fallback: isOfAction && of_action !== '' ? of_action : of_tool,
    },
    parameters: unpacked?.parameters,
  };
}

/**
 * The server that the action names, and the one that stands beside it: a second name takes none of the words of the first away. An
 * action that only parts the name of its tool (`tool:codebase:search` for `codebase_search`) names no server.
 */
function serverOf(of_action: string, told: string, tool: string, ontology: Ontology): string {
  if (told === '') return of_action;
  const known = new Set([told, tool].flatMap(wordsOf));
  const isNew =
    of_action !== '' && !isHostName(of_action, ontology) && !wordsOf(of_action).every((word) => known.has(word));
  return isNew ? `${of_action}_${told}` : told;
}

/** The name of a host or of a protocol is not a server: its tools are the agent's own. */
function isHostName(server: string, ontology: Ontology): boolean {
  const { hosts, segments } = wordsFor(ontology);
  const name = asciiLower(server);
  return hosts.has(name) || segments.has(name) || wordsOf(name).every((word) => segments.has(word));
}
