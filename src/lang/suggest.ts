import { distance } from 'fastest-levenshtein';

/** Longer names are compared by their beginning (characters). */
const MAX_NAME = 80;

/** “; did you mean `x`?” for the known name with the least edit distance, or nothing if no name is near. */
export function suggest(name: string, known: Iterable<string>): string {
  const given = name.slice(0, MAX_NAME).toLowerCase();
  let best = '';
  let best_distance = Math.min(3, Math.ceil(name.length / 3) + 1);
  for (const candidate of known) {
    const edits = distance(given, candidate.toLowerCase());
    if (edits < best_distance) [best, best_distance] = [candidate, edits];
  }
  return best === '' ? '' : `; did you mean \`${best}\`?`;
}

/** The known name within `most` edits of this one, the first of several; undefined if there is none. */
export function nearName(name: string, known: Iterable<string>, most: number): string | undefined {
  if (name.length > MAX_NAME) return undefined;
  const given = name.toLowerCase();
  for (const candidate of known) if (distance(given, candidate.toLowerCase()) <= most) return candidate;
  return undefined;
}
