/** `weir queue status|dead|retry`: what was accepted and is not scored yet, beside a running server or without one. */
import { type Command, InvalidArgumentError } from 'commander';
import { parseUuid } from '../platform/ids.ts';
import { readSettings } from '../platform/settings.ts';
import type { QueueStore } from '../storage/ports.ts';
import { CliError, type Output } from './output.ts';
import { textTable } from './table.ts';

const ABOUT = `
Works on the same data as the server, which may run meanwhile: DATABASE_URL, or the embedded database in DATA_DIR.
`;

const EXAMPLES = `${ABOUT}
Examples:
  weir queue status
  weir queue status --customer 0198a6c2-7d5e-7c41-b1f4-2f1f0c6a9e10 --json
  weir queue dead
  weir queue retry --customer 0198a6c2-7d5e-7c41-b1f4-2f1f0c6a9e10 my-event-17
`;

interface Options {
  customer?: string;
  json?: true;
}

export function addQueue(program: Command, output: Output): void {
  const queue = program
    .command('queue')
    .description('see accepted events that wait to be scored')
    .addHelpText('after', EXAMPLES);
  queue
    .command('status', { isDefault: true })
    .description('how many wait, and for how long')
    .option('--customer <id>', 'of this customer only, a UUID', customerId)
    .option('--json', 'as JSON, for a program to read')
    .addHelpText('after', ABOUT)
    .action((options: Options) => status(options, output));
  queue
    .command('dead')
    .description('list events that could not be scored and wait for a person')
    .option('--customer <id>', 'of this customer only, a UUID', customerId)
    .option('--json', 'as JSON, for a program to read')
    .addHelpText('after', ABOUT)
    .action((options: Options) => dead(options, output));
  queue
    .command('retry')
    .description('put such an event back into the queue')
    .argument('<event_id>', 'as in `weir queue dead`')
    .requiredOption('--customer <id>', 'whose event it is, a UUID', customerId)
    .addHelpText('after', ABOUT)
    .action((event_id: string, options: { customer: string }) => retry(event_id, options.customer, output));
}

function customerId(text: string): string {
  const id = parseUuid(text);
  if (id === null) throw new InvalidArgumentError('it must be a UUID.');
  return id;
}

async function withQueue<T>(work: (queue: QueueStore) => Promise<T>): Promise<T> {
  const { openStorage } = await import('../compose.ts');
  const notice = (text: string): void => void process.stderr.write(`weir: ${text}\n`);
  const storage = await openStorage(readSettings(process.env), notice);
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

async function dead({ customer, json }: Options, output: Output): Promise<void> {
  const events = await withQueue((queue) => queue.buried(customer));
  if (json) return output.line(JSON.stringify(events));
  if (events.length === 0) return output.line('No event is set aside.');
  const rows = events.map(({ customer_id, event_id, accepted_at, reason }) => [
    customer_id,
    event_id,
    accepted_at,
    reason,
  ]);
  await output.line(textTable(['customer', 'event', 'accepted', 'reason'], rows));
}

async function retry(event_id: string, customer: string, output: Output): Promise<void> {
  const is_there = await withQueue((queue) => queue.revive(customer, event_id));
  if (!is_there) throw new CliError(`no event \`${event_id}\` of this customer is set aside; see \`weir queue dead\``);
  await output.line(`Event ${event_id} waits to be scored again.`);
}
