/** The state while the code of one event is read: files it wrote, current folder, effects so far, work left. */
import type { JsonObject } from '../lang/json.ts';
import type { Ontology } from '../ontology/index.ts';
import type { CloudCall } from './cloud/cloud-call.ts';
import { type Data, HOLE, MAX_BUILT, showHoles } from './data.ts';
import { type EffectKind, EffectList, type Scope } from './effects.ts';
import { MAX_PATH, PathTraits } from './paths.ts';

/** `script` stands for languages that are read by their calls: Ruby, PHP, Perl, Lua, Go. */
export type Language = 'shell' | 'powershell' | 'cmd' | 'sql' | 'python' | 'javascript' | 'script' | 'http';
/** Reads a piece of code and adds its effects to the world. Injected, because code of one language runs code of another. */
export type Interpreter = (language: Language, code: string, world: World, is_told: boolean) => void;

/** Upper bounds of the work for one event, shared by all its snippets. */
export interface Budget {
  /** Evaluations of expressions and commands. */
  steps: number;
  /** Advances of the generated parsers; ordinary code needs 0.3 a character. */
  advances: number;
  /** Advances after a syntax error, which cost up to fifty times as much. */
  recoveries: number;
  /** Pieces of 256 characters that the parsers read while they recover; of 20,000 real calls none needs more than 304. */
  reads: number;
  /** Advances in which a parser tries several ways to go on, the most expensive; of those calls, two need more. */
  tries: number;
}

export function newBudget(): Budget {
  return { steps: 12_000, advances: 3_200, recoveries: 400, reads: 600, tries: 150 };
}

/** One word of a command line. `is_known` is false where it is known only when the line runs, or came from data. */
export interface CommandWord {
  text: string;
  is_known: boolean;
  /** Has an unquoted wildcard. */
  has_wildcard: boolean;
}

/** One command that a command line runs, as it was parsed. */
export interface CommandCall {
  /** Name of the program; a program that is not an installed one is named with its folder. */
  program: string;
  words: readonly CommandWord[];
  /** Folder that the line has changed to; '' when it did not. */
  cwd: string;
}

/** A call of a tool of the host, as a program makes it. */
export interface ToolCall {
  /** With its server where the program names one: `mail.send_message`. */
  name: string;
  /** What is known of what the tool is given. */
  parameters: JsonObject;
  /** The program says itself that this is a tool; any other function may be one of its own. */
  is_told: boolean;
}

/** Steps of the budget that the reading of one path costs. */
const PATH_STEPS = 3;
/** Words of a command that are read however little work is left. */
const LEAST_WORDS = 64;
/** Levels of code inside code that are read. */
const MAX_NESTING = 4;
export const MAX_NAMES = 256;
/** Characters of an address or a header that are kept. */
const MAX_SHOWN = 8_192;
/** Words of a command that are tried as a folder. */
const MAX_PLACES = 16;
/** Characters of what the tools that programs call are given. */
const MAX_TEXT_OF_CALLS = 65_536;
/** Texts that went into filters, and characters of each, that are kept. */
const MAX_MATERIALS = 16;
const MAX_MATERIAL = 2_000;

/** Text that went into a filter: as what it reads, or among its words. */
export interface Material {
  text: string;
  is_input: boolean;
}

export class World {
  readonly ontology: Ontology;
  readonly budget: Budget;
  readonly languages = new Set<Language>();
  readonly hosts = new Set<string>();
  /** What requests show to whoever answers them, with known variables put in: addresses, names that are looked up, headers. */
  readonly requests = new Map<string, string>();
  readonly paths = new Set<string>();
  /** Names of the programs that command lines called; a program of the code's own is not among them. */
  readonly programs = new Set<string>();
  /** Programs among them that did more than show something. */
  readonly deeds = new Set<string>();
  /** Each command that runs, wrappers and what they run included, in the order parsed. Stored code is not among them. */
  readonly calls: CommandCall[] = [];
  /** Names of the variables that command lines set: some of them change what other commands do. */
  readonly set_variables = new Set<string>();
  /** A redirection reads or writes a file or opens a connection: a deed of the shell itself. */
  has_redirection = false;
  /** More commands ran than are kept. */
  calls_were_cut = false;
  /** Calls of cloud platforms that commands make. */
  readonly cloud: CloudCall[] = [];
  /** Calls of the host's tools that programs make. */
  readonly tool_calls: ToolCall[] = [];
  #text_of_calls = 0;
  readonly dormant = new EffectList();
  /** Content of files that the code itself wrote, by normalised path. */
  readonly files = new Map<string, Data>();
  /** Commands that printed text of others (`programs/kept-texts.ts`). */
  kept_texts = 0;
  /** Those of them that code before this one wrote. */
  readonly made_before = new Set<string>();
  /** All code only has the shape of code, as a command that a remark quotes. */
  is_incidental = false;
  /** What was moved, by where it is now: removing it there removes it for good. */
  readonly origins = new Map<string, PathTraits>();
  /** Folders that a link made by this code leads to, by the link. */
  readonly links = new Map<string, PathTraits>();
  /** Folders and files of the home folder that hold credentials and were read. */
  readonly secrets = new Set<string>();
  /** Names of credentials that were searched for everywhere. */
  readonly sought = new Set<string>();
  /** Environment variables that were read and are named as secrets, in the order of their first use. */
  readonly keys: string[] = [];
  /** Files that these commands may run: they are handed as code to a program whose language is not read. */
  readonly perhaps_run = new Set<string>();
  /** Files whose written text `readStored` reads as code. */
  readonly stored = new Map<string, PathTraits>();
  /** Path → kinds of the effects that the code stored there would have. */
  readonly stored_effects = new Map<string, readonly EffectKind[]>();
  /** Paths that were described, in the folder `#described_in`. */
  readonly #described = new Map<string, PathTraits>();
  #described_in = '';
  readonly #interpret: Interpreter;
  readonly #awake = new EffectList();
  #effects = this.#awake;
  #nesting = 0;
  cwd = '';
  /** The code that is being read is of a language of Windows. */
  is_of_windows = false;
  /** Hosts whose answers so far were only shown → the code that requested them. */
  readonly shown = new Map<string, string>();
  /** Names of repositories elsewhere that this code gave → their addresses. */
  readonly remotes = new Map<string, string>();
  /** Files that code opened to write them anew and into which nothing was written so far. */
  readonly opened = new Map<string, { excerpt: string; isSeveral: boolean }>();
  /** Kinds of unrecorded work that this code threw away as a whole. */
  readonly discarded = new Set<'changes' | 'untracked' | 'stashes'>();
  /** These commands have put changes aside, which are recorded nowhere else. */
  has_put_aside = false;
  /** Folders that came as a whole from an address that names no product. */
  readonly fetched = new Set<string>();
  /** Folders of repositories that this code fetched from others → their sources. */
  readonly #cloned = new Map<string, string>();
  /** Lines that stood in the files before this code edits them. */
  readonly standing = new Set<string>();
  /** Hosts that an open connection leads to. */
  readonly sockets = new Set<string>();
  /** The code that opens the first connection to another machine; '' when none does. */
  connection = '';
  /** The code that starts the first shell without a command; '' when none does. */
  open_shell = '';
  /** Shells started without a command so far. */
  open_shells = 0;
  /** Texts that went into filters whose results are not known, the last ones. */
  readonly material: Material[] = [];
  /** Names of programs by which running processes were looked for. */
  readonly sought_processes: string[] = [];
  /** Variables handed to child processes. */
  readonly variables = new Map<string, Data>();
  has_unbounded_statement = false;
  has_unparsed = false;
  /** Code that may have effects was left unread, because a bound on the work was reached. */
  was_cut = false;
  /** A program of which neither name nor words tell anything; '' when there is none. */
  unknown_program = '';
  /** A request that changes something on a platform, of which its path does not tell what; '' when there is none. */
  unread_request = '';
  /** The piece of a command line that can only be known when it runs and decides what runs; '' when there is none. */
  unresolved = '';
  /** Something unknown was called: code without effects then still is not mere computation. */
  has_unknown = false;
  /** Listed programs that do more than print and were run without any known effect: `npm cache clean`. */
  readonly silent = new Set<string>();
  /** Effects so far, those that were known before included. */
  added = 0;
  /** The same without those that only read. */
  acted = 0;

  constructor(ontology: Ontology, interpret: Interpreter, budget: Budget = newBudget()) {
    this.ontology = ontology;
    this.#interpret = interpret;
    this.budget = budget;
  }

  get effects(): EffectList {
    return this.#awake;
  }

  /** An empty world of which nothing reaches this one but the work that was done, to look what a piece of code would do. */
  apart(): World {
    return new World(this.ontology, this.#interpret, this.budget);
  }

  /** The first of these words, as many as the work left allows. */
  affordable<T>(words: readonly T[]): readonly T[] {
    const most = Math.max(LEAST_WORDS, this.budget.steps >> 1);
    if (words.length > most) {
      this.has_unparsed = true;
      this.was_cut = true;
    }
    const kept = words.length > most ? words.slice(0, most >> 1) : words;
    this.budget.steps -= kept.length;
    return kept;
  }

  /** False when the work allowed for one event is used up. */
  step(cost = 1): boolean {
    if (this.budget.steps <= 0) {
      this.has_unparsed = true;
      this.was_cut = true;
      return false;
    }
    this.budget.steps -= cost;
    return true;
  }

  add(kind: EffectKind, scope: Scope, object: string, excerpt: string): void {
    this.added++;
    if (kind !== 'reads') this.acted++;
    this.#effects.add(kind, scope, showHoles(object), showHoles(excerpt));
    const isRun = kind === 'runs_code' || (kind === 'installs' && (scope === 'scratch' || /^\.|\//.test(object)));
    if (isRun && this.#cloned.size > 0) this.#noteRunOfClone(object, excerpt);
  }

  /** A repository that these commands fetched, by its folder; `name` is its source. */
  noteCloned(folder: string, name: string): void {
    if (name !== '' && this.#cloned.size < MAX_NAMES) this.#cloned.set(folder, name);
  }

  /** What runs or is installed in the folder of such a repository, out of it, or is told to work there, is its code. */
  #noteRunOfClone(object: string, excerpt: string): void {
    const words = excerpt.split(/[\s=]+/).slice(0, MAX_PLACES);
    const places = ['.', object, ...words].map((place) => this.describe(place).path);
    for (const [folder, name] of this.#cloned)
      if (places.some((place) => place === folder || place.startsWith(`${folder}/`)))
        this.#effects.add('takes_foreign_code', 'one', showHoles(name), showHoles(excerpt));
  }

  describe(path: string): PathTraits {
    if (path.length > MAX_PATH) this.was_cut = true;
    if (this.#described_in !== this.cwd) {
      this.#described.clear();
      this.#described_in = this.cwd;
    }
    const known = this.#described.get(path);
    if (known !== undefined) return known;
    this.budget.steps -= PATH_STEPS;
    const traits = new PathTraits(path, this.cwd, this.ontology);
    if (this.#described.size < MAX_NAMES) this.#described.set(path, traits);
    return traits;
  }

  /** A copy of what is in such a repository stays code of the repository's owner. */
  noteCopied(from: string, to: string): void {
    if (this.#cloned.size === 0) return;
    const { path } = this.describe(from);
    for (const [folder, name] of [...this.#cloned])
      if (path === folder || path.startsWith(`${folder}/`)) {
        const target = this.describe(/\/$/.test(to) ? `${to}${path.slice(path.lastIndexOf('/') + 1)}` : to).path;
        this.noteCloned(target, name);
      }
  }

  /** Files that are there with this content before the code runs, by normalised path. */
  knowFiles(files: ReadonlyMap<string, Data>): void {
    for (const [path, data] of files) {
      this.files.set(path, data);
      this.made_before.add(path);
    }
  }

  noteFetched(folder: string): void {
    if (this.fetched.size < MAX_NAMES) this.fetched.add(folder);
  }

  isFetched(path: string): boolean {
    return this.fetched.size > 0 && [...this.fetched].some((folder) => path.startsWith(`${folder}/`));
  }

  noteHost(host: string): void {
    if (host !== '') this.#note(host, this.hosts);
  }

  /** `shown` goes along to the host of `address`: the address itself, or the line of a header. */
  noteRequest(address: string, shown = address): void {
    if (this.requests.size < MAX_NAMES) this.requests.set(shown.slice(0, MAX_SHOWN), address.slice(0, MAX_SHOWN));
    else this.was_cut = true;
  }

  notePath(path: string): void {
    if (path !== '' && path !== HOLE) this.#note(showHoles(path), this.paths);
  }

  noteMayRun(path: string): void {
    if (path !== '' && path !== HOLE) this.#note(showHoles(path), this.perhaps_run);
  }

  noteProgram(name: string): void {
    this.#note(name, this.programs);
  }

  noteDeed(name: string): void {
    this.#note(name, this.deeds);
  }

  noteSilent(name: string): void {
    this.#note(name, this.silent);
  }

  noteCall(call: CommandCall): void {
    if (this.#effects === this.dormant) return;
    if (this.calls.length < MAX_NAMES) this.calls.push(call);
    else this.calls_were_cut = true;
  }

  /** Keeps a text out of which a filter makes something that may be run. */
  noteMaterial(given: string, isInput: boolean): void {
    const text = given.slice(0, MAX_MATERIAL);
    if (this.material.length >= MAX_MATERIALS || this.material.some((one) => one.text === text)) return;
    this.material.push({ text, is_input: isInput });
  }

  /** Whether a text may still be kept among what tools are given: a program can hand one text to many. */
  keepsText({ length }: string): boolean {
    this.#text_of_calls += length;
    if (this.#text_of_calls > MAX_TEXT_OF_CALLS) this.was_cut = true;
    return this.#text_of_calls <= MAX_TEXT_OF_CALLS;
  }

  noteToolCall(call: ToolCall): void {
    if (this.#effects === this.dormant) return;
    if (this.tool_calls.length < MAX_NAMES) this.tool_calls.push(call);
    else this.was_cut = true;
  }

  noteVariable(name: string): void {
    if (this.set_variables.size < MAX_NAMES) this.set_variables.add(name);
    else this.calls_were_cut = true;
  }

  #note(name: string, into: Set<string>): void {
    if (into.size < MAX_NAMES) into.add(name);
    else if (!into.has(name)) this.was_cut = true;
  }

  /**
   * Reads code that this code runs. Code deeper than `MAX_NESTING` levels, or beyond the bounds, only counts as unread. `is_told`: it is
   * in this language whatever it looks like.
   */
  run(language: Language, code: string, is_told = false): void {
    if (code.trim() === '' || code === HOLE) return;
    // A concatenated text that was cut at its longest length ends with a hole.
    if (code.length > MAX_BUILT && code.endsWith(HOLE)) this.was_cut = true;
    if (this.#nesting >= MAX_NESTING) {
      this.has_unparsed = true;
      this.was_cut = true;
      return;
    }
    this.#nesting++;
    try {
      this.#interpret(language, code, this, is_told);
    } finally {
      this.#nesting--;
    }
  }

  /** The same for code that is only stored: its effects are kept apart. `readSigns` reads its text as a whole first. */
  runDormant(language: Language, code: string, readSigns?: (w: World, code: string) => void): void {
    if (this.#nesting >= MAX_NESTING) {
      this.was_cut = true;
      return;
    }
    const before = this.#effects;
    const cwd = this.cwd;
    const wasUnbounded = this.has_unbounded_statement;
    this.#effects = this.dormant;
    const wasCut = this.was_cut;
    readSigns?.(this, code);
    this.run(language, code);
    // The rest is read when the file is run; until then it only counts as not understood.
    if (!wasCut && this.was_cut) this.has_unparsed = true;
    this.was_cut = wasCut;
    this.#effects = before;
    this.cwd = cwd;
    // A statement that is only stored does not reach any row yet.
    this.has_unbounded_statement = wasUnbounded;
  }
}
