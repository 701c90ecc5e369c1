/** Separates the user's own words in a message from fenced blocks, quoted lines, forwarded mail and tagged documents. */

import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { patternOf } from '../../../../ontology/words.ts';

export interface Part {
  text: string;
  is_quoted: boolean;
}

/** The ontology's signs of quotations, see `quoting` in `ontology/lists/messages.yaml`. */
const signsOf = perOntology((ontology) => ({
  forwarded: patternOf(ontology, 'quoting', 'forwarded'),
  mail_header: patternOf(ontology, 'quoting', 'mail_header'),
  opening_tag: patternOf(ontology, 'quoting', 'opening_tag'),
  may_quote: patternOf(ontology, 'quoting', 'may_quote'),
  use_as_is: patternOf(ontology, 'quoting', 'use_as_is'),
  read_it: patternOf(ontology, 'quoting', 'read_it'),
}));
type Signs = ReturnType<typeof signsOf>;

/** The parts of the message in order; a message without a quotation is one part. */
export function splitQuoted(text: string, ontology: Ontology): Part[] {
  const signs = signsOf(ontology);
  if (!mayQuote(text, signs)) return [{ text, is_quoted: false }];
  const parts: Part[] = [];
  const lines = text.split('\n');
  let own = '';
  let quoted = '';
  for (let i = 0; i < lines.length; ) {
    const { end, is_quoted } = blockAt(lines, i, own, signs);
    const block = `${lines.slice(i, end).join('\n')}\n`;
    if (is_quoted) {
      if (own !== '') parts.push({ text: own, is_quoted: false });
      own = '';
      quoted += block;
    } else {
      if (quoted !== '') parts.push({ text: quoted, is_quoted: true });
      quoted = '';
      own += block;
    }
    i = end;
  }
  if (own !== '') parts.push({ text: own, is_quoted: false });
  if (quoted !== '') parts.push({ text: quoted, is_quoted: true });
  return parts;
}

function mayQuote(text: string, { may_quote }: Signs): boolean {
  if (!text.includes('\n')) return /^\s{0,8}(?:```|~~~|[><])/.test(text);
  if (text.includes('```') || text.includes('~~~') || text.includes('<')) return true;
  return text.includes('\n>') || text.startsWith('>') || may_quote.test(text);
}

interface Block {
  /** Index of the line after it. */
  end: number;
  is_quoted: boolean;
}

function blockAt(lines: string[], i: number, own: string, signs: Signs): Block {
  const line = lines[i]!;
  const fence = line.trimStart().slice(0, 3);
  if (fence === '```' || fence === '~~~') {
    return {
      end: closing(lines, i + 1, (l) => l.trimStart().startsWith(fence)),
      is_quoted: !isOrderedAsIs(own, signs),
    };
  }
  if (line.startsWith('>')) return { end: i + 1, is_quoted: true };
  if (line.length <= 80 && signs.forwarded.test(line.trim())) return { end: lines.length, is_quoted: true };
  if (line.length <= 400 && isMailHead(lines, i, signs)) return { end: lines.length, is_quoted: true };
  const tag = signs.opening_tag.exec(line.slice(0, 300))?.[1];
  if (tag === undefined) return { end: i + 1, is_quoted: false };
  const close = `</${tag.toLowerCase()}>`;
  return { end: closing(lines, i, (l) => l.toLowerCase().includes(close)), is_quoted: true };
}

function closing(lines: string[], from: number, isEnd: (line: string) => boolean): number {
  let at = from;
  while (at < lines.length && !isEnd(lines[at]!)) at++;
  return Math.min(at + 1, lines.length);
}

/** Two header lines of a mail, one under the other. */
function isMailHead(lines: string[], i: number, { mail_header }: Signs): boolean {
  return mail_header.test(lines[i]!) && mail_header.test((lines[i + 1] ?? '').slice(0, 400));
}

function isOrderedAsIs(own: string, { use_as_is, read_it }: Signs): boolean {
  const before = own.slice(-200).trimEnd().slice(-160);
  return before !== '' && use_as_is.test(`${before}\n`) && !read_it.test(before);
}
