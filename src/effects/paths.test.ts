/** Paths: how they are normalised, what they stand for, how far removing them reaches. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadOntology } from '../engine/knowledge/load-ontology.ts';
import { HOLE } from './data.ts';
import { normalisePath, PathTraits, reachBelow } from './paths.ts';

const ontology = loadOntology();
const traits = (path: string, cwd = ''): PathTraits => new PathTraits(path, cwd, ontology);

test('normalises homes, dots, drives and the current folder', () => {
  const cases: [string, string, string][] = [
    ['/home/ada/.ssh/id_rsa', '', '~/.ssh/id_rsa'],
    ['/root/.bashrc', '', '~/.bashrc'],
    ['/Users/ada/x', '', '~/x'],
    ['$HOME/x', '', '~/x'],
    ['~ada/x', '', '~/x'],
    ['C:\\Users\\ada\\x', '', '~/x'],
    ['C:\\Windows\\System32', '', '/Windows/System32'],
    ['../../etc/passwd', '/usr/local', '/etc/passwd'],
    ['/usr/../etc//shadow', '', '/etc/shadow'],
    ['a/./b/../c', '', 'a/c'],
    ['../x', '', '../x'],
    ['./', '', '.'],
    ['shadow', '/etc', '/etc/shadow'],
    ['/private/etc/hosts', '', '/etc/hosts'],
    ['file:///etc/hosts', '', '/etc/hosts'],
    ['/', '', '/'],
  ];
  for (const [raw, cwd, expected] of cases)
    assert.equal(normalisePath(raw, ontology, cwd), expected, `${raw} in ${cwd}`);
});

test('knows whose a path is', () => {
  const cases: [string, string][] = [
    ['/tmp/x', 'scratch'],
    ['node_modules/a', 'scratch'],
    ['build/out.o', 'scratch'],
    ['/dev/null', 'null'],
    ['/etc/hosts', 'system'],
    ['/usr/bin/python', 'system'],
    ['/usr/local/src/app', 'other'],
    ['/var/www/site', 'other'],
    ['/library/books.txt', 'other'],
    ['/srv/data', 'other'],
    ['~/notes', 'home'],
    ['src/main.ts', 'workspace'],
    ['/usr/share/tmp', 'system'],
  ];
  for (const [path, place] of cases) assert.equal(traits(path).place, place, path);
});

test('tells credentials, logs, start files, controls and files of agents', () => {
  const yes: [string, keyof PathTraits][] = [
    ['/etc/shadow', 'is_credential'],
    ['~/.aws/credentials', 'is_credential'],
    ['config/.env', 'is_credential'],
    ['/proc/1/environ', 'is_credential'],
    ['server.pem', 'is_credential'],
    ['secrets.yaml', 'is_credential'],
    ['~/.bash_history', 'is_log'],
    ['/var/log/auth.log', 'is_log'],
    ['~/.zshrc', 'is_start'],
    ['/etc/cron.d/x', 'is_start'],
    ['.git/hooks/pre-commit', 'is_start'],
    ['~/Library/LaunchAgents/x.plist', 'is_start'],
    ['/etc/pam.d/sshd', 'is_guard'],
    ['/etc/passwd', 'is_account'],
    ['CLAUDE.md', 'is_agent'],
    ['/mnt/backup/db', 'is_recovery'],
    ['/dev/sda1', 'is_device'],
    ['data/customers.csv', 'is_personal'],
    ['/etc/os-release', 'is_common_read'],
  ];
  for (const [path, trait] of yes) assert.equal(traits(path)[trait], true, `${path} ${trait}`);
  const no: [string, keyof PathTraits][] = [
    ['.env.example', 'is_credential'],
    ['/etc/passwd', 'is_credential'],
    ['src/environment.ts', 'is_credential'],
    ['changelog.md', 'is_log'],
    ['src/service.ts', 'is_start'],
    ['src/contact-form.tsx', 'is_agent'],
  ];
  for (const [path, trait] of no) assert.equal(traits(path)[trait], false, `${path} ${trait}`);
});

test('removing reaches as far as what lies below', () => {
  const cases: [string, string][] = [
    ['/', 'everything'],
    ['/*', 'everything'],
    ['~', 'everything'],
    ['.', 'everything'],
    ['/etc', 'everything'],
    ['/etc/nginx', 'everything'],
    ['/usr/share/doc/x', 'many'],
    ['~/Documents', 'many'],
    ['src', 'many'],
    ['/tmp/x', 'scratch'],
    ['node_modules', 'scratch'],
    [`${HOLE}/*`, 'everything'],
    [HOLE, 'many'],
  ];
  for (const [path, scope] of cases) assert.equal(reachBelow(traits(path)), scope, path);
});
