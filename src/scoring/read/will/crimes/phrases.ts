/** Finds phrases of named sets in a text: by each word and the next one, however many phrases there are. */
import { singular } from '../../../../lang/names.ts';
import { Recall } from '../../../../lang/remember.ts';
import { foldText, isIdeograph } from '../../words/fold.ts';

/** A phrase of a set at the words `from` to `to` (both included), in sentence `sentence`. */
export interface Hit {
  set: string;
  from: number;
  to: number;
  sentence: number;
}

/** A text as its words in their base form, each with the number of its sentence. */
export interface Words {
  words: readonly string[];
  /** The same as they are written, folded. */
  forms: readonly string[];
  sentences: readonly number[];
  /** Where each word stands, in words: several ideographs are as long as one word of another script. */
  places: readonly number[];
  /** Sentences that ask whether or what, by number. */
  is_question: readonly boolean[];
}

/**
 * One word of a phrase: in any form, as it is written (`hack!`), its beginning (`explos*`), any number (`N`), up to two words of
 * any kind (`_`), or the end of the sentence (`$`).
 */
interface Piece {
  kind: 'word' | 'beginning' | 'number' | 'gap' | 'end';
  text: string;
  /** The only form that counts, '' for any. */
  form: string;
}

interface Phrase {
  set: string;
  /** What follows the first word. */
  rest: readonly Piece[];
  first: Piece;
}

/** Words that are remembered, up to this length: a longer one is a slice of its text and would keep all of it in memory. */
const MOST_WORDS = 12_288;
const LONGEST_WORD = 12;
/** Words that a gap may stand for. */
const WIDEST_GAP = 2;
/** Beginnings are looked up by this many letters. */
const KEY = 3;
const SENTENCE_ENDS = /(?<=[.!?;。！？؟]["'»”)]{0,2})\s|[\n。！？؟]/;
/** Ideographs and kana have no blanks between words, so each is a word, and so many are about as long as a word. */
const IDEOGRAPHS_OF_WORD = 2.5;
const IDEOGRAPH = /[\u3041-\u9fff]/g;
const WORD = /[\p{L}\p{N}]+/gu;
/** The apostrophe inside a word goes (`don't`), after one letter or two it separates (`l'arme`, `qu'il`). */
const APOSTROPHE = /(?<=[a-z]{3}|do|ca|is|we|he|it)['’](?=[a-z])/g;

/** Phrases that begin with the same word. */
interface Starts {
  /** Those of one word. */
  alone: readonly Phrase[];
  /** The word that has to follow → those that it may follow, which are the open ones, too. */
  by_next: ReadonlyMap<string, readonly Phrase[]>;
  /** Those that any word, a number or the end may follow. */
  open: readonly Phrase[];
}

/** A phrase as the ontology writes it. Most of thousands are never asked for, so it is taken apart with the others of its first word. */
interface Written {
  set: string;
  text: string;
}

/** Phrases of all sets by their first words. */
export class PhraseIndex {
  readonly #byWord = new Map<string, Written[]>();
  readonly #byBeginning = new Map<string, Written[]>();
  readonly #starting = new Recall<Starts>(MOST_WORDS, LONGEST_WORD);
  readonly #parts = new Map<string, readonly Piece[]>();

  /** @param sets name of a set → its phrases, in the notation of `Piece` */
  constructor(sets: Iterable<readonly [string, readonly string[]]>) {
    for (const [set, phrases] of sets) for (const text of phrases) this.#add({ set, text });
  }

  #add(written: Written): void {
    const { text } = written;
    const end = text.indexOf(' ');
    const [first] = this.#piecesOf(end < 0 ? text : text.slice(0, end));
    if (first === undefined || first.kind === 'gap') return;
    const isWord = first.kind === 'word';
    const key = isWord ? first.text : first.text.slice(0, KEY);
    const index = isWord ? this.#byWord : this.#byBeginning;
    const known = index.get(key);
    if (known === undefined) index.set(key, [written]);
    else known.push(written);
  }

  /** Most parts stand in many phrases. */
  #piecesOf(part: string): readonly Piece[] {
    let known = this.#parts.get(part);
    if (known === undefined) this.#parts.set(part, (known = piecesOf(part)));
    return known;
  }

  /** Phrases with the same first word or beginning, each once: several words of a set may have the same base form. */
  #phrasesOf(written: readonly Written[]): Phrase[] {
    const phrases = new Map<string, Phrase>();
    for (const { set, text } of written) {
      const [first, ...rest] = text.split(' ').flatMap((part) => this.#piecesOf(part));
      const id = [first!, ...rest].reduce((said, { kind, text, form }) => `${said} ${kind}:${text}:${form}`, set);
      if (!phrases.has(id)) phrases.set(id, { set, first: first!, rest });
    }
    return [...phrases.values()];
  }

  /** Every phrase that stands in the words. */
  hitsIn(text: Words): Hit[] {
    const { words, forms, sentences } = text;
    const hits: Hit[] = [];
    for (let i = 0; i < words.length; i += 1) {
      const { alone, by_next, open } = this.#starting.get(words[i]!, this.#startingWith);
      for (const { set, first } of alone)
        if (isForm(forms[i]!, first)) hits.push({ set, from: i, to: i, sentence: sentences[i]! });
      for (const phrase of by_next.get(words[i + 1] ?? '') ?? open) {
        if (!isForm(forms[i]!, phrase.first)) continue;
        const to = endOf(text, i + 1, phrase.rest, 0);
        if (to >= 0 && sentences[to] === sentences[i])
          hits.push({ set: phrase.set, from: i, to, sentence: sentences[i]! });
      }
    }
    return hits;
  }

  readonly #startingWith = (word: string): Starts => {
    const key = isNumber(word) ? '' : word.slice(0, KEY);
    const whole = this.#phrasesOf(this.#byWord.get(word) ?? NONE);
    const begun = this.#phrasesOf(this.#byBeginning.get(key) ?? NONE).filter(({ first }) => isPiece(word, first));
    return startsOf([...whole, ...begun]);
  };
}

const NONE: readonly Written[] = [];

/** Each list in the order of the phrases. */
function startsOf(all: readonly Phrase[]): Starts {
  const alone = all.filter(({ rest }) => rest.length === 0);
  const phrases = all.filter(({ rest }) => rest.length > 0);
  const nextOf = ({ rest: [next] }: Phrase): string => (next?.kind === 'word' ? next.text : '');
  const open = phrases.filter((phrase) => nextOf(phrase) === '');
  const by_next = new Map<string, readonly Phrase[]>();
  for (const next of phrases.map(nextOf))
    if (next !== '' && !by_next.has(next))
      by_next.set(
        next,
        phrases.filter((phrase) => nextOf(phrase) === next || nextOf(phrase) === ''),
      );
  return { alone, by_next, open };
}

/** Index of the last word of the phrase that goes on at `at` with its piece `next`, -1 if it does not. */
function endOf(text: Words, at: number, rest: readonly Piece[], next: number): number {
  const piece = rest[next];
  if (piece === undefined) return at - 1;
  if (piece.kind === 'gap') {
    for (let skipped = 0; skipped <= WIDEST_GAP; skipped += 1) {
      const end = endOf(text, at + skipped, rest, next + 1);
      if (end >= 0) return end;
    }
    return -1;
  }
  if (piece.kind === 'end') return text.sentences[at] === text.sentences[at - 1] ? -1 : endOf(text, at, rest, next + 1);
  const word = text.words[at];
  return word !== undefined && isPiece(word, piece) && isForm(text.forms[at]!, piece)
    ? endOf(text, at + 1, rest, next + 1)
    : -1;
}

function isPiece(word: string, piece: Piece): boolean {
  if (piece.kind === 'number') return isNumber(word);
  return piece.kind === 'beginning' ? word.startsWith(piece.text) : word === piece.text;
}

const isForm = (form: string, piece: Piece): boolean => piece.form === '' || piece.form === form;

const isNumber = (word: string): boolean => word.charCodeAt(0) >= 0x30 && word.charCodeAt(0) <= 0x39;

/** What a part of a phrase, between blanks, says. */
function piecesOf(part: string): Piece[] {
  if (part === '_') return [{ kind: 'gap', text: '', form: '' }];
  if (part === '$') return [{ kind: 'end', text: '', form: '' }];
  if (part === 'N') return [{ kind: 'number', text: '', form: '' }];
  if (part.endsWith('*')) return [{ kind: 'beginning', text: beginningOf(foldText(part.slice(0, -1))), form: '' }];
  const isExact = part.endsWith('!');
  return splitWords(foldText(part)).map((word) => ({ kind: 'word', text: baseOf(word), form: isExact ? word : '' }));
}

/** Base forms lose the second of two equal letters at their end, so a beginning must not ask for it. */
const beginningOf = (text: string): string =>
  text.length > KEY && text.at(-1) === text.at(-2) ? text.slice(0, -1) : text;

const splitWords = (folded: string): readonly string[] =>
  folded.replace(APOSTROPHE, '').replace(IDEOGRAPH, ' $& ').match(WORD) ?? [];

/**
 * Words of a text.
 *
 * @param longest of each sentence (characters)
 * @param most sentences, counted from the end
 */
export function wordsIn(text: string, longest: number, most: number, openers: ReadonlySet<string>): Words {
  const sentences = foldText(text)
    .split(SENTENCE_ENDS)
    .filter((sentence) => sentence !== undefined && sentence.trim() !== '')
    .slice(-most);
  const words: string[] = [];
  const forms: string[] = [];
  const numbers: number[] = [];
  const places: number[] = [];
  let place = 0;
  const is_question: boolean[] = [];
  for (const [number, sentence] of sentences.entries()) {
    const own = splitWords(sentence.slice(0, longest));
    is_question.push(sentence.trimEnd().endsWith('?') && openers.has(own[0] ?? ''));
    for (const word of own) {
      words.push(baseOf(word));
      forms.push(word);
      numbers.push(number);
      places.push(place);
      place += isIdeograph(word.charCodeAt(0)) ? 1 / IDEOGRAPHS_OF_WORD : 1;
    }
  }
  return { words, forms, sentences: numbers, places, is_question };
}

/** One form for the forms of an English word (`forge`, `forged`, `forging`); words of other languages keep theirs. */
export const baseOf = (word: string): string => bases.get(word, findBase);

const bases = new Recall<string>(MOST_WORDS, LONGEST_WORD);

function findBase(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  let base = singular(word);
  if (base.endsWith('ing') && base.length > 5) base = base.slice(0, -3);
  else if (base.endsWith('ed') && base.length > 4) base = base.slice(0, -2);
  if (base.length > 3 && base.endsWith('e')) base = base.slice(0, -1);
  if (base.length > 3 && base.at(-1) === base.at(-2)) base = base.slice(0, -1);
  return base.endsWith('y') && base.length > 3 ? `${base.slice(0, -1)}i` : base;
}
