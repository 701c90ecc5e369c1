/** `weir audit list|verify|export`: the audit log, its hash chain, and its export for a SIEM. */

import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { counted } from '../../lang/english.ts';
import { parseTimestamp } from '../../lang/timestamp.ts';
import { readSettings } from '../../platform/settings.ts';
import { CliError, Output, UsageError } from '../../platform/terminal/output.ts';
import { textTable } from '../../platform/terminal/table.ts';
import { VERSION } from '../../platform/version.ts';
import type { AuditFilter, AuditStore } from '../../storage/ports/auth.ts';
import { type Anchor, verifyChain } from '../../tokens/audit-chain.ts';
import { toOcsf } from '../../tokens/ocsf.ts';
import { createSender } from '../../webhooks/send.ts';
import { uuid } from '../arguments.ts';
import { openData } from '../open-data.ts';

const EXAMPLES = `
Works on the same data as the server, which may run meanwhile: DATABASE_URL, or the embedded database in DATA_DIR.

Examples:
  weir audit list --customer ID
  weir audit list --customer ID --action token. --since 2026-01-15T00:00:00Z
  weir audit verify
  weir audit verify --customer ID --expect 1042:5f3a…
  weir audit export --customer ID > audit.jsonl
  weir audit export --customer ID --after 1042 --webhook https://siem.example.com/ingest --authorization token.txt
`;

interface ListOptions extends AuditFilter {
  customer: string;
  limit: number;
  json?: true;
}

interface VerifyOptions {
  customer?: string;
  expect?: Anchor[];
  json?: true;
}

interface ExportOptions {
  customer?: string;
  after: number;
  file?: string;
  webhook?: string;
  authorization?: string;
}

const MAX_LIMIT = 1_000;
/** Entries of one request to a webhook. */
const LINES_AT_ONCE = 500;
/** Pauses between attempts. */
const RETRY_MS = [1_000, 5_000, 15_000];

export function addAudit(program: Command, output: Output): void {
  const audit = program
    .command('audit')
    .description('the audit log: list, verify, export')
    .addHelpText('after', EXAMPLES);
  audit
    .command('list')
    .description('list entries, newest first')
    .requiredOption('--customer <id>', 'the customer, a UUID', uuid)
    .option('--action <name>', 'only this action, or with a final dot all that begin so: token.')
    .option('--actor <name>', 'only entries of this caller')
    .option('--subject <id>', 'only entries about this jti, key_id or event_id')
    .option('--since <time>', 'only entries at or after, ISO 8601 with its offset', time)
    .option('--until <time>', 'only entries at or before', time)
    .option('--limit <number>', `list at most this many events; at most ${MAX_LIMIT}`, numberTo(MAX_LIMIT), 50)
    .option('--json', 'print JSON, for programs')
    .action((options: ListOptions) => list(options, output));
  audit
    .command('verify')
    .description('check the hash chain: finds entries that were changed, removed or reordered')
    .option('--customer <id>', 'only events of this customer, a UUID', uuid)
    .option('--expect <seq:hash...>', 'entries that an earlier run or export showed; with --customer', anchor)
    .option('--json', 'print JSON, for programs')
    .action((options: VerifyOptions) => verify(options, output));
  audit
    .command('export')
    .description('write entries as OCSF events, one JSON object a line, to standard output, a file or a webhook')
    .option('--customer <id>', 'only events of this customer, a UUID', uuid)
    .option('--after <seq>', 'only entries behind this one; with --customer', numberTo(Number.MAX_SAFE_INTEGER), 0)
    .option('--file <path>', 'append to this file')
    .option('--webhook <url>', 'send to this address, by the rules for webhooks')
    .option('--authorization <file>', 'file with the value of the header Authorization for the webhook')
    .action((options: ExportOptions) => exportAll(options, output));
}

function time(text: string): string {
  if (parseTimestamp(text) === null || !/(?:z|[+-]\d\d:\d\d)$/i.test(text))
    throw new InvalidArgumentError('it must be a date and time with its offset, such as 2026-01-15T10:00:00Z.');
  return text;
}

const numberTo = (most: number) => (text: string) => {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= 0 && number <= most)) throw new InvalidArgumentError(`it must be a whole number up to ${most}.`);
  return number;
};

function anchor(text: string, before: Anchor[] = []): Anchor[] {
  const found = /^(\d{1,16}):([0-9a-f]{64})$/.exec(text);
  if (found === null)
    throw new InvalidArgumentError('it must be a number and a hash, as `weir audit verify` shows them.');
  return [...before, { seq: Number(found[1]), hash: found[2]! }];
}

async function withAudit<T>(work: (audit: AuditStore) => Promise<T>): Promise<T> {
  const storage = await openData(readSettings(process.env));
  try {
    return await work(storage.auth.audit);
  } finally {
    await storage.close();
  }
}

async function list({ customer, limit, json, ...given }: ListOptions, output: Output): Promise<void> {
  const entries = await withAudit((audit) => audit.list(customer, Number.MAX_SAFE_INTEGER, limit, given));
  if (json) return output.line(JSON.stringify({ entries }));
  if (entries.length === 0) return output.line('No entries.');
  const rows = entries.map(({ at, action, actor, subject, details }) =>
    [at, action, actor, subject ?? '', JSON.stringify(details)].map((cell) => cell.replaceAll(/\p{C}+/gu, ' ')),
  );
  await output.line(textTable(['at', 'action', 'actor', 'subject', 'details'], rows));
}

/** The chains of the command: one customer's, or all. */
async function chainsOf(audit: AuditStore, customer: string | undefined): Promise<(string | null)[]> {
  return customer === undefined ? (await audit.chains()).map(({ customer_id }) => customer_id) : [customer];
}

async function verify({ customer, expect = [], json }: VerifyOptions, output: Output): Promise<void> {
  if (expect.length > 0 && customer === undefined) throw new UsageError('--expect needs --customer');
  const chains = await withAudit(async (audit) => {
    const verified = [];
    for (const one of await chainsOf(audit, customer)) verified.push(await verifyChain(audit, one, expect));
    return verified;
  });
  const faults = chains.reduce((sum, chain) => sum + chain.faults.length, 0);
  if (json) await output.line(JSON.stringify({ is_intact: faults === 0, chains }));
  else {
    for (const { customer_id, entries, head, faults: found } of chains) {
      const state = found.length === 0 ? 'intact' : counted(found.length, 'fault');
      await output.line(
        `${customer_id ?? 'no customer'}: ${counted(entries, 'entry', 'entries')}, ${state}${head && `, ends with ${head.seq}:${head.hash}`}`,
      );
      for (const { seq, problem } of found) await output.line(`  entry ${seq}: ${problem}`);
    }
    if (chains.length === 0) await output.line('The audit log is empty.');
  }
  if (faults > 0) throw new CliError(`the audit log is not intact: ${counted(faults, 'fault')}`);
}

/** Takes lines; resolves when they are accepted. */
type Sink = { write(lines: readonly string[]): Promise<void>; close(): Promise<void> };

async function exportAll(options: ExportOptions, output: Output): Promise<void> {
  const { customer, after } = options;
  if (after > 0 && customer === undefined) throw new UsageError('--after needs --customer');
  if (options.file !== undefined && options.webhook !== undefined)
    throw new UsageError('--file and --webhook exclude each other');
  const sink = await sinkOf(options, output);
  try {
    await withAudit(async (audit) => {
      for (const one of await chainsOf(audit, customer)) await exportChain(audit, one, after, sink);
    });
  } finally {
    await sink.close();
  }
}

/** Says at the end, or at a failure, where to continue. */
async function exportChain(audit: AuditStore, customer_id: string | null, after: number, sink: Sink): Promise<void> {
  let last = after;
  let count = 0;
  try {
    for (;;) {
      const page = await audit.chain(customer_id, last, LINES_AT_ONCE);
      if (page.length === 0) break;
      await sink.write(page.map((entry) => `${JSON.stringify(toOcsf(entry, VERSION))}\n`));
      last = page.at(-1)!.seq;
      count += page.length;
    }
  } finally {
    const name = customer_id ?? 'no customer';
    process.stderr.write(
      `weir: ${name}: ${counted(count, 'entry', 'entries')} exported; continue with --after ${last}\n`,
    );
  }
}

async function sinkOf({ file, webhook, authorization }: ExportOptions, output: Output): Promise<Sink> {
  if (webhook !== undefined) return webhookSink(webhook, authorization);
  if (authorization !== undefined) throw new UsageError('--authorization needs --webhook');
  if (file === undefined) return { write: (lines) => output.write(lines.join('')), close: async () => {} };
  const stream = createWriteStream(file, { flags: 'a', mode: 0o600 });
  const out = new Output(stream);
  return {
    write: (lines) => out.write(lines.join('')),
    close: () =>
      new Promise((resolve, reject) => stream.end((error?: Error | null) => (error ? reject(error) : resolve()))),
  };
}

async function webhookSink(url: string, authorization: string | undefined): Promise<Sink> {
  const sender = createSender({ allow_private: readSettings(process.env).WEBHOOK_ALLOW_PRIVATE });
  const headers = {
    'content-type': 'application/x-ndjson',
    ...(authorization !== undefined && { authorization: (await readFile(authorization, 'utf8')).trim() }),
  };
  return {
    async write(lines) {
      for (let attempt = 0; ; attempt += 1) {
        const result = await sender.send({ url, body: lines.join(''), headers });
        if (result.kind === 'delivered') return;
        const reason = result.kind === 'gone' ? 'answered 410' : result.reason;
        if (attempt === RETRY_MS.length) throw new CliError(`\`${url}\` does not take the entries: ${reason}`);
        await sleep(RETRY_MS[attempt]);
      }
    },
    close: () => sender.close(),
  };
}
