/** `weir tokens create|tree|introspect|revoke`: the token tree, with or without a running server. */

import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { counted } from '../../lang/english.ts';
import { WeirError } from '../../platform/errors.ts';
import { compileValidator } from '../../platform/http/validate.ts';
import { parseUuid } from '../../platform/ids.ts';
import { CliError, type Output } from '../../platform/terminal/output.ts';
import { textTable } from '../../platform/terminal/table.ts';
import type { Auth } from '../../tokens/auth.ts';
import { tokenKinds } from '../../tokens/kinds/index.ts';
import type { TokenKind } from '../../tokens/kinds/kind.ts';
import { uuid } from '../arguments.ts';
import { commandLine, withAuth } from '../with-auth.ts';

const EXAMPLES = `
Works on the same data as the server, which may run meanwhile: DATABASE_URL, or the embedded database in DATA_DIR.

Examples:
  weir tokens create app --customer ID --name ci
  weir tokens create bearer --customer ID --parent TOKEN_HASH --environment production
  weir tokens create agent --customer ID --parent BEARER_JTI --agent reviewer-1 --rbac rbac.json
  weir tokens create session --customer ID --parent AGENT_JTI --session s-1 --max-events 100
  weir tokens create override --customer ID --event EVENT_ID --allow approve --allow reject
  weir tokens tree JTI
  weir tokens revoke JTI --cascade
  weir tokens introspect < token.txt
`;

interface CreateOptions {
  customer: string;
  parent?: string;
  name?: string;
  scope?: string[];
  environment?: string;
  agent?: string;
  session?: string;
  rbac?: string;
  maxEvents?: number;
  event?: string;
  allow?: string[];
  reason?: string;
  ttl?: number;
  json?: true;
}

export function addTokens(program: Command, output: Output): void {
  const tokens = program.command('tokens').description('issue, show and revoke tokens').addHelpText('after', EXAMPLES);
  const names = tokenKinds.map(({ name }) => name);
  tokens
    .command('create')
    .description('issue a token; it is shown this once')
    .addArgument(tokens.createArgument('<kind>', names.join(', ')).choices(names))
    .requiredOption('--customer <id>', 'the customer, a UUID', uuid)
    .option('--parent <id>', 'jti of the parent; for a bearer token the hash of the app token')
    .option('--name <name>', 'name of an app or an agent, for people')
    .option('--scope <scope...>', 'scopes of an app token')
    .option('--environment <name>', 'environment of a bearer token')
    .option('--agent <id>', 'agent_id of an agent or subagent token')
    .option('--session <id>', 'session_id of a session token')
    .option('--rbac <file>', 'JSON file with the rbac of an agent or subagent token')
    .option('--max-events <number>', 'how many events a session token allows', wholeNumber)
    .option('--event <id>', 'event_id that an override token is for')
    .option('--allow <decision...>', 'what an override token allows: approve, reject')
    .option('--reason <text>', 'why an override token is issued')
    .option('--ttl <number>', 'lifetime in the unit of the kind of token: days, hours or minutes', wholeNumber)
    .option('--json', 'print JSON, for programs')
    .action((kind: string, options: CreateOptions) => create(kind, options, output));
  tokens
    .command('tree')
    .description('show the parent of a token and the tokens that were derived from it')
    .argument('<jti>')
    .option('--json', 'print JSON, for programs')
    .action((jti: string, options: { json?: true }) => tree(jti, options, output));
  tokens
    .command('introspect')
    .description('show the current state of a token, which is read from standard input')
    .action(() => introspect(output));
  tokens
    .command('revoke')
    .description('revoke a token; tokens derived from it stay valid unless --cascade is given')
    .argument('<jti>')
    .addOption(new Option('--cascade', 'revoke all its descendants as well'))
    .option('--reason <text>', 'for the audit log')
    .option('--json', 'print JSON, for programs')
    .action((jti: string, options: RevokeOptions) => revoke(jti, options, output));
}

/** `Number` would accept other spellings: 1e1 is ten, an empty text is 0. */
function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('it must be a whole number.');
  return Number(text);
}

async function create(name: string, options: CreateOptions, output: Output): Promise<void> {
  const kind = tokenKinds.find((one) => one.name === name)!;
  const body = compileValidator(kind.body, 'the token')(await bodyOf(kind, options)) as Record<string, unknown>;
  const issued = await withAuth((auth) => auth.issue(kind, body, commandLine()));
  if (options.json) return output.line(JSON.stringify(issued));
  const lines = ['The token is shown this once; keep it.', '', `  token        ${issued.token}`];
  for (const field of ['jti', 'token_hash', 'customer_id', 'expires_at']) {
    if (issued[field] !== undefined) lines.push(`  ${field.padEnd(12)} ${issued[field]}`);
  }
  await output.line(lines.join('\n'));
}

/** The body that the endpoint takes; the kind's schema reports missing and unknown fields. */
async function bodyOf(kind: TokenKind, options: CreateOptions): Promise<Record<string, unknown>> {
  const parent_field = ['app_token_hash', 'bearer_jti', 'parent_agent_jti', 'parent_jti'].find(
    (field) => field in kind.body.properties,
  );
  const given: [string, unknown][] = [
    ['customer_id', options.customer],
    [parent_field ?? 'parent', options.parent],
    ['agent_name' in kind.body.properties ? 'agent_name' : 'name', options.name],
    ['scopes', options.scope],
    ['environment', options.environment],
    ['agent_id', options.agent],
    ['session_id', options.session],
    ['rbac', options.rbac === undefined ? undefined : await readJson(options.rbac)],
    ['max_events', options.maxEvents],
    ['event_id', options.event],
    ['allowed_decisions', options.allow],
    ['reason', options.reason],
    [kind.ttl.field, options.ttl],
  ];
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new CliError(`cannot read \`${file}\` as JSON: ${(error as Error).message}`);
  }
}

const SHOWN_NODES = 1_000;

async function tree(text: string, { json }: { json?: true }, output: Output): Promise<void> {
  const jti = parseUuid(text);
  const found = jti === null ? null : await withAuth(({ store }: Auth) => store.tokens.tree(jti, SHOWN_NODES));
  if (found === null || found.total === 0)
    throw new WeirError('not_found', { detail: 'there is no token with this jti' });
  if (json) return output.line(JSON.stringify(found));
  const rows = found.nodes.map((node) => {
    const name = node.details['session_id'] ?? node.details['agent_id'] ?? node.details['name'] ?? '';
    const indent = '  '.repeat(node.path.length - 1);
    return [
      `${indent}${node.kind}${node.jti === jti ? ' *' : ''}`,
      String(name),
      node.state,
      node.expires_at,
      node.jti,
    ];
  });
  await output.line(textTable(['kind', 'name', 'state', 'expires', 'jti'], rows));
  if (found.total > found.nodes.length) await output.line(`… and ${found.total - found.nodes.length} more.`);
}

async function introspect(output: Output): Promise<void> {
  const token = (await readAll(process.stdin)).trim();
  await output.line(JSON.stringify(await withAuth((auth) => auth.introspect(token)), null, 2));
}

interface RevokeOptions {
  cascade?: true;
  reason?: string;
  json?: true;
}

async function revoke(jti: string, { cascade, reason = '', json }: RevokeOptions, output: Output): Promise<void> {
  const why = reason === '' ? null : reason;
  if (cascade) {
    const { root_jti, revoked_jtis } = await withAuth((auth) => auth.revoke.cascade(jti, why, commandLine()));
    const revoked_count = revoked_jtis.length;
    const answer = JSON.stringify({ root_jti, revoked_count, revoked_jtis });
    return output.line(
      json
        ? answer
        : `Revoked ${root_jti} and all its descendants: ${counted(revoked_count, 'token was', 'tokens were')} revoked now.`,
    );
  }
  const { revoked_at } = await withAuth((auth) => auth.revoke.one(jti, why, commandLine()));
  const answer = JSON.stringify({ jti, status: 'revoked', revoked_at });
  await output.line(json ? answer : `Revoked ${jti}. Tokens derived from it stay valid; --cascade revokes those, too.`);
}
