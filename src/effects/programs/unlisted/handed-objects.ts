/** Commands in an object of JSON that a program is handed, and in a request whose parameter is named after one. */
import { walkOf } from '../../../events/parameters.ts';
import { isObject, parseJson } from '../../../lang/json.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../../ontology/words.ts';
import { hostOf, isLoopback } from '../../hosts.ts';
import type { Call } from '../../shell/call.ts';
import type { World } from '../../world.ts';

const words = perOntology((ontology) => ({
  keys: setOf(ontology, 'handed_command_parameters'),
  page: patternOf(ontology, 'web_shells', 'page'),
  parameter: patternOf(ontology, 'web_shells', 'parameter'),
  first: patternOf(ontology, 'web_shells', 'command'),
}));

const MAX_OBJECT = 8_000;
const MAX_COMMANDS = 4;
const MAX_COMMAND = 2_000;

/** Runs the commands in objects of JSON among the words: `agentctl send '{"cmd": "rm -rf /srv"}'`. */
export function runHandedObjects(c: Call): void {
  for (const { text } of c.world.affordable(c.args)) {
    if (text.length > MAX_OBJECT || !/^\s{0,4}\{/.test(text)) continue;
    for (const command of commandsOf(text, c.world)) c.world.run('shell', command);
  }
}

function commandsOf(text: string, world: World): readonly string[] {
  const given = parseJson(text);
  if (!isObject(given)) return [];
  const { keys } = words(world.ontology);
  return walkOf(given)
    .leaves.filter(({ name, value }) => keys.has(name) && typeof value === 'string' && /\S\s\S/.test(value))
    .slice(0, MAX_COMMANDS)
    .map(({ value }) => String(value).slice(0, MAX_COMMAND));
}

/**
 * Runs a command line that a request hands to a page: `/up.php?cmd=cat+/etc/passwd`. A page that runs what it is handed is a shell on
 * the machine of its server.
 */
export function runWebCommands(world: World, url: string, bodies: readonly string[], excerpt: string): void {
  const { page, parameter, first } = words(world.ontology);
  const host = hostOf(url);
  if (isLoopback(host)) return;
  const at = url.indexOf('?');
  const given = [at < 0 ? '' : url.slice(at + 1), ...bodies.filter((body) => !/^\s{0,4}[{[]/.test(body))];
  const isPage = page.test(at < 0 ? url : url.slice(0, at));
  for (const text of given.slice(0, MAX_COMMANDS))
    for (const part of text.slice(0, MAX_OBJECT).split('&', 16)) {
      const [, name = '', value = ''] = /^\s{0,4}([\w.-]{1,32})=(.{2,2000})$/s.exec(part) ?? [];
      if (!parameter.test(name)) continue;
      const command = decoded(value);
      if (!first.test(command)) continue;
      world.add('moves_laterally', isPage ? 'everything' : 'one', host || url, excerpt);
      world.run('shell', command);
    }
}

function decoded(value: string): string {
  const text = value.replaceAll('+', ' ');
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
