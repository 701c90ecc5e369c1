import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { elementsOf } from './xml.ts';

test('elements, attributes, lists, namespaces and entities', () => {
  assert.deepEqual(
    elementsOf(
      '<?xml version="1.0"?><s:Envelope xmlns:s="http://x.test/"><s:Body><Pay currency="EUR"><To>A &amp; B</To><To>C</To>' +
        '<Note>see <b>this</b></Note><Empty/></Pay></s:Body></s:Envelope>',
    ),
    {
      Envelope: {
        Body: { Pay: { currency: 'EUR', To: ['A & B', 'C'], Note: { b: 'this', '#text': 'see' }, Empty: '' } },
      },
    },
  );
  assert.deepEqual(elementsOf('<a><![CDATA[x < y]]></a>'), { a: 'x < y' });
});

test('a name of an element never reaches a prototype', () => {
  const read = elementsOf('<a><__proto__><admin>1</admin></__proto__></a>');
  assert.equal(Object.hasOwn(read!['a'] as object, '__proto__'), true);
  assert.equal(({} as Record<string, unknown>)['admin'], undefined);
});

test('what is not well-formed XML is left as it is', () => {
  for (const text of [
    'a < b',
    '<a><b></a>',
    '<a>',
    '<br>',
    '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
    `${'<a>'.repeat(40)}${'</a>'.repeat(40)}`,
    '',
  ])
    assert.equal(elementsOf(text), undefined, text);
});

test('any text is read', () => {
  const piece = fc.oneof(
    fc.constantFrom('<a>', '</a>', '<b c="d">', '</b>', '<![CDATA[', ']]>', '&lt;', '<!--', '-->', '<?'),
    fc.string(),
  );
  fc.assert(fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => void elementsOf(pieces.join(''))));
});
