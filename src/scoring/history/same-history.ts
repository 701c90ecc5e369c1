import type { History } from '../types.ts';

/** Whether two histories are equal. Several times cheaper than comparing both as JSON. */
export function isSameHistory(one: History | null, other: History | null): boolean {
  if (one === null || other === null) return one === other;
  for (const name in one) if (!isSame(one[name as keyof History], other[name as keyof History])) return false;
  return true;
}

function isSame(one: History[keyof History], other: History[keyof History]): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i += 1) if (one[i] !== other[i]) return false;
  return true;
}
