/** Verbs of bodies that write although the tool reads: stages of a pipeline, endpoints of a search server, GraphQL mutations. */
import type { AgentEvent } from '../../../../events/event.ts';
import { parametersOf } from '../../../../events/parameters.ts';
import { asciiLower, isPlausibleName } from '../../../../lang/names.ts';
import type { Ontology, VerbEntry } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { inverseOf, patternOf, setOf } from '../../../../ontology/words.ts';
import { verbOfName } from '../../words/verb-lookup.ts';
import type { VerbLookup } from '../../words/verb-table.ts';

const words = perOntology((ontology) => ({
  stages: inverseOf(ontology, 'writing_stages'),
  endpoints: inverseOf(ontology, 'writing_endpoints'),
  script: patternOf(ontology, 'writing_scripts', 'source'),
  overrides: setOf(ontology, 'override_parameters'),
  methods: inverseOf(ontology, 'http_methods'),
  mutation: patternOf(ontology, 'graphql_change', 'mutation'),
}));

const LONGEST_TEXT = 16_384;
const LONGEST_PATH = 512;
const MAX_LEAVES = 500;
/** A key of JSON that begins with `$`. */
const STAGE = /"(\$\w{1,24})"\s{0,8}:/g;
const OVERRIDE = /[?&]_method=([a-z]{3,7})\b/i;

/** What the parameters say that the call does beside its name. */
export function writingVerbs(event: AgentEvent, ontology: Ontology, lookup: VerbLookup): VerbEntry[] {
  const { stages, overrides, methods } = words(ontology);
  const { entries, leaves } = parametersOf(event);
  const named = entries.flatMap(({ key }) => (key.startsWith('$') ? (stages.get(key) ?? []) : []));
  for (const { name, value } of leaves.slice(0, MAX_LEAVES)) {
    if (typeof value !== 'string') continue;
    if (overrides.has(name)) named.push(methods.get(asciiLower(value)) ?? '');
    named.push(...inText(value, ontology));
  }
  return named.flatMap(
    (name) => lookup.verbs.get(name) ?? (isPlausibleName(name) ? verbOfName(name, lookup) : undefined) ?? [],
  );
}

function inText(value: string, ontology: Ontology): readonly string[] {
  const { stages, endpoints, methods, script, mutation } = words(ontology);
  const text = value.slice(0, LONGEST_TEXT);
  if (text.includes('mutation')) {
    const field = mutation.exec(text)?.[1];
    if (field !== undefined) return ['update', field];
  }
  if (text.includes('"$')) return [...text.matchAll(STAGE)].flatMap(([, key = '']) => stages.get(key) ?? []);
  if (text.length <= LONGEST_PATH && text.includes('_')) {
    const override = OVERRIDE.exec(text)?.[1];
    const path = text.split(/[/?#]/).flatMap((segment) => endpoints.get(segment) ?? []);
    if (override !== undefined || path.length > 0)
      return override === undefined ? path : [methods.get(asciiLower(override)) ?? '', ...path];
  }
  return text.includes('ctx') && script.test(text) ? ['update'] : [];
}
