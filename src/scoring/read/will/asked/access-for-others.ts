/** «Our auditor needs to read the folder»: access of somebody else is asked for, although the verb is one for looking. */
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { anyOf } from '../../../../ontology/words.ts';
import type { TextReading } from '../../conversation/text.ts';
import { perRequest } from '../../conversation/user-words.ts';
import { foldText } from '../../words/fold.ts';

const needs = perOntology((ontology) => anyOf(ontology, 'needs_of_others'));
const open = perOntology((ontology) => anyOf(ontology, 'public_wishes'));

const LONGEST = 8_192;

/** Whether the user's words say that somebody else is to see, read or use something. */
export const asksAccessForOthers: (text: TextReading) => boolean = perRequest((said, ontology) =>
  needs(ontology).test(foldText(said).slice(0, LONGEST)),
);

/** Whether the user's words speak of publishing, of everybody or of a link. */
export const speaksOfPublic: (text: TextReading) => boolean = perRequest((said, ontology) =>
  open(ontology).test(foldText(said).slice(0, LONGEST)),
);
