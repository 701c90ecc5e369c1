/**
 * `npm run test:mutants [-- NAME…]`: changes one line of a safety mechanism at a time, in a copy of the working tree, and
 * runs the tests that should notice. A mutant that survives means that a promise has no test. Needs TEST_DATABASE_URL.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const COPIED = [
  'src',
  'test',
  'tools',
  'ontology',
  'corpus',
  'proto',
  'bin',
  'examples',
  'docs',
  'deploy',
  'package.json',
];

interface Mutant {
  /** Subject and what the changed line no longer does. */
  name: string;
  file: string;
  /** Stands once in the file. */
  before: string;
  after: string;
  /** Tests that notice; all are part of the default suite. */
  tests: readonly string[];
}

const TEST_TIMEOUT_MS = 180_000;

const OF_STORES = ['src/storage/postgres/postgres.test.ts'];
const OF_REVOCATION = ['src/tokens/revocation/revocation.test.ts'];
const OF_DECISIONS = [...OF_STORES, 'test/auth/decisions.test.ts'];
const OF_QUEUE = [...OF_STORES, 'src/storage/postgres/queue/queue.test.ts'];

const MUTANTS: readonly Mutant[] = [
  {
    name: 'revocation: a view without a filter lets every token in',
    file: 'src/tokens/revocation/view.ts',
    before: 'followed === null || probes.some',
    after: 'followed !== null && probes.some',
    tests: OF_REVOCATION,
  },
  {
    name: 'revocation: the view is believed for a minute',
    file: 'src/tokens/revocation/view.ts',
    before: 'const FRESH_MS = 900;',
    after: 'const FRESH_MS = 60_000;',
    tests: OF_REVOCATION,
  },
  {
    name: 'revocation: a forged snapshot is read',
    file: 'src/tokens/revocation/snapshot.ts',
    before: ' || !timingSafeEqual(given, code)',
    after: '',
    tests: OF_REVOCATION,
  },
  {
    name: 'rebuild: nodes that follow the log already do not notice it',
    file: 'src/tokens/revocation/view.ts',
    before: 'followed.stamp === end.stamp && followed.rebuilds === end.rebuilds',
    after: 'followed.stamp === end.stamp',
    tests: OF_REVOCATION,
  },
  {
    name: 'decision: a decided hold is decided again',
    file: 'src/storage/postgres/holds/holds.ts',
    before: "event_id = $2 and state = 'held' and expires_at > auth_now()",
    after: 'event_id = $2 and expires_at > auth_now()',
    tests: OF_DECISIONS,
  },
  {
    name: 'decision: an expired hold is decided',
    file: 'src/storage/postgres/holds/holds.ts',
    before: "event_id = $2 and state = 'held' and expires_at > auth_now()",
    after: "event_id = $2 and state = 'held'",
    tests: OF_DECISIONS,
  },
  {
    name: 'decision: a revoked override token decides',
    file: 'src/storage/postgres/holds/holds.ts',
    before: '\n      and not $' + "{isRevokedSql('t.path', 't.jti', 't.key_id')}",
    after: '',
    tests: OF_DECISIONS,
  },
  {
    name: 'lease: a lane that another worker holds is taken',
    file: 'src/storage/postgres/queue/queue.ts',
    before: 'where has_work and (leased_until is null or leased_until < now())',
    after: 'where has_work',
    tests: OF_QUEUE,
  },
  {
    name: 'lease: what the last holder lost is forgotten',
    file: 'src/storage/postgres/queue/queue.ts',
    before: "lost = nullif(coalesce(lost, '{}') || coalesce(taken, '{}'), '{}')",
    after: 'lost = lost',
    tests: OF_QUEUE,
  },
  {
    name: 'idempotency: other content under a known id counts as a retry',
    file: 'src/engine/conflict.ts',
    before: 'sent.content_hash !== known.content_hash',
    after: 'sent.content_hash.length !== known.content_hash.length',
    tests: ['src/engine/evaluate.test.ts', 'test/api/events.test.ts'],
  },
  {
    name: 'idempotency: a batch’s event with a known id is accepted again',
    file: 'src/storage/postgres/queue/queue-accept.ts',
    before: 'join event_keys k on k.customer_id = $1 and k.event_id = r.event_id',
    after: "join event_keys k on k.customer_id = $1 and k.event_id = r.event_id || ' '",
    tests: OF_STORES,
  },
  {
    name: 'tenancy: an override token of another customer decides',
    file: 'src/storage/postgres/holds/holds.ts',
    before: 'where t.jti = $6 and t.customer_id = $1',
    after: 'where t.jti = $6 and $1::uuid is not null',
    tests: OF_DECISIONS,
  },
  {
    // Of a token that was not seen before the keys are those of the API key's customer, so its signature does not verify.
    name: 'tenancy: a token that was verified works with the API key of another customer',
    file: 'src/tokens/verify/verify.ts',
    before: "if (token.customer_id !== customer_id) throw rejected('not_for_us');",
    after: '',
    tests: ['test/auth/verify.test.ts', 'test/auth/enforce.test.ts'],
  },
  {
    name: 'tenancy: keys of every customer are listed',
    file: 'src/storage/postgres/auth/api-keys.ts',
    before: 'from api_keys as k where customer_id = $1 order by',
    after: 'from api_keys as k where $1::uuid is not null order by',
    tests: OF_STORES,
  },
];

if (process.env['TEST_DATABASE_URL'] === undefined) {
  console.error('mutants: set TEST_DATABASE_URL; most of the tests need a PostgreSQL server');
  process.exit(2);
}
const wanted = process.argv.slice(2);
const chosen = MUTANTS.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
const copy = mkdtempSync(join(tmpdir(), 'weir-mutants-'));
let survivors = 0;
try {
  for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  for (const mutant of chosen) {
    const verdict = runMutant(mutant);
    if (verdict !== 'killed') survivors += 1;
    console.log(`${verdict.padEnd(9)} ${mutant.name}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`\n${chosen.length - survivors} of ${chosen.length} killed`);
process.exitCode = survivors === 0 ? 0 : 1;

function runMutant({ file, before, after, tests }: Mutant): 'killed' | 'survived' | 'stale' {
  const path = join(copy, file);
  const code = readFileSync(path, 'utf8');
  if (code.split(before).length !== 2) return 'stale';
  writeFileSync(
    path,
    code.replace(before, () => after),
  );
  // A mutant that makes a loop endless is killed too: its test file does not end in time.
  const timeout = ['--test', `--test-timeout=${TEST_TIMEOUT_MS}`];
  const { status } = spawnSync(process.execPath, [...timeout, ...tests], { cwd: copy, stdio: 'ignore' });
  writeFileSync(path, code);
  return status === 0 ? 'survived' : 'killed';
}
