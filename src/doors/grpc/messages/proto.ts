/**
 * The .proto files as what the server runs on: codecs of messages, methods of the service, descriptors for reflection.
 * Types for all of it are in `messages.ts`, which `npm run proto` makes from the same files.
 */
import { join, resolve } from 'node:path';
import protobuf from 'protobufjs';
import type { MessageTypes, RiskAssessment } from './messages.ts';

export const PROTO_DIR = resolve(import.meta.dirname, '../../../../proto');
/** Full name of the one service. */
export const SERVICE = 'risk.v1.RiskEvaluationService';
const PROTO_FILES = ['risk/v1/risk.proto', 'google/rpc/error_details.proto'];

/**
 * Every declaration of these files below `directory`, and of what they import, with the names of the wire. `change` may make
 * another field of each.
 */
export function loadProto(
  directory: string,
  files: string[],
  change: (field: protobuf.Field) => void = () => {},
): protobuf.Root {
  const root = new protobuf.Root();
  root.resolvePath = (_origin, target) => join(directory, target);
  root.loadSync(files, { keepCase: true });
  changeFields(root, change);
  root.resolveAll();
  return root;
}

function changeFields(namespace: protobuf.NamespaceBase, change: (field: protobuf.Field) => void): void {
  if (namespace instanceof protobuf.Type) namespace.fieldsArray.forEach(change);
  for (const nested of namespace.nestedArray) {
    if (nested instanceof protobuf.Namespace) changeFields(nested, change);
  }
}

/** Our own files. */
export const protoRoot: protobuf.Root = loadProto(PROTO_DIR, PROTO_FILES);

/**
 * Keys and lengths of one message, two for most fields: a batch of 1,000 large contexts has a fifth of it, and 4 MiB have room
 * for four million, which would take seconds.
 */
const MAX_NUMBERS = 400_000;

/** Counts what there is to read, and keeps nothing that it does not know. */
class StrictReader extends protobuf.BufferReader {
  #numbers = 0;

  constructor(bytes: Buffer) {
    super(bytes);
    this.discardUnknown = true;
  }

  override tag(): number {
    this.#count();
    return super.tag();
  }

  override size(): number {
    this.#count();
    return super.size();
  }

  #count(): void {
    if (++this.#numbers > MAX_NUMBERS) throw new Error('the message has too many fields');
  }
}

/**
 * Reads one text of a message and nothing else of it: also of one that is broken, or too much to read. The text is the one
 * that the codec would read, '' where none is found.
 */
export function textReaderOf<Name extends keyof MessageTypes>(
  name: Name,
  field: keyof MessageTypes[Name] & string,
): (bytes: Buffer) => string {
  const { id } = protoRoot.lookupType(name).fields[field]!;
  const wanted = (id << 3) | LENGTH_DELIMITED;
  return (bytes) => {
    let found = '';
    try {
      const reader = new StrictReader(bytes);
      while (reader.pos < reader.len) {
        const tag = reader.tag();
        if (tag === wanted) found = reader.stringVerify();
        else reader.skipType(tag & 7, undefined, tag >>> 3);
      }
    } catch {
      // What stands before the fault was read.
    }
    return found;
  };
}

/** How a text, a list of bytes and a message are written: their length first. */
const LENGTH_DELIMITED = 2;

export interface Encoder<T> {
  encode(message: T): Buffer;
}

export interface Codec<T> extends Encoder<T> {
  /** Throws on anything that is not this message. Fields that were not sent have their defaults, messages are null. */
  decode(bytes: Buffer): T;
}

export function codecOf<Name extends keyof MessageTypes>(name: Name): Codec<MessageTypes[Name]> {
  const type = protoRoot.lookupType(name);
  return {
    decode: (bytes) => type.decode(new StrictReader(bytes)) as unknown as MessageTypes[Name],
    encode: (message) => type.encode(message as unknown as protobuf.Message).finish() as Buffer,
  };
}

/** A message with the assessments in it encoded already. */
export type WithEncoded<T> = {
  [Key in keyof T]: T[Key] extends RiskAssessment[]
    ? Uint8Array[]
    : T[Key] extends RiskAssessment | null
      ? Uint8Array | null
      : T[Key];
};

/** The same declarations but that an assessment is some bytes, which on the wire is the same. */
const with_encoded = loadProto(PROTO_DIR, PROTO_FILES, (field) => {
  if (field.type === 'RiskAssessment') field.type = 'bytes';
});

/** Writes answers that have assessments in them, which are encoded once for all events with the same score. */
export function encoderOf<Name extends keyof MessageTypes>(name: Name): Encoder<WithEncoded<MessageTypes[Name]>> {
  const type = with_encoded.lookupType(name);
  return { encode: (message) => type.encode(message as unknown as protobuf.Message).finish() as Buffer };
}
