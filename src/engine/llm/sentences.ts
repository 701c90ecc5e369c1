/** What a language model writes, made fit to be shown: it may repeat what an attacker wrote. */

const LONGEST = 240;

/** C0, DEL, C1, soft hyphen, zero-width, bidirectional controls, separators, BOM, tag characters. */
const INVISIBLE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;
const LINK = /!?\[([^\]]{0,200})\]\([^)]{0,2000}\)/g;
const MARKUP = /[<>`|#*_\\]/g;

const LINK_SIGNS = ['://', 'www.', 'data:', 'javascript:', 'mailto:'];
const isLink = (word: string): boolean => LINK_SIGNS.some((sign) => word.toLowerCase().includes(sign));

/** One line of plain text without links and markup; '' when nothing is left. */
export function plainSentence(text: string, longest = LONGEST): string {
  const plain = text
    .slice(0, 4 * longest)
    .replace(INVISIBLE, ' ')
    .replace(LINK, '$1')
    .split(/\s/)
    .map((word) => (isLink(word) ? '[link]' : word))
    .join(' ')
    .replace(MARKUP, ' ')
    .split(' ')
    .filter((word) => word !== '')
    .join(' ');
  return plain.length > longest ? `${plain.slice(0, longest - 1)}…` : plain;
}

/** Characters of the instructions in a row that no honest answer repeats. */
const WINDOW = 40;

const flat = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ');

/** Whether a text repeats the mark of the fence or a stretch of the instructions. */
export function createLeakCheck(instructions: string): (text: string, mark: string) => boolean {
  const own = flat(instructions);
  const windows = new Set<string>();
  for (let i = 0; i + WINDOW <= own.length; i += 1) windows.add(own.slice(i, i + WINDOW));
  return (text, mark) => {
    const said = flat(text);
    if (said.includes(mark.toLowerCase())) return true;
    for (let i = 0; i + WINDOW <= said.length; i += 1) if (windows.has(said.slice(i, i + WINDOW))) return true;
    return false;
  };
}
