/** Names in an order that does not depend on how an event lists them. */

/** Up to here names are put in their place one by one; a set and a sort of few cost several times as much. */
const FEW = 24;

/** Each name once, in order of code units. */
export function inOrder(names: readonly string[]): string[] {
  if (names.length > FEW) return [...new Set(names)].sort();
  const ordered: string[] = [];
  for (const name of names) {
    let at = ordered.length;
    while (at > 0 && ordered[at - 1]! > name) at--;
    if (at > 0 && ordered[at - 1] === name) continue;
    ordered.push(name);
    for (let i = ordered.length - 1; i > at; i--) ordered[i] = ordered[i - 1]!;
    ordered[at] = name;
  }
  return ordered;
}
