/** How much is touched: counts, arrays, wildcards, recipients. */

import type { AgentEvent } from '../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../events/parameters.ts';
import type { Json } from '../../../lang/json.ts';
import { asciiLower } from '../../../lang/names.ts';
import type { ContentReading, EffectKind } from './content.ts';

export interface VolumeReading {
  /** The largest explicit batch_size/count/limit/rows in the parameters, or the length of the longest array; 0 if none. */
  batch_size: number;
  /** Wildcards, «all», a missing WHERE, recursion from a root. */
  is_unbounded: boolean;
  /** Number of distinct recipients named. */
  recipient_count: number;
}

/** The contract's four names and the spellings of the same things that interfaces use. */
export const COUNT_KEYS = new Set([
  'batch_size',
  'batchsize',
  'count',
  'limit',
  'rows',
  'row_count',
  'record_count',
  'num_rows',
  'num_records',
  'total_count',
  'max_rows',
  'max_results',
  'max_records',
  'page_size',
  'per_page',
]);
const NO_LIMIT = new Set(['all', 'unlimited', 'none', 'infinity', 'inf', 'no limit', 'max', '*', '-1']);
/** `1000`, `1,000,000`, `1_000`, `1 000`, `2.5`, `1e6`: one reading each, no coercion. */
const PLAIN_NUMBER = /^\+?(?:\d{1,15}|\d{1,3}(?:[,_ ]\d{3}){1,5})(?:\.\d{1,9})?(?:e\+?\d{1,3})?$/;

const WILDCARDS = new Set(['*', '**', '%', '*.*', '**/*', '/*', '*/*', '.*', '@all', '@everyone']);
const SELECTION_KEYS = new Set([
  'id',
  'ids',
  'target',
  'targets',
  'recipient',
  'recipients',
  'users',
  'user_ids',
  'members',
  'filter',
  'items',
  'records',
  'resources',
  'range',
  'selection',
  'to',
  'scope',
  'tables',
  'files',
  'where',
  'which',
]);
const ALL_KEYS = new Set(['all', 'select_all', 'all_users', 'everyone', 'delete_all', 'apply_to_all', 'include_all']);
const RECURSION_KEYS = new Set(['recursive', 'recurse', 'force_recursive']);
const ROOT = /^(?:[/\\~.*]|\/\*|~\/?\*?|[a-z]:[\\/]?\*?|\/(?:etc|usr|var|home|bin|boot|lib|root|opt)\/?\*?)$/i;

/** Effects that reach everything make the action unbounded; reading a whole listing does not. */
const WEIGHTY_EFFECTS: ReadonlySet<EffectKind> = new Set<EffectKind>([
  'deletes',
  'writes',
  'sends_out',
  'grants',
  'alters_schema',
  'reads_credentials',
  'reads_personal_data',
  'tampers_with_logs',
  'tampers_with_guards',
]);

const RECIPIENT_KEYS = new Set([
  'to',
  'cc',
  'bcc',
  'recipient',
  'recipients',
  'email',
  'emails',
  'mailto',
  'participants',
  'attendees',
  'invitees',
  'users',
  'user_ids',
  'members',
  'phone',
  'phones',
  'phone_number',
  'phone_numbers',
  'channel',
  'channels',
  'to_addresses',
  'recipient_list',
]);

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
export function batchSizeOf(event: AgentEvent): number | undefined {
  const { entries, longest_array } = parametersOf(event);
  let largest = longest_array;
  for (const { key, name, value } of entries) {
    if (key.length > 32 || !COUNT_KEYS.has(name)) continue;
    for (const element of Array.isArray(value) ? value : [value]) largest = Math.max(largest, numberIn(element) ?? -1);
  }
  return largest < 0 ? undefined : asCount(largest);
}

function isUnboundedLeaf({ key, name: whole, value }: Leaf): boolean {
  const name = key.length > 32 ? '' : whole;
  if (typeof value === 'boolean') return value && ALL_KEYS.has(name);
  if (COUNT_KEYS.has(name)) return value === -1 || NO_LIMIT.has(asciiLower(String(value).trim()));
  if (typeof value !== 'string' || value.length > 32) return false;
  const text = asciiLower(value.trim());
  return (
    WILDCARDS.has(text) || ((text === 'all' || text === 'everyone') && (SELECTION_KEYS.has(name) || ALL_KEYS.has(name)))
  );
}

function isUnbounded(event: AgentEvent, content: ContentReading): boolean {
  if (content.has_unbounded_statement) return true;
  if (content.effects.some((effect) => effect.scope === 'everything' && WEIGHTY_EFFECTS.has(effect.kind))) return true;
  const { leaves } = parametersOf(event);
  if (leaves.some(isUnboundedLeaf)) return true;
  const recursive = leaves.some(({ name, value }) => RECURSION_KEYS.has(name) && (value === true || value === 'true'));
  return recursive && leaves.some(({ value }) => typeof value === 'string' && ROOT.test(value.trim()));
}

function recipientCount(event: AgentEvent): number {
  const distinct = new Set<string>();
  for (const { key, name, value } of parametersOf(event).leaves) {
    if (typeof value === 'boolean' || key.length > 32 || !RECIPIENT_KEYS.has(name)) continue;
    const text = String(value);
    // Most values name one recipient; splitting them all takes most of the time of a long list.
    for (const part of SEPARATORS.test(text) ? text.split(SEPARATORS) : [text]) {
      const recipient = asciiLower(part.trim());
      if (recipient !== '') distinct.add(recipient);
    }
  }
  return distinct.size;
}

export function readVolume(event: AgentEvent, content: ContentReading): VolumeReading {
  return {
    batch_size: batchSizeOf(event) ?? 0,
    is_unbounded: isUnbounded(event, content),
    recipient_count: recipientCount(event),
  };
}
