/** Cuts texts at their ends by index: an expression such as `/\s+$/` looks for the end again from every blank. */

/** The text without the characters at its end that `sign` matches; `sign` is an expression for one character. */
export function withoutEnd(text: string, sign: RegExp): string {
  let end = text.length;
  while (end > 0 && sign.test(text[end - 1]!)) end--;
  return end === text.length ? text : text.slice(0, end);
}

/** The text before the first character that `sign` matches. */
export function before(text: string, sign: RegExp): string {
  const at = text.search(sign);
  return at < 0 ? text : text.slice(0, at);
}

/** The text inside of two equal quotes; the text itself when there are none. */
export function unquoted(text: string): string {
  const quote = text[0];
  return text.length >= 2 && (quote === '"' || quote === "'") && text.at(-1) === quote ? text.slice(1, -1) : text;
}
