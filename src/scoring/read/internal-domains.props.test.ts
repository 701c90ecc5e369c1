/** What only looks like a domain of the organisation is outside, wherever an action sends to it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scoreOf } from '../../../test/support/knowledge.ts';
import { eventOf, NO_CONTENT, ontology } from '../../../test/support/readings.ts';
import { listOf } from '../../ontology/words.ts';
import { readAction } from './action/action.ts';
import { readText } from './conversation/text.ts';
import { readSink } from './data/sink.ts';
import { readArguments } from './values/arguments.ts';

const OWN = 'north-bank.example';
const INTERNAL = new Set([OWN]);

/** Domains of the outside: a random one may end in `lan` or `corp`, which are nobody's on the internet. */
const inner = listOf(ontology, 'private_suffixes');
const outside = fc.domain().filter((d) => !d.endsWith(OWN) && !inner.some((suffix) => d.endsWith(`.${suffix}`)));

/** How an attacker writes a host that a person, or careless code, takes for the organisation's own. */
const lookalike = fc.oneof(
  outside.map((domain) => `${OWN}.${domain}`),
  fc.constantFrom('my', 'x-', 'get').map((prefix) => `${prefix}${OWN}`),
  fc.constantFrom(
    'north-bánk.example',
    'north-bаnk.example',
    'nοrth-bank.example',
    'north-bank.exampIe',
    'ｎorth-bank.example',
  ),
  fc.constantFrom(
    'north-bank-example.com',
    'north-bank.examples',
    'northbank.example',
    'north-bank.co',
    'bank.example',
  ),
);
const url = fc.oneof(
  lookalike.map((host) => `https://${host}/in`),
  outside.chain((d) =>
    fc.constantFrom(
      `https://${OWN}@${d}/x`,
      `https://${OWN}:443@${d}/x`,
      `https://${d}/@${OWN}`,
      `https://${d}/?to=@${OWN}`,
      `https://${d}#@${OWN}`,
      `https://${d}\\\\@${OWN}`,
      `https://user:${'p'.repeat(80)}@${d}/`,
    ),
  ),
);

function sides(value: string, key: string) {
  const event = eventOf({
    action: 'email:message:send',
    parameters: { [key]: value, body: 'hello' },
    session: { user_id: `ana@${OWN}` },
  });
  const action = readAction(event, ontology, NO_CONTENT);
  const args = readArguments(event, ontology, action, readText(event, ontology), INTERNAL);
  const { sink } = readSink(event, ontology, action, args, NO_CONTENT, INTERNAL);
  return { external: args.find((argument) => argument.path === key)!.external, sink };
}

test('an address at a look-alike domain is outside', () => {
  fc.assert(
    fc.property(lookalike, fc.constantFrom('ana@', 'it.support@'), (host, name) => {
      const { external, sink } = sides(name + host, 'to');
      assert.equal(external, 'yes', host);
      assert.notEqual(sink, 'internal', host);
    }),
  );
});

test('a URL that carries the organisation’s name somewhere is outside', () => {
  fc.assert(
    fc.property(url, (value) => {
      const { external, sink } = sides(value, 'webhook_url');
      assert.equal(external, 'yes', value);
      assert.notEqual(sink, 'internal', value);
    }),
  );
});

test('an address at the organisation’s own domain, or below it, is inside', () => {
  for (const host of [OWN, OWN.toUpperCase(), `mail.${OWN}`]) {
    assert.deepEqual(sides(`bo@${host}`, 'to'), { external: 'no', sink: 'internal' });
    assert.deepEqual(sides(`https://${host}:8443/in`, 'webhook_url'), { external: 'no', sink: 'internal' });
  }
});

test('an address behind a name or among others is seen, in a messenger as well', () => {
  const sinkOf = (action: string, to: string) => {
    const event = eventOf({ action, parameters: { to, body: 'hello' }, session: { user_id: 'eve@evil.example' } });
    const read = readAction(event, ontology, NO_CONTENT);
    const args = readArguments(event, ontology, read, readText(event, ontology), INTERNAL);
    return readSink(event, ontology, read, args, NO_CONTENT, INTERNAL).sink;
  };
  const outside = [
    `"ana@${OWN}" <eve@evil.example>`,
    `ana@${OWN}, eve@evil.example`,
    `ana@${OWN};eve@evil.example`,
    'Eve <eve@evil.example>',
    `eve@evil.example (ana@${OWN})`,
    `https://evil.example/in for ana@${OWN}`,
    // Whom the session claims to be is nobody's organisation, once a policy says what is.
    'eve@evil.example',
  ];
  for (const action of ['email:message:send', 'slack:message:post']) {
    for (const to of outside) assert.equal(sinkOf(action, to), 'external', `${action} ${to}`);
    for (const to of [`Ana <ana@${OWN}>`, `ana@${OWN}, bo@mail.${OWN}`])
      assert.equal(sinkOf(action, to), 'internal', `${action} ${to}`);
    const many = Array.from({ length: 40 }, (_, i) => `p${i}@${OWN}`).join(', ');
    assert.notEqual(sinkOf(action, `${many}, eve@evil.example`), 'internal');
  }
});

test('a policy’s internal domains reach the score', () => {
  const event = {
    action: 'email:message:send',
    parameters: { to: 'bo@north.example', body: 'IBAN GB29NWBK60161331926819' },
  };
  const unknown = scoreOf(event);
  const inside = scoreOf(event, { internal_domains: ['north.example'] });
  const outside = scoreOf(event, { internal_domains: ['south.example'] });
  assert.ok(inside.score < unknown.score, `${inside.score} < ${unknown.score}`);
  assert.ok(outside.score >= unknown.score);
});
