/** Calls of tools and requests that administer a store or a service: their settings, and the commands that they hand to its server. */
import type { ParameterWalk } from '../../events/parameters.ts';
import type { Json } from '../../lang/json.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../ontology/words.ts';
import { destroyForGood } from '../deeds/delete-file.ts';
import { shorten } from '../effects.ts';
import type { World } from '../world.ts';
import { noteRightsIn } from './rights.ts';
import { noteAdministeredSettings } from './settings.ts';

/** Characters of a command that is handed over. */
const MAX_COMMAND = 8_000;
const MAX_ARGUMENTS = 64;

export const administeredCalls = perOntology((ontology) => ({
  commands: setOf(ontology, 'handed_command_parameters'),
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
  const { commands } = administeredCalls(world.ontology);
  if (client === '') return;
  const command = walk.leaves.find(
    ({ name: key, value, is_element }) => !is_element && typeof value === 'string' && commands.has(key),
  );
  if (command === undefined) return;
  const words = walk.leaves.filter(({ is_element }) => is_element).slice(0, MAX_ARGUMENTS);
  world.run(
    'shell',
    `${client} ${[command.value, ...words.map(({ value }) => quoted(String(value)))].join(' ').slice(0, MAX_COMMAND)}`,
  );
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** Notes what a request to the interface of a service for its administrators does: `DELETE …/queues/x/contents`, a silence of all alerts. */
export function noteAdministeringRequest(
  world: World,
  method: string,
  url: string,
  bodies: readonly string[],
  excerpt: string,
): void {
  const { looking, destroys, stops } = administeredCalls(world.ontology);
  if (method === '' || looking.has(method)) return;
  const line = `${method} ${url}`;
  if (destroys.test(line)) destroyForGood(world, 'many', url, excerpt);
  if (stops.test(line)) world.add('disrupts', 'many', url, excerpt);
  for (const body of bodies) noteAdministeredSettings(world, `${url} ${body}`, excerpt, { named: url });
  noteRightsIn(world, bodies, excerpt);
}
