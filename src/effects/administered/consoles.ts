/**
 * Consoles of services that run code with the rights of the service itself: the script console of a build server and the command that
 * reaches it. Their code is told by the objects of the service that it works on, and commands in it are read like any others.
 */
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf } from '../../ontology/words.ts';
import { destroyForGood } from '../deeds/delete-file.ts';
import { shorten } from '../effects.ts';
import { type Call, lineOf } from '../shell/call.ts';
import type { World } from '../world.ts';

const MAX_CODE = 16_000;
/** Commands in one piece of code that are read. */
const MAX_COMMANDS = 8;
const WORDS = /"((?:[^"\\]|\\.){0,2000})"|'((?:[^'\\]|\\.){0,2000})'/g;

export const consoleWords = perOntology((ontology: Ontology) => {
  return {
    commands: patternOf(ontology, 'consoles', 'commands'),
    addresses: patternOf(ontology, 'consoles', 'addresses'),
    executes: new RegExp(patternOf(ontology, 'console_code', 'executes').source, 'g'),
    destroys: patternOf(ontology, 'console_code', 'destroys'),
    opens: patternOf(ontology, 'console_code', 'opens'),
    grants: patternOf(ontology, 'console_code', 'grants'),
    secrets: patternOf(ontology, 'console_code', 'secrets'),
    stops: patternOf(ontology, 'console_code', 'stops'),
  };
});

/** Notes what code does that a command line hands to such a console, among its words or as its input. */
export function noteConsoleCommand(c: Call): void {
  if (!consoleWords(c.world.ontology).commands.test(`${c.name} ${lineOf(c)}`)) return;
  readConsoleCode(c.world, [...c.args.map(({ text }) => text), c.stdin?.text ?? ''].join('\n'), c.excerpt);
}

/** Notes what code does that a request hands to such a console; nothing where the address is none. */
export function noteConsoleRequest(world: World, url: string, bodies: readonly string[], excerpt: string): void {
  if (!consoleWords(world.ontology).addresses.test(url)) return;
  for (const body of bodies) readConsoleCode(world, decoded(body), excerpt);
}

/** Notes what the code of such a console does. */
export function readConsoleCode(world: World, given: string, excerpt: string): void {
  const code = given.slice(0, MAX_CODE).replaceAll('\\"', '"');
  const { executes, destroys, opens, grants, secrets, stops } = consoleWords(world.ontology);
  const shown = shorten(excerpt);
  let left = MAX_COMMANDS;
  for (const { groups } of code.matchAll(executes)) {
    if (left-- <= 0) break;
    const command = commandOf(groups?.['list'] ?? groups?.['text'] ?? '');
    world.add('runs_code', 'one', 'console command', shown);
    // A command on the machine of the service goes around everything that the service checks.
    world.add('moves_laterally', 'one', 'machine of service', shown);
    world.add('breaks_isolation', 'one', command, shown);
    world.run('shell', command);
  }
  if (destroys.test(code)) destroyForGood(world, 'everything', 'records of service', shown);
  if (opens.test(code)) world.add('tampers_with_guards', 'one', 'security of service', shown);
  if (grants.test(code)) world.add('grants', 'everything', 'administrator of service', shown);
  if (secrets.test(code)) world.add('reads_credentials', 'everything', 'credentials of service', shown);
  if (stops.test(code)) world.add('disrupts', 'many', 'service', shown);
}

/** `["sh", "-c", "x"]` and `"x y"` as a command line. */
function commandOf(text: string): string {
  const words = [...text.matchAll(WORDS)].map(([, double, single]) => double ?? single ?? '');
  if (words.length <= 1) return words[0] ?? text;
  return words.map((word) => (/[\s|;&"']/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : word)).join(' ');
}

function decoded(body: string): string {
  try {
    return decodeURIComponent(body.replaceAll('+', ' '));
  } catch {
    return body;
  }
}
