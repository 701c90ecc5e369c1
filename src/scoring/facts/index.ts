/**
 * All facts: every name that a rule's `when` may read, with its type, its meaning, and how it follows from the readings.
 * Built-in rules, reducers, scopes of frameworks and customers' conditions share the tables. To add a fact, add a row to
 * the table of its subject and run `npm run pages`, which writes docs/facts.md.
 */
import { ACTION_FACTS } from './action.ts';
import { AGENT_FACTS } from './agents.ts';
import { APPROVAL_FACTS } from './approval.ts';
import { CLOUD_FACTS } from './cloud.ts';
import { CODE_FACTS } from './code.ts';
import { CONTRADICTION_FACTS } from './contradictions.ts';
import { CONTROL_FACTS } from './controls.ts';
import { CONVERSATION_FACTS } from './conversation.ts';
import { DATA_FACTS } from './data.ts';
import { ELSEWHERE_FACTS } from './elsewhere.ts';
import { type Fact, type FactRow, factOf } from './fact-row.ts';
import { INTENT_FACTS } from './intent.ts';
import { PAST_FACTS } from './past.ts';
import { POLICY_FACTS } from './policy.ts';
import { SIDE_DATA_FACTS } from './side-data.ts';
import { STRUCTURE_FACTS } from './structure.ts';
import { TARGET_FACTS } from './target.ts';
import { ARGUMENT_FACTS } from './values/arguments.ts';
import { DEVIATION_FACTS } from './values/deviations.ts';
import { PAYMENT_FACTS } from './values/payments.ts';

export type { Fact, FactValue, Relief } from './fact-row.ts';

const TABLES: readonly (readonly [subject: string, rows: readonly FactRow[]])[] = [
  ['Action', ACTION_FACTS],
  ['Code in parameters', CODE_FACTS],
  ['Structure', STRUCTURE_FACTS],
  ['Cloud platforms', CLOUD_FACTS],
  ['Target, volume and time', TARGET_FACTS],
  ['Data and destination', [...SIDE_DATA_FACTS, ...DATA_FACTS]],
  ['Values of parameters', [...ARGUMENT_FACTS, ...DEVIATION_FACTS, ...PAYMENT_FACTS]],
  ['Conversation', CONVERSATION_FACTS],
  ['Intent and approval', [...INTENT_FACTS, ...APPROVAL_FACTS, ...CONTRADICTION_FACTS, ...CONTROL_FACTS]],
  ['Past', PAST_FACTS],
  ['Other sessions', ELSEWHERE_FACTS],
  ['Other agents and tool servers', AGENT_FACTS],
  ['The customer’s policy', POLICY_FACTS],
];

/** The facts of each subject, in the order of its table. */
export const FACTS_BY_SUBJECT: ReadonlyMap<string, readonly Fact[]> = new Map(
  TABLES.map(([subject, rows]) => [subject, rows.map(factOf)]),
);

export const FACTS: readonly Fact[] = [...FACTS_BY_SUBJECT.values()].flat();

export const FACT_BY_NAME: ReadonlyMap<string, Fact> = new Map(FACTS.map((fact) => [fact.name, fact]));
