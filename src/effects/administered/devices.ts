/**
 * Lines for switches, routers and firewalls of any maker. Their languages share a grammar: a word that takes something away or sets
 * it, a path of words, and for rules a verdict with its sides. What the words mean is in `ontology/lists/network-devices.yaml`.
 */
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { anyOf, patternOf, setOf, wordOf } from '../../ontology/words.ts';
import { isPrivateAddress } from '../code/code-signs.ts';
import { FROM, HOLE } from '../data.ts';
import { destroyForGood } from '../deeds/delete-file.ts';
import { sendTo } from '../deeds/network.ts';
import { hostOf, isLoopback } from '../hosts.ts';
import type { Call } from '../shell/call.ts';
import type { World } from '../world.ts';
import { noteTrust } from './trust.ts';

const MAX_LINES = 400;
const MAX_LINE = 400;
/** Words of one line that are read. */
const MAX_WORDS = 40;
/** Lines of one block of settings. */
const MAX_BLOCK = 40;

export const deviceWords = perOntology((ontology) => ({
  tools: wordOf(ontology, 'device_tools'),
  marks: anyOf(ontology, 'device_marks'),
  calls: patternOf(ontology, 'device_lines', 'calls'),
  menus: patternOf(ontology, 'device_lines', 'menu'),
  prompt: patternOf(ontology, 'device_lines', 'prompt'),
  opensBlock: patternOf(ontology, 'device_lines', 'opens_block'),
  endsBlock: patternOf(ontology, 'device_lines', 'ends_block'),
  copies: patternOf(ontology, 'device_lines', 'copies_out'),
  erases: anyOf(ontology, 'device_erasing'),
  stops: anyOf(ontology, 'device_stops'),
  grants: anyOf(ontology, 'device_accounts'),
  opens: anyOf(ontology, 'device_openings'),
  looking: setOf(ontology, 'device_looking'),
  negations: setOf(ontology, 'device_negations'),
  ends: setOf(ontology, 'device_ends'),
  protections: anyOf(ontology, 'device_protections'),
  peerings: anyOf(ontology, 'device_peerings'),
  weaknesses: anyOf(ontology, 'device_weaknesses'),
  lets: setOf(ontology, 'device_verdicts'),
  sides: setOf(ontology, 'rule_sides'),
  any: setOf(ontology, 'rule_any'),
  narrows: anyOf(ontology, 'rule_narrowing'),
  lists: anyOf(ontology, 'open_lists'),
}));

/** Whether a call's name says that it works on such a device. */
export const isForDevices = (name: string, ontology: Ontology): boolean =>
  deviceWords(ontology).tools.test(name.replace(/[^A-Za-z0-9]+/g, ' '));

/** Reads what a remote shell hands to the other end: lines of a device where they look like such, else a script. */
export function readThere({ world, stdin, excerpt }: Call, host: string, line: string): void {
  const { marks, menus } = deviceWords(world.ontology);
  const text = `${line}\n${stdin?.text ?? ''}`;
  const isMenu = menus.test(line.trim());
  if (isMenu || marks.test(text)) readDeviceLines(world, text, host, excerpt);
  if (!isMenu && line.trim() !== '') world.run('shell', line);
}

/**
 * Notes what lines for a device take away, open, erase and stop.
 *
 * @param device its name; '' when it is not known
 */
export function readDeviceLines(world: World, given: string, device: string, excerpt: string): void {
  const lines = linesOf(given, world.ontology);
  for (const line of lines) readLine(world, line, device, excerpt);
  for (const block of blocksOf(lines, world.ontology))
    if (letsEverythingThrough(block, world.ontology)) world.add('tampers_with_guards', 'everything', block, excerpt);
  const text = lines.join('\n');
  noteTrust(world, [], text, '', excerpt);
}

/** Texts in code that a library sends to a device: `send_config_set(["no aaa new-model"])`. */
export function readDeviceCalls(world: World, code: string): void {
  if (!deviceWords(world.ontology).calls.test(code)) return;
  const texts = [...code.matchAll(TEXTS)].slice(0, MAX_LINES).map(([, double, single]) => double ?? single ?? '');
  readDeviceLines(world, texts.join('\n'), '', code);
}

const TEXTS = /"((?:[^"\\\n]|\\.){1,400})"|'((?:[^'\\\n]|\\.){1,400})'/g;

function linesOf(text: string, ontology: Ontology): string[] {
  const { prompt } = deviceWords(ontology);
  return text
    .split(/[\n;]|\\n/, MAX_LINES)
    .map((line) => line.slice(0, MAX_LINE).trim().replace(prompt, '').trim())
    .filter((line) => line !== '' && !/^[!#]/.test(line));
}

/** A line alone, and lines between the word that opens a block and the one that ends it, as one. */
function blocksOf(lines: readonly string[], ontology: Ontology): string[] {
  const { opensBlock, endsBlock } = deviceWords(ontology);
  const blocks = [...lines];
  let open: string[] | undefined;
  for (const line of lines) {
    if (opensBlock.test(line)) open = [];
    else if (open !== undefined && endsBlock.test(line)) {
      blocks.push(open.join(' '));
      open = [];
    } else if (open !== undefined && open.length < MAX_BLOCK) open.push(line);
  }
  if (open !== undefined) blocks.push(open.join(' '));
  return blocks;
}

function readLine(world: World, line: string, device: string, excerpt: string): void {
  const words = deviceWords(world.ontology);
  const parts = line.toLowerCase().split(/\s+/, MAX_WORDS);
  const first = parts[0] ?? '';
  if (words.looking.has(first) || words.looking.has(parts.at(-1) ?? '')) return;
  if (words.erases.test(line)) destroyForGood(world, 'everything', line, excerpt);
  if (words.stops.test(line)) world.add('disrupts', 'everything', device || 'device', excerpt);
  if (words.grants.test(line)) world.add('grants', 'everything', line, excerpt);
  const copied = words.copies.exec(line)?.groups?.['place'];
  if (copied !== undefined && isOutside(copied))
    sendTo(world, copied, { text: HOLE, taint: FROM.system }, excerpt, 'many');
  if (isTakenAway(parts, world.ontology)) {
    if (words.weaknesses.test(line)) return;
    const protection = words.protections.exec(line);
    const peering = words.peerings.exec(line);
    if (protection !== null) world.add('tampers_with_guards', 'one', takenAway(line, protection), excerpt);
    else if (peering !== null) world.add('disrupts', 'many', takenAway(line, peering), excerpt);
  } else if (words.opens.test(line) || words.lists.test(line)) world.add('tampers_with_guards', 'one', line, excerpt);
}

/** `no access-group/OLD-IN`: the name behind what a line takes away stands last, where a request may name it. */
function takenAway(line: string, { 0: thing, index }: RegExpExecArray): string {
  const name =
    line
      .slice(index + thing.length)
      .trim()
      .split(/\s+/, 1)[0] ?? '';
  return `${line.split(/\s+/, 1)[0]} ${name === '' ? `device/${thing}` : `${thing}/${name}`}`;
}

const isOutside = (place: string): boolean => {
  const host = hostOf(place);
  return host !== '' && !isLoopback(host) && !isPrivateAddress(host);
};

/** `no x`, `undo x`, `delete x`, `set x disable`, `/x remove y`: the thing is there no more. */
function isTakenAway(parts: readonly string[], ontology: Ontology): boolean {
  const { negations, ends } = deviceWords(ontology);
  const first = parts[0] === 'do' ? parts[1] : parts[0];
  if (first !== undefined && negations.has(first)) return true;
  if (ends.has(parts.at(-1) ?? '')) return true;
  return first?.startsWith('/') === true && parts.some((part) => negations.has(part));
}

/** Whether a rule lets everything through: its verdict says yes, and each side that it names is anybody. */
function letsEverythingThrough(rule: string, ontology: Ontology): boolean {
  const { lets, sides, any, narrows, looking, negations } = deviceWords(ontology);
  const parts = rule
    .toLowerCase()
    .replace(/["']/g, '')
    .split(/[\s=,]+/, MAX_WORDS * 4)
    .filter((part) => part !== '');
  if (looking.has(parts[0] ?? '') || negations.has(parts[0] ?? '')) return false;
  if (!parts.some((part) => lets.has(part)) || narrows.test(rule)) return false;
  const named = parts.flatMap((part, i) => (sides.has(part) ? [parts[i + 1] ?? ''] : []));
  if (named.length > 0) return named.length > 1 && named.every((value) => any.has(value));
  const at = parts.findIndex((part) => lets.has(part));
  const behind = parts.slice(at + 1).filter((part) => any.has(part));
  return behind.length > 1 || (behind.length === 1 && parts.length - at <= 3);
}
