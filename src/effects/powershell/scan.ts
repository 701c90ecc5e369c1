/** The lexical grammar of PowerShell: blanks, comments, strings, names, balanced brackets. */

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '{': '}', '[': ']' };
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '', a: '', b: '', f: '', v: '' };
/** 1 for each character that means something between brackets. */
const SPECIAL = Uint8Array.from({ length: 128 }, (_, c) => ('(){}[]"\'@`#<'.includes(String.fromCharCode(c)) ? 1 : 0));
/** Characters that end a bare word of a command. */
const ENDS_WORD = /[\s;|(){}<>,"'`&$#@]/;

/** What a double-quoted string consists of: text, and the places where something is inserted. */
export type StringPart = { text: string } | { variable: string } | { code: string };

/** A position in a source, and what can be read there. No method goes back, so that all of them together are linear. */
export class Scanner {
  readonly source: string;
  at = 0;

  constructor(source: string) {
    this.source = source;
  }

  get isDone(): boolean {
    return this.at >= this.source.length;
  }

  get char(): string {
    return this.source[this.at] ?? '';
  }

  /** A bare key of a hash table, which a value may follow without a blank: `@{Name='x'}`; '' where there is none. */
  key(): string {
    const key = /^[A-Za-z_][\w-]{0,64}(?=\s{0,16}=)/.exec(this.source.slice(this.at, this.at + 96))?.[0] ?? '';
    this.at += key.length;
    return key;
  }

  startsWith(text: string): boolean {
    return this.source.startsWith(text, this.at);
  }

  take(text: string): boolean {
    if (!this.startsWith(text)) return false;
    this.at += text.length;
    return true;
  }

  /** What a sticky expression matches here, `null` when it does not. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source);
    if (found !== null) this.at = pattern.lastIndex;
    return found;
  }

  /** Skips blanks, comments and joined lines; line ends as well when `overLines`. */
  skipBlanks(overLines: boolean): void {
    for (;;) {
      const c = this.char;
      if (c === '') return;
      if (c === ' ' || c === '\t' || c === '\r' || (overLines && c === '\n')) this.at++;
      else if (c === '`' && /^`\r?\n/.test(this.source.slice(this.at, this.at + 3)))
        this.at += this.source[this.at + 1] === '\r' ? 3 : 2;
      else if (this.startsWith('<#')) {
        const end = this.source.indexOf('#>', this.at + 2);
        this.at = end < 0 ? this.source.length : end + 2;
      } else if (c === '#') {
        const end = this.source.indexOf('\n', this.at);
        this.at = end < 0 ? this.source.length : end;
      } else return;
    }
  }

  /** The inside of a bracket that opens here; the position is behind its closing bracket. */
  bracketed(): string {
    const { source } = this;
    const closers = [CLOSING[this.char] ?? ''];
    const from = ++this.at;
    while (!this.isDone) {
      // Each level of nesting reads what is inside it again, so plain characters must be cheap.
      if (SPECIAL[source.charCodeAt(this.at)] !== 1) {
        this.at++;
        continue;
      }
      const c = this.char;
      const closer = CLOSING[c];
      if (closer !== undefined || c === closers.at(-1)) {
        this.at++;
        if (closer !== undefined) closers.push(closer);
        else if (closers.pop() !== undefined && closers.length === 0) return source.slice(from, this.at - 1);
      } else if (c === '"' || c === "'") this.skipString();
      else if (c === '@' && /^@["']/.test(this.source.slice(this.at, this.at + 2))) this.skipString();
      else if (c === '`') this.at += 2;
      else if (c === '#' || this.startsWith('<#')) this.#skipComment();
      else this.at++;
    }
    return source.slice(from);
  }

  /** `#` begins a comment only where a word may begin. */
  #skipComment(): void {
    const before = this.source[this.at - 1] ?? ' ';
    if (this.char === '#' && !/[\s;{}()|]/.test(before)) this.at++;
    else this.skipBlanks(false);
  }

  skipString(): void {
    if (this.char === '@') this.hereString();
    else if (this.char === "'") this.singleQuoted();
    else this.doubleQuoted();
  }

  /** A single-quoted string; two quotes inside stand for one. */
  singleQuoted(): string {
    let text = '';
    this.at++;
    for (;;) {
      const end = this.source.indexOf("'", this.at);
      if (end < 0) {
        text += this.source.slice(this.at);
        this.at = this.source.length;
        return text;
      }
      text += this.source.slice(this.at, end);
      this.at = end + 1;
      if (this.char !== "'") return text;
      text += "'";
      this.at++;
    }
  }

  doubleQuoted(): StringPart[] {
    this.at++;
    const parts: StringPart[] = [];
    let text = '';
    while (!this.isDone) {
      const c = this.char;
      if (c === '"') {
        this.at++;
        if (this.char !== '"') break;
        text += '"';
        this.at++;
      } else if (c === '`') {
        const next = this.source[this.at + 1] ?? '';
        text += ESCAPES[next] ?? next;
        this.at += 2;
      } else if (c === '$') {
        const part = this.#insertion();
        if (part === null) text += c;
        else parts.push({ text }, part);
        if (part !== null) text = '';
      } else {
        text += c;
        this.at++;
      }
    }
    parts.push({ text });
    return parts;
  }

  /** `$name`, `${name}`, `$env:name`, `$( … )`; `null` when the sign stands for itself. */
  #insertion(): StringPart | null {
    const next = this.source[this.at + 1] ?? '';
    if (next === '(') {
      this.at++;
      return { code: this.bracketed() };
    }
    const name = this.variable();
    if (name !== null) return { variable: name };
    this.at++;
    return null;
  }

  /** Name of the variable that begins here, lower case, `env:path` for `$env:PATH`; `null` when none does. */
  variable(): string | null {
    const m = this.match(/[$@](?:\{([^}\n]{1,120})\}|(\w{0,64}:\w+|\w+|[?^$]))/y);
    if (m === null) return null;
    return (m[1] ?? m[2])!.replace(/^(?:global|script|local|private|variable|using):/i, '').toLowerCase();
  }

  /** `@' … '@` and `@" … "@`. */
  hereString(): StringPart[] {
    const quote = this.source[this.at + 1]!;
    const from = this.source.indexOf('\n', this.at) + 1;
    const end = this.source.indexOf(`\n${quote}@`, this.at);
    const text = this.source.slice(from === 0 ? this.at + 2 : from, end < 0 ? undefined : Math.max(end, from));
    this.at = end < 0 ? this.source.length : end + 3;
    if (quote === "'") return [{ text }];
    return new Scanner(`"${text.replaceAll('"', '""')}"`).doubleQuoted();
  }

  /** A bare word of a command. Back ticks inside it are taken away; `isBroken` tells that some stood before letters. */
  bareWord(): { text: string; isBroken: boolean } {
    let text = '';
    let isBroken = false;
    while (!this.isDone) {
      const c = this.char;
      if (c === '`') {
        const next = this.source[this.at + 1] ?? '';
        if (next === '' || /\s/.test(next)) break;
        isBroken ||= text !== '' && /[a-z]/i.test(next);
        text += next;
        this.at += 2;
      } else if (ENDS_WORD.test(c) && !(c === '#' && text !== '') && !(c === '@' && text !== '')) break;
      else {
        text += c;
        this.at++;
      }
    }
    return { text, isBroken };
  }
}
