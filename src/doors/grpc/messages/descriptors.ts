/**
 * Descriptors of the .proto files, file by file, as a protobuf compiler makes them. The loader's own descriptors merge
 * all files of a package without their imports, and clients that validate reflection refuse them.
 */
import protobuf from 'protobufjs';
import descriptor from 'protobufjs/ext/descriptor.js';

/** The methods that `protobufjs/ext/descriptor` adds to messages, enums and services. */
interface Described {
  toDescriptor(edition: 'proto3'): Fields;
}

type Fields = Record<string, unknown>;
type Declared = protobuf.Type | protobuf.Enum | protobuf.Service;
type FileOf = (declared: protobuf.ReflectionObject) => string;

/** Encoded FileDescriptorProto messages of the files of a root and of their imports; names are below `directory`. */
export function fileDescriptors(root: protobuf.Root, directory: string): Buffer[] {
  const fileOf: FileOf = ({ filename, name }) =>
    // The library includes google/protobuf without file names: one file per message.
    filename === null ? `google/protobuf/${name.toLowerCase()}.proto` : filename.slice(directory.length + 1);
  const files = Map.groupBy(declarations(root), fileOf);
  return [...files].map(([name, declared]) => encodeFile(name, declared, fileOf));
}

function declarations(namespace: protobuf.NamespaceBase): Declared[] {
  return namespace.nestedArray.flatMap((nested): Declared[] => {
    if (nested instanceof protobuf.Type || nested instanceof protobuf.Enum) return [nested];
    if (nested instanceof protobuf.Service) return [nested];
    return nested instanceof protobuf.Namespace ? declarations(nested) : [];
  });
}

function encodeFile(name: string, declared: readonly Declared[], fileOf: FileOf): Buffer {
  const imports = new Set<string>();
  const fullName = (type: protobuf.ReflectionObject): string => {
    imports.add(fileOf(type));
    return type.fullName;
  };
  const describe = <T extends Declared>(kind: new (...args: never[]) => T): Fields[] =>
    declared.filter((one) => one instanceof kind).map((one) => absolute(one, fullName));
  const file = {
    name,
    package: declared[0]!.parent!.fullName.slice(1),
    syntax: 'proto3',
    messageType: describe(protobuf.Type),
    enumType: describe(protobuf.Enum),
    service: describe(protobuf.Service),
    dependency: [...imports].filter((one) => one !== name),
  };
  return Buffer.from(descriptor.FileDescriptorProto.encode(file as unknown as protobuf.Message).finish());
}

type FullName = (type: protobuf.ReflectionObject) => string;

/** The descriptor with full names in place of relative ones. */
function absolute(declared: Declared, fullName: FullName): Fields {
  const described = (declared as unknown as Described).toDescriptor('proto3');
  if (declared instanceof protobuf.Type) nameFields(declared, described, fullName);
  if (declared instanceof protobuf.Service) {
    for (const [i, method] of declared.methodsArray.entries()) {
      const one = (described['method'] as Fields[])[i]!;
      one['inputType'] = fullName(method.resolvedRequestType!);
      one['outputType'] = fullName(method.resolvedResponseType!);
    }
  }
  return described;
}

function nameFields(type: protobuf.Type, described: Fields, fullName: FullName): void {
  const entries = new Map<unknown, string>();
  for (const one of described['field'] as Fields[]) {
    const field = type.fields[one['name'] as string]!;
    delete one['options'];
    // The library spells this field as in the file, which its own encoder does not know.
    if (field.options?.['proto3_optional'] === true) one['proto3Optional'] = true;
    if (field instanceof protobuf.MapField) {
      const entry = `${one['typeName'] as string}Entry`;
      entries.set(one['typeName'], entry);
      one['typeName'] = `${type.fullName}.${entry}`;
    } else if (field.resolvedType !== null) one['typeName'] = fullName(field.resolvedType);
  }
  for (const inner of described['nestedType'] as Fields[]) inner['name'] = entries.get(inner['name']) ?? inner['name'];
  for (const nested of type.nestedArray) {
    const inner = (described['nestedType'] as Fields[]).find((one) => one['name'] === nested.name);
    if (nested instanceof protobuf.Type && inner !== undefined) nameFields(nested, inner, fullName);
  }
}
