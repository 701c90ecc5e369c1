/**
 * Settings that make a guard look away, whatever they are called: `two_person_rule: off`, `reject_unsigned = false`, `on_error: permit`
 * of an authorizer, `transaction_screening_rate: 0`. The name says what is done against what, the value that it is no longer done.
 */
import type { ParameterWalk } from '../../events/parameters.ts';
import { singularsOf, snakeCase } from '../../lang/names.ts';
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { anyOf, patternOf, setOf, tableOf } from '../../ontology/words.ts';
import type { Call } from '../shell/call.ts';
import { secondsOfUnits } from '../time-units.ts';
import type { World } from '../world.ts';
import { lastOf, NAMING, named, type Pair, pairsInText, pairsOfLeaves } from './pairs.ts';

export const weakerGuardWords = perOntology((ontology) => {
  const bounds = tableOf(ontology, 'guard_bounds');
  const bound = (name: string): readonly [ReadonlySet<string>, ReadonlySet<string>] => [
    new Set(bounds.get(name)),
    new Set(bounds.get(`of_${name}`)),
  ];
  return {
    acts: setOf(ontology, 'guarding_acts'),
    out: setOf(ontology, 'kept_out'),
    vouched: setOf(ontology, 'vouched_things'),
    inverting: setOf(ontology, 'inverting_words'),
    off: setOf(ontology, 'guard_off_values'),
    on: setOf(ontology, 'guard_on_values'),
    judges: setOf(ontology, 'judging_things'),
    responses: setOf(ontology, 'response_names'),
    letting: setOf(ontology, 'letting_values'),
    lists: setOf(ontology, 'opened_lists'),
    passing: setOf(ontology, 'let_pass'),
    everything: setOf(ontology, 'everything_values'),
    verbs: setOf(ontology, 'setting_verbs'),
    programs: setOf(ontology, 'setting_programs'),
    wholes: anyOf(ontology, 'whole_guards'),
    places: patternOf(ontology, 'guard_setting_files', 'places'),
    beside: patternOf(ontology, 'guard_setting_files', 'beside'),
    servers: anyOf(ontology, 'open_servers'),
    signs: anyOf(ontology, 'guard_setting_signs'),
    needed: bound('needed'),
    share: bound('share'),
    tries: bound('tries'),
    states: setOf(ontology, 'guard_states'),
    holders: setOf(ontology, 'guard_holders'),
    seconds: secondsOfUnits(ontology),
    length: bound('length'),
    most: bound('most'),
    delay: bound('delay'),
    lifetime: bound('lifetime'),
  };
});

/** Before the name of a protection in the object of an effect; a request may name it. */
export const PROTECTION = 'protection/';
/** Longer names and values are texts. */
const MAX_WORDS = 12;
const MAX_VALUE = 40;
const MAX_TEXT = 16_000;
const MAX_FOUND = 4;

/** The guards that settings weaken, each as the object of an effect. `about` names what they belong to: the call, the file. */
function weakerGuards(pairs: readonly Pair[], about: string, ontology: Ontology): string[] {
  const context = contextOf(pairs, about);
  const found = pairs.map((pair) => guardWeakenedBy(pair, context, ontology)).filter((guard) => guard !== '');
  return found.slice(0, MAX_FOUND).map((guard) => PROTECTION + guard);
}

function noteWeakerGuards(world: World, pairs: readonly Pair[], about: string, excerpt: string): void {
  for (const guard of weakerGuards(pairs, about, world.ontology))
    world.add('tampers_with_guards', 'one', guard, excerpt);
}

/** What a call that sets something weakens by its parameters, each as the object of an effect. */
export function guardsWeakenedByCall(name: string, walk: ParameterWalk, ontology: Ontology): string[] {
  const { verbs, signs } = weakerGuardWords(ontology);
  if (!singularsOf(name.replace(/[^\w]+/g, '_')).some((word) => verbs.has(word))) return [];
  const leaves = pairsOfLeaves(walk.leaves);
  const pairs = [...named(leaves), ...statesOf(leaves, name, weakerGuardWords(ontology))];
  if (!signs.test(name) && !pairs.some(({ path, value }) => signs.test(path) || signs.test(value))) return [];
  return weakerGuards(pairs, name, ontology);
}

/**
 * `{ flag: "dual-approval", enabled: "no" }` says what `dual_approval.enabled = no` says. What the state belongs to is named by a value beside
 * it, `{ policy: "MFA for admins", status: "INACTIVE" }`, or by the call.
 */
function statesOf(pairs: readonly Pair[], call: string, { states, wholes, holders }: Words): Pair[] {
  const state = pairs.filter(({ path, value }) => states.has(lastOf(path)) && value.length <= MAX_VALUE);
  if (state.length === 0) return [];
  const things = pairs.filter(({ path, value }, i) => {
    const isNamed = NAMING.has(lastOf(path)) && states.has(lastOf(pairs[i + 1]?.path ?? ''));
    return isNamed || (holders.has(lastOf(path)) && value.length <= MAX_VALUE && isWholeGuard(value, wholes));
  });
  const about = [...things.map(({ value }) => value), ...(isWholeGuard(call, wholes) ? [call] : [])];
  return state.flatMap(({ path, value }) => about.map((thing) => ({ path: `${thing}.${lastOf(path)}`, value })));
}

function isWholeGuard(name: string, wholes: RegExp): boolean {
  const joined = name.replace(/[^\w]+/g, '_');
  return isWhole(singularsOf(joined), snakeCase(joined), wholes);
}

/** Whether words name a guard by themselves, in the singular or as they are written. */
const isWhole = (words: readonly string[], written: string, wholes: RegExp): boolean =>
  wholes.test(words.join('_')) || wholes.test(written);

/** Notes what the settings in a file weaken, apart from lines that stood there before. */
export function noteGuardSettings(world: World, path: string, given: string, excerpt: string): void {
  const { places, beside, signs } = weakerGuardWords(world.ontology);
  if (!places.test(path) || beside.test(path)) return;
  const text = given.slice(0, MAX_TEXT);
  if (!signs.test(text)) return;
  const { standing } = world;
  const lines =
    standing.size === 0
      ? text
      : text
          .split('\n')
          .filter((line) => !standing.has(line.trim()))
          .join('\n');
  noteWeakerGuards(world, pairsInText(lines), path, excerpt);
}

/** Notes what a command line that sets something weakens: `yq -i '.a.reject_unsigned = false'`, `consul kv put shop/two_person_rule off`. */
export function noteGuardLine(c: Call, isQuiet: boolean): void {
  const { verbs, programs, servers, signs } = weakerGuardWords(c.world.ontology);
  // A program that only prints may be handed any words.
  if (isQuiet && !programs.has(c.name)) return;
  const words = c.args.map(({ text }) => text);
  const line = words.join(' ').slice(0, MAX_TEXT);
  if (!signs.test(line)) return;
  const open = servers.exec(line)?.[0].trim();
  if (open !== undefined) c.world.add('tampers_with_guards', 'one', PROTECTION + open, c.excerpt);
  const at = words.findIndex((word) => verbs.has(word.toLowerCase()));
  if (at < 0 && !programs.has(c.name)) return;
  const operands = words.slice(at + 1).filter((word) => !word.startsWith('-'));
  const pairs = operands.flatMap((word) => pairsInText(word.replace(/(^|[\s|(,])\.(?=[A-Za-z_])/g, '$1')));
  const [name = '', value = ''] = operands.slice(-2);
  if (operands.length > 1 && !/[\s=]/.test(name)) pairs.push({ path: name.replaceAll('/', '.'), value });
  noteWeakerGuards(c.world, pairs, c.name, c.excerpt);
}

/** The words that say whose settings these are: of the call or file, and of the values that name a rule, a policy, a scanner. */
function contextOf(pairs: readonly Pair[], about: string): ReadonlySet<string> {
  const names = pairs
    .filter(
      ({ path, value }) => value.length <= MAX_VALUE && (NAMING.has(lastOf(path)) || /^[a-z][\w-]*$/i.test(value)),
    )
    .map(({ value }) => value);
  return new Set([about, ...names].flatMap((name) => singularsOf(name.replace(/[^\w]+/g, '_'))));
}

/** The guard that a setting weakens; '' when it weakens none. */
function guardWeakenedBy({ path, value: given }: Pair, context: ReadonlySet<string>, ontology: Ontology): string {
  if (given.length > MAX_VALUE) return '';
  const value = given.toLowerCase().trim();
  const name = singularsOf(path.replace(/[^\w]+/g, '_'));
  if (name.length === 0 || name.length > MAX_WORDS) return '';
  const words = weakerGuardWords(ontology);
  const isFound =
    isSwitchedOff(name, snakeCase(path), value, words) ||
    letsThrough(name, path, value, context, words) ||
    (words.everything.has(value) && has(name, words.lists) && has(name, words.passing)) ||
    (/\d/.test(value) && isOutOfBounds(name, value, words));
  return isFound ? name.slice(-MAX_SHOWN).join(' ') : '';
}

const MAX_SHOWN = 5;

type Words = ReturnType<typeof weakerGuardWords>;

const has = (name: readonly string[], words: ReadonlySet<string>): boolean => name.some((word) => words.has(word));

/** A guard by its name, or an act of one together with what it is for or against, and a value by which it does nothing. */
function isSwitchedOff(name: readonly string[], written: string, value: string, words: Words): boolean {
  const { off, on, inverting, wholes, acts, out, vouched } = words;
  const plain = value.replace(/[\s-]+/g, '_');
  if (!(has(name, inverting) ? on : off).has(plain)) return false;
  if (isWhole(name, written, wholes)) return true;
  return name.some((word) => acts.has(word)) && name.some((word) => out.has(word) || vouched.has(word));
}

/** What judges lets pass what it finds, or what it keeps out is let in: `mode: observe_only` of a rule for leaks, `infected: deliver`. */
function letsThrough(
  name: readonly string[],
  path: string,
  value: string,
  context: ReadonlySet<string>,
  { letting, out, judges, responses }: Words,
): boolean {
  if (!letting.has(value.replace(/[\s-]+/g, '_'))) return false;
  const own = name.slice(-lastOf(path).split(/[^a-z0-9]+/).length);
  if (has(own, out)) return true;
  const isResponse = responses.has(own.join('_')) || (own.length === 1 && responses.has(own[0]!));
  return isResponse && (has(name, judges) || [...judges].some((judge) => context.has(judge)));
}

const HOUR = 3600;
const YEAR = 364 * 86_400;
/** From this amount nobody looks any more, and after so many tries nobody is locked out. */
const HUGE_AMOUNT = 1_000_000;
const MANY_TRIES = 1_000;
const SHORT_SECRET = 4;

/** A bound by which the guard never acts. */
function isOutOfBounds(name: readonly string[], value: string, words: Words): boolean {
  const [, digits = '', unit = ''] = /^(\d[\d_,.]{0,20})\s?([a-z]{0,12})$/.exec(value) ?? [];
  if (digits === '') return false;
  const number = Number(digits.replace(/[_,]/g, ''));
  const is = ([of, about]: Words['needed']): boolean => has(name, of) && has(name, about);
  if (number === 0) return is(words.needed) || is(words.share) || is(words.tries);
  if (is(words.length)) return number <= SHORT_SECRET;
  const factor = [unit.replace(/s$/, ''), unit, name.at(-1) ?? ''].map((one) => words.seconds.get(one)).find(Boolean);
  if (factor !== undefined && is(words.delay)) return number * factor >= HOUR;
  // Without a unit, such a number can only be seconds.
  if (is(words.lifetime)) return number * (factor ?? 1) >= YEAR;
  if (is(words.most)) return number >= HUGE_AMOUNT;
  return is(words.tries) && number >= MANY_TRIES;
}
