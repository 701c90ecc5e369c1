/** `weir webhooks …`: endpoints and their deliveries, with or without a running server. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { counted } from '../../lang/english.ts';
import { WeirError } from '../../platform/errors.ts';
import { parseUuid } from '../../platform/ids.ts';
import type { Output } from '../../platform/terminal/output.ts';
import { textTable } from '../../platform/terminal/table.ts';
import type { DeliveryState } from '../../storage/ports/webhooks.ts';
import { CHOOSABLE_TYPES } from '../../webhooks/event-types.ts';
import type { WebhookName, Webhooks } from '../../webhooks/webhooks.ts';
import { uuid } from '../arguments.ts';
import { commandLine, withAuth } from '../with-auth.ts';

const EXAMPLES = `
Works on the same data as the server, which may run meanwhile: DATABASE_URL, or the embedded database in DATA_DIR.
Messages are sent by a running worker.

Examples:
  weir webhooks register https://hooks.example.com/weir --customer ID
  weir webhooks register https://hooks.example.com/weir --customer ID --type event.held --type event.scored
  weir webhooks list --customer ID
  weir webhooks test WEBHOOK_ID --customer ID
  weir webhooks deliveries WEBHOOK_ID --customer ID --state dead
  weir webhooks replay WEBHOOK_ID --customer ID
  weir webhooks rotate WEBHOOK_ID --customer ID --drop-old
`;

interface Common {
  customer: string;
  json?: true;
}

export function addWebhooks(program: Command, output: Output): void {
  const webhooks = program
    .command('webhooks')
    .description('endpoints for messages: register, list, test, replay')
    .addHelpText('after', EXAMPLES);
  const add = (name: string, about: string): Command =>
    webhooks
      .command(name)
      .description(about)
      .requiredOption('--customer <id>', 'the customer, a UUID', uuid)
      .option('--json', 'print JSON, for programs');

  add('register', 'register an endpoint; its secret is shown this once')
    .argument('<url>')
    .addOption(new Option('--type <type>', 'what to send; may be repeated').choices(CHOOSABLE_TYPES).argParser(collect))
    .action((url: string, options: Common & { type?: string[] }) => register(url, options, output));
  add('list', 'list endpoints').action((options: Common) => list(options, output));
  add('test', 'send a test message')
    .argument('<webhook_id>')
    .action(async (id: string, options: Common) => {
      const message_id = await on(id, options, (all, name) => all.test(name, commandLine()));
      await say(output, options, { message_id }, `Message ${message_id} is on its way.`);
    });
  add('rotate', 'replace the secret; the old one signs beside the new one for 24 hours')
    .argument('<webhook_id>')
    .option('--drop-old', 'the old secret leaked: it stops signing now')
    .action(async (id: string, options: Common & { dropOld?: true }) => {
      const drop_old = options.dropOld === true;
      const made = await on(id, options, (all, name) => all.rotateSecret(name, drop_old, commandLine()));
      await say(output, options, made, `The secret is shown this once; keep it.\n\n  ${made.secret}`);
    });
  for (const what of ['disable', 'enable'] as const) {
    add(
      what,
      what === 'disable' ? 'stop sending to it; messages wait' : 'send to it again, beginning with waiting messages',
    )
      .argument('<webhook_id>')
      .action(async (id: string, options: Common) => {
        const now = await on(id, options, (all, name) => all[what](name, commandLine()));
        await say(
          output,
          options,
          now,
          `${now.endpoint_url} is ${what}d; ${counted(now.pending, 'message waits', 'messages wait')}.`,
        );
      });
  }
  add('deliveries', 'the newest deliveries of an endpoint')
    .argument('<webhook_id>')
    .addOption(new Option('--state <state>', 'only these').choices(['pending', 'delivered', 'dead']))
    .action((id: string, options: Common & { state?: DeliveryState }) => deliveries(id, options, output));
  add('replay', 'send a dead message again, or all that are dead')
    .argument('<webhook_id>')
    .argument('[message_id]', 'default: all, at most 1,000 at a time')
    .action(async (id: string, message_id: string | undefined, options: Common) => {
      const done = await on(id, options, (all, name) => all.replay(name, message_id ?? null, commandLine()));
      await say(
        output,
        options,
        done,
        `${counted(done.count, 'message is', 'messages are')} on the way again; ${done.left} ${done.left === 1 ? 'is' : 'are'} still dead.`,
      );
    });
}

function collect(value: string, before: string[] | undefined): string[] {
  if (!CHOOSABLE_TYPES.includes(value)) {
    throw new InvalidArgumentError(`the types are ${CHOOSABLE_TYPES.join(', ')}.`);
  }
  return [...(before ?? []), value];
}

function on<T>(id: string, { customer }: Common, work: (all: Webhooks, name: WebhookName) => Promise<T>): Promise<T> {
  const webhook_id = parseUuid(id);
  if (webhook_id === null) throw new WeirError('not_found', { detail: `\`${id.slice(0, 64)}\` is not a webhook_id` });
  return withAuth((_, webhooks) => work(webhooks, { webhook_id, customer_id: customer }));
}

function say(output: Output, { json }: Common, value: unknown, text: string): Promise<void> | void {
  return output.line(json ? JSON.stringify(value) : text);
}

async function register(endpoint_url: string, options: Common & { type?: string[] }, output: Output): Promise<void> {
  const { customer: customer_id, type: event_types } = options;
  const made = await withAuth((_, webhooks) =>
    webhooks.register({ customer_id, endpoint_url, ...(event_types && { event_types }) }, commandLine()),
  );
  const text = [
    'The secret is shown this once; keep it.',
    '',
    `  secret       ${made.secret}`,
    `  webhook_id   ${made.webhook_id}`,
    `  event_types  ${made.event_types.join(', ')}`,
  ].join('\n');
  await say(output, options, made, text);
}

async function list(options: Common, output: Output): Promise<void> {
  const all = await withAuth((_, webhooks) => webhooks.list(options.customer));
  const rows = all.map((one) => [
    one.webhook_id,
    one.endpoint_url,
    one.disabled_reason === null ? (one.failing_since === null ? 'ok' : 'failing') : `disabled: ${one.disabled_reason}`,
    String(one.pending),
    String(one.dead),
  ]);
  const table = textTable(['webhook_id', 'endpoint', 'state', 'pending', 'dead'], rows);
  const text = all.length === 0 ? `Customer ${options.customer} has no webhook endpoints.` : table;
  await say(output, options, all, text);
}

const SHOWN = 50;

async function deliveries(id: string, options: Common & { state?: DeliveryState }, output: Output): Promise<void> {
  const { state } = options;
  const filter = { before: Number.MAX_SAFE_INTEGER, limit: SHOWN, ...(state && { state }) };
  const found = await on(id, options, (all, name) => all.deliveries(name, filter));
  const rows = found.map((one) => [
    one.created_at,
    one.type,
    one.state,
    String(one.attempts),
    one.last_reason ?? (one.last_status === null ? '–' : String(one.last_status)),
    one.message_id,
  ]);
  const table = textTable(['created', 'type', 'state', 'attempts', 'last answer', 'message_id'], rows);
  await say(output, options, found, found.length === 0 ? 'There are none.' : table);
}
