/** Longer names are compared by their beginning. */
const MAX_NAME = 80;

/** “; did you mean `x`?” for the nearest of the known names, or nothing when none is near. */
export function suggest(name: string, known: Iterable<string>): string {
  let best = '';
  let best_distance = Math.min(3, Math.ceil(name.length / 3) + 1);
  for (const candidate of known) {
    const distance = editDistance(name.slice(0, MAX_NAME).toLowerCase(), candidate.toLowerCase());
    if (distance < best_distance) [best, best_distance] = [candidate, distance];
  }
  return best === '' ? '' : `; did you mean \`${best}\`?`;
}

/** Insertions, deletions and substitutions that turn one word into the other (Levenshtein). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, substituted));
    }
    row = next;
  }
  return row[b.length]!;
}
