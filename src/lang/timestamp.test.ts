import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseTimestamp } from './timestamp.ts';

test('clock fields are in the timestamp’s own offset', () => {
  assert.deepEqual(parseTimestamp('2026-01-15T23:30:45.678-05:30'), {
    epoch_ms: Date.UTC(2026, 0, 16, 5, 0, 45, 678),
    year: 2026,
    month: 1,
    day: 15,
    hour: 23,
    minute: 30,
    second: 45,
    day_of_week: 4,
    offset_minutes: -330,
  });
});

const ACCEPTED: [string, string][] = [
  ['2026-01-15T10:00:00Z', '2026-01-15T10:00:00.000Z'],
  ['2026-01-15t10:00:00z', '2026-01-15T10:00:00.000Z'],
  ['2026-01-15T10:00Z', '2026-01-15T10:00:00.000Z'],
  ['2026-01-15T10:00:00', '2026-01-15T10:00:00.000Z'],
  ['2026-01-15T10:00:00.123456', '2026-01-15T10:00:00.123Z'],
  ['2026-01-15T10:00:00.5+02:00', '2026-01-15T08:00:00.500Z'],
  ['2026-01-15T00:30:00+01:00', '2026-01-14T23:30:00.000Z'],
  ['2026-12-31T23:59:59.999999Z', '2026-12-31T23:59:59.999Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ['2000-02-29T00:00:00-00:00', '2000-02-29T00:00:00.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
];

for (const [text, utc] of ACCEPTED) {
  test(`${text} is ${utc}`, () => assert.equal(new Date(parseTimestamp(text)!.epoch_ms).toISOString(), utc));
}

const REFUSED = [
  '',
  'now',
  'epoch',
  'infinity',
  'yesterday',
  '2026-01-15',
  '20260115T100000Z',
  '2026-1-15T10:00:00Z',
  '2026-00-15T10:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-02-29T00:00:00Z',
  '1900-02-29T00:00:00Z',
  '2026-04-31T00:00:00Z',
  '2026-01-00T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '99999-01-01T00:00:00Z',
  '+02026-01-15T10:00:00Z',
  '2026-01-15T24:00:00Z',
  '2026-01-15T23:60:00Z',
  '2026-01-15T23:59:60Z',
  '2026-01-15T10:00:00,5Z',
  '2026-01-15T10:00:00.Z',
  '2026-01-15T10:00.5Z',
  '2026-01-15T10:00:00+2:00',
  '2026-01-15T10:00:00+0200',
  '2026-01-15T10:00:00+24:00',
  '2026-01-15T10:00:00+02:60',
  '2026-01-15T10:00:00 02:00',
  '2026-01-15 10:00:00Z',
  ' 2026-01-15T10:00:00Z',
  '2026-01-15T10:00:00Z\n',
  "2026-01-15T10:00:00Z'--",
  '２026-01-15T10:00:00Z',
  `2026-01-15T10:00:00.${'0'.repeat(100_000)}Z`,
];

for (const text of REFUSED) {
  test(`${JSON.stringify(text.slice(0, 40))} is refused`, () => assert.equal(parseTimestamp(text), null));
}

test('parsing agrees with the platform for every moment and offset', () => {
  const moments = fc.date({
    min: new Date('0001-01-02T00:00:00Z'),
    max: new Date('9999-12-30T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(moments, fc.integer({ min: -1439, max: 1439 }), (moment, offset) => {
      const local = new Date(moment.getTime() + offset * 60_000);
      const hours = String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0');
      const minutes = String(Math.abs(offset) % 60).padStart(2, '0');
      const text = `${local.toISOString().slice(0, -1)}${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
      const parsed = parseTimestamp(text);
      assert.ok(parsed, text);
      assert.equal(parsed.epoch_ms, moment.getTime(), text);
      assert.equal(parsed.hour, local.getUTCHours());
      assert.equal(parsed.day_of_week, local.getUTCDay() === 0 ? 7 : local.getUTCDay());
      assert.equal(parsed.offset_minutes, offset);
    }),
  );
});

test('a date that the platform would move to another day is refused', () => {
  const field = (max: number) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9999 }), field(14), field(33), (year, month, day) => {
      const text = `${String(year).padStart(4, '0')}-${month}-${day}T12:00:00Z`;
      const platform = new Date(text);
      const exists = !Number.isNaN(platform.getTime()) && platform.toISOString().startsWith(text.slice(0, 10));
      assert.equal(parseTimestamp(text) !== null, exists, text);
    }),
  );
});
