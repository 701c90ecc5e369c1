/**
 * A setting that goes from stopping to letting through: `validationFailureAction: Enforce` → `Audit`, `failurePolicy: Fail` → `Ignore`,
 * `severity: page` → `none`.
 */
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { setOf } from '../../ontology/words.ts';
import type { Changed } from './added-lines.ts';

const modes = perOntology((ontology) => ({
  strict: setOf(ontology, 'strict_modes'),
  lax: setOf(ontology, 'lax_modes'),
}));

/** `key: value`, `key = "value"`, also several in one line: `labels: { severity: page }`. */
const SETTING = /([\w.-]{2,64})["']?\s{0,4}[:=]\s{0,4}["']?([A-Za-z][\w-]{1,24})["']?(?=\s{0,4}(?:[,}\]);#]|$))/g;
const MAX_SETTINGS = 200;

function settingsIn(lines: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of lines) {
    for (const [, key, value] of line.matchAll(SETTING)) found.set(key!.toLowerCase(), value!.toLowerCase());
    if (found.size > MAX_SETTINGS) break;
  }
  return found;
}

/** The added line that makes such a setting lax, `undefined` if none does. */
export function laxerMode({ added, gone }: Changed, ontology: Ontology): string | undefined {
  if (added.length === 0 || gone.length === 0) return undefined;
  const { strict, lax } = modes(ontology);
  const before = settingsIn(gone);
  return added.find((line) =>
    [...settingsIn([line])].some(([key, value]) => lax.has(value) && strict.has(before.get(key) ?? '')),
  );
}
