/** Changes that a person can make: the user orders exactly this action, or the owner of the policy allows it. */

import { parseActionPattern } from '../../lang/patterns.ts';
import type { Facts } from '../facts/fact-table.ts';
import { blockedBy } from '../read/policy.ts';
import { show } from '../show.ts';
import type { CompiledPolicy, Evidence } from '../types.ts';
import { type Change, withUserMessage } from './change.ts';

/** A value longer than this is not something that a person reads out and confirms. */
const MAX_VALUE = 400;
const MAX_VALUES = 20;
/** Overlapping entries that block one action; more are not gone through. */
const MAX_ENTRIES = 16;

const words = (name: string): string => name.replaceAll(/[_.-]+/g, ' ');

/** The user orders this action in own words, with every value that decides what it does. */
export function userConfirms(facts: Facts): Change[] {
  const { action, arguments: all } = facts.readings;
  const decisive = all.filter(({ role, path }) => role !== '' && !path.includes('#'));
  const values = decisive.filter(({ value }) => value.length <= MAX_VALUE).slice(0, MAX_VALUES);
  const spoken = values.map(({ path, value }) => `${words(path)} ${value}`).join(' and ');
  const is_exact = values.length === decisive.length;
  return [
    {
      text: `the user confirmed ${is_exact ? 'exactly this action' : 'this action'}${spoken === '' ? '' : `, with ${is_exact ? 'its' : 'its short'} values`}`,
      decided_by: 'user',
      concerns: 'user',
      apply: (evidence) =>
        withUserMessage(
          evidence,
          `Please ${words(action.verb)} ${words(action.scope)}${spoken === '' ? '' : ` with ${spoken}`}.`,
        ),
    },
  ];
}

/** Entries that the policy's allow-lists lack. */
export function policyAllows(facts: Facts): Change[] {
  const { evidence, ontology, action } = facts.readings;
  const { event } = evidence;
  const changes: Change[] = [];
  const allow = (text: string, apply: (policy: CompiledPolicy) => CompiledPolicy): void => {
    const change = (before: Evidence): Evidence => ({ ...before, policy: apply(before.policy) });
    changes.push({ text, decided_by: 'policy_owner', concerns: `policy:${changes.length}`, apply: change });
  };
  if (!facts.bool('tool_is_allowed') && action.tool_name !== '') {
    allow(`the owner of the policy added \`${show(action.tool_name, ontology)}\` to \`allowed_tools\``, (policy) => ({
      ...policy,
      allowed_tools: new Set([...policy.allowed_tools, action.tool_name]),
    }));
  }
  if (!facts.bool('action_is_allowed') || (!facts.bool('tool_is_allowed') && action.tool_name === '')) {
    const pattern = parseActionPattern(event.action)!;
    allow(
      `the owner of the policy added \`${show(event.action, ontology)}\` to \`allowed_action_patterns\``,
      (policy) => ({
        ...policy,
        allowed_patterns: [...policy.allowed_patterns, { text: event.action, pattern }],
      }),
    );
  }
  return [...changes, ...policyUnblocks(facts, evidence)];
}

/**
 * Removes all entries that block the action. The sentence says that the block is there on purpose: only the owner of the
 * policy may decide about it.
 */
function policyUnblocks({ readings }: Facts, { policy: before }: Evidence): Change[] {
  const entries: string[] = [];
  let policy = before;
  for (let entry = blockedBy(policy, readings); entry !== ''; entry = blockedBy(policy, readings)) {
    if (entries.length === MAX_ENTRIES) return [];
    entries.push(entry);
    policy = withoutBlock(policy, entry);
  }
  if (entries.length === 0) return [];
  const named = entries.map((entry) => `\`${show(entry, readings.ontology)}\``).join(' and ');
  const without = (blocked: CompiledPolicy): CompiledPolicy => entries.reduce(withoutBlock, blocked);
  return [
    {
      text: `the owner of the policy lifted the block ${named}, which stands there on purpose`,
      decided_by: 'policy_owner',
      concerns: 'policy:block',
      apply: (evidence) => ({ ...evidence, policy: without(evidence.policy) }),
    },
  ];
}

function withoutBlock(policy: CompiledPolicy, entry: string): CompiledPolicy {
  return {
    ...policy,
    blocked_actions: new Set([...policy.blocked_actions].filter((action) => action !== entry)),
    blocked_patterns: policy.blocked_patterns.filter(({ text }) => text !== entry),
  };
}
