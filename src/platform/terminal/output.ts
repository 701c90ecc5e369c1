/** Standard output that waits for a slow reader and becomes silent when the reader has closed the pipe. */
import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** A failure that the user can fix: printed without a stack. */
export class CliError extends Error {
  override name = 'CliError';
}

/** The command line itself is wrong: ends with exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

const isBrokenPipe = (error: unknown): boolean => {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED';
};

export class Output {
  readonly #stream: Writable;
  #error: unknown = null;

  constructor(stream: Writable = process.stdout) {
    this.#stream = stream;
    // Without a listener, a reader such as `head` that closes the pipe early would end the program with a stack trace.
    stream.on('error', (error) => {
      this.#error ??= error;
    });
  }

  /** A person reads it, and nothing keeps it. */
  get is_terminal(): boolean {
    return (this.#stream as { isTTY?: boolean }).isTTY === true;
  }

  /** The reader has closed the pipe (`weir score … | head`), so further output has no effect. */
  get is_closed(): boolean {
    return this.#error !== null && isBrokenPipe(this.#error);
  }

  /**
   * Resolves when there is room for more. Does nothing once the reader has closed the pipe; throws for any other
   * failure.
   */
  async write(text: string): Promise<void> {
    if (this.#error === null && !this.#stream.write(text)) {
      await once(this.#stream, 'drain').catch((error: unknown) => {
        this.#error ??= error;
      });
    }
    if (this.#error !== null && !this.is_closed) {
      throw new CliError(`cannot write the output: ${(this.#error as Error).message}`);
    }
  }

  line(text: string): Promise<void> {
    return this.write(`${text}\n`);
  }
}
