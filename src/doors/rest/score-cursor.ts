/** A cursor of a list: the order and the place of the record that it continues behind. Opaque to clients. */
import { parseTimestamp } from '../../lang/timestamp.ts';
import type { ScoreOrder, ScorePosition } from '../../storage/ports/storage.ts';

export const scoreOrders = ['newest', 'oldest', 'risk'] as const satisfies readonly ScoreOrder[];

export interface Cursor {
  order: ScoreOrder;
  after: ScorePosition;
}

export function formatCursor({ order, after: { score, scored_at, event_id } }: Cursor): string {
  return Buffer.from(JSON.stringify([order, score, scored_at, event_id])).toString('base64url');
}

/** Null for a text that no answer contained. */
export function parseCursor(text: string): Cursor | null {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return null;
  }
  if (!Array.isArray(parts) || parts.length !== 4) return null;
  const [order, score, scored_at, event_id] = parts as unknown[];
  const known = scoreOrders.find((one) => one === order);
  const is_score = Number.isInteger(score) && (score as number) >= 0 && (score as number) <= 100;
  const is_time = typeof scored_at === 'string' && scored_at.endsWith('Z') && parseTimestamp(scored_at) !== null;
  if (known === undefined || !is_score || !is_time || typeof event_id !== 'string' || event_id.includes('\0'))
    return null;
  return { order: known, after: { score: score as number, scored_at: scored_at as string, event_id } };
}
