/** Dispatches calls of Ruby, PHP, Perl, Lua and Go to the library: functions by their names, and by names in values. */
import { list, NOTHING, reference, taintOf, unknown, type Value } from '../code/values.ts';
import { FROM, HOLE } from '../data.ts';
import { runText } from '../deeds/run-code.ts';
import type { World } from '../world.ts';
import { scriptLibrary } from './script-calls.ts';
import { MAX_ARGUMENTS, MAX_REF } from './script-values.ts';
import { scriptWords } from './script-words.ts';

type Handler = ReturnType<ReturnType<typeof scriptLibrary>['calls']['get']>;

/** Functions of which each stands for all that run commands or code like it. */
const STARTERS = ['system', 'eval'];

export class CallDispatcher {
  readonly #world: World;
  readonly #words: ReturnType<typeof scriptWords>;
  #listed: Value | undefined;

  constructor(world: World) {
    this.#world = world;
    this.#words = scriptWords(world.ontology);
  }

  /** The last listing of files. */
  get listed(): Value | undefined {
    return this.#listed;
  }

  handler(f: Value): Handler {
    const { calls } = scriptLibrary(this.#world.ontology);
    const last = f.ref.slice(f.ref.lastIndexOf('.'));
    return calls.get(f.ref) ?? (f.ref.includes('.') ? calls.get(last) : undefined);
  }

  /** What a name in quotes reaches: `_G['os']`, and `os['execute']` of Lua, which is `os.execute`. */
  named(base: Value, at: Value | undefined): Value | undefined {
    if (at === undefined || at.number !== undefined || base.ref === '' || !/^\w{1,40}$/.test(at.text)) return undefined;
    if (base.entries?.has(at.text) === true) return undefined;
    if (this.#words.namespaces.has(base.ref)) return reference(at.text);
    const member = reference(`${base.ref}.${at.text}`);
    return this.handler(member) === undefined ? undefined : member;
  }

  /** Whether calling it runs a command or code. */
  #runs(f: Value): boolean {
    const handler = this.handler(f);
    return handler !== undefined && STARTERS.some((name) => handler === this.handler(reference(name)));
  }

  /** `array_map('system', [$x])`: a function that is handed over by its name is called with each of the other values. */
  #callNamed(args: readonly Value[], named: Map<string, Value>, excerpt: string): Value | undefined {
    const at = args.findIndex(
      ({ ref, text: name }) =>
        ref === '' && name !== '' && name.length < MAX_REF && this.handler(reference(name)) !== undefined,
    );
    if (at < 0) return undefined;
    const called = reference(args[at]!.text);
    if (this.#runs(called)) this.#world.add('obfuscates', 'one', called.ref, excerpt);
    const given = args.flatMap((value, i) => (i === at ? [] : (value.items ?? [value])));
    const made = given.slice(0, MAX_ARGUMENTS).map((item) => this.call(called, [item], named, excerpt));
    return { ...list(made), taint: taintOf(made) };
  }

  /** Where the function stands that a call leads to: what is called, or the argument that names it. */
  #functionOf(f: Value, last: string, args: readonly Value[]): Value | undefined {
    const { dynamic_callers, callback_takers, first_takers } = this.#words;
    if (dynamic_callers.has(last) || first_takers.has(last)) return args[0];
    return callback_takers.has(last) ? args.at(-1) : f;
  }

  call(f: Value, args: Value[], named: Map<string, Value>, excerpt: string): Value {
    if (!this.#world.step()) return NOTHING;
    const last = f.ref.slice(f.ref.lastIndexOf('.') + 1);
    // `obj.send(:eval, x)` and PHP's `$f($x)` call what a value names.
    const name = f.ref === '' ? f.text : this.#words.dynamic_callers.has(last) ? (args[0]?.text ?? '') : '';
    if (name !== '' && name !== HOLE && f.number === undefined) {
      const called = reference(name);
      if (this.handler(called) !== undefined) {
        this.#world.add('obfuscates', 'one', name, excerpt);
        return this.call(called, f.ref === '' ? args : args.slice(1), named, excerpt);
      }
      // `Object.const_get('IO')`: the class by its name, whose methods are called next.
      if (f.ref !== '' && /^[A-Z]\w{0,40}$/.test(name)) return called;
    }
    const made = this.#words.callback_takers.has(last) ? this.#callNamed(args, named, excerpt) : undefined;
    if (made !== undefined) return made;
    // `$_GET[0]($_GET[1])`, `usort($rows, $_GET['by'])`: anyone who sends the request says which function runs.
    const chosen = this.#functionOf(f, last, args);
    if (chosen?.ref.endsWith('[]') === true && chosen.taint & FROM.socket)
      runText(this.#world, 'script', { text: HOLE, taint: chosen.taint }, excerpt);
    if (f.ref === '' && f.taint & FROM.network)
      this.#world.add('downloads_and_runs', 'one', 'downloaded code', excerpt);
    const taint = taintOf([f.base, ...args, ...named.values()]);
    const result = this.handler(f)?.({
      name: f.ref,
      base: f.base,
      args,
      named,
      excerpt,
      world: this.#world,
      apply: () => NOTHING,
    });
    if (result !== undefined && result.taint & FROM.listing) this.#listed = result;
    return (
      result ?? {
        ...unknown(taint, f.ref === '' ? '' : `${f.ref}()`),
        ...(args[0] === undefined ? {} : { base: args[0] }),
      }
    );
  }

  /** Assignments with effects, such as `spec.extensions = ['ext/extconf.rb']`. */
  store(target: string, given: Value, excerpt: string): void {
    const { calls } = scriptLibrary(this.#world.ontology);
    const name = `${target.slice(target.lastIndexOf('.'))}=`;
    calls.get(name)?.({
      name,
      base: undefined,
      args: [given],
      named: new Map(),
      excerpt,
      world: this.#world,
      apply: () => NOTHING,
    });
  }
}
