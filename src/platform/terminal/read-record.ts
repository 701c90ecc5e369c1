/** One line of a file as parsed JSON, read as strictly as the API reads a body. */
import { WeirError } from '../errors.ts';
import { type ParsedJson, parseJson } from '../json/json.ts';
import type { Line } from './input.ts';

/** Twice the API's limit for one event: a labelled record holds more than its event. */
export const MAX_LINE_BYTES = 2 * 1024 * 1024;

/** Throws `WeirError('invalid')` for a line that is too long or is not JSON. */
export function parseLine({ bytes }: Line): ParsedJson {
  if (bytes === null) throw new WeirError('invalid', { detail: `the line is longer than ${MAX_LINE_BYTES} bytes` });
  try {
    return parseJson(bytes);
  } catch (error) {
    if (!(error instanceof WeirError)) throw error;
    // The parser's messages speak of a body, because most of its input comes over HTTP.
    throw new WeirError('invalid', { detail: error.detail.replace('the body', 'the line') });
  }
}
