/**
 * Which results the user points at when the task is left to a source: «follow our runbook RB-17» means the result of the call that
 * asked for `RB-17`. What other results order is somebody else's.
 */
import type { Ontology } from '../../../ontology/index.ts';
import { GROUP_MASK, LEAD, MODAL, NEGATION, STOPWORD } from '../words/grammar/grammar.ts';
import { lex } from '../words/lexer.ts';
import { vocabularyOf } from '../words/vocabulary.ts';
import { unaskedResults } from './calls.ts';
import { type Corpus, corpusOf, sideOf } from './corpus.ts';
import type { Request } from './request.ts';
import { eventOfText, memoOf, type TextReading } from './text.ts';

export interface Pointed {
  /** Words by which the user tells the source from others. */
  words: ReadonlySet<number>;
  /** Indices of the messages that hold results of calls with such a word; empty where no call has one. */
  messages: ReadonlySet<number>;
}

/** A shorter word without a digit tells nothing. */
const SHORTEST = 4;
const LONGEST_CALL = 2_048;
const NOT_TELLING = STOPWORD | GROUP_MASK | LEAD | MODAL | NEGATION;

export function pointedBy(text: TextReading, request: Request): Pointed {
  return memoOf(text).get('pointed', () => {
    const event = eventOfText(text);
    const unasked = event === null ? NONE : unaskedResults(event, text.ontology);
    return read(corpusOf(text), request, text.ontology, unasked);
  });
}

const NONE: ReadonlySet<number> = new Set();

function read(corpus: Corpus, request: Request, ontology: Ontology, unasked: ReadonlySet<number>): Pointed {
  const words = pointersOf(corpus, request, ontology);
  const messages = new Set<number>();
  if (words.size === 0) return { words, messages };
  let isAsked = false;
  for (const { segment } of corpus.stretches) {
    const side = sideOf(segment.speaker);
    if (side === 'tool' && isAsked && !unasked.has(segment.index)) messages.add(segment.index);
    else if (side !== 'tool') isAsked = side === 'agent' && hasPointer(argumentsIn(segment.text), words);
  }
  return { words, messages };
}

/** Words with a digit, or longer ones that are neither verbs nor glue, in the sentences that leave the task to the source. */
function pointersOf({ user: { words: said } }: Corpus, { handing }: Request, ontology: Ontology): Set<number> {
  const { words: table } = vocabularyOf(ontology);
  const found = new Set<number>();
  for (const { from, to } of handing) {
    for (let i = from; i < to; i++) {
      const word = said.text.slice(said.start[i]!, said.end[i]!);
      const isTelling = word.length >= SHORTEST && (table.kinds(said.hash[i]!) & NOT_TELLING) === 0;
      if (/\d/.test(word) || isTelling) found.add(said.hash[i]!);
    }
  }
  return found;
}

/** What stands between the brackets of a call: the name of the tool says nothing about the object. */
function argumentsIn(call: string): string {
  const text = call.slice(0, LONGEST_CALL);
  return text.slice(text.indexOf('(') + 1);
}

/** Whether the text has one of the words. */
export function hasPointer(text: string, words: ReadonlySet<number>): boolean {
  const { count, hash } = lex(text);
  for (let i = 0; i < count; i++) if (words.has(hash[i]!)) return true;
  return false;
}
