/**
 * Bounds the work of one stream, in number of requests and in memory: its bytes and, once a request is read, its values
 * if those take more. The number of values is known only after reading, so waiting requests are admitted one by one.
 */

/** Requests of one stream: enough to fill twice the groups that are committed together. */
const MAX_REQUESTS = 256;
/**
 * Bytes of the requests of one stream: two of the largest messages. Together with the waiting ones, far below the limit
 * of a customer.
 */
const MAX_BYTES = 8 * 1_048_576;

export interface InWork {
  /** A request arrived. */
  enter(bytes: number): Entered;
  isEmpty(): boolean;
  /** Nothing more is to be read from the stream. */
  isFull(): boolean;
  /** The requests that were read take all the room: others wait to be read. */
  isCrowded(): boolean;
  /** Resolves when another request has left. All waiting requests wake, so each has to check again. */
  oneLeft(): Promise<void>;
}

export interface Entered {
  /** The request was read and counts for this many bytes now. */
  grow(bytes: number): void;
  leave(): void;
}

/** `changed` is called when there may be more or less room. */
export function createInWork(changed: () => void): InWork {
  let requests = 0;
  let bytes = 0;
  /** The bytes of requests that were read. */
  let read = 0;
  let waiting: (() => void)[] = [];
  return {
    enter(length) {
      let counted = length;
      let is_read = false;
      const count = (now: number): void => {
        bytes += now - counted;
        if (is_read) read += now - counted;
        counted = now;
      };
      requests += 1;
      bytes += counted;
      changed();
      return {
        grow(now) {
          if (!is_read) read += counted;
          is_read = true;
          count(now);
          changed();
        },
        leave() {
          requests -= 1;
          count(0);
          const woken = waiting;
          waiting = [];
          for (const wake of woken) wake();
          changed();
        },
      };
    },
    isEmpty: () => requests === 0,
    isFull: () => requests >= MAX_REQUESTS || bytes >= MAX_BYTES,
    isCrowded: () => read >= MAX_BYTES,
    oneLeft: () => new Promise((wake) => waiting.push(wake)),
  };
}
