/**
 * The .proto files as the server uses them: codecs of messages, methods of the service, descriptors for reflection.
 * `messages.ts` has the types, which `npm run proto` makes from the same files.
 */
import { join, resolve } from 'node:path';
import protobuf from 'protobufjs';
import type { MessageTypes, RiskAssessment } from './messages.ts';

export const PROTO_DIR = resolve(import.meta.dirname, '../../../../proto');
/** Full name of the one service. */
export const SERVICE = 'risk.v1.RiskEvaluationService';
const PROTO_FILES = ['risk/v1/risk.proto', 'google/rpc/error_details.proto'];

/**
 * Every declaration of these files below `directory`, and of their imports, with the names of the wire. `change` may
 * replace a field.
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

/** Weir's own files. */
export const protoRoot: protobuf.Root = loadProto(PROTO_DIR, PROTO_FILES);

/**
 * Keys and lengths of one message, two for most fields: a batch of 1,000 large contexts has a fifth of it, and 4 MiB
 * have room for four million, which would take seconds to read.
 */
const MAX_NUMBERS = 400_000;

/** Counts the fields to read, and keeps no unknown ones. */
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
 * Reads one text field of a message and nothing else: also of a malformed message, or of one that is too large to read.
 * Returns the text that the codec would read, '' where there is none.
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
      // The fields before the fault were read.
    }
    return found;
  };
}

/** Texts, byte fields and messages are length-delimited. */
const LENGTH_DELIMITED = 2;

export interface Encoder<T> {
  encode(message: T): Buffer;
}

export interface Codec<T> extends Encoder<T> {
  /** Throws on bytes that are not this message. Fields that were not sent have their defaults, messages are null. */
  decode(bytes: Buffer): T;
}

export function codecOf<Name extends keyof MessageTypes>(name: Name): Codec<MessageTypes[Name]> {
  const type = protoRoot.lookupType(name);
  return {
    decode: (bytes) => type.decode(new StrictReader(bytes)) as unknown as MessageTypes[Name],
    encode: (message) => type.encode(message as unknown as protobuf.Message).finish() as Buffer,
  };
}

/** A message whose assessments are already encoded. */
export type WithEncoded<T> = {
  [Key in keyof T]: T[Key] extends RiskAssessment[]
    ? Uint8Array[]
    : T[Key] extends RiskAssessment | null
      ? Uint8Array | null
      : T[Key];
};

let with_encoded: protobuf.Root | null = null;

/** The same declarations with assessments as bytes, which is the same on the wire. Made for the first answer. */
function withEncoded(): protobuf.Root {
  with_encoded ??= loadProto(PROTO_DIR, PROTO_FILES, (field) => {
    if (field.type === 'RiskAssessment') field.type = 'bytes';
  });
  return with_encoded;
}

/** Encodes answers that contain assessments; an assessment is encoded once for all events with the same score. */
export function encoderOf<Name extends keyof MessageTypes>(name: Name): Encoder<WithEncoded<MessageTypes[Name]>> {
  let type: protobuf.Type | null = null;
  return {
    encode: (message) => {
      type ??= withEncoded().lookupType(name);
      return type.encode(message as unknown as protobuf.Message).finish() as Buffer;
    },
  };
}
