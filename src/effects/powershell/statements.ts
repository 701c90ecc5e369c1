/** Runs the statements of PowerShell: keywords, assignments, pipelines, invocations of commands, redirections. */
import { HOLE } from '../data.ts';
import { writeFile } from '../deeds/write-file.ts';
import { CommandArguments } from './argument-mode.ts';
import { type Assigned, assignTo, currentValue } from './assignments.ts';
import { runCommand } from './commands.ts';
import { evaluate } from './members.ts';
import { Scanner } from './scan.ts';
import type { Session } from './session.ts';
import { type Argument, builtOf, EMPTY, itemsOf, list, NOTHING, plain, unknown, type Value } from './values.ts';
import { powershellWords } from './words.ts';

/** Turns of one loop that are followed. */
const MAX_TURNS = 16;
const KEYWORD = /([a-z]{2,16})(?![\w-])/iy;
const ASSIGNMENT = /(?:[+\-*/%]|\?\?)?=(?!=)/y;
/** Words of one command that are read. What follows them in the statement is not. */
const MAX_ARGUMENTS = 2_000;
const REDIRECTION = /(?:[*\d]?>>?(?:&\d)?)/y;
const FUNCTION_NAME = /[ \t]{0,64}([\w:.-]{1,200})/y;

/** The statements of one script or block. */
export class Block extends CommandArguments {
  constructor(session: Session, source: string) {
    super(session, new Scanner(source));
  }

  run(): Value {
    const out: Value[] = [];
    const { scan, session } = this;
    for (;;) {
      scan.skipBlanks(true);
      if (scan.isDone || !session.world.step(2)) break;
      if (scan.take(';')) continue;
      const before = scan.at;
      const value = this.#statement();
      if (value !== EMPTY && value !== NOTHING) out.push(value);
      // A sign that no statement begins with.
      if (scan.at === before) scan.at++;
    }
    return out.length === 1 ? out[0]! : out.length === 0 ? EMPTY : list(out);
  }

  #statement(): Value {
    const { scan, session } = this;
    const start = scan.at;
    const keyword = scan.match(KEYWORD)?.[1]?.toLowerCase() ?? '';
    switch (powershellWords(session.world.ontology).keywords.get(keyword)) {
      case 'function':
        return this.#function();
      case 'foreach':
        scan.skipBlanks(false);
        if (scan.char !== '(') break;
        return this.#forEach();
      case 'parameters':
        scan.skipBlanks(true);
        if (scan.char === '(') scan.bracketed();
        return EMPTY;
      case 'nothing':
        return EMPTY;
      case 'type':
        scan.match(/[^{;\n]{0,200}/y);
        if (scan.char === '{') scan.bracketed();
        return EMPTY;
      case 'leaves':
        scan.skipBlanks(false);
        return /[;\n}]/.test(scan.char) || scan.isDone ? EMPTY : this.pipeline();
      case 'guards':
        return this.#guarded();
      default:
    }
    scan.at = start;
    return this.pipeline();
  }

  #function(): Value {
    const { scan } = this;
    const name = scan.match(FUNCTION_NAME)?.[1]?.toLowerCase() ?? '';
    scan.skipBlanks(true);
    const parameters = scan.char === '(' ? scan.bracketed() : '';
    scan.skipBlanks(true);
    if (scan.char === '{') {
      const body = scan.bracketed();
      this.session.define(name.replace(/^\w+:/, ''), parameters === '' ? body : `param(${parameters})\n${body}`);
    }
    return EMPTY;
  }

  /** `if (…) {…}`, `while (…) {…}`, `catch [Type] {…}`: the condition, then the block; both always run. */
  #guarded(): Value {
    const { scan } = this;
    scan.skipBlanks(true);
    while (scan.char === '[' || scan.char === '-') {
      if (scan.char === '[') scan.bracketed();
      else scan.match(/-\w*/y);
      scan.skipBlanks(true);
    }
    if (scan.char === '(') this.session.run(scan.bracketed());
    scan.skipBlanks(true);
    if (scan.char !== '{') return EMPTY;
    return this.session.run(scan.bracketed());
  }

  #forEach(): Value {
    const { scan, session } = this;
    const head = new Block(session, scan.bracketed());
    head.scan.skipBlanks(true);
    const name = head.scan.variable() ?? '';
    head.scan.match(/\s{0,64}in(?!\w)/iy);
    head.scan.skipBlanks(true);
    const values = head.scan.isDone ? NOTHING : head.pipeline();
    scan.skipBlanks(true);
    if (scan.char !== '{') return EMPTY;
    const body = scan.bracketed();
    let out: Value = EMPTY;
    const items = itemsOf(values);
    if (items.length > MAX_TURNS) session.world.was_cut = true;
    for (const item of items.slice(0, MAX_TURNS)) {
      session.assign(name, item);
      out = session.run(body);
    }
    return out;
  }

  /** Commands and expressions connected by `|`, and chains of them connected by `&&` and `||`. */
  override pipeline(): Value {
    const { scan } = this;
    let value = this.#element(undefined);
    for (;;) {
      scan.skipBlanks(false);
      if (scan.startsWith('&&') || scan.startsWith('||')) {
        scan.at += 2;
        scan.skipBlanks(true);
        value = this.#element(undefined);
      } else if (scan.take('|')) {
        scan.skipBlanks(true);
        value = this.#element(value);
      } else if (scan.char === '&') {
        scan.at++;
      } else return value;
    }
  }

  #element(input: Value | undefined): Value {
    const { scan, session } = this;
    if (!session.world.step(2)) return NOTHING;
    const start = scan.at;
    const c = scan.char;
    if ((c === '&' || c === '.') && /^[&.]\s*[\w"'$({%:.\\]/.test(scan.source.slice(start, start + 8))) {
      if (
        c === '&' ||
        /^\.\s/.test(scan.source.slice(start, start + 2)) ||
        /^\.["'$({]/.test(scan.source.slice(start, start + 2))
      ) {
        scan.at++;
        scan.skipBlanks(false);
        return this.#invocation(start, input);
      }
    }
    const isExpression = /[$"'(@[{\d!+,]/.test(c) || /^-(?:\w+\b|[\d$(])/.test(scan.source.slice(start, start + 12));
    if (!isExpression || /^\d+[a-z_]/i.test(scan.source.slice(start, start + 24))) return this.#command(start, input);
    const { value, target } = this.assignable();
    scan.skipBlanks(false);
    if (target !== null && scan.match(ASSIGNMENT) !== null)
      return this.#assignment(target, scan.source[scan.at - 2] ?? '');
    const whole = this.rest(value);
    // A block that nothing takes: pasted code whose command stands on the line before.
    if (whole.block !== undefined && whole.text !== HOLE) return session.run(whole.block, input);
    this.#redirections(whole, start);
    return whole;
  }

  /** What is right of `=` is a statement: `$x = if (…) {…}`, `$x = Get-Item y`. */
  #assignment(target: Assigned, sign: string): Value {
    const { scan, session } = this;
    scan.skipBlanks(true);
    const given = this.#statement();
    const current = (): Value => currentValue(session, target);
    const value = sign === '+' ? builtOf(`${current().text}${given.text}`, current(), given) : given;
    assignTo(
      session,
      target,
      sign === '+' && given.items !== undefined ? list([...itemsOf(current()), ...given.items]) : value,
      this.excerpt(Math.max(0, scan.at - 120)),
    );
    return EMPTY;
  }

  /** `& name …`, `. script`, `& { … }`. */
  #invocation(start: number, input: Value | undefined): Value {
    const { scan, session } = this;
    const c = scan.char;
    if (/["'$({[]/.test(c)) {
      const name = this.operand();
      if (name.block !== undefined) {
        this.#arguments();
        // A block that is made of text known only at run time.
        if (name.text === HOLE) return evaluate(session, name, this.excerpt(start));
        return session.run(name.block, input);
      }
      if (name.isBuilt && name.text !== HOLE && /^[\w.-]{2,40}$/.test(name.text))
        session.world.add('obfuscates', 'one', name.text, this.excerpt(start));
      return this.#invoke(name, start, input);
    }
    return this.#command(start, input);
  }

  #command(start: number, input: Value | undefined): Value {
    const { scan, session } = this;
    const { text, isBroken } = scan.bareWord();
    if (text === '') return NOTHING;
    if (isBroken) session.world.add('obfuscates', 'one', text, this.excerpt(start));
    return this.#invoke(plain(text), start, input);
  }

  #invoke(name: Value, start: number, input: Value | undefined): Value {
    const args = this.#arguments();
    const excerpt = this.excerpt(start);
    const out = runCommand(this.session, { name, args, input, excerpt });
    this.#redirections(out, start);
    return out;
  }

  /** The words behind the name of a command, up to a pipe or the end of the statement. */
  #arguments(): Argument[] {
    const { scan, session } = this;
    const args: Argument[] = [];
    for (;;) {
      scan.skipBlanks(false);
      const c = scan.char;
      if (scan.isDone || /[;|)}\n]/.test(c) || scan.startsWith('&&')) return args;
      if (c === '&') {
        scan.at++;
        continue;
      }
      if (c === '>' || /^[*\d]>/.test(scan.source.slice(scan.at, scan.at + 2))) return args;
      if (c === '<' && !scan.startsWith('<#')) {
        scan.at++;
        continue;
      }
      if (args.length === MAX_ARGUMENTS) {
        session.world.has_unparsed = true;
        session.world.was_cut = true;
        scan.match(/[^;|)}\n]*/y);
        return args;
      }
      const before = scan.at;
      const parameter = /^[-\u2013\u2014]/.test(c) ? scan.match(/[-\u2013\u2014]([a-z_?][\w-]*)(:)?/iy) : null;
      if (parameter !== null) {
        scan.skipBlanks(false);
        const isGiven = parameter[2] === ':' && !/[\s;|)}\n]/.test(scan.char) && !scan.isDone;
        args.push({ name: parameter[1]!.toLowerCase(), value: isGiven ? this.argument() : EMPTY });
      } else args.push({ name: '', value: this.argument() });
      if (scan.at === before) scan.at++;
    }
  }

  #redirections(out: Value, start: number): void {
    const { scan, session } = this;
    for (;;) {
      scan.skipBlanks(false);
      const operator = scan.match(REDIRECTION)?.[0];
      if (operator === undefined) return;
      if (/&\d$/.test(operator)) continue;
      scan.skipBlanks(false);
      const target = this.argument();
      if (target.text !== '' && !/^[2-6]/.test(operator))
        writeFile(session.world, target.text, out, this.excerpt(start));
    }
  }

  override excerpt(start: number): string {
    return this.scan.source.slice(start, Math.min(this.scan.at, start + 240));
  }

  override inside(source: string): Block {
    return new Block(this.session, source);
  }

  override block(source: string): Value {
    return { ...unknown(), text: source, block: source };
  }
}
