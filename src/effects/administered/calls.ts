/** Calls of tools and requests that administer a store or a service: their settings, and the commands that they hand to its server. */
import type { ParameterWalk } from '../../events/parameters.ts';
import type { Json } from '../../lang/json.ts';
import { wordsOf } from '../../lang/names.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf, setOf, wordOf } from '../../ontology/words.ts';
import { noteCloudRequest } from '../cloud/cloud-requests.ts';
import { destroyForGood } from '../deeds/delete-file.ts';
import { shorten } from '../effects.ts';
import { runWebCommands } from '../programs/unlisted/handed-objects.ts';
import type { World } from '../world.ts';
import { noteConsoleRequest, readConsoleCode } from './consoles.ts';
import { isForDevices, readDeviceLines } from './devices.ts';
import { noteDocumentOperations } from './documents.ts';
import { noteRefRequest } from './git-calls.ts';
import { pairsOfLeaves } from './pairs.ts';
import { noteProtections } from './protections.ts';
import { noteRightsIn } from './rights.ts';
import { noteAdministeredSettings } from './settings.ts';
import { noteRewrites, noteTrust } from './trust.ts';

/** Characters of a command that is handed over. */
const MAX_COMMAND = 8_000;
const MAX_ARGUMENTS = 64;
const MAX_LINES = 64;

export const administeredCalls = perOntology((ontology) => ({
  commands: setOf(ontology, 'handed_command_parameters'),
  scripts: setOf(ontology, 'console_parameters'),
  consoles: wordOf(ontology, 'console_services'),
  devices: setOf(ontology, 'device_parameters'),
  changing: setOf(ontology, 'changing_words'),
  rehearsing: setOf(ontology, 'rehearsal_parameters'),
  rehearsed: setOf(ontology, 'rehearsal_values'),
  looking: setOf(ontology, 'looking_methods'),
  destroys: patternOf(ontology, 'administering_requests', 'destroys'),
  stops: patternOf(ontology, 'administering_requests', 'stops'),
}));

/**
 * Notes what a call of a tool for a store or a service does by its parameters.
 *
 * @param name of the action and the tool
 * @param client the program that takes the commands of this store; '' when none is known
 */
export function readAdministeredCall(
  world: World,
  name: string,
  client: string,
  parameters: { [key: string]: Json },
  walk: ParameterWalk,
): void {
  const text = JSON.stringify(parameters);
  const excerpt = shorten(`${name} ${text}`);
  noteAdministeredSettings(world, text, excerpt, { named: name });
  noteRightsIn(
    world,
    [text, ...walk.leaves.flatMap(({ value }) => (typeof value === 'string' ? [value] : []))],
    excerpt,
  );
  const { commands, rehearsing, rehearsed, scripts, consoles, devices } = administeredCalls(world.ontology);
  if (isForDevices(name, world.ontology)) {
    const lines = walk.leaves.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
    const device = walk.leaves.find(({ name: key }) => devices.has(key));
    readDeviceLines(world, lines.join('\n'), String(device?.value ?? ''), excerpt);
  }
  const isRehearsal = walk.leaves.some(
    ({ name: key, value }) => rehearsing.has(key) && rehearsed.has(String(value).toLowerCase()),
  );
  noteDocumentOperations(world, text);
  const script = walk.leaves.find(({ name: key, value }) => scripts.has(key) && typeof value === 'string');
  if (script !== undefined && consoles.test(name)) readConsoleCode(world, String(script.value), excerpt);
  if (!isRehearsal) noteProtections(world, pairsOfLeaves(walk.leaves), excerpt);
  if (client === '') return;
  const command = walk.leaves.find(
    ({ name: key, value, is_element }) => !is_element && typeof value === 'string' && commands.has(key),
  );
  if (command === undefined) return;
  const words = walk.leaves.filter(({ is_element }) => is_element).slice(0, MAX_ARGUMENTS);
  const line = [command.value, ...words.map(({ value }) => quoted(String(value)))].join(' ').slice(0, MAX_COMMAND);
  // Each line is a command for the server, so that a comment above one hides nothing; a text may go over several lines.
  const lines = line.split('\n', MAX_LINES).filter((one) => one.trim() !== '');
  for (const one of lines.some(isOpen) ? [line] : lines) world.run('shell', `${client} ${one}`);
}

const PLACE = /^["'[]{0,2}(?:[a-z][a-z0-9+.-]{1,15}:\/\/|(?:\d{1,3}\.){3}\d)/i;
/** A path of names: a project and what is in it. */
const PATH = /^(?:[\w.-]{1,60}\/){2,8}[\w.-]{1,60}$/;
const REWRITE = /insteadof$/i;

/** Whether one of the parameters is an address or the operator of a document database: most calls have none. */
export const namesPlaceOrOperator = (walk: ParameterWalk): boolean =>
  walk.entries.some(({ key }) => key.startsWith('$') || REWRITE.test(key)) ||
  walk.leaves.some(
    ({ value }) => typeof value === 'string' && (PLACE.test(value) || PATH.test(value) || REWRITE.test(value)),
  );

/**
 * Notes what a call that changes settings points at places of others: `oidc-issuer-url`, the address of a webhook, a mirror.
 *
 * @param name of the action and the tool
 */
export function noteSettingsInCall(
  world: World,
  name: string,
  parameters: { [key: string]: Json },
  walk: ParameterWalk,
): void {
  const { changing } = administeredCalls(world.ontology);
  noteDocumentOperations(world, JSON.stringify(parameters));
  const words = wordsOf(name.replace(/[^\w]+/g, '_'));
  if (!words.some((word) => changing.has(word))) return;
  const text = walk.leaves.map(({ name: key, value }) => `${key} ${value}`).join('\n');
  const excerpt = shorten(`${name} ${text}`);
  noteTrust(world, pairsOfLeaves(walk.leaves), '', name, excerpt);
  noteRewrites(world, text, excerpt);
}

/** A quotation that goes on in the next line. */
const isOpen = (line: string): boolean => [`"`, `'`].some((mark) => (line.split(mark).length - 1) % 2 === 1);

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** Notes what a request to the interface of a service for its administrators does: `DELETE …/queues/x/contents`, a silence of all alerts. */
export function noteAdministeringRequest(
  world: World,
  method: string,
  url: string,
  bodies: readonly string[],
  excerpt: string,
): void {
  noteCloudRequest(world, method, url, bodies.join('\n'));
  runWebCommands(world, url, bodies, excerpt);
  const { looking, destroys, stops } = administeredCalls(world.ontology);
  if (method === '' || looking.has(method)) return;
  const line = `${method} ${url}`;
  if (destroys.test(line)) destroyForGood(world, 'many', url, excerpt);
  if (stops.test(line)) world.add('disrupts', 'many', url, excerpt);
  noteConsoleRequest(world, url, bodies, excerpt);
  noteRefRequest(world, `${url} ${bodies.join(' ')}`.replaceAll('\\"', '"'));
  for (const body of bodies) noteAdministeredSettings(world, `${url} ${body}`, excerpt, { named: url });
  noteRightsIn(world, bodies, excerpt);
}
