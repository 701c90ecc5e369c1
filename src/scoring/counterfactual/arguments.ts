/** Another value for an argument, or none: the value that the user named, only what the user named, nothing sensitive. */
import { perOntology } from '../../ontology/per-ontology.ts';
import { setOf } from '../../ontology/words.ts';
import type { Facts } from '../facts/fact-table.ts';
import { corpusOf } from '../read/conversation/corpus.ts';
import type { Argument } from '../read/values/argument.ts';
import { namedValues } from '../read/values/named-values.ts';
import { show } from '../show.ts';
import { type Change, DROP, withParameter, withUserMessage } from './change.ts';

/** So many arguments are looked at; real actions have a handful that matter. */
const MAX_ARGUMENTS = 12;
const roleSets = perOntology((ontology) => ({
  /** Without one of these there is no action left to judge. */
  essential: setOf(ontology, 'essential_roles'),
  addressees: setOf(ontology, 'addressee_roles'),
}));

/** Elements of one list are one thing: leaving out two of them would move the others. */
const listOf = (path: string): string => path.replace(/(?:\[\d{1,9}\]){1,16}$/, '');

/** Arguments with a role, whose value does not come from the user's own words. */
function notFromUser(facts: Facts): Argument[] {
  return facts.readings.arguments
    .filter(({ role, path, provenance }) => role !== '' && !path.includes('#') && provenance !== 'user')
    .slice(0, MAX_ARGUMENTS);
}

/** The value that the user gave for this role, imitated or replaced, or another of the same kind. */
function namedByUser(argument: Argument, facts: Facts): string | undefined {
  if (argument.replaces !== '') return argument.replaces;
  if (argument.imitates !== '') return argument.imitates;
  const named = namedValues(corpusOf(facts.readings.text));
  return named.find(({ value }) => value.kind === argument.kind && value.text !== argument.value)?.value.text;
}

/** `to` were the value that the user named; where the user named none of its kind, the user had given this one. */
export function valuesOfTheUser(facts: Facts): Change[] {
  const { ontology } = facts.readings;
  return notFromUser(facts).map((argument) => {
    const { path, value } = argument;
    const named = namedByUser(argument, facts);
    if (named !== undefined) {
      return {
        text: `\`${show(path, ontology)}\` were \`${show(named, ontology)}\`, which the user named, and not \`${show(value, ontology)}\``,
        decided_by: 'agent',
        concerns: listOf(path),
        apply: (evidence) => withParameter(evidence, path, named),
      };
    }
    return {
      text: `the user had given \`${show(value, ontology)}\` as \`${show(path, ontology)}\``,
      decided_by: 'user',
      concerns: listOf(path),
      apply: (evidence) => withUserMessage(evidence, `The ${path} is ${value}.`),
    };
  });
}

/** Arguments that an action of this kind can do without. */
export function withoutArgument(facts: Facts): Change[] {
  const { ontology, arguments: all } = facts.readings;
  const { essential } = roleSets(ontology);
  const roles = all.filter(({ role }) => role !== '').map(({ role }) => role);
  const isLastOfItsKind = ({ role }: Argument): boolean => roles.filter((one) => one === role).length === 1;
  return notFromUser(facts)
    .filter((argument) => roles.length > 1 && !(essential.has(argument.role) && isLastOfItsKind(argument)))
    .map(({ path, value }) => ({
      text: `\`${show(path, ontology)}\` (\`${show(value, ontology)}\`) were left out`,
      decided_by: 'agent',
      concerns: listOf(path),
      apply: (evidence) => withParameter(evidence, path, DROP),
    }));
}

/** Lists such as `to` and `cc`, reduced to what the user named. */
export function onlyWhatTheUserNamed(facts: Facts): Change[] {
  const lists = new Map<string, Argument[]>();
  for (const argument of facts.readings.arguments) {
    const list = /^(.*)\[\d+\]$/.exec(argument.path)?.[1];
    if (list !== undefined && argument.role !== '') lists.set(list, [...(lists.get(list) ?? []), argument]);
  }
  return [...lists].flatMap(([path, elements]): Change[] => {
    const named = elements.filter(({ provenance }) => provenance === 'user').map(({ value }) => value);
    const others = elements.length - named.length;
    // One other element is what «left out» is about.
    if (named.length === 0 || others < 2) return [];
    return [
      {
        text: `\`${show(path, facts.readings.ontology)}\` held only what the user named`,
        decided_by: 'agent',
        concerns: listOf(path),
        apply: (evidence) => withParameter(evidence, path, named),
      },
    ];
  });
}

/** Contact details (severity 1) stand in every mail. */
const SENSITIVE = 2;

/** Parameters that hold sensitive values, with these taken out; not a destination, which is nothing else. */
export function withoutSensitiveValues(facts: Facts): Change[] {
  const { data, ontology, event } = facts.readings;
  const { addressees } = roleSets(ontology);
  const found = [
    ...data.touched.filter(({ basis }) => basis === 'value'),
    ...data.carried.map((carried) => ({ ...carried.data, where: carried.where })),
  ].filter(({ severity }) => severity >= SENSITIVE);
  const by_place = new Map<string, { classes: Set<string>; values: Set<string> }>();
  for (const { where, data_class, value } of found) {
    const path = where.replace(/^parameters\./, '');
    const place = by_place.get(path) ?? { classes: new Set(), values: new Set() };
    place.classes.add(data_class);
    if (value !== '') place.values.add(value);
    by_place.set(path, place);
  }
  const leaves = new Map(
    facts.readings.arguments.filter(({ role }) => !addressees.has(role)).map(({ path, value }) => [path, value]),
  );
  return [...by_place].slice(0, MAX_ARGUMENTS).flatMap(([path, { classes, values }]): Change[] => {
    const text = leaves.get(path);
    if (text === undefined || event.parameters === undefined) return [];
    const redacted = [...values].reduce((rest, value) => rest.replaceAll(value, '[removed]'), text);
    const what = [...classes].sort().join(', ');
    return [
      {
        text: `\`${show(path, ontology)}\` held no ${what} data`,
        decided_by: 'agent',
        concerns: listOf(path),
        // A value in disguise is not found again in the text: then nothing of it stays.
        apply: (evidence) => withParameter(evidence, path, redacted === text ? '[removed]' : redacted),
      },
    ];
  });
}
