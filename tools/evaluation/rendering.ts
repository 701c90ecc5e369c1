/** How figures are shown: in a terminal, or as Markdown for the documentation. */
import { markdownTable, textTable } from '../../src/platform/terminal/table.ts';

/** What does not exist is shown as a dash, never as a number. */
export const ABSENT = '–';

export interface Rendering {
  table: typeof textTable;
  heading: (text: string) => string;
  /** A value with its interval below it is easier to compare in a terminal; Markdown has one line a row. */
  is_stacked: boolean;
}

export const TERMINAL: Rendering = { table: textTable, heading: (text) => text, is_stacked: true };
export const MARKDOWN: Rendering = { table: markdownTable, heading: (text) => `### ${text}`, is_stacked: false };

/** Three decimals. */
export const three = (value: number | null): string => (value === null ? ABSENT : value.toFixed(3));
/** One decimal. */
export const oneDecimal = (value: number | null): string => (value === null ? ABSENT : value.toFixed(1));

/** The table with every column but the first one aligned right. */
export const figures = ({ table }: Rendering, head: readonly string[], rows: readonly (readonly string[])[]): string =>
  table(head, rows, { right: head.map((_, c) => c).slice(1) });
