/** The package `weir`: built, packed, installed into an empty folder and started there. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT, runProgram } from '../cli/support.ts';
import { call } from '../support/client.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { emptyFolder } from './support.ts';

const folder = emptyFolder();

test('npm pack, npm install, npx weir serve: it answers an event', { timeout: 2 * PATIENCE_MS }, async () => {
  const run = async (program: string, args: string[], cwd: string): Promise<string> => {
    const { code, stdout, stderr } = await runProgram(program, args, { cwd });
    assert.equal(code, 0, `${program} ${args.join(' ')}\n${stdout}\n${stderr}`);
    return stdout;
  };
  const dist = join(folder, 'dist');
  await run(process.execPath, [join(ROOT, 'tools/scripts/build-package.ts'), dist], ROOT);
  await run('npm', ['pack', '--pack-destination', folder, dist], folder);
  const { version } = JSON.parse(readFileSync(join(dist, 'package.json'), 'utf8')) as { version: string };
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"private":true}');
  await run(
    'npm',
    ['install', '--prefer-offline', '--no-audit', '--no-fund', join(folder, `weir-${version}.tgz`)],
    project,
  );
  assert.equal((await run('npx', ['--no-install', 'weir', '--version'], project)).trim(), version);

  const env = { PATH: process.env['PATH']!, HOME: process.env['HOME']!, DATA_DIR: join(folder, 'data') };
  const child = spawn('npx', ['--no-install', 'weir', 'serve'], {
    cwd: project,
    env: { ...env, PORT: '0', AUTH_PORT: '0', GRPC_PORT: '0' },
    detached: true,
  });
  try {
    let said = '';
    for await (const chunk of child.stdout) {
      said += chunk;
      if (/\ncurl .*\n/.test(said)) break;
    }
    const url = /scoring API +(http:\S+)/.exec(said)?.[1];
    assert.ok(url !== undefined, said);
    const key = readFileSync(join(folder, 'data/first-api-key'), 'utf8').trim();
    const reply = await call(`${url}/events`, {
      key,
      body: { action: 'file:document:read', parameters: { path: 'a' } },
    });
    assert.deepEqual([reply.status, reply.json['status']], [200, 'scored'], reply.text);

    const hook = (command: string) =>
      runProgram(join(project, 'node_modules/.bin/weir'), ['hook', 'claude-code'], {
        env: { WEIR_URL: url, WEIR_API_KEY: key, WEIR_PATIENCE_MS: '60000', HOME: folder },
        input: JSON.stringify({
          hook_event_name: 'PreToolUse',
          session_id: 's',
          tool_name: 'Bash',
          tool_input: { command },
        }),
      });
    assert.deepEqual(await hook('ls'), { code: 0, stdout: '', stderr: '' });
    assert.match((await hook('rm -rf / --no-preserve-root')).stdout, /"permissionDecision":"deny"/);
    const shown = await run('npx', ['--no-install', 'weir', 'hook', 'install', 'claude-code', '--project'], project);
    assert.match(shown, /node_modules\/weir\/bin\/weir hook claude-code/);
  } finally {
    const gone = once(child, 'exit');
    // npx does not pass the signal on; the group has all of them.
    process.kill(-child.pid!, 'SIGTERM');
    await gone;
  }
});
