/** The user's own words as one text, and what follows from them alone. */
import { singular } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { foldText, letterWordsIn } from '../words/fold.ts';
import { keptRequests } from './kept-requests.ts';
import { perText, segmentsOf, type TextReading } from './text.ts';

const MAX_TEXT = 65_536;
/** The words of the user, with the readings of them by slot. */
class UserWords {
  readonly text: string;
  readonly readings: unknown[] = [];

  constructor(text: string) {
    this.text = text;
  }
}

const kept = keptRequests<UserWords>();

const userWordsOf: (text: TextReading) => UserWords = perText((text) => {
  const said = segmentsOf(text)
    .filter(({ speaker }) => speaker === 'user')
    .map((segment) => segment.text)
    .join('\n')
    .slice(0, MAX_TEXT);
  return kept(text.ontology).get(said, () => new UserWords(said));
});

let slots = 0;

/**
 * `make`, computed once for the user's words, whatever else the event holds. Nothing but the words and the ontology may decide what
 * it returns, and nobody may change it: the next events of the session share it.
 */
export function perRequest<T extends NonNullable<unknown> | null>(
  make: (said: string, ontology: Ontology) => T,
): (text: TextReading) => T {
  const slot = slots;
  slots += 1;
  return (text) => {
    const { text: said, readings } = userWordsOf(text);
    const known = readings[slot];
    if (known !== undefined) return known as T;
    const made = make(said, text.ontology);
    readings[slot] = made;
    return made;
  };
}

/** The user's own messages, oldest first; at most 64 Ki characters. */
export const userWords = (text: TextReading): string => userWordsOf(text).text;

/** So many words in so many lines are a document that describes what is to be made; a wish is told in fewer, a story in one piece. */
const DOCUMENT_WORDS = 150;
const DOCUMENT_LINES = 5;

/** Whether the user's own words are a document: a specification, a plan, a list of findings. */
export const isDocument: (text: TextReading) => boolean = perRequest(
  (said) =>
    said.split(/\s+/, DOCUMENT_WORDS + 1).length > DOCUMENT_WORDS &&
    said.split('\n').filter((line) => line.trim() !== '').length >= DOCUMENT_LINES,
);

/** The same in small letters and without accents, as `foldText` writes it. */
export const foldedUserWords: (text: TextReading) => string = perRequest((said) => foldText(said));

/** Their words, folded: runs of letters. */
const wordsOfUser: (text: TextReading) => ReadonlySet<string> = perRequest((said) => new Set(letterWordsIn(said)));

/** The same words in the singular. */
export const singularsOfUser: (text: TextReading) => ReadonlySet<string> = perRequest(
  (said) => new Set(letterWordsIn(said).map(singular)),
);

/** Whether the user says a word of the list. */
export function saysAny(text: TextReading, list: ReadonlySet<string>): boolean {
  for (const word of wordsOfUser(text)) if (list.has(word)) return true;
  return false;
}
