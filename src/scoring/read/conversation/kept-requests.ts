/** What follows from a request alone. Each action of a session comes with the same request, so it is kept for the next ones. */
import { RecentTexts } from '../../../lang/remember.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';

/** Longer requests (characters) are read anew with each action. */
const LONGEST = 4_096;
/** A few hundred requests of the usual length, or 64 of the longest. */
const MOST = 64 * LONGEST;

export const keptRequests = <T extends NonNullable<unknown>>(): ((ontology: Ontology) => RecentTexts<T>) =>
  perOntology(() => new RecentTexts<T>(MOST, LONGEST));
