import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectsOf } from '../../../test/support/effects.ts';

const kinds = (code: string): string[] => effectsOf(code, 'powershell');

test('a control is switched off or on by the value that is written', () => {
  for (const code of [
    'New-ItemProperty -Path HKLM:Software\\Microsoft\\Windows\\CurrentVersion\\Policies\\System -Name EnableLUA -Value 0',
    'Set-ItemProperty HKLM:\\SYSTEM\\CurrentControlSet\\Control\\Lsa -Name RunAsPPL -Value 0',
    "Set-Item WSMan:\\localhost\\Client\\TrustedHosts -Value '*'",
    'Set-NetFirewallProfile -Profile Public -Enabled False',
    'Set-MpPreference -DisableScriptScanning $true',
    'Set-MpPreference -drtm $true',
    'Disable-WindowsOptionalFeature -Online -FeatureName Windows-Defender-Features',
  ])
    assert.ok(
      kinds(code).some((k) => k.startsWith('tampers_with_guards')),
      code,
    );
  for (const code of [
    'New-ItemProperty -Path HKLM:\\Software\\Microsoft\\Windows\\CurrentVersion\\Policies\\System -Name EnableLUA -Value 1',
    'Set-ItemProperty HKLM:\\SYSTEM\\CurrentControlSet\\Control\\Lsa -Name RunAsPPL -Value 1',
    "Set-Item WSMan:\\localhost\\Client\\TrustedHosts -Value 'web01'",
    'Set-NetFirewallProfile -Profile Public -Enabled True',
    'Set-MpPreference -DisableScriptScanning $false',
  ])
    assert.ok(!kinds(code).some((k) => k.startsWith('tampers_with_guards')), code);
});

test('a method that is called elsewhere commands the other machine; a query does not', () => {
  const create = "-ClassName Win32_Process -MethodName Create -Arguments @{CommandLine='x'}";
  assert.ok(kinds(`Invoke-CimMethod -ComputerName s1 ${create}`).includes('moves_laterally everything'));
  assert.ok(!kinds(`Invoke-CimMethod ${create}`).includes('moves_laterally everything'));
  assert.ok(!kinds('Get-CimInstance -ComputerName s1 Win32_Service').includes('moves_laterally everything'));
});

test('shadow copies are removed by method and by cmdlet, or looked at', () => {
  for (const code of [
    'Get-WmiObject Win32_ShadowCopy | % { $_.Delete() }',
    'gcim Win32_ShadowCopy | Remove-CimInstance',
  ])
    assert.ok(kinds(code).includes('destroys_recovery everything'), code);
  assert.ok(!kinds('Get-WmiObject Win32_ShadowCopy | Select InstallDate').includes('destroys_recovery everything'));
});

test('several kinds of keys are looked for everywhere, a raw disk is read, a profile is extended', () => {
  assert.ok(kinds('gci C:\\ -Recurse -Include id_rsa,*.kdbx').includes('reads_credentials everything'));
  assert.ok(kinds("[IO.File]::ReadAllBytes('\\\\.\\PhysicalDrive0')").includes('reads_credentials everything'));
  assert.ok(kinds("Add-Content $PROFILE 'x.exe'").includes('persists one'));
  assert.ok(!kinds('Get-Content $PROFILE').includes('persists one'));
});

test('a policy of the machine or of the account holds for everything, unless its value switches a control on', () => {
  for (const code of [
    "New-ItemProperty -Path 'HKCU:\\Software\\Policies\\Microsoft\\Windows\\System' -Name DisableCMD -Value 1",
    'Remove-ItemProperty -Path HKLM:\\SOFTWARE\\Policies\\Zorp -Name Limit',
    'reg add HKLM\\Software\\Microsoft\\Windows\\CurrentVersion\\Policies\\Explorer /v NoRun /d 1 /f',
  ])
    assert.ok(kinds(code).includes('writes_system everything'), code);
  for (const code of [
    'New-ItemProperty -Path HKLM:Software\\Microsoft\\Windows\\CurrentVersion\\Policies\\System -Name EnableLUA -Value 1',
    'reg add HKCU\\Software\\Zorp\\View /v Wide /d 1 /f',
    'reg query HKLM\\SOFTWARE\\Policies\\Zorp',
  ])
    assert.ok(!kinds(code).includes('writes_system everything'), code);
});
