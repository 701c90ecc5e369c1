/** `weir holds list|show|approve|reject`: the queue of decisions, with or without a running server. */

import { userInfo } from 'node:os';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { approvalsIn } from '../../engine/policies.ts';
import type { Who } from '../../holds/approval.ts';
import { createDecide } from '../../holds/decide.ts';
import { type ActionPattern, parseActionPattern } from '../../lang/patterns.ts';
import { WeirError } from '../../platform/errors.ts';
import type { Output } from '../../platform/terminal/output.ts';
import { textTable } from '../../platform/terminal/table.ts';
import { type Decider, type Decision, decisions, type HoldState, holdStates } from '../../records/hold.ts';
import type { StoredScore } from '../../records/record.ts';
import { outlineOf, scoreDetail, scoreListItem } from '../../records/views.ts';
import type { ScoreOrder } from '../../storage/ports/storage.ts';
import { uuid } from '../arguments.ts';
import { commandLine, withAuth } from '../with-auth.ts';

const EXAMPLES = `
Works on the same data as the server, which may run meanwhile: DATABASE_URL, or the embedded database in DATA_DIR.

Examples:
  weir holds list --customer ID
  weir holds list --customer ID --order risk --action 'github:*' --limit 10
  weir holds list --customer ID --state rejected --agent reviewer-1
  weir holds show EVENT_ID --customer ID
  weir holds approve EVENT_ID --customer ID --reason 'asked for by the owner'
  weir holds reject EVENT_ID --customer ID --reason 'not ours'
`;

interface Common {
  customer: string;
  json?: true;
}

interface ListOptions extends Common {
  state: HoldState;
  agent?: string;
  session?: string;
  user?: string;
  rule?: string;
  action?: ActionPattern;
  order: ScoreOrder;
  limit: number;
}

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 20;

export function addHolds(program: Command, output: Output): void {
  const holds = program
    .command('holds')
    .description('held events: list, show, approve, reject')
    .addHelpText('after', EXAMPLES);
  const add = (name: string, about: string): Command =>
    holds
      .command(name)
      .description(about)
      .requiredOption('--customer <id>', 'the customer, a UUID', uuid)
      .option('--json', 'print JSON, for programs');

  add('list', 'list events that are held, or were')
    .addOption(new Option('--state <state>', 'which').choices(holdStates).default('held'))
    .option('--agent <id>', 'only events of this agent')
    .option('--session <id>', 'only events of this session')
    .option('--user <id>', 'only events of sessions of this person')
    .option('--rule <id>', 'only events that violate this rule')
    .option('--action <pattern>', 'only actions that match, such as github:* or *:*:delete', pattern)
    .addOption(
      new Option('--order <order>', 'what comes first').choices(['newest', 'oldest', 'risk']).default('oldest'),
    )
    .option('--limit <number>', `list at most this many events; at most ${MAX_LIMIT}`, limit, DEFAULT_LIMIT)
    .action((options: ListOptions) => list(options, output));
  add('show', 'show one event in full, with what it does and why it is held')
    .argument('<event_id>')
    .action((event_id: string, options: Common) => show(event_id, options, output));
  for (const decision of decisions)
    add(decision, `${decision} a held event, once and for all`)
      .argument('<event_id>')
      .option('--reason <text>', 'stored, and shown with the event')
      .action((event_id: string, options: Common & { reason?: string }) => decide(decision, event_id, options, output));
}

function pattern(text: string): ActionPattern {
  const parsed = parseActionPattern(text.toLowerCase());
  if (parsed === null) throw new InvalidArgumentError('it must be an action or a pattern such as github:*.');
  return parsed;
}

function limit(text: string): number {
  const number = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > MAX_LIMIT)
    throw new InvalidArgumentError(`it must be a whole number from 1 to ${MAX_LIMIT}.`);
  return number;
}

async function list(options: ListOptions, output: Output): Promise<void> {
  const { customer, state, agent, session, user, rule, action, order } = options;
  const filter = {
    hold: state,
    ...(agent !== undefined && { agent_id: agent }),
    ...(session !== undefined && { session_id: session }),
    ...(user !== undefined && { user_id: user }),
    ...(rule !== undefined && { rule }),
    ...(action !== undefined && { action }),
  };
  const { records, total } = await withAuth((_, __, storage) =>
    storage.scores.search(customer, { filter, order, from: { page: 1 }, limit: options.limit }),
  );
  if (options.json) return output.line(JSON.stringify({ scores: records.map(scoreListItem), total }));
  if (total === 0) return output.line(`No event is ${state}.`);
  await output.line(textTable(['score', 'event', 'action', 'agent', 'user', 'target', 'reason'], records.map(rowOf)));
  if (total > records.length) await output.line(`… and ${total - records.length} more.`);
}

function rowOf(record: StoredScore): string[] {
  const { action, agent_id, user_id, target, first_reason } = outlineOf(record);
  const { resource_type, resource_id } = target ?? {};
  const shown = [resource_type, resource_id].filter(Boolean).join(':');
  const cells = [action, agent_id ?? '', user_id ?? '', shown, first_reason?.text ?? ''];
  return [String(record.assessment.score), record.event_id, ...cells.map((cell) => oneLine(cell))];
}

const LONGEST_CELL = 60;

/** Text of an agent may hold anything, so control characters must not reach the terminal. */
function oneLine(text: string): string {
  const plain = text.replaceAll(/\p{C}+/gu, ' ');
  return plain.length > LONGEST_CELL ? `${plain.slice(0, LONGEST_CELL - 1)}…` : plain;
}

async function show(event_id: string, { customer, json }: Common, output: Output): Promise<void> {
  const record = await withAuth((_, __, storage) => storage.scores.find(customer, event_id));
  if (record === null)
    throw new WeirError('not_found', { detail: 'this customer has no scored event with this event_id' });
  const detail = scoreDetail(record);
  if (json) return output.line(JSON.stringify(detail));
  const { action, agent_id, session_id, user_id, target } = outlineOf(record);
  const lines: [string, string | null | undefined][] = [
    ['event', event_id],
    ['action', action],
    ['score', `${detail.final_score} (${detail.risk_level})`],
    ['hold', detail.hold === null ? 'not held' : `${detail.hold.state}, until ${detail.hold.expires_at}`],
    ['decided', detail.hold?.decided_at],
    ['decided by', detail.hold?.decided_by?.map(deciderOf).join(', ')],
    ['reason', detail.hold?.reason],
    ['agent', agent_id],
    ['session', session_id],
    ['user', user_id],
    ['target', target === null ? null : JSON.stringify(target)],
    ['reasoning', detail.reasoning],
    ['measures', detail.mitigations.join(' ')],
    ['user said', record.event.user_context],
    ['parameters', record.event.parameters === undefined ? null : JSON.stringify(record.event.parameters)],
  ];
  const given = lines.filter(([, text]) => text !== null && text !== undefined && text !== '');
  await output.line(given.map(([name, text]) => `${name.padEnd(10)}  ${text!.replaceAll(/\p{C}+/gu, ' ')}`).join('\n'));
}

/** Who decided, and how they signed in: `Ada (link)`, `ann for ada@example.com (password)`. */
function deciderOf({ kind, name, email, id, on_behalf_of, signed_in }: Decider): string {
  const who = name ?? email ?? [kind.replaceAll('_', ' '), id].filter(Boolean).join(' ');
  return `${who}${on_behalf_of === undefined ? '' : ` for ${on_behalf_of.email}`} (${signed_in.replaceAll('_', ' ')})`;
}

/** The user of the shell. No named person: where the policy asks for one, a person signs in. */
const shellUser = (): Who => ({
  decider: {
    kind: 'command_line',
    id: null,
    name: userInfo().username,
    email: null,
    signed_in: 'shell',
    address: null,
  },
  person: null,
});

/** With a token of its own, like every decision, so that a signature and the audit log name what allowed it. */
async function decide(
  decision: Decision,
  event_id: string,
  { customer: customer_id, reason = null, json }: Common & { reason?: string | null },
  output: Output,
): Promise<void> {
  const by = commandLine();
  const decided = await withAuth(async (auth, _, { holds, people, policies }) => {
    const parts = { ...auth, holds, people, approvalsOf: approvalsIn(policies), verify: auth.verify_override };
    return createDecide(parts)(event_id, { override_token: null, customer_id, decision, reason }, by, shellUser());
  });
  const since = decided.status === 'held' ? '' : `, since ${decided.decided_at}`;
  await output.line(json ? JSON.stringify(decided) : `The event ${event_id} is ${decided.status}${since}.`);
}
