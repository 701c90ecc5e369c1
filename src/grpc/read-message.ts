/**
 * From bytes to a message, as protobuf says it: what the library's own decoder makes of a message is not always what was sent.
 * - A message in a field that comes in several pieces is all of them; the library keeps the last.
 * - A known field of another wire type is refused; the library reads its bytes as if they were of the declared type. Other
 *   implementations pass it over as unknown, and then something would be scored that lacks what was sent.
 */
import protobuf from 'protobufjs';

type Fields = Record<string, unknown>;
/** Reads the value that comes next into its field. */
type Take = (reader: protobuf.Reader, message: Fields) => void;
type Read = (reader: protobuf.Reader) => unknown;

/** How messages of one type are read. */
interface Layout {
  create: () => Fields;
  /** By the tag of a field: its number and its wire type. */
  takes: Take[];
}

const LENGTH_DELIMITED = 2;
const WIRE_TYPES = [0, 1, 2, 3, 4, 5, 6, 7];

const layouts = new Map<protobuf.Type, Layout>();

/** A function that reads one whole message of this type, and throws on anything that is none. */
export function messageReader(type: protobuf.Type): (reader: protobuf.Reader) => object {
  const layout = layoutOf(type);
  return (reader) => {
    const message = layout.create();
    readInto(message, layout, reader, reader.len);
    return message;
  };
}

function layoutOf(type: protobuf.Type): Layout {
  const known = layouts.get(type);
  if (known !== undefined) return known;
  const takes: Take[] = [];
  // Here before its fields are, which may be of this type.
  const layout: Layout = { create: () => type.create() as unknown as Fields, takes };
  layouts.set(type, layout);
  for (const field of type.fieldsArray) {
    const [wire_type, take] = takeOf(field.resolve());
    const refuse: Take = () => {
      throw new Error(`\`${field.fullName}\` has another type`);
    };
    for (const other of WIRE_TYPES) takes[(field.id << 3) | other] = other === wire_type ? take : refuse;
  }
  return layout;
}

function readInto(message: Fields, { takes }: Layout, reader: protobuf.Reader, end: number): void {
  while (reader.pos < end) {
    const tag = reader.uint32();
    const take = takes[tag];
    if (take !== undefined) take(reader, message);
    else if (tag >>> 3 > 0) reader.skipType(tag & 7);
    else throw new Error('there is no field 0');
  }
  if (reader.pos !== end) throw new RangeError('a message is longer than the field that it stands in');
}

/** The same for a message inside another, whose length comes first. */
function readInner(message: Fields, layout: Layout, reader: protobuf.Reader): void {
  const length = reader.uint32();
  const end = reader.pos + length;
  if (end > reader.len) throw new RangeError('a message is cut off');
  readInto(message, layout, reader, end);
}

/** The wire type of a field, and how it is read. */
function takeOf(field: protobuf.Field): [number, Take] {
  const { name, repeated, resolvedType } = field;
  if (field instanceof protobuf.MapField) return [LENGTH_DELIMITED, takeEntry(field)];
  if (resolvedType instanceof protobuf.Type) {
    const layout = layoutOf(resolvedType);
    return [LENGTH_DELIMITED, repeated ? takeListed(name, listedMessage(layout)) : takeMessage(name, layout)];
  }
  const [wire_type, read] = scalarOf(resolvedType instanceof protobuf.Enum ? 'int32' : field.type);
  if (!repeated) return [wire_type, (reader, message) => void (message[name] = read(reader))];
  if (wire_type !== LENGTH_DELIMITED)
    throw new Error(`\`${field.fullName}\` is a list of numbers, which nobody needed yet`);
  return [wire_type, takeListed(name, read)];
}

function takeMessage(name: string, layout: Layout): Take {
  return (reader, message) => {
    const inner = (message[name] ??= layout.create()) as Fields;
    readInner(inner, layout, reader);
  };
}

function listedMessage(layout: Layout): Read {
  return (reader) => {
    const message = layout.create();
    readInner(message, layout, reader);
    return message;
  };
}

function takeListed(name: string, read: Read): Take {
  return (reader, message) => {
    // An empty one is the default, which all messages share.
    if ((message[name] as unknown[]).length === 0) message[name] = [];
    (message[name] as unknown[]).push(read(reader));
  };
}

/** A map is a list of messages with a key and a value; of equal keys the last counts. */
function takeEntry({ name, keyType, type }: protobuf.MapField): Take {
  const entry = new protobuf.Type(`${name}Entry`)
    .add(new protobuf.Field('key', 1, keyType))
    .add(new protobuf.Field('value', 2, type));
  const read = listedMessage(layoutOf(entry));
  return (reader, message) => {
    const { key, value } = read(reader) as { key: string; value: unknown };
    if (!Object.hasOwn(message, name)) message[name] = {};
    const map = message[name] as Fields;
    // To assign it would do something else.
    if (key === '__proto__') Object.defineProperty(map, key, { value, enumerable: true });
    else map[key] = value;
  };
}

function scalarOf(type: string): [number, Read] {
  const wire_type = (protobuf.types.basic as Readonly<Record<string, number>>)[type];
  if (wire_type === undefined) throw new Error(`\`${type}\` is no scalar type`);
  return [wire_type, (reader) => (reader as unknown as Record<string, () => unknown>)[type]!()];
}
