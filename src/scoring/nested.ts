/**
 * What is judged beside an event, and what the judgements count for together: a plan as much as the gravest of its steps, each judged
 * as if it came alone; an event as much as the gravest of its forms without what anyone who writes into it may have added.
 */

import type { AgentEvent } from '../events/event.ts';
import { parametersOf } from '../events/parameters.ts';
import { distinct } from '../lang/in-order.ts';
import type { Ontology } from '../ontology/index.ts';
import { withoutServer } from './read/action/naming/server-alone.ts';
import { remarklessForms } from './read/action/remarks.ts';
import { withoutAsides } from './read/conversation/asides/asides.ts';
import { withoutUnexplained } from './read/conversation/unexplained.ts';
import type { Assessment, Finding } from './types.ts';

/**
 * Characters of all forms together, by which their number is bounded: a small event holds the thread that reads requests for no longer
 * than a middling one. Two forms are always scored.
 */
const MOST_CHARACTERS = 65_536;
const LEAST_FORMS = 2;

/**
 * The event without its remarks, without messages of tools that no call explains, without what results say in passing, and without a
 * name of the server that alone says which code the tool runs, the barest forms first; empty where it has none of these.
 */
export function formsBeside(event: AgentEvent, ontology: Ontology): readonly AgentEvent[] {
  const [bare, ...alone] = remarklessForms(event, ontology);
  const explained = withoutUnexplained(event, ontology);
  const unserved = withoutServer(event, ontology);
  const asides = withoutAsides(event, ontology);
  if (bare === undefined && explained.length === 0 && unserved.length === 0 && asides.length === 0) return NO_FORMS;
  // What is a remark does not depend on the conversation.
  const barest = bare === undefined ? [] : explained.map((one) => ({ ...one, parameters: bare.parameters! }));
  const least = barest[0] ?? bare ?? explained[0];
  const inLeast = least === undefined || asides.length === 0 ? [] : withoutAsides(least, ontology);
  const forms = [bare ?? [], barest.slice(0, 1), inLeast, asides, unserved, explained, alone, barest.slice(1)].flat();
  return forms.slice(0, Math.max(LEAST_FORMS, Math.floor(MOST_CHARACTERS / charactersOf(event))));
}

const NO_FORMS: readonly AgentEvent[] = [];

/** Characters of messages and parameters, 1 at least. */
function charactersOf(event: AgentEvent): number {
  let characters = 1;
  for (const { content } of event.conversation_history ?? [])
    characters += typeof content === 'string' ? content.length : JSON.stringify(content ?? '').length;
  for (const { value } of parametersOf(event).leaves) characters += typeof value === 'string' ? value.length : 1;
  return characters;
}

/**
 * The assessment of a plan with that of one of its steps. A step that scores higher gives score, layers and reasons; what was found in
 * either stays.
 */
export function withStep(plan: Assessment, step: Assessment, name: string): Assessment {
  if (step.score <= plan.score) return withBare(plan, step);
  const both = withBare(plan, step);
  return {
    ...both,
    reasoning: `${step.reasoning} This is the score of the step \`${name}\`, which is judged as an action of its own.`,
    behavioral_flags: distinct([...both.behavioral_flags, `step_counts:${name}`]),
  };
}

/**
 * The assessment of an event with that of the same event without its remarks. What a remark says may add, so the higher score counts
 * and every violation of either stays.
 */
export function withBare(whole: Assessment, bare: Assessment): Assessment {
  const isMissing = bare.violations.some((one) => !whole.violations.includes(one));
  if (bare.score <= whole.score && !isMissing) return whole;
  const [higher, lower] = bare.score > whole.score ? [bare, whole] : [whole, bare];
  return {
    ...higher,
    violations: distinct([...higher.violations, ...lower.violations]),
    compliance_refs: distinct([...higher.compliance_refs, ...lower.compliance_refs]),
    mitigations: distinct([...higher.mitigations, ...lower.mitigations]),
    behavioral_flags: distinct([...higher.behavioral_flags, ...lower.behavioral_flags]),
    findings: [
      ...higher.findings,
      ...lower.findings.filter((one) => !higher.findings.some((other) => isSame(one, other))),
    ],
  };
}

const isSame = (one: Finding, other: Finding): boolean => one.rule === other.rule && one.evidence === other.evidence;
