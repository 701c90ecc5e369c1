/**
 * `weir keys create|list|revoke|rewrap`: API keys, and the master key of signing keys, with or without a running
 * server.
 */

import { readFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { newId } from '../../platform/ids.ts';
import { readSettings } from '../../platform/settings.ts';
import { CliError, type Output, UsageError } from '../../platform/terminal/output.ts';
import { textTable } from '../../platform/terminal/table.ts';
import type { StoredApiKey } from '../../storage/ports/storage.ts';
import type { ApiKeys } from '../../tokens/api-keys/api-keys.ts';
import { GATE_SCOPES, OWNER_SCOPES, readScopes, type Scope, scopes } from '../../tokens/api-keys/scopes.ts';
import { ABOUT_STORES, uuid } from '../arguments.ts';
import { openData } from '../open-data.ts';
import { withAuth } from '../with-auth.ts';

const EXAMPLES = `${ABOUT_STORES}
Examples:
  weir keys create --name "staging agents"
  weir keys create --customer 0198a6c2-7d5e-7c41-b1f4-2f1f0c6a9e10 --json
  weir keys create --customer 0198a6c2-7d5e-7c41-b1f4-2f1f0c6a9e10 --scopes holds:decide,scores:read
  weir keys list --customer 0198a6c2-7d5e-7c41-b1f4-2f1f0c6a9e10
  weir keys revoke 0198a6c3-1c02-7e0b-9a55-6d1b7f3f2a44
  MASTER_KEY=… weir keys rewrap --from ./data/master.key
`;

export function addKeys(program: Command, output: Output): void {
  const keys = program.command('keys').description('issue, list and revoke API keys').addHelpText('after', EXAMPLES);
  keys
    .command('create')
    .description('issue an API key; it is shown this once')
    .option('--customer <id>', 'the customer it belongs to, a UUID; default: a new customer', uuid)
    .option('--name <name>', 'what the key is for, for the list', 'command line')
    .option(
      '--scopes <names>',
      `what it may do, separated by commas: ${scopes.join(', ')}; default: a gate's key`,
      scopeList,
    )
    .option('--owner', 'issue an owner’s key, which has every scope')
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', ABOUT_STORES)
    .action((options: CreateOptions) => create(options, output));
  keys
    .command('list')
    .description('list the keys of a customer, revoked ones included')
    .requiredOption('--customer <id>', 'the customer, a UUID', uuid)
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', ABOUT_STORES)
    .action((options: { customer: string; json?: true }) => list(options, output));
  keys
    .command('revoke')
    .description('revoke a key permanently')
    .argument('<key_id>', 'id of the key (`weir keys list`), not the key itself')
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', ABOUT_STORES)
    .action((key_id: string, options: { json?: true }) => revoke(key_id, options, output));
  keys
    .command('rewrap')
    .description(
      'encrypt signing keys and webhook secrets under the MASTER_KEY that is set now, instead of the old one',
    )
    .requiredOption('--from <file>', 'file that holds the old master key, such as DATA_DIR/master.key')
    .addHelpText('after', ABOUT_STORES)
    .action((options: { from: string }) => rewrap(options, output));
}

interface CreateOptions {
  customer?: string;
  name: string;
  scopes?: Scope[];
  owner?: true;
  json?: true;
}

function scopeList(text: string): Scope[] {
  const read = readScopes(text.split(',').map((name) => name.trim()));
  if ('unknown' in read) throw new InvalidArgumentError(`there is no scope \`${read.unknown}\`.`);
  return read.scopes;
}

/** Opens the storage of the settings for one piece of work and closes it in any case. */
async function withApiKeys<T>(work: (api_keys: ApiKeys) => Promise<T>): Promise<T> {
  const settings = readSettings(process.env);
  const { createApiKeys } = await import('../../tokens/api-keys/api-keys.ts');
  const storage = await openData(settings);
  try {
    return await work(createApiKeys({ store: storage.api_keys, prefix: settings.TOKEN_PREFIX }));
  } finally {
    await storage.close();
  }
}

async function create(options: CreateOptions, output: Output): Promise<void> {
  const { customer, name, scopes, owner, json } = options;
  if (owner && scopes !== undefined) throw new UsageError('give --scopes or --owner, not both');
  const may = owner ? OWNER_SCOPES : (scopes ?? GATE_SCOPES);
  const issued = await withApiKeys((api_keys) => api_keys.issue(customer ?? newId(), name, may));
  if (json) return output.line(JSON.stringify(issued));
  await output.line(
    [
      'The key is shown this once; keep it.',
      '',
      `  API key      ${issued.api_key}`,
      `  key_id       ${issued.key_id}`,
      `  customer_id  ${issued.customer_id}`,
      `  name         ${issued.name}`,
      `  scopes       ${issued.scopes.join(', ')}`,
    ].join('\n'),
  );
}

async function list({ customer, json }: { customer: string; json?: true }, output: Output): Promise<void> {
  const keys = await withApiKeys((api_keys) => api_keys.list(customer));
  if (json) return output.line(JSON.stringify(keys));
  if (keys.length === 0) return output.line(`Customer ${customer} has no keys.`);
  const rows = keys.map((key) => [key.key_id, key.name, key.scopes.join(' '), key.created_at, key.revoked_at ?? '–']);
  await output.line(textTable(['key_id', 'name', 'scopes', 'created', 'revoked'], rows));
}

async function revoke(key_id: string, { json }: { json?: true }, output: Output): Promise<void> {
  const revoked: StoredApiKey = await withApiKeys((api_keys) => api_keys.revoke(key_id));
  await output.line(json ? JSON.stringify(revoked) : `Revoked \`${revoked.name}\` of customer ${revoked.customer_id}.`);
}

async function rewrap({ from }: { from: string }, output: Output): Promise<void> {
  const old = await readFile(from, 'utf8').catch((error: Error) => {
    throw new CliError(`cannot read the old master key: ${error.message}`);
  });
  const { masterKeyFrom } = await import('../../tokens/keys/master-key.ts');
  const was = await masterKeyFrom(old.trim());
  const [keys, secrets] = await withAuth(async (auth, webhooks) => {
    const is_now = await auth.master_key();
    if (is_now.id === was.id)
      throw new CliError(`\`${from}\` holds the master key that is in use now; set MASTER_KEY to the new one`);
    const fromKey = async () => was;
    return Promise.all([auth.keys.rewrap(fromKey), webhooks.rewrap(fromKey)]);
  });
  const done = `${keys.moved} signing keys and ${secrets.moved} webhook secrets are under the new master key now`;
  // Said here, before nodes are started with a key that does not open them.
  if (keys.left > 0 || secrets.left > 0) {
    throw new CliError(
      `${done}, but ${keys.left} signing keys and ${secrets.left} webhook secrets are under another key than the one in \`${from}\`: run it again with the file of that key before any node starts with the new one`,
    );
  }
  await output.line(`${done}. Start every node with it.`);
}
