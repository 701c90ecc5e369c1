/** Edits that a stream editor makes in a file: `sed -i 's/assert_eq!(.*)/assert!(true)/' tests/rounding.rs`. */

/** One replacement, in the shape of the other edits. */
interface CommandEdit {
  path: string;
  before: string;
  after: string;
  is_whole: boolean;
  is_patch: boolean;
}

const MAX_TEXT = 16_384;
const MAX_COMMANDS = 32;
/** Between the name of the program and its program text. */
const MAX_OPTIONS = 200;
const IN_PLACE = /^\s[^\n;|&'"]{0,200}?(?:-[a-zA-Z]{0,4}i|--in-place)/;

/** The edits of one command line, in order. What the expression matches stands for the old text. */
export function editsOfCommand(command: string): CommandEdit[] {
  const text = command.slice(0, MAX_TEXT);
  const edits: CommandEdit[] = [];
  for (const { index } of text.matchAll(/\b(?:sed|perl)(?=\s)/g)) {
    if (edits.length >= MAX_COMMANDS) break;
    const rest = text.slice(index + text.slice(index).search(/\s/));
    if (IN_PLACE.test(rest)) edits.push(...replacementOf(rest));
  }
  return edits;
}

function replacementOf(rest: string): CommandEdit[] {
  const quote = rest.slice(0, MAX_OPTIONS).search(/['"]/);
  if (quote < 0) return [];
  const start = quote + 1;
  const sign = rest.charAt(start + 1);
  if (rest.charAt(start) !== 's' || /[\w\s\\]/.test(sign) || sign === '') return [];
  const middle = endOfPart(rest, start + 2, sign);
  const end = middle < 0 ? -1 : endOfPart(rest, middle + 1, sign);
  if (end < 0) return [];
  const closing = rest.indexOf(rest.charAt(quote), end);
  const path = /^\s{1,8}([^\s;|&'"]{1,300})/.exec(closing < 0 ? '' : rest.slice(closing + 1))?.[1] ?? '';
  return [
    {
      path,
      before: plainText(rest.slice(start + 2, middle)),
      after: plainText(rest.slice(middle + 1, end)),
      is_whole: false,
      is_patch: false,
    },
  ];
}

/** Index of the sign that ends a part, -1 if none does. A backslash takes the sign its meaning. */
function endOfPart(text: string, from: number, sign: string): number {
  for (let at = from; at < text.length; at++) {
    if (text.charAt(at) === '\\') at++;
    else if (text.charAt(at) === sign) return at;
  }
  return -1;
}

/** Without the backslashes of the expression. */
const plainText = (part: string): string => part.replace(/\\(.)/g, '$1');
