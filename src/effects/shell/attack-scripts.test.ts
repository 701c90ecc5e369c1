/** Scripts of attack tools, and logons as such tools make them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectsOf } from '../../../test/support/effects.ts';

const HASH = '-hashes :aad3b435b51404eeaad3b435b51404ee';

test('an interpreter runs the tool that its script is', () => {
  for (const code of [
    'python3 secretsdump.py corp.test/carla:Spring24@10.1.1.7',
    'python3 -u ./examples/GetUserSPNs.py corp.test/carla:Spring24 -dc-ip 10.1.1.7',
    `python3 own_name.py ${HASH} carla@10.1.1.7`,
    `./own_name ${HASH} carla@10.1.1.7`,
  ])
    assert.ok(effectsOf(code, 'shell').includes('attacks one'), code);
});

test('an account of a domain with its password at a machine', () => {
  assert.ok(effectsOf('./run-on corp.test/carla:Spring24@10.1.1.7', 'shell').includes('moves_laterally everything'));
  for (const code of [
    'python3 responder.py --port 80',
    'docker pull corp/app:1.2@sha256:00ff',
    'npm i @corp/app@1.2',
    'python3 app.py corp/app@main',
  ])
    assert.ok(!effectsOf(code, 'shell').some((one) => /^(?:attacks|moves_laterally)/.test(one)), code);
});
