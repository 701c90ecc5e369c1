/** Parses Python and JavaScript with their Lezer grammars, within bounds on time and depth. */
import { parser as javascriptParser } from '@lezer/javascript';
import { parser as pythonParser } from '@lezer/python';
import type { Budget } from '../world.ts';

export interface Node {
  name: string;
  from: number;
  to: number;
  children: Node[];
}

export interface Syntax {
  root: Node;
  /** The whole text was parsed without a syntax error. */
  is_whole: boolean;
  /** End of the parsed part of the text. */
  to: number;
  /** Nodes nested too deeply were left out of the tree. */
  is_too_deep: boolean;
}

const STRICT = {
  python: pythonParser.configure({ strict: true }),
  javascript: javascriptParser.configure({ strict: true, dialect: 'ts' }),
};
const TOLERANT = { python: pythonParser, javascript: javascriptParser.configure({ dialect: 'ts' }) };

type Parser = typeof pythonParser;
type Input = Exclude<Parameters<Parser['startParse']>[0], string>;
type Tree = ReturnType<Parser['parse']>;

/** Depth of brackets, beyond hand-written code, above which the text is not parsed at all. */
const MAX_BRACKETS = 120;
/** Chains of prefix operators nest without brackets; a text with such a chain is not parsed either. */
const PREFIX = /\b(?:await|typeof|void|delete|yield|new|not|lambda)\b/g;
const SIGN_CHAIN = /[-+!~]{120}/;
const MAX_PREFIXES = 40;
/** Characters that are parsed with error recovery, since each recovery may look ahead to the end of the text. */
const MAX_TOLERANT = 8_000;
const PIECE = 256;
/** Depth below which nodes are left out of the tree. */
const MAX_DEPTH = 150;

/**
 * Parses strictly first, in linear time and up to the first error, and then, if there is an error, with error recovery, which
 * may cost fifty times as much and so gets fewer steps. `null` when the nesting is too deep.
 */
export function readSyntax(language: 'python' | 'javascript', code: string, budget: Budget): Syntax | null {
  if (bracketDepth(code) > MAX_BRACKETS || hasPrefixChain(code)) return null;
  const strict = advance(STRICT[language], code, budget, 'advances');
  if (strict !== null) return syntaxOf(strict, strict.length >= code.length);
  const tolerant = advance(TOLERANT[language], code.slice(0, MAX_TOLERANT), budget, 'recoveries');
  return tolerant === null ? null : syntaxOf(tolerant, false);
}

/** Parses step by step. When the budget is used up, returns the tree of the text parsed so far. `null` on a syntax error. */
function advance(parser: Parser, code: string, budget: Budget, kind: 'advances' | 'recoveries'): Tree | null {
  const run = parser.startParse(kind === 'recoveries' ? new CountedInput(code, budget) : code);
  try {
    for (let steps = 0; ; steps++) {
      const tree = run.advance();
      if (tree !== null) return tree;
      if (kind === 'recoveries' && isRecovering(run)) budget.tries--;
      if (budget[kind] > 0 && budget.reads > 0 && budget.tries > 0) budget[kind]--;
      else if (run.stoppedAt === null) run.stopAt(run.parsedPos);
      else if (steps > 200_000) return null;
    }
  } catch {
    return null;
  }
}

/** Whether the parser still tries several ways to go on behind an error; taken to be so when it does not tell. */
function isRecovering(run: object): boolean {
  return (run as { recovering?: number }).recovering !== 0;
}

/**
 * Hands the text out in short pieces and counts them: a parser that recovers may read the rest of the text again for each of
 * the ways that it tries, within one advance.
 */
class CountedInput implements Input {
  readonly lineChunks = false;
  readonly length: number;
  readonly #code: string;
  readonly #budget: Budget;

  constructor(code: string, budget: Budget) {
    this.length = code.length;
    this.#code = code;
    this.#budget = budget;
  }

  chunk(from: number): string {
    this.#budget.reads--;
    return this.#code.slice(from, from + PIECE);
  }

  read(from: number, to: number): string {
    return this.#code.slice(from, to);
  }
}

function bracketDepth(code: string): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < code.length; i++) {
    const c = code.charCodeAt(i);
    if (c === 40 || c === 91 || c === 123) deepest = Math.max(deepest, ++depth);
    else if ((c === 41 || c === 93 || c === 125) && depth > 0) depth--;
  }
  return deepest;
}

/** Shared by all nodes without children, which most are: it must not be changed. */
const CHILDLESS: Node[] = [];

function addChild(parent: Node, child: Node): void {
  if (parent.children === CHILDLESS) parent.children = [child];
  else parent.children.push(child);
}

/** Copies the tree into plain nodes, which are cheaper to walk many times, and bounds its depth. */
function syntaxOf(tree: Tree, is_whole: boolean): Syntax {
  const cursor = tree.cursor();
  const root: Node = { name: cursor.name, from: 0, to: tree.length, children: CHILDLESS };
  const stack: Node[] = [root];
  const syntax: Syntax = { root, is_whole, to: tree.length, is_too_deep: false };
  for (;;) {
    if (cursor.firstChild()) {
      if (stack.length >= MAX_DEPTH) {
        syntax.is_too_deep = true;
        cursor.parent();
      } else {
        const node = { name: cursor.name, from: cursor.from, to: cursor.to, children: CHILDLESS };
        addChild(stack.at(-1)!, node);
        stack.push(node);
        continue;
      }
    }
    for (;;) {
      if (stack.length === 1) return syntax;
      if (cursor.nextSibling()) break;
      if (!cursor.parent()) return syntax;
      stack.pop();
    }
    const node = { name: cursor.name, from: cursor.from, to: cursor.to, children: CHILDLESS };
    stack.pop();
    addChild(stack.at(-1)!, node);
    stack.push(node);
  }
}

/** Whether prefix operators follow one another so often that the parser would nest too deep. */
function hasPrefixChain(code: string): boolean {
  let end = -1;
  let length = 0;
  for (const { index, 0: word } of code.matchAll(PREFIX)) {
    length = end >= 0 && !/[^\s:]/.test(code.slice(end, index)) ? length + 1 : 1;
    if (length >= MAX_PREFIXES) return true;
    end = index + word.length;
  }
  return SIGN_CHAIN.test(code);
}

/** The first child with one of these names. */
export function childOf(node: Node, ...names: string[]): Node | undefined {
  return node.children.find((c) => names.includes(c.name));
}

const PUNCTUATION = /^(?:[(){}[\],:;.]|\?\.|\.\.\.|=>|⚠|Comment|LineComment|BlockComment|\*{1,2})$/;

/** The children without punctuation and comments. */
export function partsOf(node: Node): Node[] {
  return node.children.filter((c) => !PUNCTUATION.test(c.name));
}
