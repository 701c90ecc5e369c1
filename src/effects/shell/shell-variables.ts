/** Variables and arrays of a shell script, as far as their values are known. */
import type { Assignment, Command, Word } from 'unbash';
import { perOntology } from '../../ontology/per-ontology.ts';
import { inverseOf, patternOf, setOf } from '../../ontology/words.ts';
import { built, concat, type Data, HOLE, UNKNOWN } from '../data.ts';
import { giveKnown, giveVariable } from '../deeds/give-variable.ts';
import { environmentVariable } from '../key-variables.ts';
import { noteSourceVariable } from '../package-sources.ts';
import type { World } from '../world.ts';
import { type Expander, expandText, expandWord } from './shell-words.ts';

export const namedVariables = perOntology((ontology) => ({
  history: setOf(ontology, 'history_variables'),
  loading: setOf(ontology, 'loading_variables'),
  folders: setOf(ontology, 'library_folder_variables'),
  unchecking: setOf(ontology, 'unchecking_variables'),
  shells: inverseOf(ontology, 'shell_variables'),
  ofTheSystem: patternOf(ontology, 'known_places', 'libraries'),
  sharedFolder: patternOf(ontology, 'known_places', 'shared'),
}));

/** Variables that hold a path from the root. */
export const pathVariables = perOntology((ontology) => setOf(ontology, 'path_variables'));

/** Commands whose words are calculated with. */
export const calculators = perOntology((ontology) => setOf(ontology, 'calculators'));

/** Variables that are kept. */
const MAX_VARIABLES = 512;
/** Arrays that are kept, and elements of each. */
const MAX_ELEMENTS = 64;
const SILENT: Data = { text: '', taint: 0 };

/** Variable under which a loop finds what is piped into it. */
const PIPED = '\u0000piped';

/** A map, because anyone who writes the script chooses the names: `$constructor` is not a property of an object. */
const ENVIRONMENT: ReadonlyMap<string, Data> = new Map([
  ['HOME', { text: '~', taint: 0 }],
  ['TMPDIR', { text: '/tmp', taint: 0 }],
  ['PWD', { text: '.', taint: 0 }],
  [PIPED, UNKNOWN],
]);

const WHITE_SPACE = /\s+/;

/** Separators of a given `IFS`. White space always is one: `IFS=, read a b` holds for that one command only. */
function separatorsOf(own: Data | undefined): RegExp {
  const signs = own === undefined ? '' : own.text.slice(0, 16).replace(/[^!-/:-@[-`{-~\w]/g, '');
  return signs === '' ? WHITE_SPACE : new RegExp(`[\\s${signs.replace(/[\]\\^-]/g, '\\$&')}]+`);
}

const entryName = (name: string, key: string): string => `${name}\u0000${key}`;

const isWord = (key: string): boolean => !/^\d*$/.test(key);

/** A script shares them with the scripts that it substitutes. */
const OWN_JOB = '%1';

export class ShellVariables {
  readonly #world: World;
  readonly #values = new Map<string, Data>();
  readonly #arrays = new Map<string, readonly Data[]>();

  constructor(world: World) {
    this.#world = world;
  }

  value(name: string): Data {
    if (name === 'IFS') return { text: ' ', taint: 0 };
    // The id of the job that this shell started last stands for the job.
    if (name === '!') return { text: OWN_JOB, taint: 0 };
    const known = this.#values.get(name) ?? ENVIRONMENT.get(name) ?? this.#world.variables.get(name);
    if (known !== undefined) return known;
    const shell = namedVariables(this.#world.ontology).shells.get(name);
    return shell === undefined ? environmentVariable(this.#world, name) : { text: shell, taint: 0 };
  }

  /** The elements of an array, or the one value of a plain variable. */
  elements(name: string): readonly Data[] {
    return this.arrayOf(name) ?? [this.value(name)];
  }

  arrayOf(name: string): readonly Data[] | undefined {
    return this.#arrays.get(name);
  }

  separators(): RegExp {
    return separatorsOf(this.#values.get('IFS'));
  }

  /** What is piped into the loop or group that runs. */
  get piped(): Data | null {
    return this.#values.get(PIPED) ?? null;
  }

  /** `read` inside a loop or group takes its value from what is piped in. */
  withInput(stdin: Data | null, run: () => Data): Data {
    const before = this.#values.get(PIPED);
    if (stdin !== null) this.#values.set(PIPED, stdin);
    const out = run();
    if (before !== undefined) this.#values.set(PIPED, before);
    else this.#values.delete(PIPED);
    return out;
  }

  /** The variable of a loop in one of its turns. */
  setTurn(name: string, value: Data): void {
    this.#world.noteVariable(name);
    this.#values.set(name, value);
  }

  assign(a: Assignment, expander: Expander): Data {
    if (a.value.type === 'ArrayValue') {
      if (this.#setEntries(a.name, a.value.elements, expander)) return SILENT;
      const before = a.append === true ? this.elements(a.name) : [];
      return this.setElements(a.name, [...before, ...a.value.elements.flatMap((w) => expandWord(w, expander))]);
    }
    const given = expandText(a.value, expander);
    const { value: word } = a;
    giveVariable(this.#world, a.name, given, () => expandWord(word, expander)[0]?.content);
    if (a.index !== undefined && !/^-?\d+$/.test(a.index.text)) {
      const key = expandText(a.index, expander).text;
      this.#values.set(entryName(a.name, key), given);
      if (isWord(key)) return given;
    }
    if (a.index !== undefined || this.#arrays.has(a.name)) {
      const at = a.index === undefined ? 0 : Number(a.index.text);
      if (a.append !== true && Number.isInteger(at) && at >= 0 && at < MAX_ELEMENTS) {
        const elements = [...(this.#arrays.get(a.name) ?? [])];
        elements[at] = given;
        return this.setElements(
          a.name,
          Array.from(elements, (e) => e ?? SILENT),
        );
      }
    }
    const value = a.append === true ? concat(this.value(a.name), given) : given;
    this.set(a.name, value);
    return value;
  }

  /** `BASH_ENV=<(…) bash`: the substitution that is parsed as the name of the command is the value of the variable. */
  takesName({ prefix, name }: Command, expander: Expander): boolean {
    const last = prefix.at(-1);
    if (last?.type !== 'Assignment' || name === undefined || last.end !== name.pos || !name.text.startsWith('<('))
      return false;
    const { type, pos, end, text, append, index } = last;
    this.assign({ type, pos, end, text, append, index, name: last.name, value: name }, expander);
    return true;
  }

  /** `[key]=value` in place of elements: each is kept under its key. */
  #setEntries(name: string, elements: readonly Word[], expander: Expander): boolean {
    const entries = elements.map((word) => /^\[([\w.-]{1,64})\]=/.exec(word.text));
    if (entries.length === 0 || entries.includes(null)) return false;
    for (const [i, entry] of entries.slice(0, MAX_ELEMENTS).entries()) {
      const { text, taint } = expandText(elements[i]!, expander);
      this.#values.set(entryName(name, entry![1]!), { text: text.slice(text.indexOf(']=') + 2), taint });
    }
    return true;
  }

  /** The entry of an array whose keys are words. */
  entry(name: string, key: string): Data | undefined {
    return this.#values.get(entryName(name, key));
  }

  /** Sets a variable for a command that is started with it: `env PAGER=… git log`, `sudo EDITOR=… visudo`. */
  give(name: string, value: Data | null): void {
    if (value !== null) giveKnown(this.#world, name, value);
    this.set(name, value);
  }

  /** Keeps the elements one by one; the variable itself is read as all of them. */
  setElements(name: string, elements: readonly Data[]): Data {
    const all = {
      text: elements.map((i) => i.text).join(' '),
      taint: elements.reduce((t, i) => t | i.taint, 0),
    };
    this.set(name, all);
    if (this.#arrays.size < MAX_ELEMENTS) this.#arrays.set(name, elements.slice(0, MAX_ELEMENTS));
    return all;
  }

  set(name: string, value: Data | null): void {
    this.#arrays.delete(name);
    this.#world.noteVariable(name);
    if (value === null) this.#values.delete(name);
    else if (this.#values.size < MAX_VARIABLES) this.#values.set(name, { text: built(value.text), taint: value.taint });
    const { history, unchecking } = namedVariables(this.#world.ontology);
    if (history.has(name) && (value === null || /^(?:0|\/dev\/null|\*|)$/.test(value.text)))
      this.#world.add('tampers_with_logs', 'one', name, `${name}=${value?.text ?? ''}`);
    if (value !== null && this.#loadsForeignCode(name, value.text))
      this.#world.add('persists', 'one', name, `${name}=${value.text}`);
    if (value !== null) noteSourceVariable(this.#world, name, value.text);
    if (unchecking.has(name) && value !== null)
      this.#world.add('bypasses_checks', 'one', name, `${name}=${value.text}`);
  }

  /** Whether every program that starts from now on loads what this variable names, from where anybody may have put it. */
  #loadsForeignCode(name: string, value: string): boolean {
    const { loading, folders, ofTheSystem, sharedFolder } = namedVariables(this.#world.ontology);
    const paths = value.split(/[:\s]+/).filter((path) => path !== '' && path !== HOLE);
    // A folder of the project is where its own libraries are built.
    if (folders.has(name)) return paths.some((path) => sharedFolder.test(path));
    return loading.has(name) && value !== '' && (paths.length === 0 || !paths.every((path) => ofTheSystem.test(path)));
  }
}
