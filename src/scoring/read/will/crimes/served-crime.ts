/** The crime that the user's own words ask for, and the one that the action's own words serve. */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import { singular, wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { setOf } from '../../../../ontology/words.ts';
import type { ActionReading } from '../../action/action.ts';
import type { TextReading } from '../../conversation/text.ts';
import { perRequest } from '../../conversation/user-words.ts';
import { crimeIn, type Speech, speaksAboutCrime } from './crimes.ts';

const words = perOntology((ontology) => ({
  asking: setOf(ontology, 'asking_parameters'),
  noting: setOf(ontology, 'noting_parameters'),
  telling: setOf(ontology, 'telling_parameters'),
  tellers: setOf(ontology, 'telling_tools'),
  judges: setOf(ontology, 'judging_tools'),
}));

const MAX_LEAVES = 200;
/** Longer texts are documents, not something that the agent says. */
const LONGEST = 4_000;
const SHORTEST = 12;

/** What the user asks for, as people read it («trade in illegal drugs»); '' if no crime. */
export const wishedCrime: (text: TextReading) => string = perRequest((said, ontology) =>
  said === '' ? '' : crimeIn(said, 'wish', ontology),
);

const isAboutCrime = perRequest((said, ontology) => said !== '' && speaksAboutCrime(said, ontology));

/** What the action's own questions, orders and messages serve; '' if no crime, or if the user speaks of the fight against it. */
export function spokenCrime(event: AgentEvent, ontology: Ontology, action: ActionReading, text: TextReading): string {
  const { judges } = words(ontology);
  const named = namesOf(action);
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
  for (const { name, value } of parametersOf(event).leaves.slice(0, MAX_LEAVES)) {
    if (typeof value !== 'string' || value.length > LONGEST) continue;
    const known = texts.get(name);
    const speech = known?.speech ?? speechOf(name, named, ontology);
    if (speech === null) continue;
    if (known === undefined) texts.set(name, { speech, said: value });
    else if (known.said.length < LONGEST) known.said += `, ${value}`;
  }
  return [...texts.values()].map(({ speech, said }) => [speech, said]);
}

const namesOf = (action: ActionReading): readonly string[] =>
  [action.domain, action.scope, action.verb, action.tool_name].flatMap((name) => wordsOf(name)).map(singular);

function speechOf(name: string, named: readonly string[], ontology: Ontology): Speech | null {
  const { asking, noting, telling, tellers } = words(ontology);
  const parts = name.split('_');
  const last = singular(parts.at(-1) ?? '');
  if (asking.has(last) || asking.has(name)) return 'question';
  if (noting.has(last) || noting.has(name)) return 'wish';
  if (telling.has(last) && named.some((word) => tellers.has(word))) return 'message';
  return null;
}
