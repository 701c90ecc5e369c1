/** Data that a user shows in a request: a printed list, and nouns of data that a word of a crime qualifies. */
import type { Hit, Words } from './phrases.ts';

/** A list as a program prints it, alone in its line behind a line that announces it. */
const PRINTED = /:[ \t]{0,4}\n[ \t\n]{0,8}\[([^\n]{1,8192})\](?=[ \t]{0,4}(?:\n|$))/g;
const ENDS = /(?<=[.;!?])/;
/** Words of a printed sentence that still count: an order begins with its act. */
const BEGINNING = /^\P{L}{0,64}(?:\p{L}{1,64}\P{L}{1,16}){0,7}\p{L}{0,64}/u;

/**
 * The text with the beginnings of the sentences in printed lists only. A list of orders or things («do these: [sell …]») still says
 * what is asked, while a sentence of a text that the user works on tells what others did.
 */
export function withoutPrinted(text: string): string {
  return text.replace(PRINTED, (_, list: string) => {
    const beginnings = list.split(ENDS).map((sentence) => BEGINNING.exec(sentence)?.[0] ?? '');
    return `:\n${beginnings.join('. ')}\n`;
  });
}

/** Words of data, in their base forms. */
export interface DataWords {
  /** Data and what reads them («corpus», «classifier»). */
  nouns: ReadonlySet<string>;
  /** Between such a noun and what it holds («corpus of …»). */
  links: ReadonlySet<string>;
  /** What single data are («email», «transaction»): may stand between the thing and the noun. */
  items: ReadonlySet<string>;
  /** Between a thing and what it is for a program («as fixtures»). */
  roles: ReadonlySet<string>;
}

/**
 * Whether the match only says of which kind data or their reader are: «a phishing email dataset», «a dataset of phishing mails»,
 * «fake invoices as fixtures». The noun stands right beside the match, so that a purpose that is added («forge a passport, for a
 * dataset») is none.
 */
export function qualifiesData(match: readonly Hit[], { words, sentences }: Words, data: DataWords): boolean {
  const { nouns, links, items, roles } = data;
  const last = match.reduce((known, hit) => (hit.to > known.to ? hit : known));
  const is = (at: number, set: ReadonlySet<string>, hit: Hit): boolean =>
    sentences[at] === hit.sentence && set.has(words[at]!);
  if (is(last.to + 1, nouns, last)) return true;
  if ((is(last.to + 1, items, last) || is(last.to + 1, roles, last)) && is(last.to + 2, nouns, last)) return true;
  // The act may be what is done with the data («make a dataset of …»), the thing stands behind the noun.
  return match.some((hit) => is(hit.from - 1, links, hit) && is(hit.from - 2, nouns, hit));
}
