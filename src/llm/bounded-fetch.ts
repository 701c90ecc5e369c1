/** A `fetch` that follows no redirect and reads no endless answer. The libraries of the providers bound neither. */

/** Bytes of an answer, after decompression. A verdict has a few hundred, a justification a few thousand. */
export const MAX_ANSWER_BYTES = 64 * 1_024;

/** What one call has seen of its last answer, for sorting its failure. */
export interface Seen {
  /** Null: no answer began. */
  status: number | null;
  retry_after_ms: number | null;
  /** Why this function ended the answer. */
  cut: 'redirect' | 'too_long' | null;
}

export const nothingSeen = (): Seen => ({ status: null, retry_after_ms: null, cut: null });

/** Rejects for a redirect: the key must not go where an answer says. */
export function boundedFetch(seen: Seen, max_bytes = MAX_ANSWER_BYTES): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' });
    seen.status = response.status;
    seen.retry_after_ms = retryAfter(response.headers);
    if (response.status >= 300 && response.status < 400) {
      seen.cut = 'redirect';
      await response.body?.cancel();
      throw new Error('the provider redirects');
    }
    if (response.body === null) return response;
    let bytes = 0;
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes <= max_bytes) return controller.enqueue(chunk);
        seen.cut = 'too_long';
        // The source is cancelled with it, which closes the connection.
        controller.error(new Error('the answer is too long'));
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counted), { status, statusText, headers });
  };
}

/** Milliseconds of `retry-after-ms` or of `Retry-After` in seconds or as a date; null: not said. */
function retryAfter(headers: Headers): number | null {
  const exact = headers.get('retry-after-ms');
  if (exact !== null && /^\d{1,9}$/.test(exact)) return Number(exact);
  const text = headers.get('retry-after');
  if (text === null) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}
