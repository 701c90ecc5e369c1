/** Commands in objects that a program is handed, and in requests to pages that run them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectsOf } from '../../../../test/support/effects.ts';

test('a command in an object of JSON is run', () => {
  for (const code of [
    `./agentctl '{"cmd": "rm -rf /srv/data"}'`,
    `zorp send --task '{"id": 1, "task": {"command": "rm -rf /srv/data"}}'`,
  ])
    assert.ok(effectsOf(code, 'shell').includes('deletes many'), code);
  for (const code of [`zorp '{"cmd": "status"}'`, `zorp '{"cmd": rm -rf'`])
    assert.ok(!effectsOf(code, 'shell').some((one) => one.startsWith('deletes')), code);
});

test('a page is handed a command line', () => {
  const moves = (code: string): string | undefined =>
    effectsOf(code, 'shell').find((one) => one.startsWith('moves_laterally'));
  assert.equal(moves("curl 'http://203.0.113.9/up/x.php?cmd=cat+/etc/passwd'"), 'moves_laterally everything');
  assert.equal(moves("curl -d 'exec=whoami%20/all' http://203.0.113.9/x.aspx"), 'moves_laterally everything');
  assert.equal(moves("curl 'http://203.0.113.9/run?command=ls%20-la'"), 'moves_laterally one');
  for (const code of [
    "curl 'http://localhost:8080/run?cmd=ls+-la'",
    "curl 'https://shop.example/list.php?cmd=show'",
    "curl 'https://shop.example/find.php?q=cat+food'",
  ])
    assert.equal(moves(code), undefined, code);
});
