/** Any program with sub-commands, read by its words: what is done, to which kind of thing, and how far its options widen that. */

import { wordsOf } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { anyOf, setOf } from '../../../ontology/words.ts';
import { CARRIED, HOLE } from '../../data.ts';
import { destroyForGood, noteDelete } from '../../deeds/delete-file.ts';
import type { Scope } from '../../effects.ts';
import { reachBelow } from '../../paths.ts';
import { type Call, dryRunWords, isDryRun, isHelp, lineOf } from '../../shell/call.ts';

/** Words beyond these say what a command works on, not what it does. */
const MAX_WORDS = 4;
/** A path from the root or the home folder among the words, and how many are looked at. */
const PATH = /(?:^|\s)[~/]/;
const MAX_PATHS = 8;
/** Longer arguments are texts and not words of a command. */
const MAX_WORD = 64;

export const lineWords = perOntology((ontology) => ({
  destroys: anyOf(ontology, 'destroying_words'),
  clears: anyOf(ontology, 'clearing_words'),
  looks: anyOf(ontology, 'looking_words'),
  shows: anyOf(ontology, 'showing_words'),
  showing: setOf(ontology, 'showing_groups'),
  deedsAsThings: setOf(ontology, 'deeds_as_things'),
  secrets: setOf(ontology, 'secret_words'),
  destroyingOption: anyOf(ontology, 'destroying_options'),
  mining: anyOf(ontology, 'mining'),
  widens: anyOf(ontology, 'widening_options'),
  wholeKind: anyOf(ontology, 'whole_kind_options'),
  container: anyOf(ontology, 'containers'),
  lasting: anyOf(ontology, 'lasting_things'),
  light: anyOf(ontology, 'light_things'),
  disk: anyOf(ontology, 'disks'),
}));

/** What the words of a command say: it destroys, it only looks, or they do not tell. */
export type Act = 'destroys' | 'looks' | 'unknown';

/** How a word of a command looks: `delete`, `kv`, `delete-job`, `apps:destroy`, `vm.destroy`, `deleteAll`. */
const COMMAND_WORD = /^[a-z][A-Za-z0-9]{0,30}(?:[:._-][A-Za-z0-9]{1,30}){0,4}$/;

/**
 * The words in which a command may say what it does, nearest first: no options, nothing quoted, no paths. What follows
 * an option may be its value and comes last.
 */
function commandWords(c: Call): { words: string[]; perhapsValues: string[] } {
  const words: string[] = [];
  const perhapsValues: string[] = [];
  for (const [i, { text }] of c.args.entries()) {
    if (words.length >= MAX_WORDS) break;
    if (text.startsWith('-') || !COMMAND_WORD.test(text)) continue;
    (isValueAt(c, i) ? perhapsValues : words).push(text);
  }
  return { words, perhapsValues };
}

/** Whether the argument at `i` follows an option whose value it may be. */
function isValueAt(c: Call, i: number): boolean {
  const before = c.args[i - 1]?.text ?? '';
  const { switches } = dryRunWords(c.world.ontology);
  return before.startsWith('-') && !before.includes('=') && !switches.has(before.replace(/^-+/, ''));
}

interface Said {
  act: Act;
  /** The word only clears or resets: what it does depends on the thing that is named. */
  isClearing: boolean;
  /** '' where an option says it. */
  word: string;
}

/** What the words say is done. */
function actOf(c: Call): Said {
  const { destroys, clears, looks, destroyingOption } = lineWords(c.world.ontology);
  if (isHelp(c.args, c.world.ontology) || isDryRun(c, c.args)) return { act: 'looks', isClearing: false, word: '' };
  const said = (words: readonly string[]): Said | null => {
    for (const word of words) {
      if (destroys.test(word)) return { act: 'destroys', isClearing: false, word };
      if (looks.test(word)) return { act: 'looks', isClearing: false, word };
      if (clears.test(word)) return { act: 'destroys', isClearing: true, word };
    }
    return null;
  };
  const { words, perhapsValues } = commandWords(c);
  const isByOption = c.args.some((a) => destroyingOption.test(a.text));
  const sure = said(words) ?? (isByOption ? { act: 'destroys' as const, isClearing: false, word: '' } : null);
  return sure ?? said(perhapsValues) ?? { act: 'unknown', isClearing: false, word: '' };
}

/**
 * Whether a command of a program with sub-commands only looks: `gh run view 7`, `tool list`, `cluster rollout history x`. Of its
 * first words, the one that says what is done shows something, none does more, and nothing private is named.
 */
export function onlyLooks(c: Call): boolean {
  const { shows, deedsAsThings, destroyingOption, secrets } = lineWords(c.world.ontology);
  if (c.args.some(({ text, taint }) => destroyingOption.test(text) || taint & CARRIED || namesSecret(text, secrets)))
    return false;
  const words = firstWords(c);
  const at = words.findIndex((word) => shows.test(word));
  return at >= 0 && words.every((word, i) => i === at || deedsAsThings.has(word) || !isDeed(word, c.world.ontology));
}

/** What the first words of a command are, up to the first operand that is not a word. */
function firstWords(c: Call): readonly string[] {
  const end = c.args.findIndex(({ text }, i) => !text.startsWith('-') && !COMMAND_WORD.test(text) && !isValueAt(c, i));
  return commandWords({ ...c, args: end < 0 ? c.args : c.args.slice(0, end) }).words;
}

/** Whether one of the parts of a word means something secret: `get-secret-value`, `access_token`. */
function namesSecret(text: string, secrets: ReadonlySet<string>): boolean {
  return (
    text.length <= MAX_WORD && wordsOf(text).some((word) => secrets.has(word) || secrets.has(word.replace(/s$/, '')))
  );
}

/** Notes that a command uses the machine to mine a currency, by the names of miners, images, pools and protocols in it. */
export function noteMining(c: Call): boolean {
  const isMining = lineWords(c.world.ontology).mining.test(`${c.name} ${lineOf(c)}`);
  if (isMining) c.world.add('exhausts_resources', 'everything', 'mining of a currency', c.excerpt);
  return isMining;
}

/** Whether a word, or the verb that it begins with, changes something. */
function isDeed(word: string, ontology: Ontology): boolean {
  const { showing } = lineWords(ontology);
  const verb = ontology.verbs.get(word.toLowerCase()) ?? ontology.verbs.get(wordsOf(word)[0] ?? '');
  return verb !== undefined && !showing.has(verb.group);
}

/** Whether an option says of which lasting things it takes all: `--all-collections`. */
function namesKept(option: string, wholeKind: RegExp, container: RegExp, lasting: RegExp): boolean {
  const kind = option.length <= MAX_WORD ? wholeKind.exec(option)?.[1] : undefined;
  return kind !== undefined && (container.test(kind) || lasting.test(kind));
}

/**
 * Notes what a command destroys by its words: `app db:drop`, `zorp cluster delete x`, `zorp --wipe`. How grave that is
 * follows from the kind of thing that is named, and from whom the program works for.
 *
 * @param isService the program is known to work on what a service keeps for others
 * @param areTargets each word is a task of its own: in `make clean all` nothing is said of what is cleaned
 */
export function readByWords(c: Call, isService = false, areTargets = false): Act {
  const { act, isClearing, word } = actOf(c);
  if (act !== 'destroys') return act;
  const { widens, wholeKind, container, lasting, light, disk } = lineWords(c.world.ontology);
  const words = c.args.filter((a) => !a.text.startsWith('-') && !/\s/.test(a.text)).map((a) => a.text);
  const object = words.slice(0, MAX_WORDS).join(' ') || c.name;
  const line = lineOf(c);
  const isWide = c.args.some((a) => widens.test(a.text) || a.text === '*' || a.text.includes(HOLE));
  const named = isClearing && areTargets ? [word] : [c.name, ...words.slice(0, MAX_WORDS - 1)];
  const isContainer = container.test(line);
  const namesLasting =
    named.some((w) => container.test(w)) ||
    named.some((w) => COMMAND_WORD.test(w) && lasting.test(w)) ||
    c.args.some((a) => namesKept(a.text, wholeKind, container, lasting));
  const isLasting = isService || namesLasting;
  const isLight = !isService && named.some((w) => light.test(w));
  if (isClearing && !namesLasting) return 'unknown';
  const kept = words.map((path) => c.world.describe(path)).filter((one) => one.is_treasured || one.is_top);
  for (const one of PATH.test(line) ? kept.slice(0, MAX_PATHS) : [])
    noteDelete(c.world, one, reachBelow(one), c.excerpt);
  if (isLight && !isContainer) {
    c.world.add('deletes', 'scratch', object, c.excerpt);
    return act;
  }
  const scope: Scope = disk.test(line) ? 'everything' : isContainer ? 'many' : 'one';
  if (isLasting || scope === 'everything') destroyForGood(c.world, scope, object, c.excerpt);
  else c.world.add('deletes', isWide ? 'many' : scope, object, c.excerpt);
  return act;
}
