/** Keys of nodes: of fixed size, whatever a caller names. */
import { hash } from 'node:crypto';
import type { NodeRef } from './ports/activity.ts';

/** As a UUID: the first 128 bits of a SHA-256. A type never runs into a name, because its length is part of what is hashed. */
export function nodeKey({ kind, type, name }: NodeRef): string {
  const hex = hash('sha256', `${kind} ${type.length} ${type} ${name}`, 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
