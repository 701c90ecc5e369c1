/** Results of tools in other representations: escaped, in an envelope, quoted, as HTML, with odd blanks. */
import { type Change, withToolTexts } from './change.ts';

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

export const TOOL_TEXTS: readonly Change[] = TEXTS.map(([name, about, change]) => ({
  name,
  about,
  keeps: 'verdict',
  apply: (event) => withToolTexts(event, (text) => (text.trim() === '' ? text : change(text))),
}));
