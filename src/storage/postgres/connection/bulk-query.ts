/**
 * A statement whose parameters are columns of many rows, such as `insert … select from unnest($1::text[], …)`. Its
 * message is encoded in one pass, into a buffer that is reused.
 *
 * The driver's own encoding made five copies of a group, each in a new buffer: a tenth of the time of the request
 * thread, and V8 took the buffers for a growing heap and ran a full collection every second, with pauses of a tenth of
 * a second.
 */
import pg from 'pg';
import { RecordRefused } from '../../ports/storage.ts';

export type Parameter =
  /** One value, as text. */
  | string
  | { type: 'text' | 'json'; items: readonly (string | null)[] }
  | { type: 'int4' | 'int2'; items: readonly number[] }
  | { type: 'bool'; items: readonly boolean[] };

export interface NamedStatement {
  /** Prepared once per connection. */
  name: string;
  text: string;
}

/**
 * Runs the statement; rejects with the driver's errors, and throws `RecordRefused` for a number that does not fit. The
 * client must be idle, as one from a pool is.
 */
export async function bulkQuery<Row extends pg.QueryResultRow>(
  client: pg.ClientBase,
  statement: NamedStatement,
  parameters: readonly Parameter[],
): Promise<Row[]> {
  const buffer = takeBuffer(roomOf(statement.name, parameters));
  const message = tryToBind(buffer, statement.name, parameters);
  return new Promise((resolve, reject) => {
    client.query(
      new BulkQuery<Row>(statement, message, (error, result) => {
        if (error) return reject(error);
        // It was answered, so it was sent. A buffer that was not answered may still be in transit, and must not be
        // reused.
        giveBack(buffer);
        resolve(result.rows);
      }),
    );
  });
}

function tryToBind(buffer: Buffer, name: string, parameters: readonly Parameter[]): Buffer {
  try {
    return bindMessage(buffer, name, parameters);
  } catch (error) {
    throw new RecordRefused('a number does not fit its column', { cause: error });
  }
}

/** Private members of the driver's class. */
interface Preparable {
  hasBeenParsed(connection: pg.Connection): boolean;
}

class BulkQuery<Row extends pg.QueryResultRow> extends pg.Query<Row> {
  readonly #statement: NamedStatement;
  readonly #message: Buffer;

  constructor(
    statement: NamedStatement,
    message: Buffer,
    callback: (error: Error | undefined, result: pg.ResultBuilder<Row>) => void,
  ) {
    super({ ...statement }, callback);
    this.#statement = statement;
    this.#message = message;
  }

  /** The driver calls it in place of its own method, which would take the values one by one. */
  prepare(connection: pg.Connection): void {
    const { name, text } = this.#statement;
    if (!(this as unknown as Preparable).hasBeenParsed(connection)) {
      connection.parse({ name, text, types: [] }, true);
      const { submittedNamedStatements } = connection as unknown as {
        submittedNamedStatements: Record<string, string>;
      };
      submittedNamedStatements[name] = text;
    }
    connection.stream.write(this.#message);
  }
}

/** Object ids of the built-in types. */
const OIDS = { text: 25, json: 114, int4: 23, int2: 21, bool: 16 } as const;
const TEXT_FORMAT = 0;
const BINARY_FORMAT = 1;
/** Dimensions, null flag, element type, length, lower bound: five 32-bit integers. */
const ARRAY_HEADER = 20;
/** The length of a null. */
const NULL_LENGTH = -1;
/** Bytes that a UTF-16 unit takes at most. */
const MOST_BYTES = 3;

/** Describe the portal, execute it, end the implicit transaction. */
const RUN = Buffer.from([0x44, 0, 0, 0, 6, 0x50, 0, 0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0x53, 0, 0, 0, 4]);

function roomOf(name: string, parameters: readonly Parameter[]): number {
  let room = 64 + MOST_BYTES * name.length + RUN.length;
  for (const parameter of parameters) {
    if (typeof parameter === 'string') {
      room += 6 + MOST_BYTES * parameter.length;
      continue;
    }
    room += 6 + ARRAY_HEADER + 8 * parameter.items.length;
    if (parameter.type === 'text' || parameter.type === 'json')
      for (const item of parameter.items) room += MOST_BYTES * (item?.length ?? 0);
  }
  return room;
}

/**
 * Bind, Describe, Execute and Sync of the extended query protocol
 * (https://www.postgresql.org/docs/current/protocol-message-formats.html), at the start of `buffer`, which has the
 * room.
 */
function bindMessage(buffer: Buffer, name: string, parameters: readonly Parameter[]): Buffer {
  let at = buffer.writeUInt8(0x42, 0) + 4;
  // The unnamed portal.
  at = buffer.writeUInt8(0, at);
  at += buffer.write(name, at);
  at = buffer.writeUInt8(0, at);
  at = buffer.writeInt16BE(parameters.length, at);
  for (const parameter of parameters)
    at = buffer.writeInt16BE(typeof parameter === 'string' ? TEXT_FORMAT : BINARY_FORMAT, at);
  at = buffer.writeInt16BE(parameters.length, at);
  for (const parameter of parameters) at = writeSized(buffer, at, parameter);
  // All columns of the answer as text.
  at = buffer.writeInt16BE(0, at);
  buffer.writeInt32BE(at - 1, 1);
  at += RUN.copy(buffer, at);
  return buffer.subarray(0, at);
}

/** Length and value. */
function writeSized(buffer: Buffer, at: number, parameter: Parameter): number {
  const start = at + 4;
  const end =
    typeof parameter === 'string' ? start + buffer.write(parameter, start) : writeArray(buffer, start, parameter);
  buffer.writeInt32BE(end - start, at);
  return end;
}

function writeArray(buffer: Buffer, start: number, { type, items }: Exclude<Parameter, string>): number {
  let at = start;
  for (const word of [1, 1, OIDS[type], items.length, 1]) at = buffer.writeInt32BE(word, at);
  for (const item of items) {
    if (item === null) at = buffer.writeInt32BE(NULL_LENGTH, at);
    else if (typeof item === 'string') {
      const bytes = buffer.write(item, at + 4);
      at = buffer.writeInt32BE(bytes, at) + bytes;
    } else if (type === 'int4') at = buffer.writeInt32BE(item as number, buffer.writeInt32BE(4, at));
    else if (type === 'int2') at = buffer.writeInt16BE(item as number, buffer.writeInt32BE(2, at));
    else at = buffer.writeUInt8(item === true ? 1 : 0, buffer.writeInt32BE(1, at));
  }
  return at;
}

/** Buffers that wait for the next message; a process has few stores, each with few messages in transit. */
const spare: Buffer[] = [];
const MOST_SPARE = 4;
const LEAST_BYTES = 2 ** 18;
/** A larger one is released. */
const MOST_KEPT = 2 ** 22;

function takeBuffer(room: number): Buffer {
  const buffer = spare.pop();
  return buffer !== undefined && buffer.length >= room ? buffer : Buffer.allocUnsafeSlow(Math.max(LEAST_BYTES, room));
}

function giveBack(buffer: Buffer): void {
  if (spare.length < MOST_SPARE && buffer.length <= MOST_KEPT) spare.push(buffer);
}
