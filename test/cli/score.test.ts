import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { programOf } from '../support/programs.ts';
import { jsonLines, parseLines, runProgram, temporaryFolder, weir } from './support.ts';

const folder = temporaryFolder();
const event = (event_id: string, action = 'file:document:read') => ({
  event_id,
  action,
  timestamp: '2026-03-04T10:00:00Z',
  target: { resource_type: 'file', resource_id: '/home/ada/notes.txt' },
});
const EVENTS = [event('e-1'), event('e-2', 'db:table:drop'), event('e-3')];

test('results come in the order of the events, in the shape of POST /events', async () => {
  const { code, stdout, stderr } = await weir(['score', folder.write('events.jsonl', jsonLines(EVENTS))]);
  assert.equal(stderr, '');
  assert.equal(code, 0);
  const results = parseLines(stdout);
  assert.deepEqual(
    results.map((result) => result['event_id']),
    ['e-1', 'e-2', 'e-3'],
  );
  for (const result of results) {
    assert.equal(result['status'], 'scored');
    assert.ok(Number.isInteger(result['score']));
    const parts = result['score_components'] as { contribution: number }[];
    assert.equal(
      parts.reduce((sum, part) => sum + part.contribution, 0),
      result['score'],
    );
  }
  assert.ok(
    (results[1]!['score'] as number) > (results[0]!['score'] as number),
    'dropping a table is worse than reading a file',
  );
});

test('gzip, standard input and labelled records give the same results', async () => {
  const plain = await weir(['score', folder.write('plain.jsonl', jsonLines(EVENTS))]);
  assert.equal(parseLines(plain.stdout).length, EVENTS.length);
  const records = EVENTS.map((one, i) => ({ id: `r${i}`, label: i % 2, event: one }));
  const runs = await Promise.all([
    weir(['score', folder.write('events.jsonl.gz', gzipSync(jsonLines(EVENTS)))]),
    weir(['score', '-'], { input: jsonLines(EVENTS) }),
    weir(['score', '-'], { input: gzipSync(jsonLines(EVENTS)) }),
    weir(['score', '-'], { input: jsonLines(records) }),
    weir(['score', '-'], { input: `\ufeff${jsonLines(EVENTS).replaceAll('\n', '\r\n\r\n').trim()}` }),
  ]);
  for (const run of runs) assert.deepEqual(run, plain);
});

test('a bad line is answered in its place, the run goes on, and the end says so', async () => {
  const input = [
    '{"action": "file:document:read"',
    JSON.stringify(event('good')),
    '',
    '{"action": "no-action"}',
    '[]',
  ].join('\n');
  const { code, stdout, stderr } = await weir(['score', '-'], { input });
  assert.equal(code, 1);
  assert.equal(stderr, 'weir: 3 of 4 lines were refused\n');
  const [cut, good, action, list] = parseLines(stdout);
  assert.equal(cut!['line'], 1);
  assert.match(String(cut!['error']), /^the line is not valid JSON/);
  assert.equal(good!['event_id'], 'good');
  assert.equal(action!['line'], 4);
  assert.match(JSON.stringify(action!['errors']), /"path":"\/action"/);
  assert.equal(list!['line'], 5);
});

test('one refused line is told in the singular', async () => {
  assert.equal((await weir(['score', '-'], { input: '[]\n' })).stderr, 'weir: 1 of 1 line was refused\n');
});

test('a line that is too long is refused without stopping the run', async () => {
  const long = JSON.stringify({ ...event('long'), user_context: 'x'.repeat(2 * 1024 * 1024) });
  const { stdout, code } = await weir(['score', '-'], { input: `${long}\n${JSON.stringify(event('next'))}\n` });
  assert.equal(code, 1);
  const [refused, next] = parseLines(stdout);
  assert.match(String(refused!['error']), /longer than/);
  assert.equal(next!['event_id'], 'next');
});

test('a policy is applied, and one that does not compile ends the command', async () => {
  const policy = folder.write('policy.json', JSON.stringify({ blocked_actions: ['file:document:read'] }));
  const { stdout } = await weir(['score', '-', '--policy', policy], { input: jsonLines(EVENTS) });
  const [blocked, other, also_blocked] = parseLines(stdout);
  assert.equal(blocked!['risk_level'], 'critical');
  assert.equal(also_blocked!['risk_level'], 'critical');
  const without = parseLines((await weir(['score', '-'], { input: jsonLines(EVENTS) })).stdout);
  assert.notEqual(without[0]!['risk_level'], 'critical', 'it is the policy that makes it critical');
  assert.deepEqual(other, without[1], 'what the policy does not name stays as it is');
  const broken = folder.write('broken.json', JSON.stringify({ blocked_action: [] }));
  const refused = await weir(['score', '-', '--policy', broken], { input: jsonLines(EVENTS) });
  assert.equal(refused.code, 1);
  assert.equal(refused.stdout, '');
  assert.match(refused.stderr, /broken\.json` is refused: \/blocked_action: is not a policy field/);
});

test('a reader that leaves early is not a failure', { skip: process.platform === 'win32' }, async () => {
  const many = folder.write('many.jsonl', jsonLines(Array.from({ length: 400 }, (_, i) => event(`e-${i}`))));
  const script = `"$1" "$2" score "$3" | head -n 1; echo "ended with \${PIPESTATUS[0]}"`;
  const args = ['-c', script, 'bash', process.execPath, programOf('src/main.ts'), many];
  const { stdout, stderr } = await runProgram('bash', args);
  assert.equal(stderr, '');
  assert.match(stdout, /^\{"event_id":"e-0",.*\}\nended with 0\n$/);
});

test('what cannot be read is named', async () => {
  const missing = await weir(['score', join(folder.path, 'none.jsonl')]);
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /^weir: there is no file `.*none\.jsonl`\n$/);
  const cut = folder.write('cut.gz', gzipSync(jsonLines(EVENTS)).subarray(0, 60));
  const damaged = await weir(['score', cut]);
  assert.equal(damaged.code, 1);
  assert.match(damaged.stderr, /^weir: cannot read `.*cut\.gz` to its end/);
});
