/**
 * The private parts of grpc-js's call, on which `faults.ts` and `arrival.ts` build. `test/grpc/arrival.test.ts` pins their names.
 */
import type { ServerInterceptingCallInterface } from '@grpc/grpc-js';

export interface InnerCall extends ServerInterceptingCallInterface {
  stream: {
    /** Absent once the stream is closed. */
    readonly session?: object | undefined;
    /** True while no handler requests more. */
    isPaused(): boolean;
    pause(): void;
    resume(): void;
    /** The client has sent everything. */
    once(event: 'end' | 'close', listener: () => void): void;
    close(code: number): void;
    destroy(): void;
  };
  maxReceiveMessageSize: number;
  /**
   * Takes a piece of the stream, queues the messages that the decoder completes, and pauses the stream if there is one.
   */
  handleDataFrame(data: Buffer): void;
  /** The bytes of a message, without its frame. */
  decompressMessage(framed: Buffer, encoding: string): Buffer | Promise<Buffer>;
  /** Queues the end. */
  handleEndEvent(): void;
  decoder: {
    maxReadMessageLength: number;
    /** 0 between two messages, 1 in the frame of one, 2 while one is arriving. */
    readState: number;
    readMessageSize: number;
    /** The pieces of the message that is arriving, and of the last one until another begins. */
    readPartialMessage: Buffer[];
    /** Takes a piece and returns the messages that are complete now, each with its five bytes of frame. */
    write(data: Buffer): Buffer[];
  };
  /** Milliseconds since 1970, `Infinity` without one. */
  deadline: number;
  deadlineTimer: NodeJS.Timeout | null;
}

/** The HTTP/2 session that the call came over. */
export function sessionOf(call: ServerInterceptingCallInterface): object | undefined {
  return (call as InnerCall).stream.session;
}
