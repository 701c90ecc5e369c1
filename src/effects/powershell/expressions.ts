/** Expressions of PowerShell: strings, variables, operators, members, casts, as far as values are known. */

import type { Assigned } from './assignments.ts';
import { readMember, readStatic } from './members.ts';
import { readOperator } from './operator-signs.ts';
import { cast, indexed, operate, property } from './operators.ts';
import type { Scanner, StringPart } from './scan.ts';
import type { Session } from './session.ts';
import { EMPTY, itemsOf, list, MAX_ITEMS, NOTHING, plain, unknown, type Value } from './values.ts';

/** Levels of operators and brackets inside one expression that are followed. */
const MAX_NESTING = 40;
const WORD = /[A-Za-z_]\w*/y;
const NUMBER = /(?:0x[0-9a-f]+|\d+(?:\.\d+)?)(?:[kmgtp]b|[ldu])?/iy;

export abstract class Expressions {
  readonly session: Session;
  readonly scan: Scanner;
  #nesting = 0;
  #target: Assigned | null = null;

  constructor(session: Session, scan: Scanner) {
    this.session = session;
    this.scan = scan;
  }

  abstract pipeline(): Value;
  abstract block(source: string): Value;
  abstract excerpt(start: number): string;

  /** One operand at the start of a statement, and what an assignment behind it would set. */
  assignable(): { value: Value; target: Assigned | null } {
    this.#target = null;
    const value = this.operand();
    return { value, target: this.#target };
  }

  /** The rest of an expression whose first operand was read. */
  rest(first: Value): Value {
    return this.#operators(first, 0);
  }

  expression(level = 0): Value {
    return this.#operators(this.operand(), level);
  }

  #operators(first: Value, level: number): Value {
    const { scan } = this;
    let left = first;
    for (;;) {
      scan.skipBlanks(false);
      const at = scan.at;
      const operator = readOperator(scan, this.session.world.ontology);
      if (operator === undefined) return left;
      const { name, level: own } = operator;
      if (own < level || !this.session.world.step()) {
        scan.at = at;
        return left;
      }
      scan.skipBlanks(true);
      left = name === ',' ? this.#listed(left, own) : operate(name, left, this.expression(own + 1));
    }
  }

  /** The array of a row of commas, made once: made anew at each comma it takes time in the square of their number. */
  #listed(first: Value, level: number): Value {
    const { scan } = this;
    const items = [...itemsOf(first)];
    let { taint } = first;
    do {
      scan.skipBlanks(true);
      const item = this.expression(level + 1);
      taint |= item.taint;
      if (items.length < MAX_ITEMS) items.push(...itemsOf(item));
      scan.skipBlanks(false);
    } while (scan.char === ',' && this.session.world.step() && scan.take(','));
    const value = list(items);
    return { ...value, taint: value.taint | taint };
  }

  /** One value with its casts, signs, members and indices. */
  operand(): Value {
    const { scan } = this;
    if (++this.#nesting > MAX_NESTING) {
      this.session.world.was_cut = true;
      scan.at = scan.source.length;
      return NOTHING;
    }
    const value = this.members(this.primary());
    this.#nesting--;
    return value;
  }

  protected primary(): Value {
    const { scan } = this;
    scan.skipBlanks(false);
    const c = scan.char;
    if (c === "'") return plain(scan.singleQuoted());
    if (c === '"') return this.#quoted();
    if (c === '@') return this.#atSign();
    if (c === '$') return this.#variable();
    if (c === '(') return this.#statements(scan.bracketed());
    if (c === '{') return this.block(scan.bracketed());
    if (c === '[') return this.typeOrCast();
    if (c === ',') {
      scan.at++;
      return list([this.operand()]);
    }
    if (c === '!' || c === '+') {
      scan.at += scan.startsWith('++') ? 2 : 1;
      return this.operand();
    }
    if (c === '-') return this.#unary();
    const number = scan.match(NUMBER)?.[0];
    if (number !== undefined) return plain(number.startsWith('0x') ? String(Number.parseInt(number, 16)) : number);
    const word = scan.bareWord().text;
    if (word === '') scan.at++;
    return plain(word);
  }

  #statements(source: string): Value {
    return this.session.run(source);
  }

  #atSign(): Value {
    const { scan } = this;
    const next = scan.source[scan.at + 1];
    if (next === '"' || next === "'") return this.joined(scan.hereString());
    if (next === '(') {
      scan.at++;
      return list(itemsOf(this.#statements(scan.bracketed())).filter((v) => v !== EMPTY));
    }
    if (next === '{') {
      scan.at++;
      return this.session.nested(() => {
        const source = scan.bracketed();
        return this.session.world.step(source.length >> 4) ? this.#hashTable(source) : NOTHING;
      });
    }
    const name = scan.variable();
    if (name === null) scan.at++;
    return name === null ? NOTHING : this.session.variable(name);
  }

  #hashTable(source: string): Value {
    const fields = new Map<string, Value>();
    let taint = 0;
    const inner = this.inside(source);
    for (let i = 0; i < 64; i++) {
      inner.scan.skipBlanks(true);
      inner.scan.take(';');
      inner.scan.skipBlanks(true);
      if (inner.scan.isDone) break;
      const key = (inner.scan.key() || inner.operand().text).toLowerCase();
      inner.scan.skipBlanks(true);
      if (!inner.scan.take('=')) {
        inner.scan.at++;
        continue;
      }
      inner.scan.skipBlanks(true);
      const value = inner.pipeline();
      taint |= value.taint;
      fields.set(key, value);
    }
    return {
      text: [...fields.values()]
        .map((v) => v.text)
        .join(' ')
        .slice(0, 8_000),
      taint,
      fields,
    };
  }

  abstract inside(source: string): Expressions;

  #variable(): Value {
    const { scan } = this;
    if (scan.source[scan.at + 1] === '(') {
      scan.at++;
      return this.#statements(scan.bracketed());
    }
    const name = scan.variable();
    if (name === null) {
      scan.at++;
      return plain('$');
    }
    if (scan.startsWith('++') || scan.startsWith('--')) scan.at += 2;
    this.#target = { variable: name, owner: null, property: '' };
    return this.session.variable(name);
  }

  #unary(): Value {
    const { scan } = this;
    const operator = scan.match(/-[a-z]+|--?/iy)?.[0].toLowerCase() ?? '';
    scan.skipBlanks(true);
    if (operator === '-join') return operate('join', this.operand(), EMPTY);
    if (operator === '-' || operator === '--') {
      const value = this.operand();
      return { ...value, text: `-${value.text}` };
    }
    return this.operand();
  }

  /** `[Type]::Member`, `[Type]` and the cast `[Type]value`. */
  protected typeOrCast(): Value {
    const { scan } = this;
    const start = scan.at;
    const name = scan.bracketed().replace(/\s/g, '').toLowerCase();
    scan.skipBlanks(false);
    const type = name.replace(/^system\./, '');
    if (scan.startsWith('::')) {
      scan.at += 2;
      const member = this.#memberName();
      if (scan.char === '(') return readStatic(this.session, type, member, this.#callArguments(), this.excerpt(start));
      this.#target = { variable: '', owner: { ...unknown(), type, fields: new Map() }, property: member };
      return { ...unknown(), type: `${type}.${member}` };
    }
    if (scan.isDone || /[.,;)|}\n\]=-]/.test(scan.char)) return { ...unknown(), text: name, type };
    const value = this.operand();
    return cast(type, value);
  }

  /** The name behind `.` or `::`; a name that is computed counts as its value. */
  #memberName(): string {
    const { scan } = this;
    const word = scan.match(WORD)?.[0];
    if (word !== undefined) return word.toLowerCase();
    if (!/["'$(]/.test(scan.char)) return '';
    const named = scan.char === '$' ? this.session.variable(scan.variable() ?? '') : this.primary();
    return named.text.toLowerCase();
  }

  protected members(first: Value): Value {
    const { scan } = this;
    let value = first;
    for (let i = 0; i < 200; i++) {
      const c = scan.char;
      if (c === '[') {
        const index = this.session.run(scan.bracketed());
        if (this.#target !== null && scan.char !== '[')
          this.#target = { variable: '', owner: value, property: index.text.toLowerCase() };
        value = indexed(value, index);
      } else if (
        scan.startsWith('::') ||
        (c === '.' && /^\.["'$(A-Za-z_]/.test(scan.source.slice(scan.at, scan.at + 2)))
      ) {
        const start = Math.max(0, scan.at - 100);
        scan.at += c === '.' ? 1 : 2;
        const isDotted = c === '.';
        const member = this.#memberName();
        if (scan.char === '(') {
          const args = this.#callArguments();
          value =
            isDotted || value.type === undefined
              ? readMember(this.session, value, member, args, this.excerpt(start))
              : readStatic(this.session, value.type, member, args, this.excerpt(start));
          this.#target = null;
        } else if (scan.char === '{') {
          value = readMember(this.session, value, member, [this.block(scan.bracketed())], this.excerpt(start));
        } else {
          this.#target = { variable: '', owner: value, property: member };
          value = value.fields?.get(member) ?? property(value, member, this.session.world.ontology);
        }
      } else if (scan.startsWith('++') || scan.startsWith('--')) scan.at += 2;
      else return value;
    }
    return value;
  }

  #callArguments(): Value[] {
    const source = this.scan.bracketed();
    // Calls inside of calls: each level is read again from where it opens to where it ends.
    if (!this.session.world.step(source.length >> 6)) return [];
    const inner = this.inside(source);
    const args: Value[] = [];
    for (let i = 0; i < 32; i++) {
      inner.scan.skipBlanks(true);
      if (inner.scan.isDone) break;
      args.push(inner.#operatorsWithoutComma(inner.operand()));
      if (!inner.scan.take(',')) inner.scan.at += inner.scan.isDone ? 0 : 1;
    }
    return args;
  }

  #operatorsWithoutComma(first: Value): Value {
    let left = first;
    for (let i = 0; i < 200; i++) {
      this.scan.skipBlanks(true);
      if (this.scan.isDone || this.scan.char === ',') return left;
      const at = this.scan.at;
      left = this.#oneOperator(left);
      if (this.scan.at === at) return left;
    }
    return left;
  }

  #oneOperator(left: Value): Value {
    const { scan } = this;
    const operator = readOperator(scan, this.session.world.ontology);
    if (operator === undefined) return left;
    scan.skipBlanks(true);
    return operate(operator.name, left, this.expression(7));
  }

  /** A text in double quotes, which keeps how it is written where variables or code stand in it. */
  #quoted(): Value {
    const from = this.scan.at + 1;
    const parts = this.scan.doubleQuoted();
    const value = this.joined(parts);
    return parts.every((part) => 'text' in part)
      ? value
      : { ...value, quoted: this.scan.source.slice(from, this.scan.at - 1).slice(0, 70_000) };
  }

  joined(parts: readonly StringPart[]): Value {
    let text = '';
    let taint = 0;
    for (const part of parts) {
      if ('text' in part) text += part.text;
      else {
        const value = 'variable' in part ? this.session.variable(part.variable) : this.session.run(part.code);
        text += value.text;
        taint |= value.taint;
      }
    }
    return plain(text.slice(0, 70_000), taint);
  }
}
