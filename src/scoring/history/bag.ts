/** A bounded set of names with the time when each was first seen. The name not seen for longest is dropped first (LRU). */

/** `first` and `last` count the owner's actions, `first_at` is in milliseconds since 1970. */
export type BagEntry = [name: string, first: number, first_at: number, last: number];

export interface Bag {
  entries: BagEntry[];
  /** 0-1, how often what came lately was new: an exponential mean, 1 for an empty bag. */
  novelty: number;
}

/** Weight of the newest observation in `novelty`: about the last ten count. */
const NOVELTY_WEIGHT = 0.1;
/** The habits of an agent are known after this many actions: anything that it never did by then is new. */
export const LEAST_WAYS = 20;

export const emptyBag = (): Bag => ({ entries: [], novelty: 1 });

export function entryOf(bag: Bag, name: string): BagEntry | undefined {
  // A plain loop: this is asked for each name of each event, of bags whose names are all different.
  for (const entry of bag.entries) if (entry[0] === name) return entry;
  return undefined;
}

/** Puts names into the bag, as met together by the owner's action number `n`. Changes the bag. */
export function meet(bag: Bag, names: readonly string[], n: number, at: number, max: number): void {
  if (names.length === 0) return;
  if (bag.entries.length === 0 && n > LEAST_WAYS) bag.novelty = 0;
  let is_new = false;
  for (const name of names) {
    const known = entryOf(bag, name);
    if (known !== undefined) {
      known[3] = n;
      continue;
    }
    is_new = true;
    if (bag.entries.length >= max) dropOldest(bag);
    bag.entries.push([name, n, at, n]);
  }
  const novelty = bag.novelty + NOVELTY_WEIGHT * ((is_new ? 1 : 0) - bag.novelty);
  // Three digits are enough, and keep the stored text short.
  bag.novelty = Math.round(novelty * 1000) / 1000;
}

function dropOldest(bag: Bag): void {
  let oldest = 0;
  for (let i = 1; i < bag.entries.length; i++) if (bag.entries[i]![3] < bag.entries[oldest]![3]) oldest = i;
  bag.entries.splice(oldest, 1);
}
