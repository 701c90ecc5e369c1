/** A parameter that opens something to everybody, or selects everything by a switch, where the user speaks of one. */
import type { AgentEvent } from '../../../../../events/event.ts';
import { parametersOf } from '../../../../../events/parameters.ts';
import { singular, wordsOf } from '../../../../../lang/names.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../../../../ontology/words.ts';
import type { TextReading } from '../../../conversation/text.ts';
import { perRequest } from '../../../conversation/user-words.ts';
import { foldText } from '../../../words/fold.ts';
import { speaksOfPublic } from '../../asked/access-for-others.ts';

const words = perOntology((ontology) => ({
  all: setOf(ontology, 'all_words'),
  matched: setOf(ontology, 'matched_words'),
  principals: setOf(ontology, 'principal_name_words'),
  every_address: patternOf(ontology, 'open_to_all', 'address'),
  every_principal: patternOf(ontology, 'open_to_all', 'principal'),
}));

const LONGEST_AUDIENCE = 48;

/**
 * Every address of the internet where the user gave one; everybody who can log in where the user speaks of somebody; a switch
 * such as `cancel_all_matching`.
 */
export function openToAll(event: AgentEvent, ontology: Ontology, text: TextReading): string {
  const { every_address, every_principal, all, matched, principals } = words(ontology);
  const found = parametersOf(event).leaves.find(({ path, name, value }) => {
    if (value === true) return [all, matched].every((list) => wordsOf(name).some((word) => list.has(word)));
    if (typeof value !== 'string' || value.length > LONGEST_AUDIENCE) return false;
    if (every_address.test(value)) return givesAddress(text);
    return every_principal.test(value) && wordsOf(path).some((word) => principals.has(singular(word)));
  });
  if (found === undefined || (found.value !== true && speaksOfPublic(text) && !givesAddress(text))) return '';
  return found.path;
}

/** An IP address or a range of addresses. */
const ADDRESS = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/;
const LONGEST_REQUEST = 8_192;
const givesAddress = perRequest((said) => ADDRESS.test(foldText(said).slice(0, LONGEST_REQUEST)));
