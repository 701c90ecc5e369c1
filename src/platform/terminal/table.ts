/**
 * Text tables for a terminal and for Markdown.
 *
 * No library is used: `cli-table3` draws a rule under every row or none, `table` brings four dependencies, and `text-table`
 * draws no rule.
 */

/** Width in columns of a terminal. Our tables contain only characters of width one. */
const width = (text: string): number => [...text].length;

export interface TableOptions {
  /** Columns that are aligned right; default: none. */
  right?: readonly number[];
}

/** Aligned columns, two spaces between them, a rule under the head. */
export function textTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  options: TableOptions = {},
): string {
  const widths = head.map((title, c) => Math.max(width(title), ...rows.map((row) => width(row[c] ?? ''))));
  const isRight = (c: number): boolean => options.right?.includes(c) ?? false;
  const line = (cells: readonly string[]): string =>
    widths
      .map((columns, c) => {
        const cell = cells[c] ?? '';
        const blanks = ' '.repeat(columns - width(cell));
        return isRight(c) ? blanks + cell : cell + blanks;
      })
      .join('  ')
      .trimEnd();
  return [line(head), widths.map((columns) => '─'.repeat(columns)).join('  '), ...rows.map(line)].join('\n');
}

const escapeCell = (cell: string): string => cell.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** A Markdown table; numbers are aligned right. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  options: TableOptions = {},
): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeCell).join(' | ')} |`;
  const rule = head.map((_, c) => (options.right?.includes(c) ? '--:' : ':--'));
  return [line(head), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n');
}
