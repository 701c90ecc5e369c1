/** The clients' packages, built and installed as a user installs them, the guides of their documents, and a person who decides. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { ROOT, runProgram } from '../cli/support.ts';
import { type Customer, call } from '../support/client.ts';
import type { Weir } from '../support/weir.ts';

export const CLIENT = join(ROOT, 'clients/typescript');

/** A folder for one test file, removed at its end. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'weir-client-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a program and returns what it printed; fails with all of its output. */
export async function succeed(program: string, args: string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await runProgram(program, args, { cwd });
  assert.equal(code, 0, `${program} ${args.join(' ')}\n${stdout}\n${stderr}`);
  return stdout;
}

/** Builds both packages as the documents say, into the caller's folder; returns the file whose name ends so. */
export async function packageFile(folder: string, ending: '.tgz' | '.whl'): Promise<string> {
  await succeed(process.execPath, [join(ROOT, 'tools/scripts/build-clients.ts'), folder], ROOT);
  const file = readdirSync(folder).find((name) => name.endsWith(ending));
  assert.ok(file !== undefined, `no package ${ending} was built`);
  return join(folder, file);
}

/** A project below `folder` with the package installed from its tarball, without a network. */
export async function installClient(folder: string): Promise<string> {
  const tarball = await packageFile(folder, '.tgz');
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  await succeed('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], project);
  assert.deepEqual(
    readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.')),
    ['weir-client'],
    'the client has no dependency',
  );
  return project;
}

/** Adds an approver, who signs in by the link as in a browser. */
export async function namedPerson({ auth }: Pick<Weir, 'auth'>, { customer_id, api_key: key }: Customer) {
  const email = `ada-${Math.random()}@example.com`;
  const added = await call(`${auth}/people`, { key, body: { customer_id, email, name: 'Ada', role: 'approver' } });
  const link = new URL(String(added.json['sign_in_url'])).hash.slice(1);
  const signed_in = await call(`${auth}/sign-in`, { body: { link }, is_anonymous: true });
  const cookie = signed_in.headers.getSetCookie()[0]!.split(';')[0]!;
  const headers = { cookie, 'x-csrf-token': String(signed_in.json['csrf_token']) };
  const decide = async (event_id: string, decision: 'approve' | 'reject'): Promise<void> => {
    const url = `${auth}/overrides/${encodeURIComponent(event_id)}/decide`;
    const decided = await call(url, { body: { decision }, headers, is_anonymous: true });
    assert.equal(decided.status, 200, decided.text);
  };
  return { email, decide };
}

/** The program that the guide «Three minutes» of a client has its readers write. */
export function programOfGuide(client: 'python' | 'typescript', language: 'python' | 'js'): string {
  const page = readFileSync(join(ROOT, 'clients', client, 'README.md'), 'utf8');
  const program = new RegExp(`\n\`\`\`${language}\n([\\s\\S]*?)\n\`\`\``).exec(page)?.[1];
  assert.ok(program !== undefined, `no program in ${language} in the guide`);
  return program;
}

/** Runs a guide's program three times: held, approved by a named person and done, held again. */
export async function followGuide(
  weir: Pick<Weir, 'api' | 'auth'>,
  customer: Customer,
  gate_key: string,
  run: (env: Record<string, string>) => Promise<string>,
): Promise<void> {
  const env = {
    WEIR_URL: weir.api,
    WEIR_API_KEY: gate_key,
    WEIR_AUTH_URL: weir.auth,
    WEIR_CUSTOMER_ID: customer.customer_id,
    WEIR_STATE_DIR: join(emptyFolder(), 'state'),
    WEIR_WAIT_S: '0',
  };
  const first = await run(env);
  const link = new URL(first.trim().split('\n').at(-1)!);
  assert.match(first, /^Not done/);
  const page = await call(String(link), { is_anonymous: true });
  assert.ok(page.status === 200 && page.text.includes('Decide about a held event'), page.text);
  const event_id = link.searchParams.get('event_id')!;
  const person = await namedPerson(weir, customer);
  await person.decide(event_id, 'approve');
  assert.equal(await run(env), 'paid 900 to GB29NWBK60161331926819\n');
  const { json } = await call(`${weir.api}/scores/event/${event_id}`, { key: gate_key });
  const { decided_by } = json['hold'] as { decided_by: { email: string }[] };
  assert.equal(decided_by[0]?.email, person.email);
  assert.match(await run(env), /^Not done/);
}

/** A key as gates get it. */
export async function gateKey({ auth }: Pick<Weir, 'auth'>, { customer_id }: Customer): Promise<string> {
  const made = await call(`${auth}/api-keys`, { body: { customer_id, name: 'gate' } });
  assert.equal(made.status, 201, made.text);
  return String(made.json['api_key']);
}
