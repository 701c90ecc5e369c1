/**
 * Pages of the own machine in a browser: what the project serves while it is worked on. Opening one is like asking it with a command, and a
 * click on it works on the project. A look at whatever page is open changes nothing.
 */
import { hostOfUrl, isLoopback } from '../../../effects/hosts.ts';
import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import { readCalls } from '../conversation/calls.ts';
import { workspaceWords } from '../conversation/heeded.ts';
import type { TextReading } from '../conversation/text.ts';
import { findTool } from './naming/tools.ts';

const ADDRESS = /^https?:\/\//i;
/** Addresses that no router of the internet knows. That of the machine itself is among them where its server printed it. */
const PRIVATE = /^(?:10|172\.(?:1[6-9]|2\d|3[01])|192\.168)\.\d{1,3}\.\d{1,3}(?:\.\d{1,3})?$/;

const wordsFor = perOntology((ontology) => ({
  scopes: setOf(ontology, 'own_page_scopes'),
  looks: setOf(ontology, 'own_work_looks'),
}));

/** A server of this machine: it is this machine by its name, or by an address that programs of the project printed. */
export const isOwnServer = (host: string, text: TextReading): boolean =>
  isLoopback(host) || host.endsWith('.localhost') || (PRIVATE.test(host) && workspaceWords(text).has(host));

export function isOwnPage(event: AgentEvent, ontology: Ontology, text: TextReading, group: string): boolean {
  const { tool_name = '', server_name = '' } = event.mcp_context ?? {};
  const listed = findTool(tool_name, server_name, ontology);
  if (listed === undefined || listed.action !== event.action) return false;
  const [domain, scope = ''] = listed.action.split(':');
  const { scopes, looks } = wordsFor(ontology);
  if (domain !== 'browser' || !scopes.has(scope)) return false;
  const addresses = parametersOf(event).leaves.flatMap(({ value }) =>
    typeof value === 'string' && ADDRESS.test(value) ? [value] : [],
  );
  if (addresses.length > 0) return addresses.every((address) => isOwnServer(hostOfUrl(address), text));
  return looks.has(group) || isOnOwnPage(event, ontology, text);
}

/** The page that was opened last is the own machine's. */
function isOnOwnPage(event: AgentEvent, ontology: Ontology, text: TextReading): boolean {
  for (const { name, args } of readCalls(event, ontology).toReversed()) {
    if (!findTool(name, '', ontology)?.action.startsWith('browser:')) continue;
    const address = [...args.values()].find((value) => ADDRESS.test(value));
    if (address !== undefined) return isOwnServer(hostOfUrl(address), text);
  }
  return false;
}
