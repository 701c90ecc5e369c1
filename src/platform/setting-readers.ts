/** How the text of an environment variable becomes a value. */
import { isApiKeyShaped, parseUuid } from './ids.ts';

export interface Reader<T> {
  /** The value, `undefined` when the text is not valid. */
  read: (text: string) => T | undefined;
  /** What to write, for the error message. */
  expects: string;
}

function text(max_length: number, pattern?: RegExp): Reader<string> {
  const shape = pattern === undefined ? '' : ` that matches ${pattern.source}`;
  return {
    read: (value) => (value.length <= max_length && (pattern?.test(value) ?? true) ? value : undefined),
    expects: `a text of at most ${max_length} characters${shape}`,
  };
}

function integer(minimum: number, maximum: number): Reader<number> {
  return {
    read: (value) => {
      const number = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
      return number >= minimum && number <= maximum ? number : undefined;
    },
    expects: `a whole number from ${minimum} to ${maximum}`,
  };
}

/** Decimal digits with at most six after the point, so that what is written is what is meant. */
function decimal(minimum: number, maximum: number): Reader<number> {
  return {
    read: (value) => {
      const number = /^\d{1,9}(?:\.\d{1,6})?$/.test(value) ? Number(value) : Number.NaN;
      return number >= minimum && number <= maximum ? number : undefined;
    },
    expects: `a number from ${minimum} to ${maximum}`,
  };
}

function url(...schemes: string[]): Reader<string> {
  return {
    read: (value) => (schemes.includes(URL.parse(value)?.protocol.slice(0, -1) ?? '') ? value : undefined),
    expects: `a URL that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}, in whose name and password \`/\`, \`?\` and \`#\` are \`%2F\`, \`%3F\` and \`%23\``,
  };
}

function choice<const T extends string>(...values: T[]): Reader<T> {
  return {
    read: (value) => values.find((one) => one === value.toLowerCase()),
    expects: `one of ${values.join(', ')}`,
  };
}

const FLAGS: Record<string, boolean> = { true: true, '1': true, yes: true, false: false, '0': false, no: false };

const flag: Reader<boolean> = {
  read: (value) => (Object.hasOwn(FLAGS, value.toLowerCase()) ? FLAGS[value.toLowerCase()] : undefined),
  expects: 'true or false',
};

const uuid: Reader<string> = {
  read: (value) => parseUuid(value) ?? undefined,
  expects: 'a UUID',
};

const apiKey: Reader<string> = {
  read: (value) => (isApiKeyShaped(value, 'weir') ? value : undefined),
  expects:
    'a key of 16 to 256 printable ASCII characters without spaces, commas and quotes, complete if it is one of ours',
};

export const readers = { text, integer, decimal, port: integer(0, 65_535), url, choice, flag, uuid, apiKey };
