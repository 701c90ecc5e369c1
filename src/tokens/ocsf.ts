/**
 * Entries of the audit log as events of the Open Cybersecurity Schema Framework (https://schema.ocsf.io), which SIEMs
 * take without a parser of their own: class API Activity (6003) of version 1.5.0. PURE.
 */
import { capitalised } from '../lang/english.ts';
import type { ChainedEntry } from '../storage/ports/auth.ts';

const OCSF_VERSION = '1.5.0';
const CLASS_UID = 6003;

const ACTIVITIES = { create: 1, read: 2, update: 3, delete: 4, other: 99 } as const;
type Activity = keyof typeof ACTIVITIES;

const SEVERITIES = { informational: 1, low: 2, medium: 3, high: 4 } as const;
type Severity = keyof typeof SEVERITIES;

/** What an action of the audit log does; refusals are failures. Actions that are not listed change something. */
const KINDS: Record<string, [Activity, Severity]> = {
  'api_key.issued': ['create', 'low'],
  'api_key.revoked': ['delete', 'low'],
  'key.created': ['create', 'low'],
  'key.disabled': ['delete', 'medium'],
  'token.issued': ['create', 'informational'],
  'token.refused': ['create', 'medium'],
  'token.revoked': ['delete', 'low'],
  'tree.revoked': ['delete', 'medium'],
  'event.denied': ['other', 'high'],
  'event.decided': ['update', 'medium'],
  'decision.refused': ['update', 'high'],
  'webhook.registered': ['create', 'low'],
  'webhook.disabled': ['update', 'medium'],
};
const USUAL: [Activity, Severity] = ['update', 'informational'];

export type OcsfEvent = Record<string, unknown>;

export function toOcsf(entry: ChainedEntry, version: string): OcsfEvent {
  const [activity, severity] = KINDS[entry.action] ?? USUAL;
  const activity_id = ACTIVITIES[activity];
  const is_failure = /\.(?:refused|denied)$/.test(entry.action);
  const [service] = entry.action.split('.');
  const [name, address] = splitActor(entry.actor);
  return {
    class_uid: CLASS_UID,
    class_name: 'API Activity',
    category_uid: 6,
    category_name: 'Application Activity',
    activity_id,
    activity_name: capitalised(activity),
    type_uid: CLASS_UID * 100 + activity_id,
    type_name: `API Activity: ${capitalised(activity)}`,
    time: Date.parse(entry.at),
    severity_id: SEVERITIES[severity],
    severity: capitalised(severity),
    status_id: is_failure ? 2 : 1,
    status: is_failure ? 'Failure' : 'Success',
    message: `${entry.action}${entry.subject === null ? '' : ` ${entry.subject}`} by ${entry.actor}`,
    actor: { user: { name, type_id: 0, type: 'Unknown' } },
    src_endpoint: address === null ? { name: 'local' } : { ip: address },
    api: { operation: entry.action, service: { name: service }, request: { uid: entry.request_id } },
    ...(entry.subject !== null && { resources: [{ uid: entry.subject, type: service }] }),
    metadata: {
      version: OCSF_VERSION,
      product: { name: 'Weir', vendor_name: 'Weir', version },
      log_name: 'audit',
      original_time: entry.at,
      sequence: entry.seq,
      uid: entry.hash,
      ...(entry.customer_id !== null && { tenant_uid: entry.customer_id }),
    },
    unmapped: { details: JSON.parse(entry.details_text) as unknown },
  };
}

/** `operator@127.0.0.1`: a name and, behind the last `@`, an address. */
function splitActor(actor: string): [string, string | null] {
  const found = /^(.*)@([0-9a-fA-F.:]+)$/.exec(actor);
  return found === null ? [actor, null] : [found[1]!, found[2]!];
}
