/** Whether a sentence names the tool at hand, in whatever spelling: `send_email`, «SendEmail», «the tool that sends an email». */
import { singular, wordsOf } from '../../../lang/names.ts';
import { Recall } from '../../../lang/remember.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import { withoutServer } from '../action/naming/tools.ts';
import { hashWord, JOINED, type Words } from '../words/lexer.ts';
import { hashedList } from '../words/word-lists.ts';

/** `spelled`: written as a name; `worded`: all words of the name in any order and form; else not named. */
export type Naming = 'spelled' | 'worded' | '';

export interface ToolName {
  /** Forms of the name's words → the bit of the word. */
  words: ReadonlyMap<number, number>;
  /** The bits of all words. */
  all: number;
  /** The name written as one word, with and without the product. */
  whole: ReadonlySet<number>;
}

const joining = perOntology((ontology) => setOf(ontology, 'tool_joining_words'));
const known = perOntology(() => new Recall<{ name: ToolName | null }>());
const MAX_WORDS = 16;
/** A name of one word is a word of the language. */
const LEAST_WORDS = 2;
const LEAST_JOINED = 6;

/** The tool's name without its product, null if too little is left to know it by. */
export function toolNameOf(tool: string, server: string, ontology: Ontology): ToolName | null {
  return known(ontology).get(`${tool} ${server}`, () => ({
    name: make(withoutServer(tool), server, joining(ontology)),
  })).name;
}

function make(tool: string, server: string, skipped: ReadonlySet<string>): ToolName | null {
  const all = wordsOf(tool).filter((word) => !skipped.has(word) && !/^\d/.test(word));
  const product = new Set(wordsOf(server));
  const own = all.filter((word) => !product.has(word));
  const parts = [...new Set(own.length >= LEAST_WORDS ? own : all)].slice(0, MAX_WORDS);
  if (parts.length < LEAST_WORDS) return null;
  const words = new Map<number, number>();
  for (const [i, part] of parts.entries()) for (const form of formsOf(part)) words.set(hashWord(form), 1 << i);
  const whole = [wordsOf(tool).join(''), all.join(''), own.join('')].filter((name) => name.length >= LEAST_JOINED);
  return { words, all: (1 << parts.length) - 1, whole: new Set(whole.map(hashWord)) };
}

/** A word as a noun or verb in the forms that sentences have. */
function formsOf(word: string): string[] {
  const one = singular(word);
  const stem = one.endsWith('e') ? one.slice(0, -1) : one;
  const doubled = `${one}${one.at(-1) ?? ''}`;
  const y = one.endsWith('y') ? [`${one.slice(0, -1)}ies`, `${one.slice(0, -1)}ied`] : [];
  return [word, one, `${one}s`, `${one}es`, `${stem}ing`, `${stem}ed`, `${doubled}ing`, `${doubled}ed`, ...y];
}

/** How the words `from` to `to` - 1 name the tool. */
export function namingOf(words: Words, from: number, to: number, name: ToolName, ontology: Ontology): Naming {
  const nouns = hashedList(ontology, 'tool_nouns');
  let said = 0;
  let run = 0;
  let hasNoun = false;
  for (let i = from; i < to; i++) {
    const hash = words.hash[i]!;
    if (name.whole.has(hash)) return 'spelled';
    const bit = name.words.get(hash) ?? 0;
    run = words.gap[i] === JOINED && i > from ? run | bit : bit;
    if (run === name.all) return 'spelled';
    said |= bit;
    if (nouns.has(hash)) hasNoun = true;
  }
  if (said !== name.all) return '';
  return hasNoun ? 'spelled' : 'worded';
}
