/** Hosts of URLs and remote names. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadOntology } from '../engine/knowledge/load-ontology.ts';
import { hostOf, hostOfUrl, isLoopback, isMetadataService } from './hosts.ts';

const ontology = loadOntology();

test('hosts of URLs', () => {
  assert.equal(hostOfUrl('https://user:pw@Evil.IO:8443/a?b#c'), 'evil.io');
  assert.equal(hostOfUrl("'http://[::1]:80/x'"), '[::1]');
  assert.equal(hostOfUrl('file:///etc/passwd'), '');
  assert.equal(hostOfUrl('not a url'), '');
  assert.equal(hostOfUrl('https://\u{f8ff}/x'), '');
});

test('hosts of other remote names', () => {
  assert.equal(hostOf('ada@host.example.com:/srv'), 'host.example.com');
  assert.equal(hostOf('10.0.0.1:22'), '10.0.0.1');
  assert.equal(hostOf('localhost:3000'), 'localhost');
  assert.equal(hostOf('README'), '');
  assert.equal(hostOf('/etc/hosts'), '');
});

test('special addresses', () => {
  assert.ok(isLoopback('127.0.0.1') && isLoopback('localhost') && !isLoopback('128.0.0.1'));
  assert.ok(isMetadataService('169.254.169.254', ontology) && !isMetadataService('169.254.1.1', ontology));
});
