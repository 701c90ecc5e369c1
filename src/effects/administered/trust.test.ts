/** Names and values in every form, protections that variables switch off, and settings that point elsewhere. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectsOf, worldOf } from '../../../test/support/effects.ts';
import { pairsInText, pairsOfCommand } from './pairs.ts';

const paths = (text: string): string[] => pairsInText(text).map(({ path, value }) => `${path}=${value}`);

test('names and values of JSON, YAML and command lines read alike', () => {
  assert.deepEqual(paths('{"firewall":{"enabled":false}}'), ['firewall.enabled=false']);
  assert.deepEqual(paths('firewall:\n  enabled: false\nother: 1'), ['firewall.enabled=false', 'other=1']);
  assert.deepEqual(paths('-e firewall_enabled=false'), ['firewall_enabled=false']);
  assert.deepEqual(paths('Key=domain-name-servers,Values=203.0.113.53'), [
    'Key=domain-name-servers',
    'Values.domain-name-servers=203.0.113.53',
  ]);
  assert.deepEqual(
    pairsOfCommand(['patch', '-p', '{"spec":{"httpsProxy":"http://x.test"}}'], '').map(({ path }) => path),
    ['spec.httpsProxy'],
  );
});

test('a variable of automation switches a protection off, or says something else of it', () => {
  const off = (command: string): boolean => effectsOf(command, 'shell').includes('tampers_with_guards one');
  for (const set of ['firewall_enabled=false', 'selinux_state=disabled', 'disable_waf=true', 'deletion_protection=no'])
    assert.ok(off(`ansible-playbook site.yml -e ${set}`), set);
  for (const set of ['firewall_enabled=true', 'firewall_log_prefix=no', 'disable_waf=false', 'debug=false', 'port=0'])
    assert.ok(!off(`ansible-playbook site.yml -e ${set}`), set);
  assert.ok(!off('ansible-playbook site.yml -e selinux_state=permissive --check'));
});

test('a setting of trust points at a place of others, at its own, or at one that everybody uses', () => {
  const points = (command: string): boolean =>
    worldOf(command, 'shell').effects.items.some(({ kind }) => kind === 'redirects_trust');
  for (const command of [
    'kubectl set env deploy --all HTTPS_PROXY=http://203.0.113.9:3128',
    'aws ec2 create-dhcp-options --dhcp-configurations Key=domain-name-servers,Values=203.0.113.53',
    'git config --global url."https://git.elsewhere.test/".insteadOf https://github.com/',
    'gcloud logging sinks create all pubsub.googleapis.com/projects/foreign-991/topics/x',
  ])
    assert.ok(points(command), command);
  for (const command of [
    'kubectl set env deploy/web HTTPS_PROXY=http://10.0.0.8:3128',
    'kubectl set env deploy/web NO_PROXY=https://a.test',
    'git config --global url."https://github.com/".insteadOf git@github.com:',
    'kubectl get pods --server=https://k8s.corp.test',
  ])
    assert.ok(!points(command), command);
});

test('hostile texts end within the bounds', () => {
  for (const text of ['a=', '"a":', '{"a":', 'a:\n ', "--a '", 'url.x.insteadOf ']) pairsInText(text.repeat(20_000));
});
