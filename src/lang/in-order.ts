/** Names each once, and in an order that does not depend on how an event lists them. */

/** Up to here names are put in their place one by one; a set and a sort of few cost several times as much. */
const FEW = 24;

/** Each name once, in order of code units. */
export function inOrder(names: readonly string[]): string[] {
  if (names.length > FEW) return [...new Set(names)].sort();
  // In a copy, which has the right size from the start.
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

/** Each text once, in the order in which they come. */
export function distinct(texts: readonly string[]): string[] {
  if (texts.length > FEW) return [...new Set(texts)];
  const once = texts.slice();
  let count = 0;
  for (const text of texts) if (once.indexOf(text) >= count) once[count++] = text;
  if (count < once.length) once.length = count;
  return once;
}
