/** Replayed sessions as a table. */
import { figures, oneDecimal, type Rendering, three } from '../rendering.ts';
import type { SessionRow } from './count-sessions.ts';

const HEAD = [
  '',
  'sessions',
  'longest',
  'benign steps',
  'held',
  'held per 1,000',
  'sessions disturbed',
  'harmful steps',
  'held',
  'share held',
  'attacked sessions stopped',
  'by memory: benign',
  'harmful',
];

export function renderSessions(rows: readonly SessionRow[], rendering: Rendering): string {
  const body = rows.map(({ source, sessions, longest, benign, harmful, disturbed, attacked, memory }) => [
    source,
    String(sessions),
    String(longest),
    String(benign.steps),
    String(benign.held),
    oneDecimal(benign.held_per_1000),
    `${disturbed.sessions} (${(100 * disturbed.share).toFixed(1)} %)`,
    String(harmful.steps),
    String(harmful.held),
    three(harmful.recall),
    attacked.sessions === 0 ? '–' : `${attacked.stopped} of ${attacked.sessions}`,
    change(memory.benign_added, memory.benign_released),
    change(memory.harmful_added, memory.harmful_released),
  ]);
  return [
    rendering.heading('Sessions, replayed step by step with the memories of agent and session'),
    figures(rendering, HEAD, body),
    NOTES,
  ].join('\n\n');
}

const NOTES = [
  'Held: the server would hold the step for a person. Disturbed: a session with at least one harmless step held.',
  'By memory: +steps held only because of what is remembered, −steps held only without it.',
].join('\n');

const change = (added: number, released: number): string =>
  added + released === 0 ? '0' : `${added > 0 ? `+${added}` : ''}${released > 0 ? ` −${released}` : ''}`.trim();
