/** The execution environment of a shell script: variables, functions, coprocesses, positional parameters, depth. */
import type { Coproc } from 'unbash';
import { type Data, UNKNOWN } from '../data.ts';
import type { World } from '../world.ts';
import { ShellDefinitions } from './shell-definitions.ts';
import { ShellVariables } from './shell-variables.ts';

/** Levels of commands inside commands, and of substitutions inside substitutions, that are followed. */
const MAX_DEPTH = 10;

/** `$1`, `$2`, … of a script that another one starts: `sh -c '"$@"' _ ls`. */
function handedOver(world: World): readonly Data[] {
  const words: Data[] = [];
  for (let i = 1; world.variables.has(String(i)); i++) words.push(world.variables.get(String(i))!);
  return words;
}

/** A script that another one runs shares all but the positional parameters, of which it has a copy. */
export class ShellEnvironment {
  readonly world: World;
  readonly variables: ShellVariables;
  readonly definitions: ShellDefinitions;
  readonly coprocesses: Coproc['body'][];
  positional: readonly Data[];
  #depth: number;

  constructor(world: World, parent?: ShellEnvironment) {
    this.world = world;
    this.variables = parent === undefined ? new ShellVariables(world) : parent.variables;
    this.definitions = parent === undefined ? new ShellDefinitions() : parent.definitions;
    this.coprocesses = parent === undefined ? [] : parent.coprocesses;
    this.positional = parent === undefined ? handedOver(world) : parent.positional;
    this.#depth = parent === undefined ? 0 : parent.#depth + 1;
  }

  get isTooDeep(): boolean {
    return this.#depth >= MAX_DEPTH;
  }

  /** Runs a command one level deeper. */
  nested(run: () => Data): Data {
    if (this.isTooDeep) return this.tooDeep();
    this.#depth++;
    const out = run();
    this.#depth--;
    return out;
  }

  /** What counts as the output of a command that is not followed, because it stands too deep. */
  tooDeep(): Data {
    this.world.has_unparsed = true;
    return this.#unread();
  }

  #unread(): Data {
    this.world.was_cut = true;
    return UNKNOWN;
  }

  /** Runs what a name stands for, with these words as `$1`, `$2`, …. */
  within(name: string, positional: readonly Data[], run: () => Data): Data {
    if (!this.definitions.enter(name)) return this.#unread();
    const before = this.positional;
    this.positional = positional;
    const out = run();
    this.positional = before;
    this.definitions.leave();
    return out;
  }

  variable(name: string): Data {
    if (/^[1-9]\d*$/.test(name)) return this.positional[Number(name) - 1] ?? this.world.variables.get(name) ?? UNKNOWN;
    return this.variables.value(name);
  }
}
