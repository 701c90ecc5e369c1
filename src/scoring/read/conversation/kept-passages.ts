/**
 * What follows from one text of a result alone. A session sends its earlier results again with each action, and several readers ask for the
 * same of one result, so it is kept for the next reader and for the next action.
 */
import { RecentTexts } from '../../../lang/remember.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import type { Passage } from './text.ts';

/** Longer results (characters) are read anew with each action. */
const LONGEST = 16_384;
/** Some thousand results of the usual length, or 64 of the longest. */
const MOST = 64 * LONGEST;

/** Readings of a text by slot. */
const kept = perOntology(() => new RecentTexts<unknown[]>(MOST, LONGEST));

let slots = 0;

/**
 * `make`, computed once for each text of a result, whatever else the event holds. Nothing but the text and the ontology may decide what it
 * returns, and nobody may change it: the next actions of the session share it.
 */
export function perPassage<T extends NonNullable<unknown> | null>(
  make: (said: string, ontology: Ontology) => T,
): (passage: Passage, ontology: Ontology) => T {
  const slot = slots;
  slots += 1;
  return (passage, ontology) => {
    const readings = (passage.readings ??= kept(ontology).get(passage.text, () => []));
    const known = readings[slot];
    if (known !== undefined) return known as T;
    const made = make(passage.text, ontology);
    readings[slot] = made;
    return made;
  };
}
