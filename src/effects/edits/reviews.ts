/** Who has to agree to a change, and a comparison of what was fetched, that an edit takes away. */
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { anyOf, patternOf } from '../../ontology/words.ts';
import type { Changed } from './added-lines.ts';
import type { Edit } from './edits.ts';

const signsOf = perOntology((ontology) => ({
  owners: patternOf(ontology, 'reviewed_paths', 'owners'),
  line: patternOf(ontology, 'reviewed_paths', 'line'),
  integrity: anyOf(ontology, 'integrity_checks'),
}));

/** Whether the file says who has to agree to a change. */
export const namesReviewers = (path: string, ontology: Ontology): boolean => signsOf(ontology).owners.test(path);

/** Owners that are gone or changed; of a file that is written whole, that it names none. */
export function droppedReview(edit: Edit, { gone }: Changed, ontology: Ontology): string | undefined {
  const { line } = signsOf(ontology);
  if (!namesReviewers(edit.path, ontology)) return undefined;
  const isOwner = (one: string): boolean => line.test(one);
  if (edit.is_whole || edit.before === '') return edit.after.split('\n').some(isOwner) ? undefined : edit.path;
  return gone.find(isOwner);
}

/** A line that compared what was fetched with what it should be, and has no successor. */
export function droppedIntegrity(edit: Edit, { added, gone }: Changed, ontology: Ontology): string | undefined {
  const { integrity } = signsOf(ontology);
  if (edit.is_whole || added.length === 0 || integrity.test(edit.after)) return undefined;
  return gone.find((line) => integrity.test(line));
}
