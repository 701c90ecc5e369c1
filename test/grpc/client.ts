/** A plain grpc-js client of a running Weir, made from the .proto files as a customer would. */
import { resolve } from 'node:path';
import {
  type CallOptions,
  type Client,
  type ClientDuplexStream,
  credentials,
  type GrpcObject,
  loadPackageDefinition,
  Metadata,
  type ServiceClientConstructor,
  type ServiceError,
  type StatusObject,
} from '@grpc/grpc-js';
import { loadSync, type PackageDefinition } from '@grpc/proto-loader';

export const PROTO_DIR = resolve(import.meta.dirname, '../../proto');
export const definition: PackageDefinition = loadSync(['risk/v1/risk.proto', 'google/rpc/error_details.proto'], {
  keepCase: true,
  enums: String,
  defaults: true,
  oneofs: true,
  includeDirs: [PROTO_DIR],
});

export type Fields = Record<string, unknown>;
export type RiskStream = ClientDuplexStream<Fields, Answer>;

export interface Answer extends Fields {
  event_id: string;
  request_id: string;
  assessment: Fields | null;
  error: Status | null;
}

export interface Status {
  code: number;
  message: string;
  details: { type_url: string; value: Uint8Array }[];
}

/** How a call ended: `answer` with code 0, else the error. */
export interface Ended {
  code: number;
  message: string;
  answer: Fields;
  /** Details by their short names, such as BadRequest. */
  details: Record<string, Fields>;
}

export interface CallOf {
  key?: string | string[];
  metadata?: Record<string, string>;
  deadline_ms?: number;
}

export function metadataOf({ key, metadata = {} }: CallOf): Metadata {
  const made = new Metadata();
  for (const one of key === undefined ? [] : [key].flat()) made.add('x-api-key', one);
  for (const [name, value] of Object.entries(metadata)) made.set(name, value);
  return made;
}

/** A client of our own service at `host:port`. */
export function connect(address: string, options = {}): Client {
  const { risk } = loadPackageDefinition(definition) as { risk: GrpcObject };
  const service = (risk['v1'] as GrpcObject)['RiskEvaluationService'] as ServiceClientConstructor;
  return new service(address, credentials.createInsecure(), options);
}

const optionsOf = ({ deadline_ms }: CallOf): CallOptions =>
  deadline_ms === undefined ? {} : { deadline: Date.now() + deadline_ms };

type UnaryOf = (
  request: Fields,
  metadata: Metadata,
  options: CallOptions,
  done: (error: ServiceError | null, answer?: Fields) => void,
) => { cancel(): void };

/** One unary call, however it ends. */
export function callUnary(client: Client, method: string, request: Fields, how: CallOf = {}): Promise<Ended> {
  return new Promise((done) => startUnary(client, method, request, how, done));
}

/** The same, for callers that may cancel it. */
export function startUnary(
  client: Client,
  method: string,
  request: Fields,
  how: CallOf = {},
  done: (ended: Ended) => void = () => {},
): { cancel(): void } {
  const invoke = (client as unknown as Record<string, UnaryOf>)[method]!.bind(client);
  return invoke(request, metadataOf(how), optionsOf(how), (error, answer) => done(ended(error, answer)));
}

export function ended(error: (StatusObject | ServiceError) | null, answer: Fields = {}): Ended {
  if (error === null) return { code: 0, message: '', answer, details: {} };
  const [status] = error.metadata.get('grpc-status-details-bin');
  const details =
    status === undefined ? {} : detailsOf(decode('google.rpc.Status', status as Buffer) as unknown as Status);
  return { code: error.code, message: error.details, answer, details };
}

export function detailsOf({ details }: Status): Record<string, Fields> {
  return Object.fromEntries(
    details.map(({ type_url, value }) => {
      const name = type_url.slice(type_url.lastIndexOf('/') + 1);
      return [name.slice(name.lastIndexOf('.') + 1), decode(name, Buffer.from(value))];
    }),
  );
}

function decode(name: string, bytes: Buffer): Fields {
  const type = definition[name] as { deserialize(bytes: Buffer): object };
  return type.deserialize(bytes) as Fields;
}

export function openStream(client: Client, how: CallOf = {}): RiskStream {
  const open = (client as unknown as Record<string, (metadata: Metadata, options: CallOptions) => RiskStream>)[
    'StreamEvaluateRisk'
  ]!.bind(client);
  return open(metadataOf(how), optionsOf(how));
}

/** Collects a stream until it ends: its answers, and how it ended. */
export function collect(stream: RiskStream): Promise<{ answers: Answer[]; end: Ended }> {
  const answers: Answer[] = [];
  stream.on('data', (answer: Answer) => answers.push(answer));
  stream.on('error', () => {});
  // The status may be told while answers still wait in the stream's buffer.
  const all_read = new Promise<void>((done) => stream.on('end', done));
  return new Promise((done) => {
    stream.on('status', async (status: StatusObject) => {
      await all_read;
      done({ answers, end: ended(status.code === 0 ? null : status) });
    });
  });
}
