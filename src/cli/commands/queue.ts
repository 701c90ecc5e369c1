/** `weir queue status|dead|retry`: accepted events that are not scored yet, with or without a running server. */

import { type Command, InvalidArgumentError } from 'commander';
import { counted } from '../../lang/english.ts';
import { readSettings } from '../../platform/settings.ts';
import { CliError, type Output, UsageError } from '../../platform/terminal/output.ts';
import { textTable } from '../../platform/terminal/table.ts';
import type { BuriedFilter, QueueStore } from '../../storage/ports/queue.ts';
import { ABOUT_STORES, uuid } from '../arguments.ts';
import { openData } from '../open-data.ts';

const EXAMPLES = `${ABOUT_STORES}
Examples:
  weir queue status
  weir queue status --customer 0198a6c2-7d5e-7c41-b1f4-2f1f0c6a9e10 --json
  weir queue dead
  weir queue dead --reason 'cannot read property' --limit 20 --page 2
  weir queue retry --customer 0198a6c2-7d5e-7c41-b1f4-2f1f0c6a9e10 my-event-17
  weir queue retry --all --reason 'cannot read property'
`;

interface Options {
  customer?: string;
  json?: true;
}

interface DeadOptions extends Options {
  reason?: string;
  limit: number;
  page: number;
}

interface RetryOptions {
  all?: true;
  customer?: string;
  reason?: string;
}

/** Rows shown to a person; a program requests more. */
const LIMIT = 100;
const MAX_LIMIT = 10_000;

export function addQueue(program: Command, output: Output): void {
  const queue = program
    .command('queue')
    .description('show accepted events that wait to be scored')
    .addHelpText('after', EXAMPLES);
  queue
    .command('status', { isDefault: true })
    .description('show how many events wait, and for how long')
    .option('--customer <id>', 'only events of this customer, a UUID', uuid)
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', ABOUT_STORES)
    .action((options: Options) => status(options, output));
  queue
    .command('dead')
    .description('list events that could not be scored and wait for an operator')
    .option('--customer <id>', 'only events of this customer, a UUID', uuid)
    .option('--reason <text>', 'only those with this text in their reason')
    .option('--limit <number>', `events per page; at most ${MAX_LIMIT}`, numberTo(MAX_LIMIT), LIMIT)
    .option('--page <number>', 'page number, from 1, oldest first', numberTo(MAX_PAGE), 1)
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', ABOUT_STORES)
    .action((options: DeadOptions) => dead(options, output));
  queue
    .command('retry')
    .description('put one of these events back into the queue, or all of them')
    .argument('[event_id]', 'as in `weir queue dead`')
    .option('--all', 'all events that were accepted before now, oldest first')
    .option('--customer <id>', 'the customer of the event, a UUID; with --all, only events of this customer', uuid)
    .option('--reason <text>', 'with --all, only those with this text in their reason')
    .addHelpText(
      'after',
      `${ABOUT_STORES}\nMay be interrupted and repeated: events that are back in the queue stay there.\n`,
    )
    .action((event_id: string | undefined, options: RetryOptions) => retry(event_id, options, output));
}

/** Beyond any list. */
const MAX_PAGE = 1_000_000;

function numberTo(most: number): (text: string) => number {
  return (text) => {
    const number = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0;
    if (number < 1 || number > most) throw new InvalidArgumentError(`it must be a whole number from 1 to ${most}.`);
    return number;
  };
}

async function withQueue<T>(work: (queue: QueueStore) => Promise<T>): Promise<T> {
  const storage = await openData(readSettings(process.env));
  try {
    return await work(storage.queue);
  } finally {
    await storage.close();
  }
}

async function status({ customer, json }: Options, output: Output): Promise<void> {
  const stats = await withQueue((queue) => queue.stats(customer));
  if (json) return output.line(JSON.stringify(stats));
  await output.line(
    [
      `  waiting        ${stats.waiting}`,
      `  oldest         ${stats.waiting === 0 ? '–' : `${stats.oldest_s.toFixed(1)} s`}`,
      `  lanes at work  ${stats.leased_lanes}`,
      `  dead           ${stats.dead}${stats.dead === 0 ? '' : '  (see `weir queue dead`)'}`,
    ].join('\n'),
  );
}

async function dead({ customer, json, reason, limit, page }: DeadOptions, output: Output): Promise<void> {
  const filter = filterOf(customer, reason);
  const { events, total } = await withQueue((queue) => queue.buried(filter, page, limit));
  const first = (page - 1) * limit + 1;
  const shown =
    events.length === 0 ? `Page ${page} is empty` : `Events ${first} to ${first + events.length - 1} are shown`;
  const note = events.length === total ? null : `${shown}; ${total} in all are set aside. See --page and --limit.`;
  if (json) {
    // Sorted like the list, so that programs always read one form.
    if (note !== null) process.stderr.write(`weir: ${note}\n`);
    return output.line(JSON.stringify(events));
  }
  if (total === 0) return output.line('No event is set aside.');
  const rows = events.map((event) => [event.customer_id, event.event_id, event.accepted_at, oneLine(event.reason)]);
  if (rows.length > 0) await output.line(textTable(['customer', 'event', 'accepted', 'reason'], rows));
  if (note !== null) await output.line(note);
}

/** A reason may quote what a customer sent, and a terminal obeys control characters. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');

function filterOf(customer: string | undefined, reason: string | undefined): BuriedFilter {
  return { ...(customer !== undefined && { customer_id: customer }), ...(reason !== undefined && { reason }) };
}

async function retry(event_id: string | undefined, options: RetryOptions, output: Output): Promise<void> {
  const { all, customer, reason } = options;
  if (all) {
    if (event_id !== undefined) throw new UsageError('give an event_id or --all, not both');
    return retryAll(filterOf(customer, reason), output);
  }
  if (event_id === undefined || customer === undefined) {
    throw new UsageError('give an event_id and its --customer, or --all; see `weir queue retry --help`');
  }
  if (reason !== undefined) throw new UsageError('--reason goes with --all');
  const is_there = await withQueue((queue) => queue.revive(customer, event_id));
  if (!is_there) throw new CliError(`no event \`${event_id}\` of this customer is set aside; see \`weir queue dead\``);
  await output.line(`Event ${event_id} waits to be scored again.`);
}

async function retryAll(filter: BuriedFilter, output: Output): Promise<void> {
  let back = 0;
  try {
    await withQueue((queue) =>
      queue.reviveAll(filter, (count) => {
        back = count;
      }),
    );
  } catch (error) {
    if (back === 0) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new CliError(`${eventsWait(back)}, then it failed: ${why}; run it again for the rest`);
  }
  await output.line(back === 0 ? 'No such event is set aside.' : `${eventsWait(back)}.`);
}

const eventsWait = (count: number): string => `${counted(count, 'event waits', 'events wait')} to be scored again`;
