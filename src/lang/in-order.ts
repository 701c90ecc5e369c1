/** Removing duplicates from short lists of names, and sorting them, so that the order in an event does not matter. */

/** Up to this length insertion sort is used; for short lists a set and a sort cost several times as much. */
const FEW = 24;

/** Distinct names, sorted by code units. */
export function inOrder(names: readonly string[]): string[] {
  if (names.length > FEW) return [...new Set(names)].sort();
  // A copy, which has the right size from the start.
  const ordered = names.slice();
  let count = 0;
  for (const name of names) {
    let at = count;
    while (at > 0 && ordered[at - 1]! > name) at--;
    if (at > 0 && ordered[at - 1] === name) continue;
    for (let i = count; i > at; i--) ordered[i] = ordered[i - 1]!;
    ordered[at] = name;
    count += 1;
  }
  if (count < ordered.length) ordered.length = count;
  return ordered;
}

/** Distinct texts in their original order. */
export function distinct(texts: readonly string[]): string[] {
  if (texts.length > FEW) return [...new Set(texts)];
  const once = texts.slice();
  let count = 0;
  for (const text of texts) if (once.indexOf(text) >= count) once[count++] = text;
  if (count < once.length) once.length = count;
  return once;
}
