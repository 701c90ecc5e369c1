/** Values that change the SQL around them, and honest values that look a little like it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { loadOntology } from '../../engine/knowledge/load-ontology.ts';
import { sqlInjection } from './sql-injection.ts';

const ontology = loadOntology();

const CERTAIN = [
  "' or '1'='1",
  "x' or 1=1 --",
  'x" or "a"="a',
  "') or ('a'='a",
  '7 AND 1=2',
  '7 union all select name, secret from members',
  "x'/**/union/**/select/**/1,2,3#",
  '7/*!50000union*/select 1',
  "7'; drop table members; --",
  "7'; exec master..xp_cmdshell 'dir'--",
  "'; declare @q varchar(80) set @q = 0x77616974 exec(@q)--",
  "7 waitfor delay '0:0:5'",
  "7' and sleep(5)#",
  '7 and extractvalue(1, concat(0x7e, version()))',
  "7' having 1=1--",
  "7 limit 1 into outfile '/srv/x.txt'",
  '7 rlike (select (case when (1=1) then 1 else 2 end))',
];

const LIKELY = [
  "admin'--",
  "admin' #",
  "a' and 'b",
  "'='",
  '@@version',
  'database()',
  '(select 1)',
  "x','y');--",
  'delete from members',
];

const HONEST = [
  "O'Reilly",
  "rock 'n' roll",
  "D'Angelo and O'Neill",
  'Tom & Jerry',
  '5\'10" tall',
  '10 or 20 inches',
  'student union select committee',
  'please select one from the list or drop me a line',
  "don't; won't",
  'delete my account; update address',
  'foo -- bar',
  'order #1234',
  '2024-01-05 -- 2024-01-09',
  '1+1=2',
  'x > 3 and y < 5',
  "status = 'open' and priority > 2",
  'sum(a) - avg(b)',
  'AT&T and T-Mobile',
  '"exact phrase" OR "other phrase"',
  'subject:"plan" after:2026/01/01 -draft',
  "the users' names -- and their teachers' -- are missing",
  '100% cotton or 50% wool',
  'https://x.example/?a=1&b=2#part',
  'C# or F#',
  'Our limit select the from the here',
  'Our like select select name from our here',
];

test('a value that goes on as SQL behind its slot', () => {
  for (const value of CERTAIN) assert.equal(sqlInjection(value, ontology), 3, value);
  for (const value of LIKELY) assert.ok(sqlInjection(value, ontology) >= 2, value);
});

test('honest values stay data', () => {
  for (const value of HONEST) assert.ok(sqlInjection(value, ontology) < 2, value);
});

const WORDS =
  'the a my our red blue small union select from where order group by having table drop update set delete insert into and or not like is in null cast case end limit user name value number list'.split(
    ' ',
  );

test('sentences never become an attack by the words of SQL alone', () => {
  const sentence = fc.array(fc.constantFrom(...WORDS), { minLength: 3, maxLength: 12 });
  fc.assert(
    fc.property(sentence, (words) => {
      const text = `Our ${words.join(' ')} here`;
      assert.ok(sqlInjection(text, ontology) < 3, text);
    }),
    {
      numRuns: 500,
      examples: [['and null like null where number in the'.split(' ')], ['or select null from'.split(' ')]],
    },
  );
});

test('names with apostrophes and initials are data', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnop'), minLength: 2, maxLength: 8 });
  fc.assert(
    fc.property(letters, letters, letters, (a, b, c) => {
      for (const name of [`O'${a} ${b}`, `${a}'s ${b} ${c}`, `${a} (${b}) ${c}`, `${a}-${b} & ${c}`])
        assert.ok(sqlInjection(name, ontology) < 3, name);
    }),
    { numRuns: 300 },
  );
});

test('any text is read', () => {
  fc.assert(fc.property(fc.string({ maxLength: 300 }), (text) => sqlInjection(text, ontology) >= 0));
});
