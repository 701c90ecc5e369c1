/** A report as Markdown and as an HTML page that needs nothing else. */

import type { Report, ReportGroup } from '../engine/report.ts';
import { capitalised, counted } from '../lang/english.ts';
import { markdownTable } from '../platform/terminal/table.ts';

/** A part of the page: a heading, paragraphs, tables. */
type Block =
  | { kind: 'heading'; level: 1 | 2; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'table'; head: string[]; rows: string[][]; right: number[] }
  | { kind: 'code'; text: string };

const names = (list: readonly string[]): string => (list.length === 0 ? '–' : list.join(', '));

function blocksOf(report: Report): Block[] {
  const { levels, total, would_have_held, held, groups, looked_at } = report;
  const alarms = groups.filter(({ false_alarm }) => false_alarm !== null);
  const flagged = groups.reduce((sum, { events }) => sum + events, 0);
  const share = (count: number): string => (total === 0 ? '–' : `${((100 * count) / total).toFixed(1)} %`);
  return [
    { kind: 'heading', level: 1, text: `Weir report, ${report.from.slice(0, 10)} to ${report.to.slice(0, 10)}` },
    {
      kind: 'text',
      text: `Customer ${report.customer_id}: ${counted(total, 'event')} scored, of which ${would_have_held} would have been held but ${would_have_held === 1 ? 'was' : 'were'} only observed, and ${Object.values(held).reduce((sum, one) => sum + one, 0)} held.`,
    },
    { kind: 'heading', level: 2, text: 'What was seen' },
    {
      kind: 'table',
      head: ['level', 'events', 'share'],
      right: [1, 2],
      rows: levels.map(({ level, count }) => [level, String(count), share(count)]),
    },
    {
      kind: 'table',
      head: ['hold', 'events'],
      right: [1],
      rows: [
        ['would have been held', String(would_have_held)],
        ...Object.entries(held).map(([state, count]) => [state, String(count)]),
      ],
    },
    { kind: 'heading', level: 2, text: 'What was held or would have been, and why' },
    ...(groups.length === 0
      ? [{ kind: 'text' as const, text: 'Nothing.' }]
      : [
          ...(looked_at < would_have_held
            ? [{ kind: 'text' as const, text: `The newest ${counted(looked_at, 'event')}.` }]
            : []),
          {
            kind: 'table' as const,
            head: ['events', 'score', 'action', 'reason', 'rule', 'agents', 'users', 'approved', 'rejected', 'example'],
            right: [0, 1, 7, 8],
            rows: groups.map(rowOf),
          },
        ]),
    { kind: 'heading', level: 2, text: 'Candidates for false alarms' },
    ...(alarms.length === 0
      ? [
          {
            kind: 'text' as const,
            text: flagged === 0 ? 'None: nothing was held.' : 'None: no group was approved or is routine.',
          },
        ]
      : alarms.flatMap(alarmOf)),
    { kind: 'heading', level: 2, text: 'The smallest change of the policy for each group' },
    {
      kind: 'text',
      text: 'Each change was tried: the newest events of the group were scored again under the changed policy. A change also lets through what an attacker does under the same name; it is a proposal, not advice.',
    },
    {
      kind: 'table',
      head: ['events', 'action', 'rule', 'change', 'score before', 'after'],
      right: [0, 4, 5],
      rows: groups.map(({ events, action, rule, change }) => [
        String(events),
        action,
        rule,
        change?.text ?? 'none of the changes that were tried is enough',
        change === null ? '' : String(change.before),
        change === null ? '' : String(change.after),
      ]),
    },
  ];
}

const rowOf = (group: ReportGroup): string[] => [
  String(group.events),
  String(group.highest_score),
  group.action,
  group.reason,
  group.rule,
  names(group.agents),
  names(group.users),
  String(group.approved),
  String(group.rejected),
  group.example,
];

function alarmOf({ action, reason, false_alarm, events, change }: ReportGroup): Block[] {
  const text = `${action} (${counted(events, 'event')}): ${reason} ${capitalised(false_alarm!)}.`;
  if (change === null || Object.keys(change.policy).length === 0) return [{ kind: 'text', text }];
  return [
    { kind: 'text', text: `${text} To let it pass, ${change.text}: merge this into the policy.` },
    { kind: 'code', text: JSON.stringify(change.policy, null, 2) },
  ];
}

export function reportMarkdown(report: Report): string {
  return `${blocksOf(report).map(markdownOf).join('\n\n')}\n`;
}

function markdownOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${block.text}`;
    case 'text':
      return plain(block.text);
    case 'code':
      return `\`\`\`json\n${block.text}\n\`\`\``;
    case 'table':
      return markdownTable(
        block.head,
        block.rows.map((row) => row.map(plain)),
        { right: block.right },
      );
  }
}

/** Text of an agent may hold anything: neither control characters nor HTML may reach a reader. */
const plain = (text: string): string => text.replaceAll(/\p{C}+/gu, ' ').replaceAll('<', '&lt;');

export function reportHtml(report: Report): string {
  const body = blocksOf(report).map(htmlOf);
  const title = `Weir report ${report.from.slice(0, 10)} to ${report.to.slice(0, 10)}`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width"><title>${html(title)}</title><style>${STYLE}</style></head>
<body>
${body.join('\n')}
</body></html>
`;
}

function htmlOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `<h${block.level}>${html(block.text)}</h${block.level}>`;
    case 'text':
      return `<p>${html(block.text)}</p>`;
    case 'code':
      return `<pre>${html(block.text)}</pre>`;
    case 'table': {
      const cell = (tag: string) => (text: string, column: number) =>
        `<${tag}${block.right.includes(column) ? ' class="n"' : ''}>${html(text)}</${tag}>`;
      const rows = block.rows.map((row) => `<tr>${row.map(cell('td')).join('')}</tr>`).join('\n');
      return `<table>\n<thead><tr>${block.head.map(cell('th')).join('')}</tr></thead>\n<tbody>\n${rows}\n</tbody></table>`;
    }
  }
}

const STYLE =
  'body{font:15px/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}table{border-collapse:collapse;width:100%;margin:1rem 0}th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid #ccc;overflow-wrap:anywhere}.n{text-align:right}pre{background:#f3f3f3;padding:.6rem;overflow:auto}';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const html = (text: string): string =>
  text
    .replaceAll(/\p{Cc}+/gu, (found) => (found === '\n' ? found : ' '))
    .replaceAll(/[&<>"']/g, (one) => ENTITIES[one]!);
