/**
 * Reads the block form of YAML, in which playbooks and workflows are written: mappings, lists, scalars. Not by js-yaml, which refuses
 * the whole text for one unquoted `{{ name }}`, as playbooks hold them: a plan could hide its steps from the judge that way, and its
 * aliases can make a small text a large value.
 */
import { type Json, type JsonObject, parseJson } from '../../../../lang/json.ts';

interface Line {
  indent: number;
  text: string;
}

/** Lines and levels that are read; a plan has fewer. */
const MAX_LINES = 2_000;
const MAX_DEPTH = 24;
/** A key of at most this many characters stands before a colon. */
const KEY = /^(?:"([^"]{1,128})"|'([^']{1,128})'|([A-Za-z_@][\w.@/ -]{0,127})):(?:\s(.*))?$/;
const BLOCK = /^[|>][-+\d]{0,3}$/;

/**
 * The value that the text means; null for a text that is not a block of mappings or lists. What has another form (anchors, tags,
 * flow mappings that are no JSON) stays the text that it is.
 */
export function readBlocks(text: string): JsonObject | Json[] | null {
  const lines: Line[] = [];
  for (const raw of text.split('\n', MAX_LINES)) {
    const line = raw.trimEnd();
    const bare = line.trimStart();
    if (/^(?:---|\.\.\.)(?:\s|$)/.test(line)) continue;
    lines.push({ indent: line.length - bare.length, text: bare });
  }
  const value = new Blocks(lines).read();
  return typeof value === 'object' && value !== null ? value : null;
}

class Blocks {
  readonly #lines: Line[];
  #at = 0;

  constructor(lines: Line[]) {
    this.#lines = lines;
  }

  read(): Json {
    const first = this.#next();
    return first === null ? null : this.#value(first.indent, 0);
  }

  /** The next line that holds something. */
  #next(): Line | null {
    while (this.#at < this.#lines.length) {
      const line = this.#lines[this.#at]!;
      if (line.text !== '' && !line.text.startsWith('#')) return line;
      this.#at++;
    }
    return null;
  }

  #value(indent: number, depth: number): Json {
    const line = this.#next();
    if (line === null || line.indent < indent || depth > MAX_DEPTH) return null;
    if (isItem(line)) return this.#list(line.indent, depth);
    return KEY.test(line.text) ? this.#mapping(line.indent, depth) : this.#rest();
  }

  #rest(): Json {
    return scalar(this.#lines[this.#at++]!.text);
  }

  #list(indent: number, depth: number): Json[] {
    const items: Json[] = [];
    for (let line = this.#next(); line !== null && line.indent === indent && isItem(line); line = this.#next()) {
      const inner = line.text.slice(1).trimStart();
      if (inner === '') {
        this.#at++;
        items.push(this.#value(indent + 1, depth + 1));
        continue;
      }
      // What follows the dash is the first line of a block of its own.
      this.#lines[this.#at] = { indent: indent + line.text.length - inner.length, text: inner };
      items.push(this.#value(indent + 1, depth + 1));
    }
    return items;
  }

  #mapping(indent: number, depth: number): JsonObject {
    const mapping: JsonObject = {};
    for (let line = this.#next(); line !== null && line.indent === indent; line = this.#next()) {
      const [all, double, single, plain, given = ''] = KEY.exec(line.text) ?? [];
      if (all === undefined) break;
      this.#at++;
      const key = double ?? single ?? plain!;
      if (key !== '__proto__') mapping[key] = this.#given(given.trim(), indent, depth);
    }
    return mapping;
  }

  /** What belongs to a key: what follows it, or the deeper lines; a list may stand at the key's own depth. */
  #given(given: string, indent: number, depth: number): Json {
    if (BLOCK.test(given)) return this.#block(indent);
    if (given !== '' && !given.startsWith('#')) return scalar(given);
    const below = this.#next();
    if (below === null) return null;
    if (below.indent > indent) return this.#value(below.indent, depth + 1);
    return below.indent === indent && isItem(below) ? this.#list(indent, depth + 1) : null;
  }

  #block(indent: number): string {
    const lines: string[] = [];
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#lines[this.#at]!;
      if (line.text !== '' && line.indent <= indent) break;
      lines.push(line.text);
    }
    return lines.join('\n');
  }
}

const isItem = ({ text }: Line): boolean => text === '-' || text.startsWith('- ');

function scalar(text: string): Json {
  if (/^["'[{]/.test(text)) {
    const quoted = /^'((?:[^']|''){0,4000})'(?:\s{1,64}#.*)?$/.exec(text);
    if (quoted !== null) return quoted[1]!.replaceAll("''", "'");
    return parseJson(text) ?? text;
  }
  const comment = text.indexOf(' #');
  const bare = comment < 0 ? text : text.slice(0, comment).trimEnd();
  if (bare === 'true' || bare === 'false') return bare === 'true';
  return /^-?\d{1,15}$/.test(bare) ? Number(bare) : bare;
}
