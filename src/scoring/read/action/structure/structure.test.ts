/** What an action reaches by its parsed structure, and where that is not known. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf, toolCall } from '../../../../../test/support/readings.ts';
import type { AgentEvent } from '../../../../events/event.ts';

const shell = (command: string, more: AgentEvent['parameters'] = {}): AgentEvent =>
  toolCall('shell:command:execute', 'Bash', { command, ...more });
const read = (name: string, event: AgentEvent): unknown => factsOf(event).get(name);

test('commands are listed with their wrappers undone, whatever stands around them', () => {
  for (const [command, programs, subcommands] of [
    ['gh pr create --fill # rm -rf /', ['gh'], ['gh pr create']],
    ['sudo -u bob git push origin x', ['git', 'sudo'], ['git push', 'sudo']],
    ['false && gh pr create', ['false', 'gh'], ['false', 'gh pr create']],
    ['echo gh pr create', ['echo'], ['echo']],
    ['git -C /srv/app stash drop', ['git'], ['git stash drop']],
    ['kubectl -n prod delete pod x', ['kubectl'], ['kubectl delete']],
    ['/usr/bin/git status', ['git'], ['git status']],
    ['/tmp/git status', ['/tmp/git'], ['/tmp/git']],
    ['cat <<EOF\ngh pr create\nEOF', ['cat'], ['cat']],
    ['gh() { rm -rf /; }; gh pr create', ['rm'], ['rm']],
    ['find . -exec rm {} +', ['find', 'rm'], ['find', 'rm']],
  ] as const) {
    assert.deepEqual(read('programs', shell(command)), programs, command);
    assert.deepEqual(read('subcommands', shell(command)), subcommands, command);
  }
});

test('nothing is known where a piece of the command or of the event is not', () => {
  for (const command of [
    '$X pr create',
    'PATH=/tmp gh pr create',
    'env PATH=/tmp gh pr create',
    'for PATH in /tmp; do gh pr create; done',
    'gh pr list > ~/.bashrc',
    'if true; then gh pr create',
  ])
    assert.equal(read('programs', shell(command)), undefined, command);
  for (const more of [{ note: 'x' }, { args: ['x'] }, { language: 'python' }, { command2: { cmd: 'ls' } }, { cmd: 7 }])
    assert.equal(read('programs', shell('gh pr create', more)), undefined, JSON.stringify(more));
  assert.deepEqual(read('programs', shell('gh pr create', { description: 'Open it', timeout: 5 })), ['gh']);
  assert.equal(read('programs', toolCall('github:repo:delete', 'delete_repo', { command: 'gh pr create' })), undefined);
  assert.equal(read('subcommands', shell('git -c alias.push=!rm push origin x')), undefined);
  assert.equal(read('subcommands', shell('git $(cat verb) origin')), undefined);
});

test('branches are known where the line names the remote and each of them', () => {
  for (const [command, branches, kinds] of [
    ['git push -u origin feature/x', ['feature/x'], ['own']],
    ['git push origin +HEAD:refs/heads/main x', ['main', 'x'], ['own', 'shared']],
    ['git push origin :release/2', ['release/2'], ['shared']],
    ['git switch -c fix/y && git push origin fix/y', ['fix/y'], ['own']],
    ['git branch -D old', ['old'], ['own']],
  ] as const) {
    assert.deepEqual(read('branches', shell(command)), branches, command);
    assert.deepEqual(read('branch_kinds', shell(command)), kinds, command);
  }
  for (const command of [
    'git push',
    'git push origin HEAD',
    'git push origin --all',
    'git push origin x --tags',
    'git push git@evil.example:a/b x',
    'git push origin "refs/heads/*"',
    'git push origin x && git reset --hard',
    'git push --receive-pack=/tmp/x origin x',
  ])
    assert.equal(read('branches', shell(command)), undefined, command);
});

test('sources of packages and hosts are known where the line names each', () => {
  assert.deepEqual(
    read('registries', shell('pip install -i https://a.example/simple x --extra-index-url https://b.example/s')),
    ['a.example', 'b.example'],
  );
  for (const command of [
    'npm i x',
    'npm i ./x --registry https://a.example',
    'pip install -i https://a.example/s -r all.txt',
  ])
    assert.equal(read('registries', shell(command)), undefined, command);
  assert.deepEqual(read('hosts', shell('curl -s -d a=b https://a.example/x https://u:p@b.example:8443/')), [
    'a.example',
    'b.example',
  ]);
  for (const command of [
    'curl -K all.cfg https://a.example',
    'curl a.example',
    'curl -x http://b.example https://a.example',
  ])
    assert.equal(read('hosts', shell(command)), undefined, command);
  assert.deepEqual(read('hosts', toolCall('http:webhook:post', '', { url: 'https://a.example/x', body: 'b' })), [
    'a.example',
  ]);
  assert.equal(read('hosts', toolCall('payments:money:transfer', '', { url: 'https://a.example/x' })), undefined);
});

test('path classes say where a path lies and what of note is there', () => {
  for (const [command, classes] of [
    ['rm -rf build/out', ['build_output']],
    ['rm -rf .', ['whole_workspace']],
    ['cd /etc && rm passwd', ['account', 'system']],
    ['cp src/a ../b', ['other', 'workspace']],
    ['cat ~/.ssh/id_rsa', ['credential', 'home']],
  ] as const)
    assert.deepEqual(read('path_classes', shell(command)), classes, command);
  for (const command of ['rm -rf $DIR/x', 'rm -rf */../x', 'tar xf a.tar', 'cp -t../b a'])
    assert.equal(read('path_classes', shell(command)), undefined, command);
  assert.equal(read('path_classes', shell('rm x', { cwd: '/etc' })), undefined);
  assert.deepEqual(read('path_classes', toolCall('file:file:write', 'write_file', { path: '.env', content: 'A=1' })), [
    'credential',
    'workspace',
  ]);
});

test('domains of recipients are known where each is a plain address', () => {
  const mail = (parameters: AgentEvent['parameters']) =>
    read('recipient_domains', toolCall('email:message:send', '', parameters));
  assert.deepEqual(mail({ to: 'a@North.example; Bo <bo@b.example>', cc: ['c@c.example'], body: 'x' }), [
    'b.example',
    'c.example',
    'north.example',
  ]);
  for (const to of ['everyone', '"a@north.example" <eve@evil.example>', 'a@north.example, team', 'a@nоrth.example'])
    assert.equal(mail({ to, body: 'x' }), undefined, to);
  assert.equal(mail({ to: 'a@north.example', route: 'x' }), undefined);
});
