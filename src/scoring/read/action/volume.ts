/** How much is touched: counts, arrays, wildcards, recipients. */

import type { AgentEvent } from '../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../events/parameters.ts';
import { perEvent } from '../../../events/working-copy.ts';
import type { Json } from '../../../lang/json.ts';
import { asciiLower } from '../../../lang/names.ts';
import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { setOf } from '../../../ontology/words.ts';
import type { ActionReading } from './action.ts';
import type { ContentReading } from './content/content.ts';
import { filterOfEverything, takesWholePlace } from './selection.ts';

export interface VolumeReading {
  /** The largest explicit batch_size/count/limit/rows in the parameters, or the length of the longest array; 0 if none. */
  batch_size: number;
  /** Wildcards, «all», a missing WHERE, recursion from a root. */
  is_unbounded: boolean;
  /** Number of distinct recipients named. */
  recipient_count: number;
}

const names = perOntology((ontology) => ({
  /** The contract's four names and the spellings of the same things that interfaces use. */
  counts: setOf(ontology, 'count_parameters'),
  no_limit: setOf(ontology, 'no_limit_words'),
  wildcards: setOf(ontology, 'wildcards'),
  everything: setOf(ontology, 'everything_words'),
  selections: setOf(ontology, 'selection_parameters'),
  everything_switches: setOf(ontology, 'everything_switches'),
  recursion_switches: setOf(ontology, 'recursion_switches'),
  root_folders: setOf(ontology, 'root_folders'),
  recipients: setOf(ontology, 'recipient_parameters'),
  /** Effects that reach everything make the action unbounded; reading a whole listing does not. */
  weighty_effects: setOf(ontology, 'weighty_effects'),
}));

/** Whether a parameter of this name says how many things an action touches. */
export const isCount = (name: string, ontology: Ontology): boolean => names(ontology).counts.has(name);

/** `1000`, `1,000,000`, `1_000`, `1 000`, `2.5`, `1e6`: one reading each, no coercion. */
const PLAIN_NUMBER = /^\+?(?:\d{1,15}|\d{1,3}(?:[,_ ]\d{3}){1,5})(?:\.\d{1,9})?(?:e\+?\d{1,3})?$/;

/** A root of a file system, or everything directly below one. */
const ROOT = /^(?:[/\\~.*]|\/\*|~\/?\*?|[a-z]:[\\/]?\*?)$/i;
/** A folder at the root, or everything directly in it. */
const ROOT_FOLDER = /^\/([a-z]{1,16})\/?\*?$/i;

const SEPARATORS = /[,;\n]+/;

function numberIn(value: Json): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : undefined;
  if (typeof value !== 'string' || value.length > 40) return undefined;
  const text = asciiLower(value.trim());
  return PLAIN_NUMBER.test(text) ? Number(text.replace(/[,_ ]/g, '')) : undefined;
}

/** An integer that conditions can compare: fractions count as one more, the unbelievably large as the largest exact one. */
const asCount = (n: number): number => Math.min(Number.MAX_SAFE_INTEGER, Math.ceil(n));

/**
 * The largest count in the parameters, undefined when there is nothing countable, so that a customer's condition about
 * it is unevaluable and not wrong. Numeric text counts; objects do not.
 */
export function batchSizeOf(event: AgentEvent, ontology: Ontology): number | undefined {
  const { counts } = names(ontology);
  const { entries, longest_array } = parametersOf(event);
  let largest = longest_array;
  for (const { key, name, value } of entries) {
    if (key.length > 32 || !counts.has(name)) continue;
    for (const element of Array.isArray(value) ? value : [value]) largest = Math.max(largest, numberIn(element) ?? -1);
  }
  return largest < 0 ? undefined : asCount(largest);
}

function isUnboundedLeaf({ key, name: whole, value }: Leaf, ontology: Ontology): boolean {
  const { counts, no_limit, wildcards, everything, selections, everything_switches } = names(ontology);
  const name = key.length > 32 ? '' : whole;
  if (typeof value === 'boolean') return value && everything_switches.has(name);
  if (counts.has(name)) return value === -1 || no_limit.has(asciiLower(String(value).trim()));
  if (typeof value !== 'string' || value.length > 32) return false;
  const text = asciiLower(value.trim());
  return wildcards.has(text) || (everything.has(text) && (selections.has(name) || everything_switches.has(name)));
}

/** The first parameter by whose value alone an action reaches everything. */
const unbounded = perEvent((event: AgentEvent, ontology: Ontology): { leaf: Leaf | undefined } => {
  const { leaves } = parametersOf(event);
  return { leaf: leaves.find((leaf) => isUnboundedLeaf(leaf, ontology)) ?? rootOfRecursion(leaves, ontology) };
});

/** Its path; '' if there is none. */
export const unboundedParameter = (event: AgentEvent, ontology: Ontology): string =>
  unbounded(event, ontology).leaf?.path ?? '';

/** The root from which a switch makes the action recursive. */
function rootOfRecursion(leaves: readonly Leaf[], ontology: Ontology): Leaf | undefined {
  const { recursion_switches } = names(ontology);
  const isRecursive = leaves.some(
    ({ name, value }) => recursion_switches.has(name) && (value === true || value === 'true'),
  );
  return isRecursive
    ? leaves.find(({ value }) => typeof value === 'string' && isRoot(value.trim(), ontology))
    : undefined;
}

function isRoot(path: string, ontology: Ontology): boolean {
  const folder = ROOT_FOLDER.exec(path)?.[1];
  return folder === undefined ? ROOT.test(path) : names(ontology).root_folders.has(asciiLower(folder));
}

function isUnbounded(event: AgentEvent, content: ContentReading, action: Acting, ontology: Ontology): boolean {
  const { weighty_effects } = names(ontology);
  if (content.has_unbounded_statement) return true;
  if (content.effects.some((effect) => effect.scope === 'everything' && weighty_effects.has(effect.kind))) return true;
  if (unbounded(event, ontology).leaf !== undefined) return true;
  const { effective_group, name_words } = action;
  if (takesWholePlace(event, ontology, effective_group, name_words)) return true;
  return filterOfEverything(event, ontology, effective_group) !== '';
}

function recipientCount(event: AgentEvent, ontology: Ontology): number {
  const { recipients } = names(ontology);
  const distinct = new Set<string>();
  for (const { key, name, value } of parametersOf(event).leaves) {
    if (typeof value === 'boolean' || key.length > 32 || !recipients.has(name)) continue;
    const text = String(value);
    // Most values name one recipient; splitting them all takes most of the time of a long list.
    for (const part of SEPARATORS.test(text) ? text.split(SEPARATORS) : [text]) {
      const recipient = asciiLower(part.trim());
      if (recipient !== '') distinct.add(recipient);
    }
  }
  return distinct.size;
}

/** What of the reading of the action says whether a selection is applied. */
export type Acting = Pick<ActionReading, 'effective_group' | 'name_words'>;

export function readVolume(
  event: AgentEvent,
  ontology: Ontology,
  content: ContentReading,
  action: Acting,
): VolumeReading {
  return {
    batch_size: batchSizeOf(event, ontology) ?? 0,
    is_unbounded: isUnbounded(event, content, action, ontology),
    recipient_count: recipientCount(event, ontology),
  };
}
