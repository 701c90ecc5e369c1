/** Parameters that take away the records by which others check what was done, or end the hold that keeps them. */
import type { AgentEvent } from '../../../../events/event.ts';
import { type Leaf, parametersOf } from '../../../../events/parameters.ts';
import { asciiLower, singular, singularsOf, wordsOf } from '../../../../lang/names.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { perOntology } from '../../../../ontology/per-ontology.ts';
import { anyOf, setOf } from '../../../../ontology/words.ts';
import type { ActionReading } from '../../action/action.ts';
import { perCallNames } from '../../action/content/call-names.ts';

const words = perOntology((ontology) => ({
  on: setOf(ontology, 'on_words'),
  off: setOf(ontology, 'off_words'),
  skipping: setOf(ontology, 'skipping_words'),
  records: setOf(ontology, 'hidden_records'),
  guards: setOf(ontology, 'record_guards'),
  recording: setOf(ontology, 'recording_words'),
  audit: setOf(ontology, 'audit_words'),
  guarded: setOf(ontology, 'guarded_log_words'),
  logs: setOf(ontology, 'event_log_words'),
  retention: setOf(ontology, 'retention_words'),
  nothing: anyOf(ontology, 'nothing_kept'),
  holds: setOf(ontology, 'hold_words'),
  hold_kinds: setOf(ontology, 'hold_kinds'),
  releasing: setOf(ontology, 'releasing_words'),
}));

const LONGEST_KEY = 64;
const LONGEST_LABEL = 80;
const MAX_LEAVES = 200;
const SECONDS_OF_DAY = 86_400;
const HOURS_OF_DAY = 24;

const leavesOf = (event: AgentEvent): readonly Leaf[] =>
  parametersOf(event)
    .leaves.slice(0, MAX_LEAVES)
    .filter(({ key }) => key.length <= LONGEST_KEY);
const wordOf = ({ value }: Leaf): string => asciiLower(String(value).trim());

/** What the names of a call may say, so that the values of most calls are not looked at. */
const mayCut = perCallNames(({ action, tool, keys, names, is_cut }, ontology) => {
  const { skipping, recording, guards, retention } = words(ontology);
  const [, scope = '', verb = ''] = action.split(':');
  return {
    hides:
      is_cut ||
      names.some((name) => guards.has(name) || [skipping, recording].some((list) => list.has(wordsOf(name)[0] ?? ''))),
    keeps:
      is_cut ||
      keys.some((key) => key.split(/[.[\]]/).some((part) => wordsOf(part).some((word) => retention.has(word)))),
    releases: is_cut || [tool, `${scope}_${verb}`, ...names].some((name) => endsHold(name, ontology)),
  };
});

/** The parameter by which the action leaves no record of itself (`hide_from_audit`, `audit_log: false`); '' if none does. */
export function hiddenRecord(event: AgentEvent, ontology: Ontology): string {
  if (!mayCut(event, ontology).hides) return '';
  const { on, off, skipping, recording, records, guards } = words(ontology);
  const found = leavesOf(event).find((leaf) => {
    if (guards.has(leaf.name)) return off.has(wordOf(leaf));
    const [first = '', ...rest] = wordsOf(leaf.name);
    // `write_audit_entry: false`
    const isHiding = (skipping.has(first) && on.has(wordOf(leaf))) || (recording.has(first) && off.has(wordOf(leaf)));
    return isHiding && rest.length > 0 && rest.some((_, at) => records.has(rest.slice(at).join('_')));
  });
  return found?.key ?? '';
}

/** The parameter that leaves of audit or security logs nothing, or what minutes bring; '' if there is none. */
export function auditRetentionCut(event: AgentEvent, ontology: Ontology, action: ActionReading): string {
  if (!mayCut(event, ontology).keeps) return '';
  const leaves = leavesOf(event);
  const named = [action.scope, action.verb, action.tool_name, ...leaves.map(({ name }) => name)];
  const labels = leaves.flatMap(({ value }) =>
    typeof value === 'string' && value.length <= LONGEST_LABEL && !/\s/.test(value) ? [value] : [],
  );
  if (![...named, ...labels].some((name) => isOfAudit(name, ontology))) return '';
  const { retention } = words(ontology);
  return (
    leaves.find(
      (leaf) =>
        leaf.path.split(/[.[\]]/).some((part) => wordsOf(part).some((word) => retention.has(word))) &&
        keepsNothing(leaf, ontology),
    )?.key ?? ''
  );
}

function isOfAudit(name: string, ontology: Ontology): boolean {
  const { audit, guarded, logs } = words(ontology);
  const of_name = wordsOf(name);
  return (
    of_name.some((word) => audit.has(word)) ||
    (of_name.some((word) => guarded.has(word)) && of_name.some((word) => logs.has(word)))
  );
}

function keepsNothing(leaf: Leaf, ontology: Ontology): boolean {
  if (typeof leaf.value === 'boolean') return false;
  const amount = Number(leaf.value);
  if (Number.isFinite(amount) && String(leaf.value).trim() !== '') {
    const of_name = wordsOf(leaf.name);
    if (of_name.some((word) => /^(?:s|secs?|seconds?)$/.test(word))) return amount < SECONDS_OF_DAY;
    if (of_name.some((word) => /^hours?$/.test(word))) return amount < HOURS_OF_DAY;
    return amount <= 1;
  }
  return words(ontology).nothing.test(String(leaf.value).trim());
}

function endsHold(name: string, ontology: Ontology): boolean {
  const { holds, releasing } = words(ontology);
  const of_name = singularsOf(name);
  return of_name.some((word) => holds.has(word)) && of_name.some((word) => releasing.has(word));
}

/** The name that ends a hold on records for a dispute: `remove_litigation_hold`, `removeHold: true`; '' if there is none. */
export function releasedHold(event: AgentEvent, ontology: Ontology, action: ActionReading): string {
  if (!mayCut(event, ontology).releases) return '';
  const { on, hold_kinds } = words(ontology);
  const leaves = leavesOf(event);
  const switched = leaves.find((leaf) => on.has(wordOf(leaf)) && endsHold(leaf.name, ontology));
  const named = [action.tool_name, `${action.scope}_${action.verb}`].find((name) => endsHold(name, ontology));
  if (switched === undefined && named === undefined) return '';
  const about = [
    action.domain,
    action.scope,
    action.verb,
    action.tool_name,
    event.mcp_context?.server_name ?? '',
    ...leaves.map(({ name }) => name),
  ];
  const isOfRecords = about.some((name) => wordsOf(name).some((word) => hold_kinds.has(singular(word))));
  return isOfRecords ? (switched?.key ?? named ?? '') : '';
}
