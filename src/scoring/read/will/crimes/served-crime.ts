/** The crime that the user's own words ask for, and the one that the action's own words serve. */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import { singular, singularsOf } from '../../../../lang/names.ts';
import { remembering } from '../../../../lang/remember.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import type { ActionReading } from '../../action/action.ts';
import type { TextReading } from '../../conversation/text.ts';
import { perRequest } from '../../conversation/user-words.ts';
import { crimeIn, type Speech, speaksAboutCrime } from './crimes.ts';
import { withoutPrinted } from './printed.ts';

const words = perOntology((ontology) => ({
  tellers: setOf(ontology, 'telling_tools'),
  judges: setOf(ontology, 'judging_tools'),
}));

const MAX_LEAVES = 200;
/** Longer texts are documents, not something that the agent says. */
const LONGEST = 4_000;
const SHORTEST = 12;

/** What the user asks for, as people read it («trade in illegal drugs»); '' if no crime. */
export const wishedCrime: (text: TextReading) => string = perRequest((said, ontology) =>
  said === '' ? '' : crimeIn(withoutPrinted(said), 'wish', ontology),
);

const isAboutCrime = perRequest((said, ontology) => said !== '' && speaksAboutCrime(said, ontology));

/** What the action's own questions, orders and messages serve; '' if no crime, or if the user speaks of the fight against it. */
export function spokenCrime(event: AgentEvent, ontology: Ontology, action: ActionReading, text: TextReading): string {
  const { judges } = words(ontology);
  const named = [...singularsOf(action.domain), ...action.name_words.map(singular)];
  if (named.some((word) => judges.has(word))) return '';
  for (const [speech, said] of saidBy(event, named, ontology)) {
    const crime = said.length < SHORTEST ? '' : crimeIn(said, speech, ontology);
    if (crime !== '') return isAboutCrime(text) ? '' : crime;
  }
  return '';
}

/** The texts of the parameters; those of one name, such as the items of an order, are one text. */
function saidBy(event: AgentEvent, named: readonly string[], ontology: Ontology): [Speech, string][] {
  const texts = new Map<string, { speech: Speech; said: string }>();
  const isTelling = named.some((word) => words(ontology).tellers.has(word));
  for (const { name, value } of parametersOf(event).leaves.slice(0, MAX_LEAVES)) {
    if (typeof value !== 'string' || value.length > LONGEST) continue;
    const known = texts.get(name);
    const speech = known?.speech ?? speechOf(ontology)(name);
    if (speech === null || (speech === 'message' && !isTelling)) continue;
    if (known === undefined) texts.set(name, { speech, said: value });
    else if (known.said.length < LONGEST) known.said += `, ${value}`;
  }
  return [...texts.values()].map(({ speech, said }) => [speech, said]);
}

/** What a parameter of a tool that tells people something holds; null for a parameter that holds no speech. */
const speechOf = perOntology((ontology): ((name: string) => Speech | null) => {
  const asking = setOf(ontology, 'asking_parameters');
  const noting = setOf(ontology, 'noting_parameters');
  const telling = setOf(ontology, 'telling_parameters');
  return remembering((name) => {
    const last = singular(name.slice(name.lastIndexOf('_') + 1));
    if (asking.has(last) || asking.has(name)) return 'question';
    if (noting.has(last) || noting.has(name)) return 'wish';
    return telling.has(last) ? 'message' : null;
  });
});
