/** Values in queries to FalkorDB and in its answers. */

/** What a query may be given. Keys of maps are names. */
export type Given = string | number | boolean | null | readonly Given[] | { readonly [name: string]: Given };

/** What an answer holds; queries return no nodes and edges, only what is in them. */
export type Cell = string | number | boolean | null | Cell[];

const NAME = /^[a-z_]+$/;

/**
 * `CYPHER a=1 b="x" `, the form in which parameters come before a query. A text is quoted, so that nothing in it is read as a part
 * of the query; FalkorDB knows two escapes that matter there (https://docs.falkordb.com/cypher/known-limitations.html).
 */
export function writeParameters(given: Record<string, Given>): string {
  const names = Object.entries(given).map(([name, value]) => `${checked(name)}=${write(value)}`);
  return names.length === 0 ? '' : `CYPHER ${names.join(' ')} `;
}

function write(value: Given): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return `"${value.replace(/["\\]/g, '\\$&')}"`;
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new TypeError(`\`${value}\` is no whole number`);
    return String(value);
  }
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  const members = Object.entries(value as { [name: string]: Given });
  return `{${members.map(([name, one]) => `${checked(name)}:${write(one)}`).join(',')}}`;
}

function checked(name: string): string {
  if (!NAME.test(name)) throw new TypeError(`\`${name}\` is no name of a parameter`);
  return name;
}

/** Types of the compact form of answers (https://docs.falkordb.com/design/client-spec.html). */
const [NULL, STRING, INTEGER, BOOLEAN, DOUBLE, ARRAY] = [1, 2, 3, 4, 5, 6];

export function readCell([type, value]: [number, unknown]): Cell {
  if (type === NULL) return null;
  if (type === STRING) return String(value);
  // A sum of integers is a double.
  if (type === INTEGER || type === DOUBLE) return Number(value);
  if (type === BOOLEAN) return value === 'true';
  if (type === ARRAY) return (value as [number, unknown][]).map(readCell);
  throw new TypeError(`an answer of the graph has a value of the unknown type ${type}`);
}
