/** What in a user's message is not the user's own words: fenced blocks, quoted lines, forwarded mail, tagged documents. */

export interface Part {
  text: string;
  is_quoted: boolean;
}

const FORWARDED =
  /^[-_=>* ]{0,12}(?:original message|forwarded message|begin forwarded message|urspr.ngliche nachricht|weitergeleitete nachricht|message transf.r.|mensaje reenviado)[-_=:* ]{0,12}$/i;
const MAIL_HEADER = /^(?:from|von|de|sent|gesendet|date|subject|betreff|to|an)\s?:\s?\S/i;
const OPENING_TAG =
  /^\s{0,8}<(document|email|mail|message|page|webpage|html|body|article|context|quote|data|attachment|file|result|output|content)\b[^>]{0,200}>/i;
/** The user orders that the block which follows be used as it stands: then it is the user's word. */
const USE_AS_IS =
  /\b(?:run|execute|use|save|write|post|send|submit|insert|add|create|apply|set|enter|put|paste|store|commit|query|call)\b[^\n]{0,80}[:\n]\s{0,8}$/i;
const READ_IT =
  /\b(?:summari[sz]e|read|translate|analy[sz]e|explain|review|received|got|says|said|reply to|answer|this (?:e-?mail|message|page|ticket|document)|output|result)\b[^\n]{0,80}$/i;

/** The message in order; a message without any quotation is one part. */
export function splitQuoted(text: string): Part[] {
  if (!mayQuote(text)) return [{ text, is_quoted: false }];
  const parts: Part[] = [];
  const lines = text.split('\n');
  let own = '';
  let quoted = '';
  for (let i = 0; i < lines.length; ) {
    const { end, is_quoted } = blockAt(lines, i, own);
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

function mayQuote(text: string): boolean {
  if (!text.includes('\n')) return /^\s{0,8}(?:```|~~~|[><])/.test(text);
  if (text.includes('```') || text.includes('~~~') || text.includes('<')) return true;
  return (
    text.includes('\n>') || text.startsWith('>') || /orward|riginal m|nachricht|transf|reenviado|\nfrom\s?:/i.test(text)
  );
}

interface Block {
  /** Index of the line after it. */
  end: number;
  is_quoted: boolean;
}

function blockAt(lines: string[], i: number, own: string): Block {
  const line = lines[i]!;
  const fence = line.trimStart().slice(0, 3);
  if (fence === '```' || fence === '~~~') {
    return { end: closing(lines, i + 1, (l) => l.trimStart().startsWith(fence)), is_quoted: !isOrderedAsIs(own) };
  }
  if (line.startsWith('>')) return { end: i + 1, is_quoted: true };
  if (line.length <= 80 && FORWARDED.test(line.trim())) return { end: lines.length, is_quoted: true };
  if (line.length <= 400 && isMailHead(lines, i)) return { end: lines.length, is_quoted: true };
  const tag = OPENING_TAG.exec(line.slice(0, 300))?.[1];
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
function isMailHead(lines: string[], i: number): boolean {
  return MAIL_HEADER.test(lines[i]!) && MAIL_HEADER.test((lines[i + 1] ?? '').slice(0, 400));
}

function isOrderedAsIs(own: string): boolean {
  const before = own.slice(-200).trimEnd().slice(-160);
  return before !== '' && USE_AS_IS.test(`${before}\n`) && !READ_IT.test(before);
}
