/** «Our auditor needs to read the folder»: access of somebody else is asked for, although the verb is one for looking. */
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { anyOf } from '../../../../ontology/words.ts';
import type { TextReading } from '../../conversation/text.ts';
import { foldedUserWords } from '../../conversation/user-words.ts';

const needs = perOntology((ontology) => anyOf(ontology, 'needs_of_others'));
const open = perOntology((ontology) => anyOf(ontology, 'public_wishes'));

const LONGEST = 8_192;

/** Whether the user's words say that somebody else is to see, read or use something. */
export const asksAccessForOthers = (ontology: Ontology, text: TextReading): boolean =>
  needs(ontology).test(foldedUserWords(text).slice(0, LONGEST));

/** Whether the user's words speak of publishing, of everybody or of a link. */
export const speaksOfPublic = (ontology: Ontology, text: TextReading): boolean =>
  open(ontology).test(foldedUserWords(text).slice(0, LONGEST));
