/** XML as the JSON that would say the same, so that what stands in an element is read like any other parameter. */
import sax from 'sax';
import type { Json, JsonObject } from './json.ts';

/** A longer text is a document, and no call. */
const LONGEST = 262_144;
const MAX_DEPTH = 32;
const LOOKS_LIKE_XML = /^\s{0,64}<(?:\?xml\b|[A-Za-z_][\w.:-]{0,127}[\s/>])/;

const REFUSED = Symbol('no XML');

interface Open {
  readonly name: string;
  readonly fields: Record<string, Json[]>;
  text: string;
}

/**
 * The elements of a text that is XML throughout: `<Channel type="SFTP"><Host>a</Host></Channel>` is
 * `{ Channel: { type: 'SFTP', Host: 'a' } }`. Prefixes of namespaces are dropped, elements of one name become a list, and text beside
 * elements stands under `#text`.
 *
 * @returns undefined where the text is not well-formed XML, has a document type, or is nested deeper than 32 elements
 */
export function elementsOf(text: string): JsonObject | undefined {
  if (text.length > LONGEST || !LOOKS_LIKE_XML.test(text)) return undefined;
  const parser = sax.parser(true, { trim: true });
  const root: Open = { name: '', fields: Object.create(null), text: '' };
  const open: Open[] = [root];
  // The parser would go on behind the first mistake, and tell each further one at the price of a stack trace.
  const refuse = (): never => {
    throw REFUSED;
  };
  parser.onerror = refuse;
  parser.ondoctype = refuse;
  parser.onopentag = ({ name, attributes }): void => {
    if (open.length > MAX_DEPTH) refuse();
    const element: Open = { name: localName(name), fields: Object.create(null), text: '' };
    for (const [key, value] of Object.entries(attributes))
      if (!/^xmlns(?::|$)/.test(key)) put(element, localName(key), String(value));
    open.push(element);
  };
  const say = (said: string): void => {
    open.at(-1)!.text += said;
  };
  parser.ontext = say;
  parser.oncdata = say;
  parser.onclosetag = (): void => {
    const element = open.length > 1 ? open.pop() : undefined;
    if (element !== undefined) put(open.at(-1)!, element.name, jsonOf(element));
  };
  try {
    parser.write(text).close();
  } catch (error) {
    if (error !== REFUSED) throw error;
    return undefined;
  }
  return open.length > 1 ? undefined : (fieldsOf(root) as JsonObject);
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

function put({ fields }: Open, name: string, value: Json): void {
  (fields[name] ??= []).push(value);
}

function jsonOf(element: Open): Json {
  if (Object.keys(element.fields).length === 0) return element.text;
  if (element.text !== '') put(element, '#text', element.text);
  return fieldsOf(element);
}

/** Own properties alone: an element may be called `__proto__`. */
const fieldsOf = ({ fields }: Open): Json =>
  Object.fromEntries(Object.entries(fields).map(([name, values]) => [name, values.length === 1 ? values[0]! : values]));
