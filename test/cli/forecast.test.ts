/** `weir forecast`: what it prints, what it refuses, and what a customer's own events and decisions add. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Customer, call, newCustomer } from '../support/client.ts';
import { type SharedWeir, sharedWeir } from '../support/shared-weir.ts';
import { weir as run, temporaryFolder } from './support.ts';

interface Estimate {
  value: number;
  low: number;
  high: number;
}
interface Row {
  threshold: string;
  held: Estimate;
  false_alarms: Estimate;
  caught: Estimate;
  missed: Estimate;
  recall: Estimate | null;
  held_events: Estimate;
  missed_events: Estimate;
}

interface OwnRow {
  events: number;
  held: Estimate | null;
  approved: number;
  rejected: number;
  missed: Estimate | null;
}

const folder = temporaryFolder();
const mixFile = (name: string, mix: unknown): string =>
  folder.write(name, typeof mix === 'string' ? mix : JSON.stringify(mix));

async function forecast(...args: string[]): Promise<{ rows: Row[]; thin: unknown[] }> {
  const { code, stdout, stderr } = await run(['forecast', '--json', ...args]);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as { rows: Row[]; thin: unknown[] };
}

test('forecasts each threshold, with the default mix, the same each time', async () => {
  const { code, stdout, stderr } = await run(['forecast', '--events', '50000']);
  assert.equal(code, 0, stderr);
  for (const part of ['Forecast for 50000 events', 'low', 'medium', 'high', 'critical', 'harmful, missed', 'coding'])
    assert.ok(stdout.includes(part), `${part} is not in\n${stdout}`);
  assert.equal((await run(['forecast', '--events', '50000', '--mix', 'default'])).stdout, stdout);
});

test('a higher threshold holds less and misses more, and intervals hold their values', async () => {
  const { rows } = await forecast('--events', '20000');
  assert.deepEqual(
    rows.map(({ threshold }) => threshold),
    ['low', 'medium', 'high', 'critical'],
  );
  for (const [i, row] of rows.entries()) {
    const { held, false_alarms, caught, missed, held_events } = row;
    assert.ok(Math.abs(held.value - false_alarms.value - caught.value) < 1e-9);
    assert.ok(Math.abs(held_events.value - 20 * held.value) < 1e-6);
    for (const { value, low, high } of [
      held,
      false_alarms,
      caught,
      missed,
      row.recall!,
      held_events,
      row.missed_events,
    ])
      assert.ok(0 <= low && low <= value && value <= high && low < high, JSON.stringify(row));
    const before = rows[i - 1];
    if (before === undefined) continue;
    assert.ok(held.value <= before.held.value && missed.value >= before.missed.value);
  }
});

test('harm adds to what is held and missed, and without harm nothing is missed', async () => {
  const mix = (harmful_per_1000: number) => ({ coding: { share: 1, harmful_per_1000 } });
  const none = (await forecast('--events', '1000', '--mix', mixFile('none.json', mix(0)))).rows[2]!;
  const much = (await forecast('--events', '1000', '--mix', mixFile('much.json', mix(500)))).rows[2]!;
  assert.deepEqual(none.missed, { value: 0, low: 0, high: 0 });
  assert.equal(none.recall, null);
  assert.ok(Math.abs(much.caught.value + much.missed.value - 500) < 1e-6);
  assert.ok(much.held.value > none.held.value);
});

test('a kind with few public sources has a wider interval and says so', async () => {
  const mix = { share: 1, harmful_per_1000: 0 };
  const many = await forecast('--events', '1000', '--mix', mixFile('many.json', { coding: mix }));
  const few = await forecast('--events', '1000', '--mix', mixFile('few.json', { browser: mix }));
  assert.deepEqual(many.thin, []);
  assert.deepEqual(few.thin, [
    { kind: 'browser', of: 'honest', sources: 1 },
    { kind: 'browser', of: 'harmful', sources: 0 },
  ]);
  assert.ok(few.rows[2]!.held.high > few.rows[2]!.held.value);
});

const REFUSED: [name: string, mix: unknown, message: RegExp][] = [
  ['not JSON', '{', /is not JSON/],
  ['a list', [], /the file must be an object/],
  [
    'an unknown kind',
    { codng: { share: 1, harmful_per_1000: 1 } },
    /`codng` is no kind of agent; did you mean `coding`\?/,
  ],
  ['an unknown field', { coding: { shar: 1 } }, /`coding` has no field `shar`; did you mean `share`\?/],
  [
    'a missing field',
    { coding: { share: 1 } },
    /`coding.harmful_per_1000` is missing; it must be a number from 0 to 1000/,
  ],
  ['a negative share', { coding: { share: -1, harmful_per_1000: 1 } }, /`coding.share` is -1/],
  ['text', { coding: { share: '1', harmful_per_1000: 1 } }, /`coding.share` is "1"/],
  ['shares that do not sum to 1', { coding: { share: 0.5, harmful_per_1000: 1 } }, /sum to 0.5; they must sum to 1/],
  ['nothing', {}, /sum to 0; they must sum to 1/],
];

for (const [name, mix, message] of REFUSED)
  test(`a mix of ${name} is refused with the file and the place`, async () => {
    const file = mixFile('refused.json', mix);
    const { code, stdout, stderr } = await run(['forecast', '--events', '10', '--mix', file]);
    assert.equal(code, 1);
    assert.equal(stdout, '');
    assert.match(stderr, message);
    assert.ok(stderr.includes(file), stderr);
  });

test('a file that is not there, and options that are not usable, are refused', async () => {
  const absent = await run(['forecast', '--events', '10', '--mix', `${folder.path}/absent.json`]);
  assert.equal(absent.code, 1);
  assert.match(absent.stderr, /absent\.json`: cannot be read \(ENOENT\)/);
  for (const args of [[], ['--events', '0'], ['--events', 'many'], ['--events', '5', '--customer', 'me']])
    assert.equal((await run(['forecast', ...args])).code, 2, args.join(' '));
});

describe('with a customer', () => {
  let weir: SharedWeir;
  let customer: Customer;
  before(async () => {
    weir = await sharedWeir();
    customer = await newCustomer(weir);
  });

  const send = (event_id: string, action: string) =>
    call(`${weir.api}/events`, { key: customer.api_key, body: { event_id, action } });
  const env = () => ({ DATA_DIR: weir.data_dir, DATABASE_URL: '', REDIS_URL: '', LOG_LEVEL: 'warn' });
  const own = async () => {
    const args = ['forecast', '--events', '1000', '--customer', customer.customer_id, '--json'];
    const { code, stdout, stderr } = await run(args, { env: env() });
    assert.equal(code, 0, stderr);
    return (JSON.parse(stdout) as { own: { events: number; rows: OwnRow[] } }).own;
  };

  test('its own events are counted, and decisions say what is missed where they were made', async () => {
    assert.deepEqual(await own().then(({ events, rows }) => [events, rows[0]!.held]), [0, null]);
    await call(`${weir.api}/policies/${customer.customer_id}`, {
      key: customer.api_key,
      body: { blocked_actions: ['db:prod:drop'] },
    });
    for (let n = 0; n < 6; n += 1) assert.equal((await send(`read-${n}`, 'files:notes:read')).status, 200);
    for (let n = 0; n < 4; n += 1) assert.equal((await send(`drop-${n}`, 'db:prod:drop')).status, 200);
    const undecided = (await own()).rows[3]!;
    assert.deepEqual([undecided.events, undecided.held!.value, undecided.missed], [4, 400, null]);
    // Wilson's interval of 4 in 10.
    assert.deepEqual([undecided.held!.low, undecided.held!.high].map(Math.round), [168, 687]);

    const decide = async (what: string, event: string) => {
      const { code, stderr } = await run(['holds', what, event, '--customer', customer.customer_id], { env: env() });
      assert.equal(code, 0, stderr);
    };
    await decide('approve', 'drop-0');
    await decide('reject', 'drop-1');
    const { events, rows } = await own();
    assert.equal(events, 10);
    const [, , high, critical] = rows;
    assert.deepEqual([critical!.approved, critical!.rejected], [1, 1]);
    assert.ok(critical!.missed!.value > 0 && critical!.missed!.low < critical!.missed!.high);
    assert.equal(high!.missed, null, 'no event at high was decided about');
    const text = await run(['forecast', '--events', '10', '--customer', customer.customer_id], { env: env() });
    assert.match(text.stdout, /critical +4 +400 \(168–687\) +1 +1 /);
  });
});
