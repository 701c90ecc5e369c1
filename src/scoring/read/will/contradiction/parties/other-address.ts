/** Addresses and accounts that contradict the request: a letter to raquel@ where the user said rachel@. */

import { wordsOf } from '../../../../../lang/names.ts';
import type { Ontology } from '../../../../../ontology/index.ts';
import { perOntology } from '../../../../../ontology/per-ontology.ts';
import { listOf, patternOf, patternsOf, setOf } from '../../../../../ontology/words.ts';
import { corpusOf } from '../../../conversation/corpus.ts';
import type { TextReading } from '../../../conversation/text.ts';
import type { Argument } from '../../../values/argument.ts';
import { type NamedValue, namedValues } from '../../../values/named-values.ts';
import { readValue, unfoldedHost, type ValueKind } from '../../../words/normalise.ts';
import type { Contradiction } from '../contradicted.ts';

const COMPARED: ReadonlySet<ValueKind> = new Set(['email', 'account', 'card']);

const patterns = perOntology((ontology) => ({
  reaching: setOf(ontology, 'person_roles'),
  giving: listOf(ontology, 'person_roles').flatMap((role) => patternsOf(ontology, 'role_giving').get(role) ?? []),
  own: patternOf(ontology, 'own_address', 'before'),
}));

/** Values that stand for another one that the user named as the goal, if the named one is not reached at all. */
export function otherAddresses(
  ontology: Ontology,
  args: readonly Argument[],
  text: TextReading,
): readonly Contradiction[] {
  const roles = patterns(ontology).reaching;
  const reaching = args.filter(({ role, kind }) => roles.has(role) && COMPARED.has(kind));
  // What is left to a source is no address that stands nowhere.
  const mayDiffer = ({ provenance, is_left_open }: Argument): boolean =>
    provenance === 'none' || (provenance !== 'user' && !is_left_open);
  if (!reaching.some(mayDiffer)) return [];
  const used = new Set(reaching.map(({ value, role }) => readValue(value, role, ontology).normal));
  const goals = namedValues(corpusOf(text)).filter((one) => COMPARED.has(one.value.kind) && isGoal(one, ontology));
  return reaching.filter(mayDiffer).flatMap(({ path, kind, value }) => {
    const ofKind = goals.filter((one) => one.value.kind === kind);
    const [asked] = ofKind;
    if (asked === undefined || ofKind.some((one) => used.has(one.value.normal))) return [];
    return [{ parameter: path, asked: asked.value.text, used: value, kind: 'address', factor: 1, is_less: false }];
  });
}

/** «To rachel@corp.example», «for account DE…»; not «my address is …». */
function isGoal({ before }: NamedValue, ontology: Ontology): boolean {
  const { giving, own } = patterns(ontology);
  return giving.some((pattern) => pattern.test(before)) && !own.test(before);
}

/** Settings whose address is one that the user did not give, at another host than the one that he gave for it. */
export function otherUrls(ontology: Ontology, args: readonly Argument[], text: TextReading): readonly Contradiction[] {
  const [set, ...others] = args.filter(({ kind, path }) => kind === 'url' && !path.includes('#'));
  if (set === undefined || others.length > 0 || set.provenance === 'user' || set.provenance === 'short') return [];
  const { reached } = urlWords(ontology);
  if (!wordsOf(set.path).some((word) => reached.has(word))) return [];
  const named = namedValues(corpusOf(text)).filter(({ value }) => value.kind === 'url' || value.kind === 'host');
  const goals = named.filter(({ value, before }) => value.kind === 'url' && urlWords(ontology).giving.test(before));
  const [asked] = goals;
  const host = unfoldedHost(readValue(set.value, set.role, ontology));
  if (asked === undefined || goals.length > 1 || named.some(({ value }) => unfoldedHost(value) === host)) return [];
  return [
    { parameter: set.path, asked: asked.value.text, used: set.value, kind: 'address', factor: 1, is_less: false },
  ];
}

const urlWords = perOntology((ontology) => ({
  reached: setOf(ontology, 'reached_url_words'),
  giving: patternsOf(ontology, 'role_giving').get('webhook')!,
}));
