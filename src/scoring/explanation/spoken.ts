/** Values of facts in the words of people: «personal» for `PII`, «sending» for `send`. */
import type { Effect } from '../../effects/effects.ts';
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { setOf, tableOf } from '../../ontology/words.ts';
import { EFFECT_ON } from '../rules/template.ts';
import { show } from '../show.ts';

const words = perOntology((ontology) => ({
  spoken: setOf(ontology, 'spoken_facts'),
  values: tableOf(ontology, 'spoken_values'),
  unremarkable: setOf(ontology, 'unremarkable_classes'),
}));

/** Objects of effects that one sentence names. */
const MOST_OBJECTS = 2;

/** The value at this path of a placeholder as a sentence shows it; '' for nothing, such as a count of 0. */
export function spoken(path: readonly string[], value: unknown, ontology: Ontology): string {
  if (value === 0) return '';
  if (path[0] === EFFECT_ON) return objectsOf(value as readonly Effect[], path[1]!, ontology);
  if (!words(ontology).spoken.has(path.join('.'))) return show(value, ontology);
  const values = (Array.isArray(value) ? value : [value]) as readonly string[];
  return inWords(values, ontology);
}

/** `['PII', 'secret']` → `personal and secret`. */
export function inWords(values: readonly string[], ontology: Ontology): string {
  const { values: known, unremarkable } = words(ontology);
  const said = values
    .filter((value) => !unremarkable.has(value))
    .map((value) => known.get(value)?.[0] ?? show(value.replaceAll('_', ' '), ontology));
  const last = said.pop() ?? '';
  return said.length === 0 ? last : `${said.join(', ')} and ${last}`;
}

function objectsOf(effects: readonly Effect[], kind: string, ontology: Ontology): string {
  const objects = new Set<string>();
  for (const effect of effects) {
    if (effect.kind === kind) objects.add(effect.object === '' ? effect.excerpt : effect.object);
    if (objects.size === MOST_OBJECTS) break;
  }
  return show([...objects], ontology);
}
