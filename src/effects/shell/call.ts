/** One command of a shell as its program sees it, and the reading of its options. */
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { anyOf, patternOf, setOf } from '../../ontology/words.ts';
import { type Data, FROM, isKnown } from '../data.ts';
import type { CommandWord, World } from '../world.ts';

/** One word of a command after expansion. */
export interface Field extends Data {
  /** Has an unquoted wildcard, or stands for several names found before. */
  hasGlob: boolean;
  /** What a process substitution hands over in place of a file. */
  content?: Data;
  /** The word as it is written, when it stands in double quotes as a whole. */
  quoted?: string;
}

export interface Call {
  /** Program name without its folder, lower case, without `.exe`. */
  name: string;
  args: readonly Field[];
  /** What is piped in; `null` when nothing is. */
  stdin: Data | null;
  excerpt: string;
  world: World;
  /** Runs another command, for wrappers such as sudo, xargs and env. */
  invoke: (fields: readonly Field[], stdin: Data | null) => Data;
  /** Runs text as a script in the same shell, with its variables: eval, source, trap. */
  evaluate: (code: Data) => Data;
  variable: (name: string) => Data;
  setVariable: (name: string, value: Data | null) => void;
  /** The elements of an array. This and the next two are left out by languages that lack such things. */
  setElements?: (name: string, elements: readonly Data[]) => void;
  /** From now on, the first word of a command stands for these words. */
  setAlias?: (name: string, command: string) => void;
  /** What parts words: white space, or what the script assigned to `IFS`. */
  separators?: RegExp;
  /** Whether this is a known program that does more than print. */
  isActing?: (word: string) => boolean;
  /** `set -- a b`: what `$1`, `$2` and `$@` stand for from now on. */
  setPositional: (values: readonly Data[]) => void;
}

/** Adds its effects to the world and returns what it prints; `undefined` when it prints nothing of interest. */
export type Program = (c: Call) => Data | undefined;
export function wordsOf(c: Call): string[] {
  return c.args.map((a) => a.text);
}

export function lineOf(c: Call): string {
  return wordsOf(c).join(' ');
}

export function field(text: string, taint = 0, hasGlob = false): Field {
  return { text, taint, hasGlob };
}

/** Has a wildcard, or came out of a search. */
export function isSeveral(f: Field): boolean {
  return f.hasGlob || (f.taint & FROM.listing) !== 0;
}

export class Options {
  readonly #flags = new Set<string>();
  readonly #values = new Map<string, Field[]>();
  readonly operands: Field[] = [];

  /** Any of these options was given, with or without a value. */
  has(names: readonly string[]): boolean {
    return names.some((n) => this.#flags.has(n) || this.#values.has(n));
  }
  /** Values of these options: all of the first name, then all of the second, and so on. */
  values(names: readonly string[]): Field[] {
    return names.flatMap((n) => this.#values.get(n) ?? []);
  }
  /** The first of these values, '' when none was given. */
  value(names: readonly string[]): string {
    return this.values(names)[0]?.text ?? '';
  }
  set(name: string, value: Field | undefined): void {
    this.#flags.add(name);
    if (value === undefined) return;
    const known = this.#values.get(name);
    if (known === undefined) this.#values.set(name, [value]);
    else known.push(value);
  }
}

const NO_OPTIONS: ReadonlySet<string> = new Set();

/** Reads options in GNU style: `-abc`, `-o value`, `-ovalue`, `--name value`, `--name=value`, `--`. `withValue` names the options that take a value. */
export function readOptions(
  args: readonly Field[],
  withValue: ReadonlySet<string> = NO_OPTIONS,
  stopAtOperand = false,
): Options {
  const options = new Options();
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    const text = arg.text;
    if (text === '--') {
      options.operands.push(...args.slice(i + 1));
      break;
    }
    if (text.startsWith('--')) {
      const equals = text.indexOf('=');
      const name = text.slice(2, equals < 0 ? undefined : equals);
      if (equals >= 0) options.set(name, { ...arg, text: text.slice(equals + 1) });
      else if (withValue.has(name)) options.set(name, args[++i]);
      else options.set(name, undefined);
    } else if (/^-\d+$/.test(text)) {
      options.set('number', arg);
    } else if (text.length > 1 && text.startsWith('-')) {
      i += readCluster(options, args, i, withValue);
    } else {
      options.operands.push(arg);
      if (stopAtOperand) {
        options.operands.push(...args.slice(i + 1));
        break;
      }
    }
  }
  return options;
}

/** `-xvf file`: letters up to one that takes a value; 1 when the value was the next word. */
function readCluster(options: Options, args: readonly Field[], at: number, withValue: ReadonlySet<string>): number {
  const arg = args[at]!;
  const letters = arg.text.slice(1);
  if (withValue.has(letters) && letters.length > 1) {
    options.set(letters, args[at + 1]);
    return 1;
  }
  for (let j = 0; j < letters.length; j++) {
    const letter = letters[j]!;
    if (!withValue.has(letter)) {
      options.set(letter, undefined);
      continue;
    }
    const rest = letters.slice(j + 1);
    options.set(letter, rest !== '' ? { ...arg, text: rest } : args[at + 1]);
    return rest === '' ? 1 : 0;
  }
  if (letters.length > 1) options.set(letters, undefined);
  return 0;
}

/** Files that stand for what a command prints. */
export const printingFiles = perOntology((ontology) => setOf(ontology, 'printing_files'));
/** Files that stand for what is piped in. */
export const inputFiles = perOntology((ontology) => setOf(ontology, 'input_files'));

export const dryRunWords = perOntology((ontology) => ({
  given: patternOf(ontology, 'dry_run', 'given'),
  takenBack: patternOf(ontology, 'dry_run', 'taken_back'),
  switches: setOf(ontology, 'switches'),
  help: anyOf(ontology, 'help_options'),
  lone_help: anyOf(ontology, 'lone_help_options'),
  acting: setOf(ontology, 'acting_without_help'),
}));

/** Whether the last word makes a program with sub-commands only explain itself. What follows `--` is not its own. */
export function isHelp(args: readonly Field[], ontology: Ontology): boolean {
  const { help, switches } = dryRunWords(ontology);
  const last = args.at(-1);
  if (last === undefined || !help.test(last.text) || args.some((a) => a.text === '--')) return false;
  // Behind an option it may be that option's value: `--body --help`.
  const before = args.at(-2)?.text ?? '';
  return !before.startsWith('-') || before.includes('=') || switches.has(before.replace(/^-+/, ''));
}

/** Whether the one word behind a known program makes it explain itself and do nothing: `-h`. `shutdown -h` halts the machine. */
export function onlyExplains(name: string, args: readonly Field[], ontology: Ontology): boolean {
  const [only] = args;
  if (args.length !== 1 || !isKnown(only!) || only!.taint !== 0) return false;
  const { lone_help, acting } = dryRunWords(ontology);
  return lone_help.test(only!.text) && !acting.has(name);
}

/**
 * Whether the command only says what it would do, or how it is used. The option counts only where the program itself would read it so: not
 * behind `--`, not as the value of another option, not beside a word that is unknown, and not when it is taken back.
 *
 * @param flag the option of this program, where it differs from the usual ones
 */
export function isDryRun(c: Call, args: readonly Field[], flag?: RegExp): boolean {
  const { given, takenBack, switches } = dryRunWords(c.world.ontology);
  const end = args.findIndex((a) => a.text === '--');
  const own = end < 0 ? args : args.slice(0, end);
  if (own.some((a) => !isKnown(a) || a.taint !== 0 || takenBack.test(a.text))) return false;
  if (end < 0 && isHelp(args, c.world.ontology)) return true;
  const isSwitch = (text: string): boolean => text.startsWith('--') && switches.has(text.slice(2));
  return own.some(({ text }, i) => {
    const before = own[i - 1]?.text ?? '';
    return (flag ?? given).test(text) && (!before.startsWith('-') || before.includes('=') || isSwitch(before));
  });
}

/** Name of a program without its folder and suffix. */
export function programName(word: string): string {
  const name = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1);
  return name.replace(/\.exe$/i, '').toLowerCase();
}

/** Whether the text of a word is known and its own: not found at run time, not read from data. */
export function isKnownWord(word: Field): boolean {
  return isKnown(word) && word.taint === 0;
}

/** A word of a call as it is kept for later. */
export function commandWord(word: Field): CommandWord {
  return { text: word.text, is_known: isKnownWord(word), has_wildcard: word.hasGlob };
}
