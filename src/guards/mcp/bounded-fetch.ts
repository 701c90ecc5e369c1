/** `fetch` for answers of MCP servers: one answer, and one event of a stream, have at most so many bytes. */

const NEWLINE = 10;
const RETURN = 13;

/** `onExceeded` is told before the body fails, because the SDK goes on without the message. */
export function boundedFetch(max_bytes: number, onExceeded: () => void): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const is_stream = /^text\/event-stream\b/.test(response.headers.get('content-type') ?? '');
    const bounded = response.body.pipeThrough(bound(max_bytes, is_stream, onExceeded));
    const copy = new Response(bounded, response);
    // The constructor drops the address, which the SDK compares when it follows redirects.
    return Object.defineProperty(copy, 'url', { value: response.url });
  };
}

/** Counts bytes; in a stream of events, those since the last empty line. */
function bound(max_bytes: number, is_stream: boolean, onExceeded: () => void): TransformStream<Uint8Array, Uint8Array> {
  let count = 0;
  let is_line_empty = false;
  return new TransformStream({
    transform(chunk, controller) {
      if (is_stream) {
        for (const byte of chunk) {
          count = byte === NEWLINE && is_line_empty ? 0 : count + 1;
          if (byte !== RETURN) is_line_empty = byte === NEWLINE;
        }
      } else count += chunk.length;
      if (count <= max_bytes) return controller.enqueue(chunk);
      onExceeded();
      controller.error(new Error(`an answer is longer than ${max_bytes} bytes`));
    },
  });
}
