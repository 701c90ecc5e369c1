/** Calls of cloud platforms in an event: by the name of its tool, by an operation among its parameters, in its commands. */
import {
  type CloudCall,
  type CloudWords,
  cloudWords,
  domainOfService,
  readCloudCall,
} from '../../../../effects/cloud/cloud-call.ts';
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import { piecesWithDigits, singular, wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perCallNames } from './call-names.ts';
import type { ContentReading } from './content.ts';

export type { CloudCall } from '../../../../effects/cloud/cloud-call.ts';

const NONE: readonly CloudCall[] = [];
/** `CreateAccessKey`, `iam:CreateAccessKey`, `google.iam.admin.v1.CreateServiceAccountKey` */
const PASCAL = /(?:^|[:./])[A-Z][a-z]{1,60}[A-Z][A-Za-z\d]{0,120}$/;
/** `Microsoft.Storage/storageAccounts/listKeys/action` */
const RESOURCE_MANAGER = /^Microsoft\.\w{2,60}\//i;
/** Characters of parameters that are read. */
const MAX_TEXT = 20_000;

export function readCloudCalls(event: AgentEvent, content: ContentReading, ontology: Ontology): readonly CloudCall[] {
  const operation = operationOf(event, ontology);
  const named = operation === null ? null : readCloudCall(operation.name, operation.service, textOf(event), ontology);
  const call = named ?? openingByValue(event, ontology);
  if (call === null) return content.cloud_calls.length === 0 ? NONE : content.cloud_calls;
  return [...content.cloud_calls, call];
}

/**
 * What a call of any service opens by a value that means everybody: `0.0.0.0/0`, `public-read`. The name of the parameter says what is
 * opened where the name of the call does not.
 */
function openingByValue(event: AgentEvent, ontology: Ontology): CloudCall | null {
  const words = cloudWords(ontology);
  const open = parametersOf(event).leaves.find(
    ({ value }) => typeof value === 'string' && value.length <= LONGEST_OPEN && words.open_value.test(value),
  );
  if (open === undefined) return null;
  const { tool_name: tool = '' } = event.mcp_context ?? {};
  const name = tool === '' ? event.action.replaceAll(':', '_') : tool;
  const operation = `${name}_${open.path.replace(/\W+/g, '_')}`;
  const isOpening = (call: CloudCall | null): call is CloudCall => call !== null && words.opening.has(call.deed);
  const read = (called: string): CloudCall | null => readCloudCall(called, '', textOf(event), ontology);
  // A call without a verb, `bucket:acl`, sets what it is handed.
  return [operation, `${SETTING}_${operation}`].map(read).find(isOpening) ?? null;
}

const SETTING = 'set';
/** Characters of the longest value that means everybody. */
const LONGEST_OPEN = 32;

interface Operation {
  name: string;
  service: string;
}

function operationOf(event: AgentEvent, ontology: Ontology): Operation | null {
  const { has_operation, operation, is_of_platform } = operationByName(event, ontology);
  const given = has_operation ? operationInParameters(event, cloudWords(ontology)) : null;
  return given ?? (is_of_platform || addressesPlatform(event, ontology) ? operation : null);
}

const operationByName = perCallNames(
  (
    { action, tool, server, names, is_cut },
    ontology,
  ): { has_operation: boolean; operation: Operation; is_of_platform: boolean } => {
    const words = cloudWords(ontology);
    const name = tool === '' ? action.replaceAll(':', '_') : tool;
    const place = tool === '' ? action.slice(0, action.indexOf(':')) : server;
    return {
      has_operation: is_cut || names.some((one) => words.operation_keys.has(one)),
      operation: { name, service: place },
      is_of_platform: isOfPlatform(name, place, words) || isSaidInFull(name, words) || namesService(name, words),
    };
  },
);

/** Whether a parameter is an address that only a platform gives: `arn:aws:…`, `i-0abc…`, `/subscriptions/…`. */
function addressesPlatform(event: AgentEvent, ontology: Ontology): boolean {
  const { address } = cloudWords(ontology);
  return parametersOf(event).leaves.some(
    ({ value }) => typeof value === 'string' && value.length <= LONGEST_ADDRESS && address.test(value),
  );
}

const LONGEST_ADDRESS = 512;

/**
 * `GetPasswordData`, `UpdateLoginProfile`: the name is a verb and an object of several words that platforms have, and nothing else.
 * The server need not say whose call it is, since its name is whatever its owner chose.
 */
function isSaidInFull(tool: string, words: CloudWords): boolean {
  if (!PASCAL.test(tool)) return false;
  const [verb = '', ...object] = wordsOf(tool);
  return (
    words.verbs.has(verb) && object.length > 1 && words.objects.has(object.map((word) => singular(word)).join(' '))
  );
}

/** `iam_create_access_key`, `delete_s3_bucket`: the name holds a service whose name means nothing else, and a verb. */
function namesService(tool: string, words: CloudWords): boolean {
  const told = [...wordsOf(tool), ...piecesWithDigits(tool)];
  return (
    told.length > 2 &&
    told.some((word) => words.services.has(word) && words.telling_services.has(word)) &&
    told.some((word) => words.verbs.has(word))
  );
}

function isOfPlatform(tool: string, server: string, words: CloudWords): boolean {
  if (RESOURCE_MANAGER.test(tool) || words.hosts.some((host) => server.endsWith(`.${host}`))) return true;
  const serverWords = wordsOf(server);
  const toolWords = wordsOf(tool);
  if (serverWords.some((word) => words.providers.has(word)) || words.providers.has(toolWords[0] ?? '')) return true;
  const isPascal = PASCAL.test(tool);
  const known = (name: string): boolean =>
    domainOfService(name, words) !== '' && (isPascal || !words.plain_services.has(name.toLowerCase()));
  const isNamedAfterService = isPascal && serverWords.some((word) => !words.plain_services.has(word) && known(word));
  return known(server) || isNamedAfterService || (tool.includes(':') && known(tool.slice(0, tool.indexOf(':'))));
}

/** `{"service": "iam", "operation": "CreateAccessKey"}`, `{"action": "iam:CreateAccessKey"}` */
function operationInParameters(event: AgentEvent, words: CloudWords): Operation | null {
  const { tool_name: tool = '', server_name: server = '' } = event.mcp_context ?? {};
  let name = '';
  let service = '';
  for (const { key, name: snake, value, path } of parametersOf(event).leaves) {
    if (typeof value !== 'string' || value.length > 120 || path !== key) continue;
    if (words.operation_keys.has(snake) && !/\s/.test(value) && name === '') name = value;
    else if (words.service_keys.has(snake)) service = value;
  }
  if (name === '') return null;
  const place = service === '' ? server : service;
  return isOfPlatform(name, place, words) || (service !== '' && isOfPlatform(tool, server, words))
    ? { name, service: place }
    : null;
}

/** The parameters as one text, in which keys stand beside their values. */
function textOf(event: AgentEvent): string {
  return JSON.stringify(event.parameters ?? {})
    .slice(0, MAX_TEXT)
    .replaceAll('\\"', '"')
    .replaceAll('\\n', ' ');
}
