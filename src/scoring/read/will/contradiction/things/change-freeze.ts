/** A freeze that the user tells of: «no deploys until Monday», «estamos em freeze», and a change of production all the same. */
import type { AgentEvent } from '../../../../../events/event.ts';
import { parametersOf } from '../../../../../events/parameters.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { anyOf, patternOf, setOf, wordOf } from '../../../../../ontology/words.ts';
import type { ActionReading } from '../../../action/action.ts';
import type { ContentReading } from '../../../action/content/content.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { perRequest } from '../../../conversation/user-words.ts';
import { foldText } from '../../../words/fold.ts';

const words = perOntology((ontology) => ({
  told: anyOf(ontology, 'change_freezes'),
  lifted: patternOf(ontology, 'freeze_exceptions', 'any'),
  looking: setOf(ontology, 'looking_groups'),
  production: wordOf(ontology, 'strong_production_words'),
}));

const MAX_WORDS = 16_384;
const LONGEST_VALUE = 8_192;

/** The words of the user for a freeze that is in force; '' if there is none. */
const freezeOf = perRequest((words_of_user, ontology) => {
  const { told, lifted } = words(ontology);
  const said = foldText(words_of_user).slice(-MAX_WORDS);
  const freeze = told.exec(said)?.[0] ?? '';
  return lifted.test(said) ? '' : freeze;
});

/** The words of the user that tell of a freeze which the action breaks: it deploys, or changes what its parameters call production. '' otherwise. */
export function brokenFreeze(
  event: AgentEvent,
  ontology: Ontology,
  action: ActionReading,
  content: ContentReading,
  text: TextReading,
): string {
  const freeze = text.has_request ? freezeOf(text) : '';
  if (freeze === '') return '';
  const { looking, production } = words(ontology);
  const { effects, looking_programs, programs } = content;
  if (effects.some(({ kind }) => kind === 'deploys')) return freeze;
  const onlyLooks = programs.length > 0 && programs.every((program) => looking_programs.has(program));
  if (looking.has(action.effective_group) || onlyLooks) return '';
  const isProduction = [
    event.target?.resource_id ?? '',
    ...parametersOf(event).leaves.map(({ value }) => String(value)),
  ].some((value) => value.length <= LONGEST_VALUE && production.test(value));
  return isProduction ? freeze : '';
}
