/** Inputs made to overflow a stack or to take quadratic time. The limit is far above what they take, to be no matter of luck. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMs } from '../../test/support/cpu.ts';
import { loadOntology } from '../engine/knowledge/load-ontology.ts';
import { readContent } from '../scoring/read/action/content/content.ts';

const ontology = loadOntology();
const LIMIT_MS = 1_000;
const times = (text: string, n: number): string => text.repeat(n);

const HOSTILE: Record<string, string> = {
  parentheses: times('(', 1e5),
  'PowerShell parentheses': `Get-Item a; ${times('(', 5e4)}`,
  'PowerShell blocks': `Get-Item a; ${times('{', 3e4)}${times('}', 3e4)}`,
  'PowerShell blocks that run': `Get-Item a; ${times('&{', 2e4)}`,
  'PowerShell insertions': `Get-Item a; ${times('"$(', 2e4)}`,
  'PowerShell types': `Get-Item a; ${times('[a]', 2e4)}1`,
  'PowerShell hash tables': `Get-Item a; ${times('@{a=', 1e4)}`,
  'PowerShell nested tables': `Get-Item a; ${times('@{', 3e4)}`,
  'PowerShell commands in commands': times('-- ', 2e4),
  'PowerShell commands behind commands': `Get-Item a; ${times('-- ', 2e4)}`,
  'PowerShell operators': `Get-Item a; $x = ${times("'a'+", 1e4)}'b'`,
  'PowerShell members': `Get-Item a; $x${times('.a()', 1e4)}`,
  'PowerShell doubling': `$x = 'ab'; ${times('$x = $x + $x; ', 400)}`,
  'PowerShell functions that call twice': `${Array.from({ length: 300 }, (_, i) => `function f${i} { f${i + 1}; f${i + 1} }`).join('\n')}\nGet-Item a; f0`,
  'PowerShell loops': `Get-Item a; ${times('foreach ($i in 1..100) {', 12)}$i${times('}', 12)}`,
  'PowerShell here-strings': `Get-Item a; ${times('@"\n', 2e4)}`,
  'cmd carets': `@echo off\n${times('a^', 3e4)}`,
  'cmd loops': `@echo off\n${times('for %i in (a b c d) do ', 2_000)}dir`,
  'cmd brackets': `@echo off\n${times('(', 3e4)}`,
  'cmd variables': `@echo off\nset a=b\n${times('%a%', 2e4)}`,
  'cmd percent signs': `@echo off\n${times('%', 6e4)}`,
  'closed parentheses': times('(', 30_000) + times(')', 30_000),
  substitutions: times('$(', 5e4),
  'quoted substitutions': times('"$(', 3e4),
  expansions: times('${a:-', 1e4),
  arithmetic: times('$((', 2e4),
  backticks: times('`', 1e5),
  quotes: times(`'"`, 3e4),
  heredocs: Array.from({ length: 5_000 }, (_, i) => `cat <<A${i}`).join('\n'),
  'nested bash -c': times('bash -c "', 5_000),
  'chained sudo': `${times('sudo ', 12_000)}ls`,
  'chained xargs': times('xargs ', 10_000),
  'chained eval': `${times('eval ', 12_000)}ls`,
  braces: `echo ${times('{a,b}', 40)}`,
  'doubling variable': `x=a;${times('x=$x$x;', 400)}`,
  'functions that call twice': `${Array.from({ length: 2_000 }, (_, i) => `f${i}(){ f${i + 1}; f${i + 1}; }`).join(';')};f0`,
  redirections: `ls ${times('>a ', 15_000)}`,
  'python functions that call twice': `${Array.from({ length: 2_000 }, (_, i) => `def f${i}():\n  f${i + 1}();f${i + 1}()\n`).join('')}f0()`,
  'nested loops': `${Array.from({ length: 12 }, (_, i) => `${times(' ', i)}for x${i} in range(50):`).join('\n')}\n${times(' ', 12)}f()`,
  'growing format': `x="{}"*60\n${times('x=x.format(x)\n', 100)}`,
  'growing replace': `x="aa"\n${times('x=x.replace("a","aaaaaaaa")\n', 60)}`,
  'f-strings': times('f"{', 2e4),
  comprehensions: `${times('[x for x in ', 100)}[1]${times(']', 100)}`,
  awaits: times('await ', 1e4),
  templates: times('`${', 2e4),
  lambdas: times('lambda:', 9_000),
  minus: times('-', 6e4),
  words: times('a ', 3e4),
  'less than': times('<', 6e4),
  comments: times('/*', 3e4),
  'executable comments': times('/*! ', 15_000),
  dollars: times('$a$', 2e4),
  'nested conditions': `DELETE FROM t WHERE ${times('(', 15_000)}1=1${times(')', 15_000)}`,
  unions: `${times('SELECT a FROM b UNION ', 2_900)}SELECT 1`,
  'common table expressions': `WITH ${times('a AS (DELETE FROM x),', 3_000)} SELECT 1`,
  'calls without end': times('os.system("', 6_000),
  'blank lines': `${times('\n', 65_000)}x`,
  blanks: `${times(' ', 65_000)}x`,
};

for (const [tool_name, key] of [
  ['execute_bash', 'command'],
  ['execute_python', 'code'],
  ['run_javascript', 'code'],
  ['run_sql', 'sql'],
  ['thing', 'payload'],
] as const) {
  test(`${tool_name} reads hostile input in time`, async () => {
    for (const [name, text] of Object.entries(HOSTILE)) {
      const event = {
        event_id: 'e',
        action: 'system:x:execute',
        timestamp: '',
        mcp_context: { tool_name },
        parameters: { [key]: text },
      };
      const took = await cpuMs(() => readContent(event, ontology));
      assert.ok(took < LIMIT_MS, `${name} took ${took.toFixed(0)} ms`);
    }
  });
}

/** The lowest processor time of several runs, which other work on the machine disturbs least. */
async function leastMs(tool_name: string, command: string): Promise<number> {
  const event = {
    event_id: 'e',
    action: 'system:x:execute',
    timestamp: '',
    mcp_context: { tool_name },
    parameters: { command },
  };
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < 6; n++) least = Math.min(least, await cpuMs(() => readContent(event, ontology)));
  return least;
}

for (const [name, tool, costly, plain] of [
  ['a list of PowerShell', 'PowerShell', ', $x ', '; $x '],
  ['calls inside of calls', 'PowerShell', '.Invoke(;-f;', '.Invoke();-f;'],
  ['a line that opens here-documents', 'execute_bash', '<<A ', '<A '],
  ['a program name with wildcards', 'execute_bash', '*.x;', 'a.x;'],
] as const)
  test(`${name} takes about the time of the same text without it`, async () => {
    // What takes less than one tick of the processor's clock counts as one.
    const least = Math.max(1, await leastMs(tool, times(plain, 8_000)));
    const ratio = (await leastMs(tool, times(costly, 8_000))) / least;
    assert.ok(ratio < 6, `${ratio.toFixed(1)} times`);
  });

test('many pieces in one event share one bound', async () => {
  const parameters = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`code${i}`, `import os\n${times('f(g(h(a,b),c),d)\n', 3_000)}`]),
  );
  const event = { event_id: 'e', action: 'python:code:execute', timestamp: '', parameters };
  const took = await cpuMs(() => assert.ok(readContent(event, ontology).has_unparsed));
  assert.ok(took < LIMIT_MS, `${took} ms`);
});
