/**
 * Reads Ruby, PHP, Perl, Lua and Go by their calls: names, constants, assignments and arguments are followed, blocks and
 * conditions are read in the order of the text, every branch once.
 */
import { environmentValue } from '../code/environment.ts';
import { list, NOTHING, reference, Scope, text, unknown, type Value } from '../code/values.ts';
import { built, FROM, HOLE } from '../data.ts';
import { giveKnown } from '../deeds/give-variable.ts';
import type { World } from '../world.ts';
import { CallDispatcher } from './call-dispatch.ts';
import { type Token, tokensOf } from './script-tokens.ts';
import { indexed, joined, MAX_ARGUMENTS, memberOf } from './script-values.ts';
import { scriptWords } from './script-words.ts';

const MAX_CODE = 24_000;
/** Brackets and calls inside one another that are followed. */
const MAX_DEPTH = 40;
/** Stands for a hole that stays, while the others are filled. No text of code holds it. */
const PASSED = '\uffff';
/** Names that one assignment binds. */
const MAX_TARGETS = 6;

/** Reads code of one of these languages into the world. */
export function readScript(code: string, world: World): void {
  const { tokens, was_cut } = tokensOf(code.slice(0, MAX_CODE), HOLE);
  if (was_cut || code.length > MAX_CODE) world.was_cut = true;
  new ScriptReader(code, tokens, world).run();
}

class ScriptReader {
  readonly #code: string;
  readonly #tokens: readonly Token[];
  readonly #world: World;
  readonly #scope = new Scope(null);
  readonly #words: ReturnType<typeof scriptWords>;
  readonly #calls: CallDispatcher;
  #at = 0;
  #depth = 0;

  constructor(code: string, tokens: readonly Token[], world: World) {
    this.#code = code;
    this.#tokens = tokens;
    this.#world = world;
    this.#words = scriptWords(world.ontology);
    this.#calls = new CallDispatcher(world);
  }

  run(): void {
    while (this.#at < this.#tokens.length) {
      const before = this.#at;
      if (!this.#world.step()) return;
      this.#expression();
      if (this.#at === before) this.#at++;
    }
  }

  #peek(ahead = 0): Token | undefined {
    return this.#tokens[this.#at + ahead];
  }
  #is(sign: string, ahead = 0): boolean {
    const token = this.#peek(ahead);
    return token?.kind === 'sign' && token.text === sign;
  }

  /** Name of the environment variable that was read last (`ENV['PAGER']`), '' if it was something else. */
  #variable_name = '';

  /** Values joined by operators. An assignment binds the name before it. */
  #expression(): Value {
    if (++this.#depth > MAX_DEPTH) {
      this.#world.was_cut = true;
      this.#depth--;
      return NOTHING;
    }
    const several = this.#severalTargets();
    const first = this.#peek();
    this.#variable_name = '';
    let value = this.#postfix();
    const variable_name = this.#variable_name;
    for (;;) {
      const token = this.#peek();
      if (token?.kind !== 'sign') break;
      const target = value.ref;
      if (
        token.text === '=' ||
        (token.text === ':' && this.#is('=', 1)) ||
        token.text === '.=' ||
        token.text === '+='
      ) {
        this.#at += token.text === ':' ? 2 : 1;
        const given = this.#expression();
        value = token.text === '=' || token.text === ':' ? given : joined(value, given);
        if (variable_name !== '') giveKnown(this.#world, variable_name, value);
        else if (first?.kind === 'name') this.#scope.set(first.text, value);
        for (const name of several) this.#scope.set(name, value);
        if (target.startsWith('.') || target.includes('.')) {
          const from = first?.from ?? 0;
          this.#calls.store(target, given, this.#code.slice(from, from + 120));
        }
        break;
      }
      if (token.text === '|' && this.#bindParameter()) {
        value = NOTHING;
        continue;
      }
      if (!/^(?:\+|\.|\.\.|<<|\|\||&&|\||\*|%|\?|:|==|!=|<|>|-|\/|&)$/.test(token.text)) break;
      this.#at++;
      const next = this.#postfix();
      value = token.text === '||' && value.text !== HOLE ? value : joined(value, next);
    }
    this.#depth--;
    return value;
  }

  /** `conn, err := f()` gives each name what the call returns; the reading goes on at the last of them. */
  #severalTargets(): string[] {
    const names: string[] = [];
    let at = 0;
    while (names.length < MAX_TARGETS && this.#peek(at)?.kind === 'name' && this.#is(',', at + 1)) {
      names.push(this.#peek(at)!.text);
      at += 2;
    }
    const isAssigned = this.#is('=', at + 1) || (this.#is(':', at + 1) && this.#is('=', at + 2));
    if (names.length === 0 || this.#peek(at)?.kind !== 'name' || !isAssigned) return [];
    this.#at += at;
    return names;
  }

  /** A value with its members, indices and calls. */
  #postfix(): Value {
    let value = this.#primary();
    for (;;) {
      const token = this.#peek();
      if (token?.kind !== 'sign') return value;
      const member = this.#peek(1);
      if (
        (token.text === '.' || token.text === '::' || token.text === '->' || token.text === '&') &&
        member?.kind === 'name'
      ) {
        // PHP joins texts with a dot.
        if (token.text === '.' && (member.text.startsWith('$') || (token.is_apart && member.is_apart))) return value;
        if (token.text === '&') return value;
        this.#at += 2;
        value = this.#called(memberOf(value, member.text), member);
      } else if (token.text === ':' && value.ref !== '' && this.#isMethodOfLua()) {
        this.#at += 2;
        value = this.#called(memberOf(value, member!.text), member!);
      } else if (token.text === '(' && !token.is_apart) {
        const from = this.#tokens[this.#at - 1]?.from ?? 0;
        const { args, named } = this.#arguments(')');
        value = this.#call(value, args, named, from);
      } else if (this.#isVariableOf(value, token)) {
        const { args } = this.#arguments(token.text === '[' ? ']' : '}');
        const name = args[0] ?? NOTHING;
        this.#variable_name = name.text === HOLE ? name.ref : name.text;
        value = this.#variable(value, this.#variable_name);
      } else if (token.text === '[' && !token.is_apart) {
        const { args } = this.#arguments(']');
        value = this.#calls.named(value, args[0]) ?? indexed(value, args[0] ?? NOTHING);
      } else if ((token.text === '->' || token.text === '.') && this.#is('(', 1)) this.#at++;
      else return value;
    }
  }

  /** `ENV['HOME']` of Ruby, `$ENV{HOME}` of Perl. */
  #isVariableOf({ ref }: Value, { text: opening, is_apart }: Token): boolean {
    return (
      !is_apart && (opening === '[' || (opening === '{' && ref.startsWith('$'))) && this.#words.environments.has(ref)
    );
  }

  /** What PHP calls `$_SERVER` also holds what a request sent, and then an element of it may name the function that runs. */
  #variable(environment: Value, name: string): Value {
    const value = environmentValue(this.#world, name);
    if (value.text !== HOLE) return value;
    const element = indexed(environment, text(name));
    return { ...element, taint: element.taint | value.taint };
  }

  /** `|f|` at the beginning of a block stands for each name of the listing before it. */
  #bindParameter(): boolean {
    const name = this.#peek(1);
    if (this.#calls.listed === undefined || name?.kind !== 'name' || !this.#is('|', 2)) return false;
    this.#scope.set(name.text, this.#calls.listed);
    this.#at += 3;
    return true;
  }

  /** The name that a loop gives to each of a listing: `foreach my $f (glob(…))`, `foreach (glob(…) as $f)`. */
  #bindLoop(): void {
    if (!this.#words.loops.has(this.#peek(-1)?.text ?? '')) return;
    const isGlue = (word: string): boolean => this.#words.keywords.has(word) || this.#words.makers.has(word);
    let at = 0;
    while (at < 2 && isGlue(this.#peek(at)?.text ?? '')) at++;
    const name = this.#peek(at);
    if (name?.kind !== 'name' || !this.#is('(', at + 1)) return;
    this.#at += at + 1;
    const { args } = this.#arguments(')');
    const over = args.find((value) => value.taint & FROM.listing);
    if (over !== undefined) this.#scope.set(name.text, over);
  }

  /** A name may be called without brackets: `system 'ls'`, `Socket.gethostname`. */
  #called(value: Value, name: Token): Value {
    const next = this.#peek();
    if (next?.kind === 'sign' && next.text === '(' && !next.is_apart) return value;
    // `Socket s = …` declares a name and calls nothing.
    if (next?.kind === 'name' && this.#is('=', 1)) return value;
    const begins =
      next?.is_apart === true &&
      (next.kind === 'text' ||
        next.kind === 'run' ||
        next.kind === 'number' ||
        next.kind === 'name' ||
        this.#isSpread(next));
    if (begins && !this.#words.keywords.has(next.text)) {
      const { args, named } = this.#bareArguments();
      return this.#call(value, args, named, name.from);
    }
    return this.#calls.handler(value) === undefined ? value : this.#call(value, [], new Map(), name.from);
  }

  /** `:name(` without a blank. */
  #isMethodOfLua(ahead = 0): boolean {
    const [sign, name, bracket] = [this.#peek(ahead), this.#peek(ahead + 1), this.#peek(ahead + 2)];
    return !sign!.is_apart && name?.kind === 'name' && !name.is_apart && bracket?.text === '(' && !bracket.is_apart;
  }

  #isMember(): boolean {
    const token = this.#peek();
    return token?.kind === 'sign' && !token.is_apart && /^(?:\.|::|->)$/.test(token.text);
  }

  #isSpread(token: Token): boolean {
    return token.kind === 'sign' && (token.text === ':' || token.text === '[');
  }

  #primary(): Value {
    const token = this.#peek();
    if (token === undefined) return NOTHING;
    if (token.kind === 'text' || token.kind === 'run') {
      this.#at++;
      const value = this.#textOf(token);
      if (token.kind === 'text') return value;
      return this.#call(reference('system'), [value], new Map(), token.from);
    }
    if (token.kind === 'number') {
      this.#at++;
      const number = Number(token.text.replaceAll('_', ''));
      return { ...text(token.text), ...(Number.isFinite(number) ? { number } : {}) };
    }
    if (token.kind === 'name') {
      this.#at++;
      // `new Socket(…)` makes what the name behind it names.
      if (this.#words.makers.has(token.text) && this.#peek()?.kind === 'name') return this.#primary();
      const isCalled = this.#is('(') && !this.#peek()!.is_apart;
      if (
        this.#words.keywords.has(token.text) &&
        !(isCalled && this.#calls.handler(reference(token.text)) !== undefined)
      ) {
        this.#bindLoop();
        return NOTHING;
      }
      if (this.#words.loop_links.has(token.text) && this.#calls.listed !== undefined && this.#peek()?.kind === 'name') {
        this.#scope.set(this.#peek()!.text, this.#calls.listed);
        this.#at++;
        return NOTHING;
      }
      const known = this.#scope.get(token.text);
      if (known !== undefined) return known;
      if (this.#words.request_variables.has(token.text)) return unknown(FROM.network | FROM.socket, token.text);
      const value = reference(token.text);
      // The name of a module or an object: its member is what may be called.
      return this.#isMember() ? value : this.#called(value, token);
    }
    if (token.kind === 'end') return NOTHING;
    if (token.text === '[' || token.text === '(' || token.text === '{') {
      const { args, named } = this.#arguments(token.text === '[' ? ']' : token.text === '(' ? ')' : '}');
      if (token.text === '(' && args.length === 1) return args[0]!;
      return { ...list(args), ...(named.size > 0 ? { entries: named } : {}) };
    }
    if (token.text === ':' && this.#peek(1)?.kind === 'name') {
      this.#at += 2;
      return text(this.#tokens[this.#at - 1]!.text);
    }
    if (token.text === '|' && this.#bindParameter()) return NOTHING;
    if (/^[!&*\\@-]$/.test(token.text)) {
      this.#at++;
      return this.#postfix();
    }
    return NOTHING;
  }

  #textOf(token: Token): Value {
    let taint = 0;
    let said = token.text;
    for (const code of token.inside) {
      const inside = this.#valueOfExpression(code);
      taint |= inside.taint;
      // What is not known leaves its hole, and the next one is looked for behind it.
      said = said.replace(HOLE, () => (inside.text === HOLE ? PASSED : inside.text));
    }
    said = said.replaceAll(PASSED, HOLE);
    const value = text(built(said), taint);
    if (token.is_words !== true) return value;
    const words = said.split(/\s+/).filter((word) => word !== '');
    return { ...value, items: words.slice(0, MAX_ARGUMENTS).map((word) => text(word, taint)) };
  }

  /** The value of the code in a text. */
  #valueOfExpression(code: string): Value {
    const known = this.#scope.get(code);
    if (known !== undefined) return known;
    if (!this.#world.step(4) || this.#depth > 4) return unknown();
    return new ScriptReader(code, tokensOf(code, HOLE).tokens, this.#world).#expression();
  }

  /** Arguments up to the closing bracket, which is consumed. `key: value` and `key => value` are named. */
  #arguments(close: string): { args: Value[]; named: Map<string, Value> } {
    this.#at++;
    const args: Value[] = [];
    const named = new Map<string, Value>();
    while (this.#at < this.#tokens.length && !this.#is(close)) {
      const before = this.#at;
      if (!this.#world.step()) break;
      this.#argument(args, named);
      if (this.#at === before) this.#at++;
    }
    this.#at++;
    return { args, named };
  }

  /** Arguments up to the end of the line. */
  #bareArguments(): { args: Value[]; named: Map<string, Value> } {
    const args: Value[] = [];
    const named = new Map<string, Value>();
    for (;;) {
      const before = this.#at;
      this.#argument(args, named);
      if (!this.#is(',') || this.#at === before) break;
      this.#at++;
      if (this.#peek()?.kind === 'end') this.#at++;
    }
    return { args, named };
  }

  #argument(args: Value[], named: Map<string, Value>): void {
    const key = this.#peek();
    const isKey = key !== undefined && (key.kind === 'name' || key.kind === 'text');
    const arrow = isKey && (this.#is('=>', 1) || (this.#is(':', 1) && !this.#is(':', 2) && !this.#isMethodOfLua(1)));
    if (arrow) this.#at += 2;
    const value = this.#expression();
    if (arrow && named.size < MAX_ARGUMENTS) named.set(key.text, value);
    else if (value !== NOTHING && args.length < MAX_ARGUMENTS) args.push(value);
  }

  #call(f: Value, args: Value[], named: Map<string, Value>, from: number): Value {
    const to = Math.min(from + 240, this.#peek()?.from ?? this.#code.length);
    return this.#calls.call(f, args, named, this.#code.slice(from, to));
  }
}
