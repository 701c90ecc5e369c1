/** Parameters that hold another value than the request names for them. */
import type { AgentEvent } from '../../../../events/event.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import type { ContentReading } from '../../action/content/content.ts';
import type { TextReading } from '../../conversation/text.ts';
import { userWords } from '../../conversation/user-words.ts';
import type { Argument } from '../../values/argument.ts';
import type { Contradiction } from './contradicted.ts';
import { keptPlaces } from './kept-place.ts';
import { listedSiblings } from './listed-sibling.ts';
import { mainThings } from './main-thing.ts';
import { otherAddresses } from './other-address.ts';
import { otherChoices } from './other-choice.ts';
import { otherDates } from './other-date.ts';
import { otherNames } from './other-name.ts';
import { otherNumbers } from './other-number.ts';
import { otherParties } from './other-party.ts';
import { otherPersons } from './other-person.ts';
import { otherQuantities } from './other-quantity.ts';
import { swappedPlaces } from './swapped-places.ts';
import { wideAudiences } from './wide-audience.ts';

const MOST = 16;

/** At most 16, in the order of the parameters: quantities, names, addresses, people, dates, directions. Nothing that a tool said removes one. */
export function contradictionsOf(
  event: AgentEvent,
  ontology: Ontology,
  args: readonly Argument[],
  text: TextReading,
  content: ContentReading,
): readonly Contradiction[] {
  if (!text.has_request) return [];
  const said = userWords(text);
  return [
    ...otherQuantities(event, ontology, said),
    ...otherNames(event, ontology, said),
    ...otherNumbers(event, ontology, said),
    ...otherChoices(event, ontology, said),
    ...mainThings(event, ontology, said),
    ...listedSiblings(event, ontology, text, said),
    ...otherParties(event, ontology, text, said),
    ...otherAddresses(ontology, args, text),
    ...wideAudiences(ontology, args, said),
    ...otherPersons(args, text, said),
    ...otherDates(event, ontology, said),
    ...keptPlaces(event, ontology, content, said),
    ...swappedPlaces(event, ontology, content, said),
  ].slice(0, MOST);
}
