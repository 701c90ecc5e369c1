/** The static shape of a value: its kind, and the shapes of its fields or elements. */
import type { NameDef, ValueType } from './vocabulary.ts';

export type Kind = 'bool' | 'number' | 'string' | 'list' | 'object' | 'dyn';

export interface Shape {
  kind: Kind;
  /** Of an object: its fields; undefined if any path below it may be read. */
  fields?: Readonly<Record<string, ValueType>>;
  /** Of a list: its elements. */
  item?: Shape;
}

export const DYN: Shape = { kind: 'dyn' };
const STRING: Shape = { kind: 'string' };

/** The shape of a name, or of a value of that type. */
export function shapeOf(def: Pick<NameDef, 'type' | 'fields' | 'is_open'>): Shape {
  const object: Shape =
    def.fields === undefined || def.is_open === true ? { kind: 'object' } : { kind: 'object', fields: def.fields };
  switch (def.type) {
    case 'int':
    case 'double':
      return { kind: 'number' };
    case 'list<string>':
      return { kind: 'list', item: STRING };
    case 'list<object>':
      return { kind: 'list', item: object };
    case 'object':
      return object;
    default:
      return { kind: def.type };
  }
}

/** The shape of a field. The type checker has verified that a field of a declared object exists. */
export function fieldShape(object: Shape, field: string): Shape {
  const type = object.fields !== undefined && Object.hasOwn(object.fields, field) ? object.fields[field] : undefined;
  return type === undefined ? DYN : shapeOf({ type });
}
