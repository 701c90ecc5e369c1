/**
 * The hash chain of the audit log, computed a second time: what the database wrote (migration `audit-chain`) is checked
 * by other code, on the texts as they are stored.
 */
import { hash } from 'node:crypto';
import type { AuditStore, ChainedEntry } from '../storage/ports/auth.ts';

/** A place up to which a chain was seen before, for instance by an export. */
export interface Anchor {
  seq: number;
  hash: string;
}

/** One thing wrong with a chain. `seq`: of the entry. */
export interface Fault {
  seq: number;
  problem: string;
}

export interface Verified {
  /** Null: the chain of entries that belong to no customer. */
  customer_id: string | null;
  entries: number;
  /** The last entry, to be kept elsewhere; null for a chain without entries. */
  head: Anchor | null;
  faults: Fault[];
}

/** Entries of one read. */
const AT_ONCE = 1_000;
/** Faults that are listed. */
const MOST_FAULTS = 100;

/** Reads a whole chain. `anchors`: entries that must be there with these hashes. */
export async function verifyChain(
  store: Pick<AuditStore, 'chain' | 'chains'>,
  customer_id: string | null,
  anchors: readonly Anchor[] = [],
): Promise<Verified> {
  const faults: Fault[] = [];
  const fault = (seq: number, problem: string): void => {
    if (faults.length < MOST_FAULTS) faults.push({ seq, problem });
  };
  const wanted = new Map(anchors.map((anchor) => [anchor.seq, anchor.hash]));
  // Read first: entries that come meanwhile are behind it.
  const expected = (await store.chains()).find((one) => one.customer_id === customer_id) ?? null;
  let head: Anchor | null = null;
  let entries = 0;
  for (;;) {
    const page: ChainedEntry[] = await store.chain(customer_id, head?.seq ?? 0, AT_ONCE);
    for (const entry of page) {
      const place: number = (head?.seq ?? 0) + 1;
      if (entry.seq !== place) fault(entry.seq, `entries ${place} to ${entry.seq - 1} are missing`);
      if (entry.hash !== entryHash(head?.hash ?? '', entry))
        fault(
          entry.seq,
          entry.seq === place ? 'it was changed, or moved from another place' : 'its predecessor is missing',
        );
      const anchor = wanted.get(entry.seq);
      if (anchor !== undefined && anchor !== entry.hash) fault(entry.seq, `its hash is not the expected \`${anchor}\``);
      wanted.delete(entry.seq);
      if (expected?.seq === entry.seq && expected.hash !== entry.hash)
        fault(entry.seq, 'it is not the entry that was written last');
      head = { seq: entry.seq, hash: entry.hash };
      entries += 1;
    }
    if (page.length < AT_ONCE) break;
  }
  if (expected !== null && (head?.seq ?? 0) < expected.seq)
    fault(expected.seq, `entries ${(head?.seq ?? 0) + 1} to ${expected.seq} are missing at the end`);
  if (expected === null && head !== null) fault(head.seq, 'the record of the last entry is missing');
  for (const seq of wanted.keys()) fault(seq, 'the expected entry is missing');
  return { customer_id, entries, head, faults };
}

/** SHA-256 hex of the previous hash and all columns, each with its length in bytes. */
export function entryHash(
  previous: string,
  { seq, at, customer_id, action, actor, request_id, subject, details_text }: ChainedEntry,
): string {
  const fields = [previous, String(seq), at, customer_id, action, actor, request_id, subject, details_text];
  return hash('sha256', fields.map(field).join(''), 'hex');
}

const field = (text: string | null): string => (text === null ? '-' : `${Buffer.byteLength(text)}:${text}`);
