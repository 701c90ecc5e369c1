/**
 * What of one stream is in work, in number and in what it takes in memory: its bytes, and once a request is read the
 * values in it if those are more. How many there are shows only then, so what waits unread is let in one by one.
 */

/** Requests of one stream: enough to fill the groups that are committed together, twice. */
const MAX_REQUESTS = 256;
/** Bytes of the requests of one stream: two of the largest messages. With all that waits, far below what a customer may have. */
const MAX_BYTES = 8 * 1_048_576;

export interface InWork {
  /** A request has come. */
  enter(bytes: number): Entered;
  isEmpty(): boolean;
  /** Nothing more is to be read from the stream. */
  isFull(): boolean;
  /** Those that were read take all the room: others wait with being read. */
  isCrowded(): boolean;
  /** Resolves when another one has left. All who wait wake, so each has to ask again. */
  oneLeft(): Promise<void>;
}

export interface Entered {
  /** It was read and counts for so many bytes now. */
  grow(bytes: number): void;
  leave(): void;
}

/** `changed` is called when there may be more or less room. */
export function createInWork(changed: () => void): InWork {
  let requests = 0;
  let bytes = 0;
  /** Of the bytes, those of requests that were read. */
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
