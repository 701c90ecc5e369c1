/** What the agent is about to do, in the words of the trade: «paying 900 EUR to `GB29…`», «running the command `rm -r out`». */
import { parametersOf } from '../../events/parameters.ts';
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { listOf, setOf, tableOf } from '../../ontology/words.ts';
import type { Facts } from '../facts/fact-table.ts';
import type { Argument } from '../read/values/argument.ts';
import { show } from '../show.ts';
import { spoken } from './spoken.ts';

/** Characters of a command or path that the first sentence shows. */
const LONGEST = 140;
/** Recipients that it names; the rest are counted. */
const MOST_NAMED = 2;
/** Characters of a name, an amount or a currency. */
const LONGEST_NAME = 64;
/** A currency as its code: `EUR`. */
const CURRENCY = /^[A-Z]{3}$/;

const words = perOntology((ontology) => ({
  doing: tableOf(ontology, 'doing'),
  languages: tableOf(ontology, 'things_of_languages'),
  paying: setOf(ontology, 'paying_groups'),
  addressing: setOf(ontology, 'addressing_roles'),
  places: tableOf(ontology, 'places'),
  naming: listOf(ontology, 'naming_keys'),
}));

const quote = (value: unknown, ontology: Ontology): string =>
  `\`${show(value, ontology, LONGEST).replaceAll('`', "'")}\``;

export function deedOf(facts: Facts): string {
  const { ontology } = facts.readings;
  const effect = facts.string('effect');
  const [doing = 'calling', towards = 'to'] = words(ontology).doing.get(effect) ?? [];
  return paid(facts) ?? code(facts) ?? cloudCall(facts) ?? addressed(facts, doing, towards) ?? placed(facts, doing);
}

/** Of several the one whose name comes first, so that the order in which they were sent changes no sentence. */
function first(facts: Facts, isMeant: (one: Argument) => boolean): Argument | undefined {
  const meant = facts.readings.arguments.filter((one) => one.value !== '' && isMeant(one));
  return meant.length < 2 ? meant[0] : meant.reduce((best, one) => (one.path < best.path ? one : best));
}

/** Money: the amount and who gets it. */
function paid(facts: Facts): string | null {
  const { ontology, event } = facts.readings;
  const { paying, addressing } = words(ontology);
  if (!paying.has(facts.string('effect'))) return null;
  const amount = first(facts, ({ role }) => role === 'amount');
  const payee = first(facts, ({ role }) => addressing.has(role));
  if (amount === undefined && payee === undefined) return null;
  const currency = parametersOf(event)
    .leaves.filter(({ value }) => typeof value === 'string' && CURRENCY.test(value))
    .sort((one, other) => (one.path < other.path ? -1 : 1))[0];
  const sum =
    amount === undefined ? '' : ` ${show(amount.value, ontology)}${currency ? ` ${String(currency.value)}` : ''}`;
  return `paying${sum}${payee === undefined ? '' : ` to ${quote(payee.value, ontology)}`}`;
}

/** Code that is run: the command or statement itself. */
function code(facts: Facts): string | null {
  const { ontology } = facts.readings;
  const { languages } = words(ontology);
  const language = facts.strings('languages').find((one) => languages.has(one));
  const is_run = first(facts, ({ role }) => role === 'path') === undefined || facts.string('verb_group') === 'execute';
  if (language === undefined || !is_run) return null;
  const text = first(facts, ({ role, path }) => (role === 'command' || role === 'query') && !path.includes('#'));
  if (text === undefined) return null;
  return `running ${languages.get(language)![0]} ${quote(text.value, ontology)}`;
}

function cloudCall(facts: Facts): string | null {
  const { cloud_calls, ontology } = facts.readings;
  const [call] = [...cloud_calls].sort((one, other) => (one.operation < other.operation ? -1 : 1));
  if (call === undefined) return null;
  const id = facts.string('resource_id');
  return `calling ${quote(call.operation, ontology)}${id === '' ? '' : ` on ${quote(id, ontology)}`}`;
}

/** What goes to somebody: who that is. */
function addressed(facts: Facts, doing: string, towards: string): string | null {
  const { ontology } = facts.readings;
  const { addressing } = words(ontology);
  const to = new Set<string>();
  for (const { role, value, path } of facts.readings.arguments)
    if (addressing.has(role) && value !== '' && !path.includes('#')) to.add(value);
  if (to.size === 0) return null;
  const named = [...to]
    .sort()
    .slice(0, MOST_NAMED)
    .map((value) => quote(value, ontology));
  const more = to.size - named.length;
  const all = more > 0 ? `${named.join(', ')} and ${more} more` : named.join(' and ');
  return `${doing} ${nounOf(facts)} ${towards} ${all}`;
}

/** Any other thing: by the argument that says where it is, by the target, by the tool. */
function placed(facts: Facts, doing: string): string {
  const { ontology } = facts.readings;
  const id = facts.string('resource_id');
  for (const [role, [noun]] of words(ontology).places) {
    const found = first(facts, (one) => one.role === role && !one.path.includes('#'));
    if (found !== undefined) return `${doing} ${noun} ${quote(found.value, ontology)}`;
  }
  if (id !== '') return `${doing} ${nounOf(facts)} ${quote(id, ontology)}`;
  const tool = facts.string('tool_name');
  const name = tool === '' ? facts.string('action') : tool;
  const value = naming(facts)?.value ?? '';
  const with_value = value === '' || value.length > LONGEST_NAME ? '' : ` with ${quote(value, ontology)}`;
  return `${tool === '' ? 'the action' : 'calling the tool'} ${quote(name, ontology)}${with_value}`;
}

/** The argument that tells most of what this is. */
function naming(facts: Facts): Argument | undefined {
  const { naming } = words(facts.readings.ontology);
  for (const name of naming) {
    const found = first(facts, ({ path }) => path === name);
    if (found !== undefined) return found;
  }
  return first(facts, ({ path, kind }) => !path.includes('#') && kind !== 'flag');
}

/** `the database table`: what the event calls its target, or else its object. */
function nounOf(facts: Facts): string {
  const { ontology } = facts.readings;
  const type = facts.string('resource_type');
  const noun = spoken(['resource_type'], type === '' ? facts.string('scope') : type, ontology);
  return noun === '' ? 'something' : `the ${noun}`;
}
