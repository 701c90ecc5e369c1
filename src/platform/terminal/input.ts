/** JSON lines from a file or standard input, plain or gzip, one line in memory at a time. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CliError } from './output.ts';

const NEWLINE = 0x0a;
const GZIP_MAGIC = [0x1f, 0x8b];
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export interface Line {
  /** Line number, starting at 1. */
  number: number;
  /** Without the line end; `null` when the line is longer than the limit. */
  bytes: Buffer | null;
}

export interface Input {
  lines: AsyncGenerator<Line>;
  /** Size on disk, `null` for standard input. */
  size: number | null;
  /** Bytes read from disk so far, for progress. */
  bytesRead: () => number;
}

/** Opens `path`, or standard input for `-`. gzip is recognised by its first bytes, whatever the file is called. */
export async function openInput(path: string, max_line_bytes: number): Promise<Input> {
  const size = path === '-' ? null : await sizeOf(path);
  const source = path === '-' ? process.stdin : createReadStream(path);
  let bytes_read = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      bytes_read += (chunk as Buffer).length;
      yield chunk as Buffer;
    }
  }
  return { lines: named(path, splitLines(unzip(counted()), max_line_bytes)), size, bytesRead: () => bytes_read };
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(
      error.code === 'ENOENT' ? `there is no file \`${path}\`` : `cannot read \`${path}\`: ${error.code}`,
    );
  });
  if (found.isDirectory()) throw new CliError(`\`${path}\` is a directory; name a file of JSON lines, or \`-\``);
  return found.size;
}

/** Adds the name of the file to the error. */
async function* named(path: string, lines: AsyncGenerator<Line>): AsyncGenerator<Line> {
  try {
    yield* lines;
  } catch (error) {
    if (error instanceof Error && 'code' in error) {
      const shown = path === '-' ? 'standard input' : `\`${path}\``;
      throw new CliError(`cannot read ${shown} to its end: ${error.message}`);
    }
    throw error;
  }
}

/** Passes plain bytes on and unpacks gzip; a truncated archive is an error, not a short file. */
async function* unzip(chunks: AsyncIterator<Buffer> & AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head = Buffer.alloc(0);
  while (head.length < GZIP_MAGIC.length) {
    const next = await chunks.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  async function* whole(): AsyncGenerator<Buffer> {
    yield head;
    yield* chunks;
  }
  if (!GZIP_MAGIC.every((byte, i) => head[i] === byte)) return yield* whole();
  const gunzip = createGunzip();
  // A failure of the source reaches the loop below through `gunzip`, so the callback has nothing to do.
  pipeline(Readable.from(whole(), { objectMode: false }), gunzip, () => {});
  for await (const chunk of gunzip) yield chunk as Buffer;
}

/** Splits at newlines. A line over the limit is discarded while it streams, so that it takes no memory. */
export async function* splitLines(chunks: AsyncIterable<Buffer>, max_line_bytes: number): AsyncGenerator<Line> {
  let number = 0;
  let parts: Buffer[] = [];
  let length = 0;
  const take = (): Line => {
    number += 1;
    let bytes = length > max_line_bytes ? null : parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    if (number === 1 && bytes?.subarray(0, 3).equals(BYTE_ORDER_MARK)) bytes = bytes.subarray(3);
    parts = [];
    length = 0;
    return { number, bytes };
  };
  const add = (part: Buffer): void => {
    length += part.length;
    if (length > max_line_bytes) parts = [];
    else if (part.length > 0) parts.push(part);
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  if (length > 0) yield take();
}

const BLANKS = [0x20, 0x09, 0x0d];

/** Blank lines between records are skipped. */
export const isBlank = ({ bytes }: Line): boolean => bytes?.every((byte) => BLANKS.includes(byte)) ?? false;
