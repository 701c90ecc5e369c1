/** Results of tools in other representations: escaped, in an envelope, quoted, as HTML, with odd blanks, records in other forms. */
import { parseLax } from '../../../src/lang/lax-json.ts';
import { type Change, isObject, withToolTexts } from './change.ts';

const escaped = (text: string): string => JSON.stringify(text);

/** In every third word of eight letters and more, a zero width space before its middle. */
function withZeroWidth(text: string): string {
  let count = 0;
  return text.replaceAll(/\p{L}{8,40}/gu, (word) => {
    count += 1;
    const middle = Math.floor(word.length / 2);
    return count % 3 === 0 ? `${word.slice(0, middle)}\u200b${word.slice(middle)}` : word;
  });
}

const asHtml = (text: string): string =>
  `<html><body><div class="content"><p>${text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\n', '<br/>\n')}</p></div></body></html>`;

const TEXTS: readonly [name: string, about: string, change: (text: string) => string][] = [
  ['result_escaped', 'tool results are escaped once more, as a string in JSON', escaped],
  ['result_escaped_twice', 'tool results are escaped twice more', (text) => escaped(escaped(text))],
  [
    'result_in_envelope',
    'tool results stand in a JSON envelope',
    (text) => JSON.stringify({ status: 'ok', result: text }),
  ],
  [
    'result_as_content_blocks',
    'tool results come as content blocks of MCP',
    (text) => JSON.stringify({ content: [{ type: 'text', text }], isError: false }),
  ],
  ['result_quoted', 'each line of a tool result is quoted', (text) => text.replaceAll(/^/gm, '> ')],
  ['result_as_html', 'tool results are the text of an HTML page', asHtml],
  ['result_with_zero_width', 'zero width characters in words of tool results', withZeroWidth],
  [
    'result_with_more_blanks',
    'two blanks for one, other line ends, and no-break spaces after commas in tool results',
    (text) =>
      text
        .replaceAll(', ', ',\u00a0')
        .replaceAll(/(?<=\S) (?=\S)/g, '  ')
        .replaceAll('\n', '\r\n'),
  ],
];

/** The rows of a list of flat records with the same fields, whose values stand in one line each; `null` for any other text. */
function rowsOf(text: string): readonly Record<string, string>[] | null {
  const value = /^\s*\[/.test(text) ? parseLax(text) : undefined;
  if (!Array.isArray(value) || value.length < 2) return null;
  const rows: Record<string, string>[] = [];
  for (const one of value) {
    if (!isObject(one)) return null;
    const cells = Object.entries(one).map(([key, cell]): [string, string] | null =>
      typeof cell === 'object' || /[\n|<>&:]/.test(String(cell)) ? null : [key, String(cell)],
    );
    if (cells.length < 2 || cells.includes(null)) return null;
    rows.push(Object.fromEntries(cells as [string, string][]));
  }
  const kinds = new Set(rows.map((row) => Object.keys(row).join()));
  return kinds.size === 1 ? rows : null;
}

const inRows =
  (write: (rows: readonly Record<string, string>[], keys: readonly string[]) => string) =>
  (text: string): string => {
    const rows = rowsOf(text);
    return rows === null ? text : write(rows, Object.keys(rows[0]!));
  };

const FORMS: typeof TEXTS = [
  [
    'records_in_lines',
    'a list of records has an object of JSON in each line',
    inRows((rows) => rows.map((row) => JSON.stringify(row)).join('\n')),
  ],
  [
    'records_as_table',
    'a list of records is a table of Markdown',
    inRows((rows, keys) =>
      [keys, keys.map(() => '---'), ...rows.map((row) => keys.map((key) => row[key]!))]
        .map((cells) => `| ${cells.join(' | ')} |`)
        .join('\n'),
    ),
  ],
  [
    'records_as_yaml',
    'a list of records is a list of YAML',
    inRows((rows, keys) =>
      rows.map((row) => keys.map((key, i) => `${i === 0 ? '-' : ' '} ${key}: ${row[key]!}`).join('\n')).join('\n'),
    ),
  ],
];

export const TOOL_TEXTS: readonly Change[] = [...TEXTS, ...FORMS].map(([name, about, change]) => ({
  name,
  about,
  keeps: 'verdict',
  apply: (event) => withToolTexts(event, (text) => (text.trim() === '' ? text : change(text))),
}));
