/**
 * Reads awk programs: the commands they run, the files they read and write, and the connections that gawk opens as files
 * (`/inet/tcp/0/host/port`). Assignments are followed in the order of the text.
 */

import { openConnection } from '../connections.ts';
import { concat, type Data, FROM, HOLE, UNKNOWN } from '../data.ts';
import { codePoint } from '../decode.ts';
import { sendTo } from '../deeds/network.ts';
import { readFile } from '../deeds/read-file.ts';
import { runText } from '../deeds/run-code.ts';
import { writeFile } from '../deeds/write-file.ts';
import { isLoopback } from '../hosts.ts';
import type { World } from '../world.ts';
import { type Token, tokensOf } from './script-tokens.ts';

const MAX_CODE = 24_000;
/** Texts and names that are joined in one expression. */
const MAX_PARTS = 16;
const CONNECTION = /^\/inet[46]?\/(?:tcp|udp)\/[^/]{0,64}\/([^/]{1,253})\//;
const NOTHING_READ: Data = { text: HOLE, taint: 0 };

/** Runs a command line with something piped into it. */
export type Pipe = (command: string, input: Data) => void;

/** @param record what the program reads line by line: its fields carry the same */
export function readAwk(code: string, world: World, record: Data | null, pipe: Pipe): void {
  const { tokens, was_cut } = tokensOf(code.slice(0, MAX_CODE), HOLE);
  if (was_cut || code.length > MAX_CODE) world.was_cut = true;
  new AwkReader(code, tokens, world, record ?? NOTHING_READ, pipe).run();
}

class AwkReader {
  readonly #code: string;
  readonly #tokens: readonly Token[];
  readonly #world: World;
  readonly #variables = new Map<string, Data>();
  #record: Data;
  readonly #pipe: Pipe;

  constructor(code: string, tokens: readonly Token[], world: World, record: Data, pipe: Pipe) {
    this.#pipe = pipe;
    this.#code = code;
    this.#tokens = tokens;
    this.#world = world;
    this.#record = { text: HOLE, taint: record.taint };
  }

  run(): void {
    for (let at = 0; at < this.#tokens.length; at++) {
      if (!this.#world.step()) return;
      const { kind, text } = this.#tokens[at]!;
      if (kind === 'name' && text === 'getline' && this.#is(at + 1, '<')) this.#reads(at, at + 2);
      else if (kind === 'name' && text === 'getline' && this.#is(at + 2, '<')) this.#reads(at, at + 3);
      else if (kind === 'name' && this.#is(at + 1, '=')) this.#variables.set(text, this.#forwards(at + 2));
      else if (kind === 'name' && text === 'system' && this.#is(at + 1, '(')) this.#runs(this.#forwards(at + 2), at);
      else if (kind === 'sign' && text === '|') this.#pipes(at);
      else if (kind === 'sign' && /^>>?$/.test(text) && this.#printsBefore(at)) this.#writes(at);
    }
  }

  #is(at: number, sign: string): boolean {
    const token = this.#tokens[at];
    return token?.kind === 'sign' && token.text === sign;
  }

  #excerpt(at: number): string {
    const from = this.#tokens[Math.max(0, at - 4)]?.from ?? 0;
    return this.#code.slice(from, from + 160);
  }

  /** Part of a joined text; `null` where none is. A field carries what the record does. */
  #part(at: number): Data | null {
    const token = this.#tokens[at];
    if (token === undefined) return null;
    if (token.kind === 'text') return { text: token.text, taint: 0 };
    if (token.kind === 'number') return this.#is(at - 1, '$') ? this.#record : { text: token.text, taint: 0 };
    if (token.kind === 'name' && token.text === 'sprintf') return this.#formatted(at);
    if (token.kind !== 'name' || token.text === 'getline' || token.text === 'print') return null;
    return token.text.startsWith('$') ? this.#record : (this.#variables.get(token.text) ?? UNKNOWN);
  }

  /** `sprintf("%c%s", 104, "i")`, as far as its arguments stand there; with numbers for characters, a text that was to be hidden. */
  #formatted(at: number): Data {
    const format = this.#tokens[at + 2];
    if (!this.#is(at + 1, '(') || format?.kind !== 'text') return UNKNOWN;
    let next = at + 3;
    let taint = 0;
    const text = format.text.replace(/%[-\d.]{0,8}([cds])/g, (_all, kind: string) => {
      const value = this.#is(next, ',') ? this.#part(next + 1) : null;
      next += 2;
      if (value === null) return HOLE;
      taint |= value.taint;
      const code = kind === 'c' ? Number(value.text) : Number.NaN;
      if (!Number.isInteger(code)) return value.text;
      taint |= FROM.decoded;
      return codePoint(code);
    });
    return { text, taint };
  }

  /** The parts from `at` on, joined. */
  #forwards(at: number): Data {
    let joined: Data | null = null;
    for (let i = at; i < at + MAX_PARTS; i++) {
      if (this.#is(i, '$') || this.#is(i, '(')) continue;
      // The index of an array says nothing about what is in it.
      if (this.#is(i, '[') && this.#is(i + 2, ']')) i += 3;
      const part = this.#part(i);
      if (part === null) break;
      joined = joined === null ? part : concat(joined, part);
      if (this.#tokens[i]!.text === 'sprintf') break;
    }
    return joined ?? UNKNOWN;
  }

  /** The parts that end before `at`, joined. */
  #backwards(at: number): Data {
    let joined: Data | null = null;
    for (let i = at - 1; i >= 0 && i > at - MAX_PARTS; i--) {
      if (this.#is(i, '$') || this.#is(i, ')')) continue;
      const part = this.#part(i);
      if (part === null) break;
      joined = joined === null ? part : concat(part, joined);
    }
    return joined ?? UNKNOWN;
  }

  #runs(command: Data, at: number): void {
    runText(this.#world, 'shell', command, this.#excerpt(at));
  }

  /** Sets what `getline` reads: the variable behind it, or the record. */
  #gives(at: number, read: Data): void {
    const target = this.#tokens[at + 1];
    if (target?.kind === 'name' && !target.text.startsWith('$')) this.#variables.set(target.text, read);
    else this.#record = read;
  }

  /** `"command" | getline x`, `print x | "command"`, and the same with `|&`, whose command answers or is a connection. */
  #pipes(at: number): void {
    const next = at + (this.#is(at + 1, '&') ? 2 : 1);
    const excerpt = this.#excerpt(at);
    const isReading = this.#tokens[next]?.text === 'getline';
    const other = isReading ? this.#backwards(at) : this.#forwards(next);
    const host = CONNECTION.exec(other.text)?.[1];
    if (host !== undefined) {
      openConnection(this.#world, host, excerpt);
      const isLocal = isLoopback(host);
      if (isReading) this.#gives(next, { text: HOLE, taint: isLocal ? 0 : FROM.network | FROM.socket });
      else sendTo(this.#world, host, this.#backwards(at), excerpt);
      return;
    }
    const before = this.#downloads();
    const printed = isReading ? UNKNOWN : this.#backwards(at);
    // What is printed into an interpreter is its code.
    if (printed.text !== HOLE || printed.taint !== 0) this.#pipe(other.text, printed);
    else this.#runs(other, at);
    const isFetched = this.#downloads() > before;
    if (isReading) this.#gives(next, isFetched ? { text: HOLE, taint: FROM.network } : NOTHING_READ);
  }

  /** How much the code has fetched so far. */
  #downloads(): number {
    return this.#world.shown.size + this.#world.effects.items.filter(({ kind }) => kind === 'downloads').length;
  }

  /** `getline x < "file"` */
  #reads(getline: number, at: number): void {
    const path = this.#forwards(at);
    if (path.text.startsWith('/')) this.#gives(getline, readFile(this.#world, path.text, this.#excerpt(at)));
  }

  /** Whether the sign writes to a file and compares nothing: a `print` stands before it in the same statement. */
  #printsBefore(at: number): boolean {
    for (let i = at - 1; i >= 0 && i > at - MAX_PARTS; i--) {
      const { kind, text } = this.#tokens[i]!;
      if (kind === 'name' && (text === 'print' || text === 'printf')) return true;
      if (kind === 'end' || (kind === 'sign' && /^[{}()]$/.test(text))) return false;
    }
    return false;
  }

  #writes(at: number): void {
    const path = this.#forwards(this.#is(at + 1, '>') ? at + 2 : at + 1);
    if (path.text.startsWith('/') || path.text.startsWith('~'))
      writeFile(this.#world, path.text, this.#backwards(at), this.#excerpt(at));
  }
}
