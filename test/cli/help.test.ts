import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT, runProgram, temporaryFolder, weir } from './support.ts';

const COMMANDS = ['serve', 'score', 'eval', 'keys', 'policy', 'rules', 'config'];
const folder = temporaryFolder();

test('without arguments the help is printed, and that is not a failure', async () => {
  const { code, stdout, stderr } = await weir([]);
  assert.equal(code, 0);
  assert.equal(stderr, '');
  for (const command of COMMANDS) assert.match(stdout, new RegExp(`^  ${command} `, 'm'));
});

test('every command explains itself with an example that starts with weir or pipes into it', async () => {
  for (const command of [...COMMANDS, 'policy check', 'rules list', 'rules show']) {
    const { code, stdout } = await weir([...command.split(' '), '--help']);
    assert.equal(code, 0, command);
    if (command !== 'policy' && command !== 'rules') assert.match(stdout, /\nExamples:\n(?:.*\n)*.*\bweir /, command);
  }
});

test('--version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  assert.deepEqual(await weir(['--version']), { code: 0, stdout: `${version}\n`, stderr: '' });
});

test('using it wrongly is one line, a hint and exit code 2', async () => {
  const wrong: [args: string[], message: RegExp][] = [
    [['scor', 'x'], /^weir: unknown command 'scor'\n\(Did you mean score\?\)\n/],
    [['score', 'x', '--polcy', 'y'], /^weir: unknown option '--polcy'\n\(Did you mean --policy\?\)\n/],
    [['score'], /^weir: missing required argument 'file'\n/],
    [['score', 'a', 'b'], /^weir: too many arguments/],
    [['keys', 'list'], /^weir: required option '--customer <id>' not specified\n/],
    [['keys', 'list', '--customer', 'x'], /it must be a UUID\.\n/],
    [['eval', 'x', '--rounds', '-1'], /write a whole number of at least 0\.\n/],
    [['eval', 'x', '--slice', 'name'], /write NAME=SOURCE,SOURCE\.\n/],
    [['eval', 'x', '--json', '--markdown'], /cannot be used with/],
  ];
  for (const [args, message] of wrong) {
    const { code, stdout, stderr } = await weir(args);
    assert.equal(code, 2, args.join(' '));
    assert.equal(stdout, '', args.join(' '));
    assert.match(stderr, message);
    assert.match(stderr, /--help/);
  }
});

test('bin/weir runs through symbolic links, from any directory', { skip: process.platform === 'win32' }, async () => {
  const inner = join(folder.path, 'bin');
  mkdirSync(inner);
  symlinkSync(join(ROOT, 'bin/weir'), join(folder.path, 'absolute'));
  symlinkSync('../absolute', join(inner, 'weir'));
  const direct = await runProgram(join(ROOT, 'bin/weir'), ['config', '--json']);
  const linked = await runProgram(join(inner, 'weir'), ['config', '--json'], { cwd: '/' });
  const found = await runProgram('sh', ['-c', 'weir config --json'], {
    env: { PATH: `${inner}:${process.env['PATH']}` },
  });
  assert.equal(direct.code, 0, direct.stderr);
  assert.equal(linked.stdout, direct.stdout);
  assert.equal(found.stdout, direct.stdout);
});

test('a role that there is not is wrong use: one line that names the roles', async () => {
  const { code, stdout, stderr } = await weir(['serve', '--roles', 'bogus']);
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(stderr, /^weir: there is no role `bogus`; the roles are api, engine, auth, worker\n$/);
});
