/** Parameters that hold another value than the request names for them. */
import type { AgentEvent } from '../../../../events/event.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import type { ContentReading } from '../../action/content/content.ts';
import type { TextReading } from '../../conversation/text.ts';
import type { Argument } from '../../values/argument.ts';
import type { Contradiction } from './contradicted.ts';
import { otherAddresses, otherUrls } from './parties/other-address.ts';
import { otherGrantees } from './parties/other-grantee.ts';
import { otherParties } from './parties/other-party.ts';
import { otherPersons } from './parties/other-person.ts';
import { unnamedHolders } from './parties/unnamed-holder.ts';
import { wideAudiences } from './parties/wide-audience.ts';
import { keptPlaces } from './things/kept-place.ts';
import { listedSiblings } from './things/listed-sibling.ts';
import { mainThings } from './things/main-thing.ts';
import { numberedPlaces } from './things/numbered-place.ts';
import { otherDesignators } from './things/other-designator.ts';
import { otherNames } from './things/other-name.ts';
import { swappedPlaces } from './things/swapped-places.ts';
import { otherAges } from './values/other-age.ts';
import { otherChoices } from './values/other-choice.ts';
import { otherDates } from './values/other-date.ts';
import { otherFrequencies } from './values/other-frequency.ts';
import { otherNumbers } from './values/other-number.ts';
import { otherQuantities } from './values/other-quantity.ts';

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
  return [
    ...otherQuantities(event, ontology, text),
    ...otherAges(event, ontology, text),
    ...otherFrequencies(event, ontology, text),
    ...otherNames(event, ontology, text),
    ...numberedPlaces(event, ontology, text),
    ...otherDesignators(event, text),
    ...otherNumbers(event, ontology, text),
    ...otherChoices(event, ontology, text),
    ...mainThings(event, text),
    ...listedSiblings(event, ontology, text),
    ...otherParties(event, ontology, text),
    ...otherAddresses(ontology, args, text),
    ...otherUrls(ontology, args, text),
    ...wideAudiences(event, ontology, args, text),
    ...otherPersons(ontology, args, text),
    ...unnamedHolders(event, ontology, text),
    ...otherGrantees(event, ontology, args, text),
    ...otherDates(event, ontology, text),
    ...keptPlaces(event, ontology, content, text),
    ...swappedPlaces(event, ontology, content, text),
  ].slice(0, MOST);
}
