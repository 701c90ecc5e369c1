/**
 * `npm run proto`: writes `src/doors/grpc/messages/messages.ts`, the types of every message and enum below `proto/`. A test compares
 * the file with what this makes, so it cannot fall behind the .proto files.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import protobuf from 'protobufjs';
import { protoRoot } from '../../src/doors/grpc/messages/proto.ts';

export const OUTPUT = join(import.meta.dirname, '../../src/doors/grpc/messages/messages.ts');

const HEAD = `/**
 * Made by \`npm run proto\` from proto/; change those files, not this one.
 *
 * One shape for reading and writing: what was not sent has its default, a message or an \`optional\` field is null.
 * Enums are open: a field holds any number that a newer client may send.
 */
`;

/** Types of TypeScript for the scalar types of proto3; 64-bit numbers are written only, and stay small. */
const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  bytes: 'Uint8Array',
  bool: 'boolean',
  int32: 'number',
  int64: 'number',
  float: 'number',
};

export function generateTypes(root: protobuf.Root): string {
  const types: protobuf.Type[] = [];
  const enums: protobuf.Enum[] = [];
  collect(root, types, enums);
  const names = types.map((type) => `  '${fullName(type)}': ${type.name};`);
  const all = `/** Message types by their full names. */\nexport interface MessageTypes {\n${names.join('\n')}\n}\n`;
  return [HEAD, ...enums.map(enumText), ...types.map(messageText), all].join('\n');
}

function collect(namespace: protobuf.NamespaceBase, types: protobuf.Type[], enums: protobuf.Enum[]): void {
  for (const nested of namespace.nestedArray) {
    if (nested instanceof protobuf.Enum) enums.push(nested);
    if (nested instanceof protobuf.Type) types.push(nested);
    if (nested instanceof protobuf.Namespace) collect(nested, types, enums);
  }
}

const fullName = (type: protobuf.ReflectionObject): string => type.fullName.slice(1);

function enumText({ name, values }: protobuf.Enum): string {
  const members = Object.entries(values).map(([member, number]) => `  ${member}: ${number},`);
  return `export const ${name} = {\n${members.join('\n')}\n} as const;\n`;
}

function messageText(type: protobuf.Type): string {
  const fields = type.fieldsArray.map((field) => `  ${field.name}: ${fieldType(field)};`);
  return `export interface ${type.name} {\n${fields.join('\n')}\n}\n`;
}

function fieldType(field: protobuf.Field): string {
  const single = elementType(field);
  if (field instanceof protobuf.MapField) return `Record<string, ${single}>`;
  if (field.repeated) return `${single}[]`;
  const may_be_absent = field.resolvedType instanceof protobuf.Type || field.options?.['proto3_optional'] === true;
  return may_be_absent ? `${single} | null` : single;
}

function elementType(field: protobuf.Field): string {
  if (field.resolvedType instanceof protobuf.Enum) return 'number';
  if (field.resolvedType !== null) return field.resolvedType.name;
  const scalar = SCALARS[field.type];
  if (scalar === undefined)
    throw new Error(`${field.fullName}: add the type ${field.type} to tools/scripts/grpc-types.ts`);
  return scalar;
}

if (import.meta.main) writeFileSync(OUTPUT, generateTypes(protoRoot));
