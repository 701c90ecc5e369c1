/** Private persons who see each other's addresses: a message has all of them in a field that each recipient can read. */
import type { AgentEvent } from '../../../events/event.ts';
import { parametersOf } from '../../../events/parameters.ts';
import { singular, wordsOf } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import type { ActionReading } from '../action/action.ts';
import type { TextReading } from '../conversation/text.ts';
import { foldedUserWords } from '../conversation/user-words.ts';
import { hostOf, isFreeMail } from '../values/hosts.ts';
import { foldText } from '../words/fold.ts';

const words = perOntology((ontology) => ({
  visible: setOf(ontology, 'visible_recipient_parameters'),
  one_by_one: setOf(ontology, 'one_by_one_words'),
  served: setOf(ontology, 'served_people'),
  acquainted: setOf(ontology, 'acquainted_people'),
}));

/** Two or three strangers may be the parties of one matter; so many are a list. */
const LEAST = 4;
const MAX_LEAVES = 400;
const MAX_TEXT = 8_192;
const WORD = /\p{L}{3,40}/gu;

/** Mailboxes of private persons that all recipients see, and whether they are people who are served: patients, customers. */
export interface VisibleRecipients {
  /** Addresses at providers of free mailboxes; empty where fewer than four are visible or the user says that they know each other. */
  addresses: readonly string[];
  are_served: boolean;
}

const NONE: VisibleRecipients = { addresses: [], are_served: false };

/** Reads the recipients of a message; a tool that sends to each one by itself shows nothing. */
export function visibleRecipients(
  event: AgentEvent,
  ontology: Ontology,
  { effective_group, domain, name_words }: ActionReading,
  text: TextReading,
): VisibleRecipients {
  if (effective_group !== 'send' && effective_group !== 'share_publish') return NONE;
  const { visible, one_by_one, served, acquainted } = words(ontology);
  const { leaves } = parametersOf(event);
  const addresses = new Set<string>();
  for (const { name, value } of leaves.slice(0, MAX_LEAVES)) {
    if (!visible.has(name) || typeof value !== 'string') continue;
    for (const part of value.slice(0, MAX_TEXT).split(/[\s,;<>]+/)) {
      const place = part.includes('@') ? hostOf(part) : undefined;
      if (place !== undefined && isFreeMail(place.host, ontology)) addresses.add(part.toLowerCase());
    }
  }
  if (addresses.size < LEAST) return NONE;
  if (
    [...name_words, ...wordsOf(domain)].some((word) => one_by_one.has(word)) ||
    leaves.some(({ name }) => one_by_one.has(name))
  )
    return NONE;
  const told = leaves.flatMap(({ name, value }) => (!visible.has(name) && typeof value === 'string' ? [value] : []));
  const said = wordsIn([foldedUserWords(text), foldText(told.join('\n').slice(0, MAX_TEXT))].join('\n'));
  const are_served = said.some((word) => served.has(word));
  if (!are_served && said.some((word) => acquainted.has(word))) return NONE;
  return { addresses: [...addresses], are_served };
}

const wordsIn = (text: string): string[] => (text.match(WORD) ?? []).map(singular);
