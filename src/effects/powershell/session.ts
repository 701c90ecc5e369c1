/** What the code of one session of PowerShell shares, as the readers of its parts see it. */
import type { World } from '../world.ts';
import type { Argument, Value } from './values.ts';

export interface Session {
  readonly world: World;
  /** A connection was opened: code known only at run time may come from it. */
  hasSocket: boolean;
  /** Runs the source of a script or block with what is piped in, and returns what it prints. */
  run: (source: string, subject?: Value) => Value;
  /** Runs a short block for each number of a list, for anything else once, with the whole. */
  runEach: (source: string, subject: Value | undefined) => Value;
  /** Reads what is inside something else, one level deeper; beyond the bound of `run` nothing is read. */
  nested: (read: () => Value) => Value;
  variable: (name: string) => Value;
  assign: (name: string, value: Value) => void;
  /** Keeps the body of a function. */
  define: (name: string, body: string) => void;
  /** Calls a function of this script; `undefined` when there is none of that name. */
  call: (name: string, args: readonly Argument[], subject: Value | undefined) => Value | undefined;
}
