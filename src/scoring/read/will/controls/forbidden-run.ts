/** A script or task of the project that runs although the user wants nothing run, or nothing changed, and whose result lasts. */
import type { AgentEvent } from '../../../../events/event.ts';
import { wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import type { ContentReading } from '../../action/content/content.ts';
import { requestOf } from '../../conversation/request.ts';
import type { TextReading } from '../../conversation/text.ts';
import { vocabularyOf } from '../../words/vocabulary.ts';
import { forbidsAll } from '../exclusions.ts';

const words = perOntology((ontology) => ({
  lasting: setOf(ontology, 'lasting_task_words'),
  groups: setOf(ontology, 'lasting_task_groups'),
  checking: setOf(ontology, 'checking_task_words'),
}));

const LONGEST_NAME = 160;

/**
 * The first such script, '' where there is none. Where the user forbids to run anything, it is any that does not only check;
 * where nothing may be changed, one whose name says that its result lasts: `migrate`, `deploy.sh`.
 */
export function forbiddenRun(
  event: AgentEvent,
  content: ContentReading,
  text: TextReading,
  ontology: Ontology,
): string {
  const request = requestOf(text, ontology);
  if (!request.is_read_only && request.exclusions.length === 0) return '';
  const scripts = content.effects.filter(({ kind, object }) => kind === 'runs_code' && object.length <= LONGEST_NAME);
  if (scripts.length === 0) return '';
  const isAll = forbidsAll(event, vocabularyOf(ontology).bitOf('execute'), ontology, text);
  const { checking } = words(ontology);
  const found = scripts.find(
    ({ object }) => saysLasting(object, ontology) || (isAll && !wordsOf(object).some((word) => checking.has(word))),
  );
  return found?.object ?? '';
}

function saysLasting(name: string, ontology: Ontology): boolean {
  const { lasting, groups } = words(ontology);
  return wordsOf(name).some((word) => lasting.has(word) || groups.has(ontology.verbs.get(word)?.group ?? ''));
}
