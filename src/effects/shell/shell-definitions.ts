/** The functions and aliases that a shell script defines, and which of them are running. */
import type { Function as FunctionNode } from 'unbash';

/** Levels of functions, aliases and evaluated texts inside each other that are followed. */
const MAX_CALLS = 8;
/** Aliases that are kept. */
const MAX_ALIASES = 64;

/** A script shares them with the scripts that it substitutes. */
export class ShellDefinitions {
  readonly #functions = new Map<string, FunctionNode>();
  readonly #aliases = new Map<string, string>();
  readonly #called = new Set<string>();
  readonly #running: string[] = [];

  addFunction(definition: FunctionNode): void {
    this.#functions.set(definition.name.value, definition);
  }

  addAlias(name: string, command: string): void {
    if (this.#aliases.size < MAX_ALIASES) this.#aliases.set(name, command);
  }

  function(name: string): FunctionNode | undefined {
    return this.#functions.get(name);
  }

  /** What an alias stands for. It is not read again inside itself. */
  alias(name: string): string | undefined {
    return this.#running.includes(name) ? undefined : this.#aliases.get(name);
  }

  noteCall(name: string): void {
    this.#called.add(name);
  }

  isRunning(name: string): boolean {
    return this.#running.includes(name);
  }

  /** False where too many run inside each other; else `leave` has to follow. */
  enter(name: string): boolean {
    if (this.#running.length >= MAX_CALLS) return false;
    this.#running.push(name);
    return true;
  }

  leave(): void {
    this.#running.pop();
  }

  /** Functions that nothing has called, also those that these define in turn. From that point on they count as called. */
  *uncalled(): Generator<FunctionNode> {
    for (const [name, definition] of this.#functions) {
      if (this.#called.has(name)) continue;
      this.#called.add(name);
      yield definition;
    }
  }
}
