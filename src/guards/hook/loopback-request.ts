/**
 * One HTTP/1.1 request to a server on this machine, over node:net: by node:http it costs 10 ms more, a third of what Node
 * takes to start (bench/results/2026-11-25-hook.md). Strict: an answer that is not understood to its last byte is an error,
 * and an error is never an answer.
 */

/** Most bytes of a status line with its headers, as in node:http. */
const MAX_HEAD = 16 * 1024;
const HEAD_END = '\r\n\r\n';
const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})(?: |$)/;
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):(.*)$/;
/** What may stand in a value of a header: no line end, which would begin another header. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const CHUNK_SIZE = /^([0-9A-Fa-f]{1,8})(?:[ \t]*;.*)?$/;

export interface PlainResponse {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  text: string;
}

/** Bytes that are neither an answer nor the beginning of one. */
class Malformed extends Error {
  constructor(what: string) {
    super(`its answer is no HTTP: ${what}`);
  }
}

/** The answer. Rejects when there is none, when it is cut short, malformed or above `max_bytes`, and with the reason of the signal. */
export function loopbackRequest(url: URL, init: RequestInit, max_bytes: number): Promise<PlainResponse> {
  const { signal } = init;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const request = requestText(url, init);
    const { connect } = process.getBuiltinModule('node:net');
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const socket = connect({ host, port: Number(url.port || 80) });
    const end = (settle: () => void): void => {
      signal?.removeEventListener('abort', abort);
      socket.destroy();
      settle();
    };
    const abort = (): void => end(() => reject(signal?.reason));
    signal?.addEventListener('abort', abort);
    let received: Buffer = Buffer.alloc(0);
    const look = (is_closed: boolean): void => {
      try {
        if (received.length > MAX_HEAD + max_bytes) throw new Error('its answer is too long');
        const response = responseIn(received, is_closed, max_bytes);
        if (response !== null) end(() => resolve(response));
        else if (is_closed) throw new Error('its answer is cut short');
      } catch (error) {
        end(() => reject(error));
      }
    };
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      look(false);
    });
    socket.on('end', () => look(true));
    socket.on('error', (error) => end(() => reject(error)));
    socket.write(request);
  });
}

/** Throws for headers that would write more than themselves. */
function requestText(url: URL, { method = 'GET', headers = {}, body }: RequestInit): Buffer {
  const content = Buffer.from((body as string | undefined) ?? '');
  const lines = Object.entries({
    host: url.host,
    connection: 'close',
    ...(body !== undefined && { 'content-length': String(content.length) }),
    ...(headers as Record<string, string>),
  }).map(([name, value]) => {
    if (!VALUE.test(value)) throw new TypeError(`the header \`${name}\` has characters that no header may have`);
    return `${name}: ${value}\r\n`;
  });
  const head = `${method} ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), content]);
}

/** The answer in all bytes so far; `null` as long as it is not whole. Throws when it never will be one. */
function responseIn(bytes: Buffer, is_closed: boolean, max_bytes: number): PlainResponse | null {
  for (let from = 0; ; ) {
    const end = bytes.indexOf(HEAD_END, from);
    if ((end === -1 ? bytes.length : end) - from > MAX_HEAD) throw new Malformed('its headers do not end');
    if (end === -1) return null;
    const [status_line = '', ...lines] = bytes.toString('latin1', from, end).split('\r\n');
    const status = Number(STATUS_LINE.exec(status_line)?.[1] ?? 0);
    if (status < 100 || status === 101) throw new Malformed(`\`${status_line.slice(0, 40)}\``);
    from = end + HEAD_END.length;
    // Interim answers precede the one that counts.
    if (status < 200) continue;
    const headers = headersIn(lines);
    const body = bodyIn(bytes.subarray(from), headers, is_closed, max_bytes);
    return body === null ? null : { status, headers, text: body.toString('utf8') };
  }
}

function headersIn(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  for (const line of lines) {
    const [, name, value] = HEADER.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Malformed(`the header \`${line.slice(0, 40)}\``);
    const key = name.toLowerCase();
    if (key === 'content-length' && headers[key] !== undefined && headers[key] !== value.trim())
      throw new Malformed('it has two lengths');
    headers[key] = value.trim();
  }
  return headers;
}

function bodyIn(
  rest: Buffer,
  headers: Readonly<Record<string, string>>,
  is_closed: boolean,
  max_bytes: number,
): Buffer | null {
  const { 'content-length': length, 'transfer-encoding': coding, 'content-encoding': packing } = headers;
  if (packing !== undefined && packing !== 'identity') throw new Malformed(`it is packed as \`${packing}\``);
  if (coding !== undefined) {
    if (coding.toLowerCase() !== 'chunked' || length !== undefined) throw new Malformed(`its coding is \`${coding}\``);
    return chunksIn(rest, max_bytes);
  }
  if (length === undefined) {
    if (rest.length > max_bytes) throw new Error('its answer is too long');
    return is_closed ? rest : null;
  }
  if (!/^\d{1,15}$/.test(length)) throw new Malformed(`its length is \`${length}\``);
  if (Number(length) > max_bytes) throw new Error('its answer is too long');
  return rest.length < Number(length) ? null : rest.subarray(0, Number(length));
}

/** The body in chunks, each with its length before it; `null` as long as the empty one that ends it is missing. */
function chunksIn(rest: Buffer, max_bytes: number): Buffer | null {
  const chunks: Buffer[] = [];
  for (let at = 0, total = 0; ; ) {
    const line_end = rest.indexOf('\r\n', at);
    if (line_end === -1) return null;
    const size_text = CHUNK_SIZE.exec(rest.toString('latin1', at, line_end))?.[1];
    if (size_text === undefined) throw new Malformed('a chunk without its length');
    const size = Number.parseInt(size_text, 16);
    if (size === 0) return Buffer.concat(chunks);
    total += size;
    if (total > max_bytes) throw new Error('its answer is too long');
    const from = line_end + 2;
    if (rest.length < from + size + 2) return null;
    if (rest.toString('latin1', from + size, from + size + 2) !== '\r\n')
      throw new Malformed('a chunk above its length');
    chunks.push(rest.subarray(from, from + size));
    at = from + size + 2;
  }
}
