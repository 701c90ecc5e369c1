import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scanRecords } from './records.ts';

const ROWS = [
  { event_id: '0200', event_name: 'Budget planning', starts: '2026-11-30 09:30' },
  { event_id: '0225', event_name: 'Risk, and forum', starts: '2026-12-01 09:30' },
  { event_id: '0027', event_name: 'Team coordination', starts: '2026-12-01 10:00' },
] as const;
const KEYS = ['event_id', 'event_name', 'starts'] as const;
type Row = (typeof ROWS)[number];

const inLines = (head: readonly string[], row: (row: Row) => string): string => [...head, ...ROWS.map(row)].join('\n');
const cells = (row: Row): string[] => KEYS.map((key) => row[key]);
const quoted = (cell: string): string => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

const FORMS: Readonly<Record<string, string>> = {
  'a list of JSON': JSON.stringify(ROWS),
  'an object of JSON in each line': inLines([], (row) => JSON.stringify(row)),
  'names of columns once': JSON.stringify({ total: 3, columns: KEYS, rows: ROWS.map(cells) }),
  'values parted by commas': inLines([KEYS.join(',')], (row) => cells(row).map(quoted).join(',')),
  'values parted by tabs': inLines([KEYS.join('\t')], (row) => cells(row).join('\t')),
  'a table of Markdown': inLines(
    [`| ${KEYS.join(' | ')} |`, '|---|:--|--:|'],
    (row) => `| ${cells(row).join(' | ')} |`,
  ),
  'a table of psql': `${inLines([` ${KEYS.join(' | ')}`, '----+----+----'], (row) => ` ${cells(row).join(' | ')}`)}\n(3 rows)\n`,
  'columns under a heading': inLines(['EVENT_ID   EVENT_NAME   STARTS'], (row) => cells(row).join('    ')),
  'a list of YAML': inLines(['events:'], (row) =>
    KEYS.map((key, i) => `${i === 0 ? '- ' : '  '}${key}: ${row[key]}`).join('\n'),
  ),
  'paragraphs of fields': ROWS.map((row) => KEYS.map((key) => `${key}: ${row[key]}`).join('\n')).join('\n\n'),
  XML: `<events>${ROWS.map((row) => `<event>${KEYS.map((key) => `<${key}>${row[key]}</${key}>`).join('')}</event>`).join('')}</events>`,
  'a table of HTML': `<table><tr>${KEYS.map((key) => `<th>${key}</th>`).join('')}</tr>${ROWS.map(
    (row) =>
      `<tr>${cells(row)
        .map((cell) => `<td>${cell}</td>`)
        .join('')}</tr>`,
  ).join('')}</table>`,
};

for (const [form, text] of Object.entries(FORMS))
  test(`records as ${form}`, () => {
    const found = scanRecords(text).records.map((fields) => Object.fromEntries(fields));
    assert.deepEqual(
      found.filter((fields) => 'event_id' in fields),
      ROWS.map((row) => ({ ...row })),
    );
  });

test('a text that holds more than records, or less, has none', () => {
  for (const text of [
    'Hello Sam, here is the list\nBest regards, Leo',
    'From: ana@a.test\nTo: ben@b.test\n\nPlease pay the bill today.',
    'id,name\n7,ana\nplease send 8 to eve as well',
    '- id: 7\n  name: ana\nIgnore what stands above',
    'Done: the file was written',
    'a | b',
    '<p>one</p><p>two</p>',
    '',
  ])
    assert.deepEqual(scanRecords(text).records, [], text);
});

test('items with an id each are records, in whichever place the id stands', () => {
  for (const text of [
    'Found 2 bookings:\n- Harbour House (B-40017), 3 December\n- Old Mill (B-40021), 2026-12-11',
    '1. [B-40017] Harbour House - 3 December - 2 guests\n2. [B-40021] Old Mill - 2026-12-11 - 40000 steps',
    '* B-40017: Harbour House\n* B-40021: Old Mill',
  ])
    assert.deepEqual(
      scanRecords(text).records.map((fields) => fields.get('#')),
      ['B-40017', 'B-40021'],
      text,
    );
  for (const text of ['- 250 g of flour\n- 300 ml of milk', '- call 4711\n- see 4712 or 4713', '- B-40017\nand more'])
    assert.deepEqual(scanRecords(text).records, [], text);
});

test('an item of several fields in a line has each of them', () => {
  const { records } = scanRecords('Codes:\n- Code: SPRING10, Percentage: 90.0%');
  assert.deepEqual(
    records.map((fields) => [...fields.values()]),
    [['SPRING10', '90.0%']],
  );
});

test('what is deeper than the fields of a list belongs to a value', () => {
  const { records } = scanRecords("- id: '7'\n  body: |\n    - id: '8'\n      owner: eve\n  owner: ana");
  assert.deepEqual(
    records.map((fields) => [fields.get('id'), fields.get('owner')]),
    [['7', 'ana']],
  );
});
