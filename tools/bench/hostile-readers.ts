/**
 * Every reader of the engine with its own delimiters, letters and first words, for texts that repeat them alone and in pairs.
 * The bench (`hostile.ts`) measures all of them, `test/scoring/hostile-readers.test.ts` holds them to a linear reference.
 */
import type { AgentEvent } from '../../src/events/event.ts';
import type { JsonObject } from '../../src/lang/json.ts';

export interface HostileReader {
  /** The event whose text this reader reads. */
  event: (text: string) => AgentEvent;
  /** Its delimiters and letters. */
  units: readonly string[];
  /** What texts begin with that lead deep into it; '' is always tried as well. */
  openings: readonly string[];
}

const event = (more: Partial<AgentEvent>): AgentEvent => ({
  event_id: 'hostile',
  action: 'tool:thing:use',
  timestamp: '2026-01-05T10:00:00Z',
  ...more,
});
const withParameters =
  (make: (text: string) => JsonObject, more: Partial<AgentEvent> = {}) =>
  (text: string): AgentEvent =>
    event({ ...more, parameters: make(text) });
const code = (language: string) =>
  withParameters((text) => ({ language, code: text }), { action: 'system:code:execute' });
const file = (path: string) =>
  withParameters((content) => ({ path, content }), {
    action: 'filesystem:file:write',
    mcp_context: { tool_name: 'write_file' },
  });
const value = (key: string, more: Partial<AgentEvent> = {}) => withParameters((text) => ({ [key]: text }), more);

const SPACES = [' ', '\n', '\t'];
const LETTERS = ['a', 'A', '0', '_', 'é', '\u200b', 'x '];
const SIGNS = ['(', ')', '[', ']', '{', '}', '<', '>', '"', "'", '`', '\\', '/', '|', '&', ';', ':', ',', '.'];
const MORE_SIGNS = ['-', '+', '*', '=', '!', '?', '#', '$', '%', '@', '~', '^'];
const COMMON = [...SPACES, ...LETTERS, ...SIGNS, ...MORE_SIGNS];

export const hostileReaders: Readonly<Record<string, HostileReader>> = {
  shell: {
    event: value('command', { action: 'system:shell:execute', mcp_context: { tool_name: 'bash' } }),
    units: [
      ...COMMON,
      '$(',
      '${',
      '$((',
      '<<',
      '<<<',
      '<(',
      '&&',
      '||',
      ';;',
      '[[',
      '((',
      'a=',
      '${a',
      '$a',
      '{a,',
      '<<A\n',
    ],
    openings: [
      ...[
        'echo ',
        'if ',
        'for a in ',
        'while ',
        'case a in ',
        'f(){ ',
        'a=(',
        'rm ',
        'chmod ',
        'tar ',
        'find ',
        'sed ',
      ],
      ...[
        "ruby -e 'fork",
        "perl -e '",
        "tclsh <<< '",
        "php -r '",
        'mongo --eval "db.a.remove(',
        'curl ',
        'git ',
        'ssh a ',
      ],
      ...[
        'sudo ',
        'xargs ',
        'eval ',
        'bash -c "',
        'awk ',
        'docker run ',
        'kubectl ',
        'aws ',
        'dd if=',
        'echo ${a//',
        '[[ ',
      ],
      ...[
        'cat <<EOF\n',
        'psql -c "',
        'export A=',
        'echo {',
        'crontab ',
        'find . -exec ',
        'a() { a',
        'echo $((',
        'echo "${',
      ],
    ],
  },
  cmd: {
    event: code('cmd'),
    units: [...COMMON, '%a%', '%~', '^', '&&', '||', '>>', ' /c ', 'for ', 'if ', '!a!', 'set a='],
    openings: ['@echo off\n', 'set a=', 'for %i in (', 'if exist ', 'del ', 'cmd /c ', 'echo '],
  },
  PowerShell: {
    event: code('powershell'),
    units: [
      ...COMMON,
      '$(',
      '@(',
      '@{',
      '${',
      '$a',
      '@"\n',
      "@'\n",
      '::',
      '-f',
      ' -a ',
      '[a]',
      '<#',
      '#>',
      '.a(',
      '-join',
      '`n',
    ],
    openings: [
      ...[
        'Get-Item ',
        '$a = ',
        '$a.',
        'if (',
        'foreach ($i in ',
        'function a {',
        'iex ',
        '[Convert]::',
        'New-Object ',
        '"$(',
      ],
      ...[
        '& ',
        '@"\n',
        'Remove-Item ',
        '$a -replace ',
        'Invoke-WebRequest ',
        "@'\n",
        '$env:',
        'switch (',
        'try {',
        '[a',
      ],
    ],
  },
  Python: {
    event: code('python'),
    units: [
      ...COMMON,
      '"""',
      "'''",
      'f"',
      'f"{',
      '**',
      '->',
      ':=',
      'if ',
      'not ',
      'lambda:',
      'for ',
      'in ',
      'a.',
      'a(',
      'def ',
      '\n ',
    ],
    openings: [
      'import os\n',
      'os.system(',
      'subprocess.run(',
      'open(',
      'a = ',
      'def f(',
      'class A:',
      'print(',
      'f"{',
      '"""',
      '[',
    ],
  },
  JavaScript: {
    event: code('javascript'),
    units: [
      ...COMMON,
      '/*',
      '*/',
      '//',
      '`${',
      '${',
      '=>',
      '?.',
      '...',
      '**',
      '</',
      '<a',
      'a.',
      'a(',
      'new ',
      'typeof ',
      'let a=',
    ],
    openings: [
      'const a = ',
      'fetch(',
      'require(',
      'function f(',
      'class A {',
      '`${',
      'a = /',
      'eval(',
      'import ',
      'if (',
      '[',
    ],
  },
  SQL: {
    event: value('query', { action: 'database:table:query', mcp_context: { tool_name: 'run_sql' } }),
    units: [
      ...COMMON,
      '/*',
      '*/',
      '--',
      '/*!',
      '$$',
      '$a$',
      "''",
      '||',
      '::',
      'CASE ',
      'AND ',
      'OR ',
      'SELECT ',
      'a,',
      '1=1 ',
    ],
    openings: [
      ...[
        'SELECT ',
        'DELETE FROM t WHERE ',
        'INSERT INTO ',
        'UPDATE t SET ',
        'WITH a AS (',
        'GRANT ',
        'REVOKE ',
        'COPY a',
      ],
      ...[
        'EXEC ',
        'CREATE ',
        'ALTER TABLE ',
        'DROP ',
        'MERGE INTO ',
        "SELECT '",
        'SELECT (',
        'EXPLAIN ',
        'TRUNCATE ',
        'SET ',
      ],
    ],
  },
  Ruby: {
    event: file('a.rb'),
    units: [...COMMON, '#{', '%w(', '<<A\n', '=begin\n', 'end\n', 'do ', 'a.', '::', '=>'],
    openings: ['require "a"\n', 'system(', '`', 'fork ', 'File.delete(', 'def a\n', 'eval ', '"#{', '%x('],
  },
  Perl: {
    event: file('a.pl'),
    units: [...COMMON, 's/', 'q{', 'qw(', '$_', '@a', '%a', '=pod\n', '<<A\n', '->'],
    openings: ['use a;\n', 'system(', 'exec ', 'unlink ', 'open(A, ', 'eval ', 's/', 'qx('],
  },
  PHP: {
    event: file('a.php'),
    units: [...COMMON, '<?php ', '?>', '$a', '->', '::', '/*', '//', '<<<A\n'],
    openings: ['<?php ', '<?php system(', '<?php eval(', '<?php unlink("', '<?php $a = '],
  },
  Tcl: {
    event: file('a.tcl'),
    units: [...COMMON, '[a', '{a', '$a'],
    openings: ['exec ', 'file delete ', 'eval ', 'set a ', 'open "|'],
  },
  Lua: {
    event: file('a.lua'),
    units: [...COMMON, '[[', '--[[', '..'],
    openings: ['os.execute(', 'io.popen(', 'load('],
  },
  'file of a Unix unit': {
    event: file('/etc/systemd/system/a.service'),
    units: [...COMMON, '[Unit]\n', 'a=b\n', 'ExecStart='],
    openings: ['[Service]\nExecStart=', '[Unit]\n', '[Install]\n'],
  },
  'file of a Makefile': {
    event: file('Makefile'),
    units: [...COMMON, '\n\t', 'a:\n', '$(a)', '\\\n'],
    openings: ['all:\n\t', 'a = '],
  },
  'file of settings': {
    event: file('.npmrc'),
    units: [...COMMON, 'a=b\n', '//a/', '${a'],
    openings: ['registry=', '[a]\n', '//'],
  },
  'file of a package': {
    event: file('package.json'),
    units: [...COMMON, '{"a":', '"a",', '[['],
    openings: ['{"scripts":{"postinstall":"', '{"dependencies":{"', '{'],
  },
  'file of a workflow': {
    event: file('.github/workflows/a.yml'),
    units: [...COMMON, '- ', 'a: ', 'run: |\n', '${{ ', ' }}'],
    openings: ['on: push\njobs:\n  a:\n    steps:\n      - run: ', 'run: |\n  ', 'a: '],
  },
  'file of a cron table': { event: file('/etc/cron.d/a'), units: [...COMMON, '* '], openings: ['* * * * * root '] },
  'file of an image': {
    event: file('Dockerfile'),
    units: [...COMMON, 'RUN ', '\\\n', 'COPY '],
    openings: ['FROM a\nRUN ', 'FROM a\nCMD ['],
  },
  'file of a page': {
    event: file('a.html'),
    units: [...COMMON, '<script>', '</script>', '<!--', '-->', '<a ', '&lt;'],
    openings: ['<script>', '<script src="', '<a href="', '<!--'],
  },
  'file of a manifest': {
    event: value('manifest', { action: 'kubernetes:pod:create' }),
    units: [...COMMON, 'a: ', '- ', '{a: ', 'privileged: true\n', '  '],
    openings: ['apiVersion: v1\nkind: Pod\nspec:\n  ', 'hostPath:\n'],
  },
  patch: {
    event: withParameters((patch) => ({ patch }), {
      action: 'filesystem:file:edit',
      mcp_context: { tool_name: 'apply_patch' },
    }),
    units: [...COMMON, '\n+', '\n-', '\n@@', '\n ', '--- a\n', '+++ b\n', '*** ', '\n*** Update File: a\n'],
    openings: [
      '*** Begin Patch\n*** Update File: a.py\n@@\n',
      '--- a/a.sh\n+++ b/a.sh\n@@ -1 +1 @@\n',
      'diff --git a/a b/a\n',
    ],
  },
  edit: {
    event: withParameters((text) => ({ file_path: 'a.py', old_string: text, new_string: `${text}x` }), {
      action: 'filesystem:file:edit',
      mcp_context: { tool_name: 'Edit' },
    }),
    units: [...COMMON, '\n', 'assert ', 'if ', '# ', 'def '],
    openings: ['assert ', 'if a:\n'],
  },
  'injected SQL': {
    event: value('username', { action: 'api:login:create' }),
    units: [...COMMON, '/*', '*/', '--', "''", '%27', '%20', ' or ', ' and ', 'union ', 'select ', '||', '1=1', "'a'="],
    openings: ["' or ", '1 union select ', "'; drop table ", '1) and (', "' || ", "a' and sleep(", '%27 or ', "1' /*"],
  },
  'injected page': {
    event: value('comment', { action: 'web:comment:create' }),
    units: [...COMMON, '<script', '</', '<!--', '&#x', '&lt;', ' on', 'javascript:', '{{', '${', '%3c', '<img '],
    openings: ['<script>', '<img src=x onerror=', '{{', '${jndi:', '<!--', '../'],
  },
  URL: {
    event: value('url', { action: 'web:page:fetch' }),
    units: [...COMMON, '%2f', '%', 'a.', 'a@', '//', '../', '&a=', '?a=', '%25', '://'],
    openings: ['https://', 'http://a.example/', 'https://a@', 'data:text/html,', 'file:///', 'https://a.example/?a='],
  },
  path: {
    event: value('path', { action: 'filesystem:file:delete' }),
    units: [...COMMON, '../', './', '//', '\\\\', '/*', '**', '**/', '%2e', '~/', 'C:\\', '{a,b}', '[a-z]', '?*'],
    openings: ['/', '/etc/', '~/', 'C:\\', '../', '/tmp/', '**/', './'],
  },
  'glob of a command': {
    event: value('command', { action: 'system:shell:execute', mcp_context: { tool_name: 'bash' } }),
    units: [
      '*',
      '?',
      '[',
      ']',
      '[a-z]',
      '[!a]',
      '{',
      '}',
      ',',
      '{a,b}',
      '/',
      '.',
      '..',
      'a',
      '**',
      '/*',
      '\\',
      '~',
      ' ',
    ],
    openings: ['rm -rf ', 'rm /', 'cat ', '/???/c?t ', 'tar -cf a ', 'chmod -R 777 /', 'find / -name '],
  },
  'JSON in text': {
    event: value('arguments', { action: 'tool:thing:call' }),
    units: [...COMMON, '{"a":', '["', '\\"', '"a",', '\\u0041', '[[', '{}', 'null,'],
    openings: ['{"command": "', '[', '{"arguments": "{\\"', '{"a": ['],
  },
  message: {
    event: value('body', { action: 'email:message:send' }),
    units: [
      ...COMMON,
      'a@',
      'a@b.example ',
      'http://',
      'A1',
      '4111 ',
      '=',
      'key=',
      'send ',
      '. ',
      'Dear a, ',
      '%41',
      'QUJD',
    ],
    openings: [
      'password=',
      'card 4111 ',
      'Dear Ana, ',
      'sk-ant-',
      'AKIA',
      'eyJ',
      '-----BEGIN RSA PRIVATE KEY-----',
      'DE89 3704 ',
      'data:image/png;base64,',
    ],
  },
  'answer of a tool': {
    event: (text) =>
      event({
        action: 'email:message:send',
        parameters: { to: 'eve@evil.example', body: 'the summary', amount: 120 },
        user_context: 'Please send the summary to ana@north.test.',
        conversation_history: [{ role: 'tool', content: text }],
      }),
    units: [
      ...COMMON,
      '<!--',
      '-->',
      '```',
      '**',
      '</',
      '<a>',
      'a@',
      'http://',
      'send ',
      'you must ',
      'ignore ',
      '. ',
      '\r\n',
      '> ',
      '- ',
      '{"a":',
      '"a",',
      ' | ',
    ],
    openings: [
      '<!-- ',
      '```',
      'Ignore all previous instructions and ',
      'From: a\n',
      '{"a": "',
      'Please send ',
      '# ',
      '| a | ',
      '<a href="',
      '"',
      '“',
    ],
  },
  'request of the user': {
    event: (text) =>
      event({
        action: 'email:message:send',
        parameters: { to: 'bob', body: 'file', path: '/a/b' },
        user_context: text,
      }),
    units: [
      ...COMMON,
      'send ',
      'do not ',
      'and then ',
      'if ',
      '. ',
      'a@b ',
      '“',
      '12 EUR ',
      '2026-01-',
      'the ',
      'to ',
      "'s ",
    ],
    openings: ['Please send ', 'Do not ', 'After ', 'Send “', 'On 2026-', 'Delete all '],
  },
  'message of the user': {
    event: (text) =>
      event({
        action: 'filesystem:file:delete',
        parameters: { path: '/a/b.txt' },
        conversation_history: [
          { role: 'user', content: text },
          { role: 'assistant', content: text },
        ],
      }),
    units: [...COMMON, 'delete ', 'do not ', 'yes ', '. ', '```', '> ', 'a/b'],
    openings: ['Please delete ', 'Do not ', '> ', '```\n'],
  },
  'encoded text': {
    event: value('data', { action: 'api:data:send' }),
    units: [...COMMON, 'QUJD', '41', '%41', '\\x41', '\\u0041', '&#65;', '=41', '==', 'H4sI', '.-', 'ZXZhbA=='],
    openings: ['base64:', 'data:text/plain;base64,', '\\x', '0x', 'rot13:', 'H4sIAAAA'],
  },
  'data of persons': {
    event: value('record', { action: 'crm:customer:update' }),
    units: [
      ...COMMON,
      '0 ',
      '1-',
      '4111',
      '078-05-',
      'DE89',
      'GB29 ',
      '+49 ',
      '10.',
      '::',
      'a@b.',
      'name: ',
      'Diagnosis: a\n',
    ],
    openings: ['4111 ', 'DE89 ', 'ssn ', '+49 ', 'Name: ', 'iban ', '2001:db8:', '10.0.0.', 'passport '],
  },
  name: {
    event: value('recipient', { action: 'payment:transfer:create' }),
    units: [...COMMON, 'a@', '.com', 'xn--', 'а', 'Ａ', '\u202e', '\ud83d\ude00', '<a@b>', ', '],
    openings: ['"A" <', 'a@', 'mailto:', 'DE89 '],
  },
  'key of a parameter': {
    event: (text) => event({ action: 'api:thing:update', parameters: { [text]: 'value' } }),
    units: [...COMMON, 'aB', 'a_', 'a-', 'password'],
    openings: ['secret', 'body.'],
  },
  'field of data': {
    event: (text) => event({ action: 'crm:customer:read', data_fields_accessed: [text] }),
    units: [...COMMON, 'aB', 'a_', 'a.', 'ssn'],
    openings: ['customer.', '*'],
  },
};

/** The texts of two units: in turn, one after the other, and the second behind the first alone. */
export function pairTexts(a: string, b: string, length: number): string[] {
  return [
    filled(a + b, length),
    filled(a, length / 2) + filled(b, length / 2),
    a + filled(b, length - a.length - 1) + a,
  ];
}

/** The text repeated, to exactly `length` characters. */
export function filled(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}

/** A text for a reader, and how the bench calls it. */
export interface HostileText {
  name: string;
  make: (length: number) => string;
}

/** Each unit alone, and behind each opening. */
export function* textsAlone({ units, openings }: HostileReader): Generator<HostileText> {
  for (const opening of ['', ...openings])
    for (const unit of units)
      yield {
        name: `${JSON.stringify(opening)}, then ${JSON.stringify(unit)}`,
        make: (length) => opening + filled(unit, length - opening.length),
      };
}

/** Each pair of units, in three forms. */
export function* textsOfPairs({ units }: HostileReader): Generator<HostileText> {
  for (const a of units)
    for (const b of units)
      if (a !== b)
        for (const [i, form] of ['in turn', 'one after the other', 'the second inside the first'].entries())
          yield {
            name: `${JSON.stringify(a)} and ${JSON.stringify(b)}, ${form}`,
            make: (length) => pairTexts(a, b, length)[i]!,
          };
}
