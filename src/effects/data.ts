/** Values as the readers of code know them: text with holes, and where the content behind it comes from. */

/** Stands for a piece of text that is known only when the code runs. A private-use character: no real code has it. */
export const HOLE = '\u{f8ff}';

/** Where content comes from, as bits, so that mixing values is one `|`. */
export const FROM = {
  network: 1,
  file: 2,
  secret: 4,
  personal: 8,
  /** Came out of a decoder, an unpacker or a builder of strings from character codes. */
  decoded: 16,
  system: 32,
  /** Names found by a search or a listing. */
  listing: 64,
  encrypted: 128,
  /** Ids of running processes. */
  processes: 256,
  /** Read from an open connection, where somebody answers. */
  socket: 512,
  /** Prints what an interactive shell answers. */
  interactive: 1024,
  /** Never ends. */
  endless: 2048,
} as const;

/** Sending any of these out takes something along that was not in the code itself. */
export const CARRIED: number = FROM.file | FROM.secret | FROM.personal | FROM.system | FROM.listing;

export interface Data {
  text: string;
  /** Bits of `FROM`. */
  taint: number;
}

export const UNKNOWN: Data = { text: HOLE, taint: 0 };

export function isKnown(data: Data): boolean {
  return !data.text.includes(HOLE);
}

/** Text for people: holes become an ellipsis. */
export function showHoles(text: string): string {
  return text.includes(HOLE) ? text.replaceAll(HOLE, '…') : text;
}

/** Longest text as it stands in the code; a script in a heredoc is known as a whole. */
const MAX_LITERAL = 70_000;
/** Longest text that is put together from others, so that `x=$x$x` stays small. */
export const MAX_BUILT = 8_000;

export function bounded(text: string, most = MAX_LITERAL): string {
  return text.length <= most ? text : `${text.slice(0, most)}${HOLE}`;
}

export function built(text: string): string {
  return bounded(text, MAX_BUILT);
}

export function concat(a: Data, b: Data): Data {
  return { text: bounded(a.text + b.text, 2 * MAX_BUILT), taint: a.taint | b.taint };
}
