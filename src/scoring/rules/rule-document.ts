/** The shape of one file in `ontology/rules/<family>/<rule-id>.yaml`, and the checks that need no compiler. */
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Ontology } from '../../ontology/index.ts';

const Points = Type.Integer({ minimum: 0, maximum: 100 });
const Text = Type.String({ minLength: 3 });
const strict = { additionalProperties: false };

const Example = Type.Object(
  {
    name: Text,
    event: Type.Object({ action: Type.String() }),
    policy: Type.Optional(Type.Object({})),
    /** The event is scored without its content. */
    is_outline: Type.Optional(Type.Literal(true)),
    /** Parts of a past with which it is scored. */
    history: Type.Optional(
      Type.Partial(
        Type.Object({
          runs_written: Type.Array(Type.String()),
          seen_classes: Type.Array(Type.String()),
          refused_elsewhere: Type.Enum(['self', 'parent', 'child', 'sibling', 'other']),
          is_refused_by_person: Type.Boolean(),
          troubled_place: Type.Enum(['refused', 'filled']),
          classes_of_others: Type.Array(Type.String()),
          inherited: Type.Array(Type.String()),
        }),
        strict,
      ),
    ),
  },
  strict,
);

export const RuleSchema = Type.Object(
  {
    /** A statement that is true or false. */
    id: Type.String({ pattern: '^[a-z][a-z0-9]*(_[a-z0-9]+){1,}$' }),
    /** Its number in the catalogue of rules, such as INJ-01. */
    code: Type.String({ pattern: '^[A-Z]{3}-[0-9]{2}$' }),
    name: Text,
    family: Text,
    version: Type.Integer({ minimum: 1 }),
    maturity: Type.Union([Type.Literal('stable'), Type.Literal('incubating')]),
    /** The rule is tried once for each element of a list: argument, instruction, content_effect, stored_effect, weakening. */
    /** The rule is tried once for each element of a list: argument, instruction, content_effect, payload, cloud_call. */
    each: Type.Optional(Type.String()),
    when: Text,
    contribution: Points,
    floor: Type.Optional(Points),
    aggravated: Type.Optional(
      Type.Array(
        Type.Object({ when: Text, contribution: Type.Optional(Points), floor: Type.Optional(Points) }, strict),
        { minItems: 1 },
      ),
    ),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    flag: Type.String({ pattern: '^[a-z][a-z0-9_]*$' }),
    asserts: Type.Optional(Type.Array(Type.String({ pattern: '^[a-z][a-z0-9_]*$' }), { minItems: 1 })),
    /** One sentence with placeholders such as {argument.value}. */
    violation: Text,
    /** Reason why the rule cites the article; without one, the article's own `applies_when` is shown. */
    cites: Type.Array(Type.Object({ id: Text, why: Type.Optional(Type.String({ minLength: 10 })) }, strict), {
      minItems: 1,
    }),
    mitigations: Type.Array(Text, { minItems: 1 }),
    /** Keys of the ontology's remediation playbooks, for the justification. */
    playbooks: Type.Optional(Type.Array(Text)),
    false_positives: Text,
    /** Why its precision on labelled actions differs from one source to another, and what follows from it. */
    differs_by_source: Type.Optional(Type.String({ minLength: 40 })),
    examples: Type.Object(
      { fires: Type.Array(Example, { minItems: 1 }), quiet: Type.Array(Example, { minItems: 1 }) },
      strict,
    ),
  },
  strict,
);

export type RuleDocument = Static<typeof RuleSchema>;

const validator = Compile(RuleSchema);

/** Kinds of frameworks that list threats and not duties. A rule must cite something beside them. */
const THREAT_KINDS = new Set(['threat taxonomy']);

/** Problems of one parsed file, in its shape, file name, articles and playbooks; empty if it is a valid rule. */
export function ruleProblems(path: string, content: unknown, ontology: Ontology): string[] {
  if (!validator.Check(content)) {
    return [...validator.Errors(content)].slice(0, 5).map((error) => `${path}${error.instancePath}: ${error.message}`);
  }
  const rule = content as RuleDocument;
  const problems: string[] = [];
  if (!path.endsWith(`${rule.family}/${rule.id}.yaml`))
    problems.push(`${path}: belongs to \`${rule.family}/${rule.id}.yaml\``);
  const articles = rule.cites.map((cite) => ({ id: cite.id, article: ontology.articles.get(cite.id) }));
  for (const { id, article } of articles)
    if (article === undefined) problems.push(`${path}: cites the unknown article \`${id}\``);
  if (articles.every(({ article }) => article !== undefined && THREAT_KINDS.has(article.kind))) {
    problems.push(`${path}: cites threat lists only; name a duty or control beside them`);
  }
  for (const playbook of rule.playbooks ?? []) {
    if (!ontology.remediation_playbooks.has(playbook))
      problems.push(`${path}: names the unknown playbook \`${playbook}\``);
  }
  return problems;
}
