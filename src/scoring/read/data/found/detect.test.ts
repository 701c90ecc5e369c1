import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ontology } from '../../../../../test/support/readings.ts';
import { detectValues } from './detect.ts';

const detectors = (text: string, options = {}): string[] =>
  detectValues(text, ontology, options).map(({ detector }) => detector);
const valueFrom = (text: string, detector: string): string | undefined =>
  detectValues(text, ontology).find((found) => found.detector === detector)?.value;

/** The ontology's example lacks the word that this detector is only trusted with. */
const NEEDS_A_WORD: Readonly<Record<string, string>> = { in_aadhaar: 'aadhaar ', bic: 'DE89 3704 0044 0532 0130 00, ' };

test('every example of the ontology is found, alone, within text and behind many others of its kind', () => {
  for (const { id, examples } of ontology.value_detectors) {
    for (const example of examples.matches) {
      for (const text of [example, `Dear all,\nsee "${example}" below.`, `${'über '.repeat(40)}${example} `]) {
        const found = detectValues((NEEDS_A_WORD[id] ?? '') + text, ontology, { under_secret_key: true });
        assert.ok(found.length > 0, `${id} misses ${text}`);
        const detector = ontology.value_detectors.find((one) => one.id === id)!;
        assert.ok(
          found.some((one) => one.severity >= detector.severity),
          `${id}: severity in ${text}`,
        );
      }
    }
    for (const example of examples.misses) assert.ok(!detectors(example).includes(id), `${id} fires on ${example}`);
  }
});

test('the value is told without the words that lead to it', () => {
  assert.equal(valueFrom('password = "tr0ub4dor&3x"', 'password_assignment'), 'tr0ub4dor&3x');
  assert.equal(valueFrom('Your verification code is 482913.', 'otp_context'), '482913');
  assert.equal(valueFrom('"dob": "1984-03-12"', 'dob_context'), '1984-03-12');
  assert.equal(valueFrom('postgres://app:S3cret!pw@db.internal:5432/main', 'url_with_password'), 'S3cret!pw');
  assert.equal(valueFrom('pay to DE89 3704 0044 0532 0130 00 EUR 500', 'iban'), 'DE89 3704 0044 0532 0130 00');
});

test('code that computes a secret, words about a secret and private addresses are no values', () => {
  for (const text of [
    'token = get_token(user)',
    'password=os.environ["DB"]',
    'password: required',
    'secret = config.secret',
    '192.168.1.10',
  ]) {
    assert.deepEqual(detectors(text), [], text);
  }
});

test('a documented example stays in sight with little confidence', () => {
  const [found] = detectValues('4242 4242 4242 4242', ontology);
  assert.equal(found?.severity, 4);
  assert.ok(found!.confidence < 0.5);
});

test('hashes and ids count only beside a key that speaks of a secret', () => {
  const hash = 'Zx9Qw7Lk3Vb8Nm2Pt6Rf4Gh1Jd5Sc0Ya';
  assert.deepEqual(detectors(hash), []);
  assert.deepEqual(detectors(hash, { under_secret_key: true }), ['high_entropy']);
});

test('long text is read at both ends', () => {
  const card = ' 4539 1488 0343 6467 ';
  assert.ok(detectors(card + 'x '.repeat(60_000)).includes('pan'));
  assert.ok(detectors('x '.repeat(60_000) + card).includes('pan'));
});

test('text around a value does not hide it', () => {
  const examples = ontology.value_detectors
    .filter(({ severity, id }) => severity >= 3 && NEEDS_A_WORD[id] === undefined)
    .flatMap(({ examples: { matches } }) => matches);
  fc.assert(
    fc.property(
      fc.constantFrom(...examples),
      fc.string({ unit: 'grapheme' }),
      fc.string(),
      (example, before, after) => {
        assert.ok(detectValues(`${before}\n${example}\n${after}`, ontology).length > 0);
      },
    ),
  );
});

test('digits within an account are no card of their own', () => {
  const account = 'DE75 5121 0800 1245 1261 99';
  assert.ok(!detectors(`IBAN ${account}`).includes('pan'));
  assert.ok(detectors(`IBAN ${account}, card 5121 0800 1245 1261`).includes('iban'));
  assert.ok(detectors('card 4539 1488 0343 6467, IBAN DE89 3704 0044 0532 0130 00').includes('pan'));
});
