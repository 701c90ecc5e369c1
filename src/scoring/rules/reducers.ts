/**
 * Reducers: circumstances under which findings of some rules count for less. They multiply contributions, never a floor,
 * and never remove a violation. Their conditions must not read anything that a party other than the user could write to
 * appear harmless: compiling refuses facts that are not marked as such, and reducers.test.ts tries the shipped ones.
 */
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { type Condition, compileCondition } from '../../lang/conditions/conditions.ts';
import type { Facts } from '../facts/fact-table.ts';
import { forgeriesOfReducer } from '../policy/relief.ts';
import type { Finding } from '../types.ts';
import { FACT_VOCABULARY, type Rule } from './rules.ts';

const strict = { additionalProperties: false };
const Text = Type.String({ minLength: 3 });
const Example = Type.Object({ name: Text, event: Type.Object({ action: Type.String() }) }, strict);

export const ReducerSchema = Type.Object(
  {
    /** A statement that is true or false. */
    id: Type.String({ pattern: '^[a-z][a-z0-9]*(_[a-z0-9]+){1,}$' }),
    /** Its number in the catalogue of rules, such as RED-01. */
    code: Type.String({ pattern: '^RED-[0-9]{2}$' }),
    name: Text,
    version: Type.Integer({ minimum: 1 }),
    when: Text,
    /** Families whose findings it reduces, in addition to `rules`. */
    families: Type.Optional(Type.Array(Text, { minItems: 1 })),
    /** Codes of single rules that it reduces. */
    rules: Type.Optional(Type.Array(Type.String({ pattern: '^[A-Z]{3}-[0-9]{2}$' }), { minItems: 1 })),
    /** Codes of rules of those families that it does not reduce. */
    except: Type.Optional(Type.Array(Type.String({ pattern: '^[A-Z]{3}-[0-9]{2}$' }), { minItems: 1 })),
    factor: Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 }),
    /** Why only the user can bring the circumstance about. */
    trust: Type.String({ minLength: 20 }),
    examples: Type.Object(
      {
        applies: Type.Array(Example, { minItems: 1 }),
        does_not_apply: Type.Array(Example, { minItems: 1 }),
      },
      strict,
    ),
  },
  strict,
);

export type ReducerDocument = Static<typeof ReducerSchema>;

const validator = Compile(ReducerSchema);

/** Problems of one parsed file, in its shape, file name, families and codes; empty if it is a valid reducer. */
export function reducerProblems(path: string, content: unknown, rules: readonly Rule[]): string[] {
  if (!validator.Check(content)) {
    return [...validator.Errors(content)].slice(0, 5).map((error) => `${path}${error.instancePath}: ${error.message}`);
  }
  const reducer = content as ReducerDocument;
  const problems: string[] = [];
  if (!path.endsWith(`reducers/${reducer.id}.yaml`))
    problems.push(`${path}: belongs to \`reducers/${reducer.id}.yaml\``);
  const families = new Set(rules.map(({ document }) => document.family));
  const codes = new Set(rules.map(({ document }) => document.code));
  for (const family of reducer.families ?? [])
    if (!families.has(family)) problems.push(`${path}: names the unknown family \`${family}\``);
  for (const code of [...(reducer.rules ?? []), ...(reducer.except ?? [])])
    if (!codes.has(code)) problems.push(`${path}: names the unknown code \`${code}\``);
  if (reducer.families === undefined && reducer.rules === undefined)
    problems.push(`${path}: names neither families nor rules`);
  return problems;
}

export interface Reducer {
  id: string;
  document: ReducerDocument;
  when: Condition;
  factor: number;
  /** Ids of the rules whose findings it reduces. */
  reduces: ReadonlySet<string>;
}

/** Compiles the files in order of their ids. Throws one error that lists every condition that does not compile. */
export function compileReducers(documents: readonly ReducerDocument[], rules: readonly Rule[]): Reducer[] {
  const problems: string[] = [];
  const reducers: Reducer[] = [];
  for (const document of [...documents].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))) {
    const { id, families = [], rules: codes = [], except = [], factor } = document;
    const reduces = rules.filter(
      ({ document: { code, family } }) => (families.includes(family) || codes.includes(code)) && !except.includes(code),
    );
    try {
      const when = compileCondition(document.when, FACT_VOCABULARY);
      problems.push(...forgeriesOfReducer(when).map((reason) => `reducer \`${id}\`: ${reason}`));
      reducers.push({ id, document, when, factor, reduces: new Set(reduces.map((rule) => rule.id)) });
    } catch (error) {
      problems.push(`reducer \`${id}\`: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return reducers;
}

/** The reducers whose condition holds. */
export function reducersThatApply(reducers: readonly Reducer[], facts: Facts): Reducer[] {
  return reducers.filter((reducer) => reducer.when.test(facts));
}

/** Least contribution of a reduced finding: it stays a violation. */
const LEAST = 1;

/** The findings with reduced contributions. Each names the reducers that were applied to it. */
export function reduceFindings(
  findings: readonly Finding[],
  reducers: readonly Reducer[],
  facts: Facts,
): readonly Finding[] {
  // A condition is only looked at when there is something that it could reduce.
  if (findings.length === 0) return findings;
  const candidates = reducers.filter(({ reduces }) => findings.some(({ rule }) => reduces.has(rule)));
  if (candidates.length === 0) return findings;
  const applying = reducersThatApply(candidates, facts);
  if (applying.length === 0) return findings;
  return findings.map((finding) => {
    const met = applying.filter(({ reduces }) => reduces.has(finding.rule));
    if (met.length === 0 || finding.contribution <= LEAST) return finding;
    const left = met.reduce((points, { factor }) => points * factor, finding.contribution);
    return { ...finding, contribution: Math.max(LEAST, Math.round(left)), reduced_by: met.map(({ id }) => id) };
  });
}
