/** Translates the effects of code into verbs of the ontology, so that an effect weighs as much as the verb that names it. */
import type { Ontology, VerbEntry } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { listOf, setOf, tableOf } from '../../../../ontology/words.ts';
import type { ContentReading } from './content.ts';

/** How far an effect reaches, least first. */
const SCOPES = ['scratch', 'one', 'many', 'everything'] as const;
type Scope = (typeof SCOPES)[number];

interface EffectVerbs {
  /** Effect → reach → verb. */
  by_effect: ReadonlyMap<string, Readonly<Record<Scope, string>>>;
  /** Code that only computes and prints is an analysis. */
  inert: readonly string[];
  /** Effects that change nothing. */
  looking: ReadonlySet<string>;
}

const effectTable = perOntology(
  (ontology): EffectVerbs => ({
    by_effect: new Map([...tableOf(ontology, 'effect_verbs')].map(([kind, steps]) => [kind, verbByScope(steps)])),
    inert: listOf(ontology, 'inert_code_verb'),
    looking: setOf(ontology, 'looking_effects'),
  }),
);

/** From `scratch read`, `many search`: each verb holds from its reach up to the next one's. */
function verbByScope(steps: readonly string[]): Record<Scope, string> {
  const verbs = new Map(steps.map((step) => step.split(' ', 2) as [string, string]));
  let verb = '';
  const at = (scope: Scope): string => (verb = verbs.get(scope) ?? verb);
  return { scratch: at('scratch'), one: at('one'), many: at('many'), everything: at('everything') };
}

const NONE: readonly VerbEntry[] = [];

/** One verb per effect; for inert code the verb of an analysis; nothing when no code was understood. */
export function effectVerbs(content: ContentReading, ontology: Ontology): readonly VerbEntry[] {
  if (content.languages.length === 0 && content.effects.length === 0 && !content.has_unbounded_statement) return NONE;
  // A look beside it does not tell what a program does of which no effect is known.
  const hasUntold = content.silent_programs.size > 0 || content.unresolved !== '';
  if (hasUntold && !content.has_unbounded_statement && content.effects.every(({ kind }) => kind === 'reads'))
    return NONE;
  const { by_effect, inert, looking } = effectTable(ontology);
  // Looking with the rights of root is looking.
  const weighed = content.effects.filter(({ kind }) => kind !== 'runs_as_another');
  const onlyLooks = !hasUntold && weighed.length > 0 && weighed.every(({ kind }) => looking.has(kind));
  const told = onlyLooks ? weighed : content.effects;
  const names = new Set(told.map(({ kind, scope }) => by_effect.get(kind)?.[scope] ?? ''));
  if (content.has_unbounded_statement) names.add('bulk_update');
  if (names.size === 0 && content.is_inert && content.languages.length > 0) for (const name of inert) names.add(name);
  return [...names].flatMap((name) => ontology.verbs.get(name) ?? []);
}
