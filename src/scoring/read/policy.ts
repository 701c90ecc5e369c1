/** Applies a customer's policy to one event: blocked, allowed, touching data that the customer marked sensitive. */

import type { Json, JsonObject } from '../../lang/json.ts';
import { matchesAction, parseAction } from '../../lang/patterns.ts';
import type { Ontology } from '../../ontology/index.ts';
import type { CompiledPolicy, NamedPattern } from '../types.ts';
import type { Readings } from './readings.ts';

function firstMatch(patterns: readonly NamedPattern[], action: string): NamedPattern | undefined {
  const parsed = patterns.length === 0 ? null : parseAction(action);
  return parsed === null ? undefined : patterns.find(({ pattern }) => matchesAction(pattern, parsed));
}

function blockingEntry(policy: CompiledPolicy, action: string): string {
  return policy.blocked_actions.has(action) ? action : (firstMatch(policy.blocked_patterns, action)?.text ?? '');
}

/**
 * The entry that blocks the action as it was sent, as its host's shape is read, or the known action of its tool (a relabelled
 * action must not pass); '' if there is none.
 */
export function blockedBy(policy: CompiledPolicy, r: Readings): string {
  if (policy.blocked_actions.size === 0 && policy.blocked_patterns.length === 0) return '';
  const sent = blockingEntry(policy, r.evidence.event.action);
  if (sent !== '') return sent;
  const own = blockingEntry(policy, r.event.action);
  if (own !== '') return own;
  const known = r.ontology.tools.get(r.action.tool_name.toLowerCase()) ?? [];
  return known.map((tool) => blockingEntry(policy, tool.action)).find((entry) => entry !== '') ?? '';
}

const isListed = (policy: CompiledPolicy, action: string): boolean =>
  firstMatch(policy.allowed_patterns, action) !== undefined;

/** True without a list of allowed actions, and for actions on it. */
export function allowsAction(policy: CompiledPolicy, action: string): boolean {
  return policy.allowed_patterns.length === 0 || isListed(policy, action);
}

/**
 * True without a list of allowed tools, and for a tool on it. An event that names no tool does not pass such a list, unless a
 * list of actions allows its action.
 */
export function allowsTool(policy: CompiledPolicy, tool_name: string, action: string): boolean {
  if (policy.allowed_tools.size === 0) return true;
  return tool_name === '' ? isListed(policy, action) : policy.allowed_tools.has(tool_name);
}

/** Names of touched fields, and classes touched or declared, that the customer marked sensitive; sorted. */
export function sensitiveData(policy: CompiledPolicy, r: Readings): string[] {
  if (policy.sensitive_fields.size === 0 && policy.sensitive_classifications.size === 0) return [];
  const found = new Set<string>();
  if (policy.sensitive_fields.size > 0) for (const name of sensitiveFields(policy, r)) found.add(name);
  if (policy.sensitive_classifications.size > 0) for (const label of sensitiveClasses(policy, r)) found.add(label);
  return [...found].sort();
}

function sensitiveFields(policy: CompiledPolicy, r: Readings): string[] {
  const names = (r.event.data_fields_accessed ?? []).map((field) => (typeof field === 'string' ? field : field.field));
  return [...names, ...parameterNames(r.event.parameters)].filter((name) => {
    const lower = name.toLowerCase();
    return policy.sensitive_fields.has(lower) || policy.sensitive_fields.has(lower.slice(lower.lastIndexOf('.') + 1));
  });
}

function sensitiveClasses(policy: CompiledPolicy, r: Readings): string[] {
  const wanted = policy.sensitive_classifications;
  const wanted_classes = new Set([...wanted].map((label) => classOf(label, r.ontology)));
  const touched = [...r.data.touched, ...r.data.carried.map((carried) => carried.data)].map((data) => data.data_class);
  const declared = (r.event.data_fields_accessed ?? []).flatMap((field) =>
    typeof field === 'string' ? [] : (field.classification ?? []),
  );
  return [
    ...touched.filter((label) => wanted_classes.has(label)),
    ...declared.filter((label) => wanted.has(label.toLowerCase()) || wanted_classes.has(classOf(label, r.ontology))),
  ];
}

const classOf = (label: string, ontology: Ontology): string =>
  ontology.class_labels.get(label.toLowerCase()) ?? label.toLowerCase();

/** Names of all keys in the parameters, as dotted paths. The schema of events limits their depth and number. */
function parameterNames(parameters: JsonObject | undefined): string[] {
  const names: string[] = [];
  const walk = (value: Json, path: string): void => {
    if (Array.isArray(value)) for (const element of value) walk(element, path);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        const at = path === '' ? key : `${path}.${key}`;
        names.push(at);
        walk(inner, at);
      }
    }
  };
  if (parameters !== undefined) walk(parameters, '');
  return names;
}
