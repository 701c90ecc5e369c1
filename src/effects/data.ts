/** Values while code is read: text, with holes for the parts that are known only at run time, and where it comes from. */

/** Stands for text that is known only when the code runs. A private-use character, which no real code contains. */
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
  /** Read from an open connection. */
  socket: 512,
  /** Prints what an interactive shell answers. */
  interactive: 1024,
  /** Never ends. */
  endless: 2048,
  /** Identifies this machine or its user: host name, account, addresses. */
  machine: 4096,
  /** Names found by listing what a module has. */
  names: 8192,
  /** From a hidden place among temporary files, where collected data wait to be sent. */
  staged: 16384,
  /** What a filter made of its input, where the result is not known: `World.material` has what went in. */
  made: 32768,
  /** Was written in other signs, so that it fits where only letters and digits may stand. */
  encoded: 65536,
  /** Kept by a service, in a message of a commit or on the clipboard, where others write it. */
  service: 131072,
  /** A secret of an environment variable; the bits above it say of which one (`key-variables.ts`). */
  key: 262144,
} as const;

/** Data with one of these bits contains something that was not in the code itself. */
export const CARRIED: number = FROM.file | FROM.secret | FROM.personal | FROM.system | FROM.listing | FROM.machine;

/** Data with one of these bits are text that the code did not hold itself: who wrote it decides what it does when it runs. */
export const FOREIGN: number = FROM.network | FROM.socket | FROM.decoded | FROM.service;

/** Data with one of these bits harm somebody when a stranger gets them. */
export const PRIVATE: number = FROM.secret | FROM.personal | FROM.system | FROM.machine;

export interface Data {
  text: string;
  /** Bits of `FROM`. */
  taint: number;
  /** The installed program of which this is the content: a file with this content is that program under another name. */
  program?: string;
}

export const UNKNOWN: Data = { text: HOLE, taint: 0 };

export function isKnown(data: Data): boolean {
  return !data.text.includes(HOLE);
}

/** The text as it is shown to people: each hole is an ellipsis. */
export function showHoles(text: string): string {
  return text.includes(HOLE) ? text.replaceAll(HOLE, '…') : text;
}

/** Longest text that is kept of the code itself, in characters; enough for a script in a here-document. */
const MAX_LITERAL = 70_000;
/** Longest text that is concatenated from others, in characters, so that `x=$x$x` stays small. */
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
