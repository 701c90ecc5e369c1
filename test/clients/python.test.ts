/** `weir-client` for Python: built into a wheel, installed from it into an empty environment, against a real Weir. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { before, describe, test } from 'node:test';
import { fileStore } from '../../clients/typescript/src/node.ts';
import { ROOT, runProgram } from '../cli/support.ts';
import { personOf } from '../examples/support.ts';
import { type Customer, newCustomer } from '../support/client.ts';
import { type SharedWeir, sharedWeir } from '../support/shared-weir.ts';
import { emptyFolder, followGuide, gateKey, namedPerson, packageFile, programOfGuide, succeed } from './support.ts';

/** Interpreters to try: the one that everybody has, and the versions that are installed beside it. */
const PYTHONS = ['python3', 'python3.9', 'python3.10', 'python3.12', 'python3.13'];
const TESTS = join(import.meta.dirname, 'python');
const versionOf = async (python: string): Promise<string | null> => {
  const found = await runProgram(python, ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])']).catch(() => null);
  return found?.code === 0 ? found.stdout.trim() : null;
};
const MISSING = (await versionOf('python3')) === null && 'python3 is not installed';

describe('weir-client for Python', { skip: MISSING }, () => {
  const folder = emptyFolder();
  const venv = join(folder, 'venv');
  const python = join(venv, 'bin/python');
  let weir: SharedWeir;
  let wheel: string;
  let customer: Customer;
  let gate_key: string;
  before(async () => {
    weir = await sharedWeir();
    wheel = await packageFile(folder, '.whl');
    await install('python3', venv);
    customer = await newCustomer(weir);
    gate_key = await gateKey(weir, customer);
  });

  const install = async (interpreter: string, into: string): Promise<void> => {
    await succeed(interpreter, ['-m', 'venv', into], folder);
    await succeed(join(into, 'bin/pip'), ['install', '-q', '--no-index', '--disable-pip-version-check', wheel], folder);
  };
  const installedIn = async (interpreter: string): Promise<string> => {
    const where = 'import weir_client, os; print(os.path.dirname(weir_client.__file__))';
    return (await succeed(interpreter, ['-c', where], folder)).trim();
  };
  const environment = () => ({
    TEST_API: weir.api,
    TEST_AUTH: weir.auth,
    TEST_OWNER_KEY: customer.api_key,
    TEST_GATE_KEY: gate_key,
    TEST_CUSTOMER: customer.customer_id,
    TEST_ADMIN_KEY: weir.admin_key,
    // Not this folder's sources, and no proxy between the test and loopback.
    PYTHONPATH: '',
    no_proxy: '*',
  });

  test('the wheel has no dependency, is typed, and has the table of tools', async () => {
    const listed = JSON.parse(
      await succeed(join(venv, 'bin/pip'), ['list', '--format=json', '--disable-pip-version-check'], folder),
    ) as { name: string; version: string }[];
    const names = listed.map(({ name }) => name).filter((name) => !['pip', 'setuptools'].includes(name));
    assert.deepEqual(names, ['weir-client']);
    const installed = await installedIn(python);
    assert.ok(installed.startsWith(venv), installed);
    assert.equal(readFileSync(join(installed, 'py.typed'), 'utf8'), '');
    const table = (file: string): string => readFileSync(file, 'utf8');
    assert.equal(table(join(installed, 'tools.json')), table(join(ROOT, 'clients/tools.json')));
    await succeed(python, ['-m', 'pip', 'check'], folder);
  });

  test('the sources are of Python 3.9, use the standard library alone, and show at most 200 lines', async () => {
    await succeed(python, ['-m', 'compileall', '-q', '-f', await installedIn(python)], folder);
    const printed = await succeed(python, [join(TESTS, 'inspect_package.py')], folder);
    const { surface, foreign, files } = JSON.parse(printed) as { surface: number; foreign: string[]; files: string[] };
    assert.deepEqual(foreign, []);
    assert.ok(files.length > 10 && surface > 60 && surface <= 200, printed);
  });

  test('two builds give the same bytes', async () => {
    const again = emptyFolder();
    const source = join(ROOT, 'clients/python');
    await succeed('python3', ['-m', 'pip', 'wheel', '-q', '--no-index', '--no-deps', '-w', again, source], folder);
    assert.deepEqual(readFileSync(join(again, basename(wheel))), readFileSync(wheel));
  });

  test('the shared cases: hashes of actions, actions of tools, conversations', async () => {
    const printed = await succeed(python, [join(TESTS, 'golden.py'), join(ROOT, 'corpus/clients')], folder);
    const { count, wrong } = JSON.parse(printed) as { count: number; wrong: string[] };
    assert.deepEqual(wrong, []);
    assert.ok(count >= 50, printed);
  });

  test('killed between hold and decision, the host does the approved action once, with these arguments only', async () => {
    const state = emptyFolder();
    const done = join(state, 'done');
    const env = {
      ...process.env,
      WEIR_URL: weir.api,
      WEIR_API_KEY: gate_key,
      WEIR_AUTH_URL: weir.auth,
      WEIR_CUSTOMER_ID: customer.customer_id,
      WEIR_STATE_DIR: join(state, 'store'),
    };
    const start = (content: string, wait_s: number) =>
      spawn(python, [join(TESTS, 'host.py'), content, String(wait_s), done], { cwd: folder, env });
    const ended = async (content: string): Promise<Record<string, unknown>> => {
      const host = start(content, 0);
      const [out, error] = await Promise.all([text(host.stdout), text(host.stderr), once(host, 'close')]);
      const last = out.trim().split('\n').at(-1) ?? '';
      assert.ok(last.startsWith('{'), out + error);
      return JSON.parse(last) as Record<string, unknown>;
    };
    const first = start('ssh-ed25519 AAAA eve@evil.example', 60);
    await once(first.stdout, 'data');
    const { event_id } = await personOf(weir, customer).nextHeld();
    first.kill('SIGKILL');
    await once(first, 'exit');
    await (await namedPerson(weir, customer)).decide(event_id, 'approve');

    const other = await ended('ssh-ed25519 BBBB eve@evil.example');
    assert.deepEqual([other['is_allowed'], other['why']], [false, 'undecided'], 'other arguments are another action');
    const both = await Promise.all([1, 2].map(() => ended('ssh-ed25519 AAAA eve@evil.example')));
    const allowed = both.filter((one) => one['is_allowed'] === true);
    assert.deepEqual(
      allowed.map((one) => one['event_id']),
      [event_id],
      JSON.stringify(both),
    );
    const third = await ended('ssh-ed25519 AAAA eve@evil.example');
    assert.deepEqual([third['is_allowed'], third['why']], [false, 'undecided'], 'asking again is a new event');
    assert.equal(readFileSync(done, 'utf8'), 'ssh-ed25519 AAAA eve@evil.example\n');
    const typescript = fileStore(join(state, 'store'));
    assert.equal(await typescript.claim(event_id), false, 'the TypeScript client reads the same folder');
  });

  test('the guide: held, approved by a named person, done once', async () => {
    const file = join(emptyFolder(), 'pay.py');
    writeFileSync(file, programOfGuide('python', 'python'));
    await followGuide(weir, customer, gate_key, async (env) => {
      const { code, stdout, stderr } = await runProgram(python, [file], { env });
      assert.equal(code, 0, stderr);
      return stdout;
    });
  });

  for (const interpreter of PYTHONS) {
    test(`test_client.py with ${interpreter}`, async (context) => {
      const version = await versionOf(interpreter);
      if (version === null) return context.skip(`${interpreter} is not installed`);
      const own = interpreter === 'python3' ? venv : join(folder, interpreter);
      if (own !== venv) await install(interpreter, own);
      const ran = await runProgram(join(own, 'bin/python'), ['-W', 'error', join(TESTS, 'test_client.py')], {
        cwd: folder,
        env: environment(),
      });
      const count = Number(/^Ran (\d+) tests/m.exec(ran.stderr)?.[1]);
      context.diagnostic(`Python ${version}: ${count} tests`);
      assert.equal(ran.code, 0, ran.stderr);
      assert.ok(count >= 15, ran.stderr);
    });
  }
});
