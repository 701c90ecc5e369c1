import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { StoreUnavailable } from '../../platform/errors.ts';
import { memoryCache } from '../../storage/memory/cache.ts';
import type { LogRow } from '../../storage/ports/auth.ts';
import type { Cache } from '../../storage/ports/cache.ts';
import { Bloom, probeOf, probesOf } from './bloom.ts';
import { readSnapshot, writeSnapshot } from './snapshot.ts';
import { createRevocationView, type RevocationView } from './view.ts';

const range = (length: number): number[] => Array.from({ length }, (_, n) => n);

/** A log in memory that can become unavailable or slow, or be replaced by another history. */
function makeLog() {
  const log = {
    rows: [] as LogRow[],
    is_up: true,
    reads: 0,
    rebuilds: 0,
    /** Resolves before each answer. */
    delay: async () => {},
    add: (subject = randomUUID() as string, mode: LogRow['mode'] = 'single') => {
      log.rows.push({ log_id: log.rows.length + 1, customer_id: 'c', subject, mode, stamp: randomUUID() });
      return subject;
    },
  };
  const answer = async <T>(make: () => T): Promise<T> => {
    if (!log.is_up) throw new StoreUnavailable('away');
    const made = make();
    await log.delay();
    return made;
  };
  const store = {
    logEnd: (log_id: number) =>
      answer(() => ({
        last_log_id: log.rows.length,
        stamp: log.rows[log_id - 1]?.stamp ?? null,
        entries: log.rows.filter(({ mode }) => mode !== 'key').length,
        rebuilds: log.rebuilds,
        now: new Date().toISOString(),
      })),
    countRebuild: () => answer(() => void (log.rebuilds += 1)),
    logAfter: (log_id: number, until: number, limit: number) =>
      answer(() => {
        const rows = log.rows.slice(log_id, Math.min(until, log_id + limit));
        log.reads += rows.length;
        return rows;
      }),
    isRevoked: (path: string[]) =>
      answer(() => ({
        is_revoked: log.rows.some(({ subject, mode }) =>
          mode === 'subtree' ? path.includes(subject) : subject === path.at(-1),
        ),
        now: '',
      })),
  };
  return { log, store };
}

const KEY = randomBytes(32);

function makeView(log = makeLog(), cache: Cache = memoryCache()) {
  let ticks = 0;
  const cache_key = async () => KEY;
  const view = createRevocationView({
    store: log.store,
    cache,
    cache_key,
    clock: { now: () => 0, ticks: () => ticks },
  });
  return {
    ...log,
    cache,
    view,
    pass: (ms: number) => {
      ticks += ms;
    },
  };
}

/** As the verifier calls it. */
async function isRevoked(view: RevocationView, path: string[]): Promise<boolean> {
  if (view.version() === -1) await view.refresh();
  return view.mayBeRevoked(probesOf(path)) && (await view.isRevoked(path, null));
}

describe('the filter', () => {
  test('never answers no for an entry, and hardly ever maybe for others', () => {
    const filter = new Bloom();
    const ids = range(150_000).map(() => randomUUID());
    for (const id of ids) filter.add(probeOf(id, 'single'));
    assert.ok(filter.slices.length > 1, 'it has grown');
    assert.equal(filter.count, ids.length);
    assert.ok(ids.every((id) => filter.has(probeOf(id, 'single'))));
    const wrong = range(200_000).filter(() => filter.has(probeOf(randomUUID(), 'single'))).length;
    assert.ok(wrong <= 3, String(wrong));
    const other_mode = ids.filter((id) => filter.has(probeOf(id, 'subtree'))).length;
    assert.ok(other_mode <= 3, 'one revoked token is no revoked subtree');
  });

  test('ids of one millisecond are spread out', () => {
    const filter = new Bloom();
    const id = (n: number) => `0198a6c2-7d5e-7c41-b1f4-${n.toString(16).padStart(12, '0')}`;
    for (const n of range(50_000)) filter.add(probeOf(id(n * 2), 'single'));
    assert.ok(range(50_000).filter((n) => filter.has(probeOf(id(n * 2 + 1), 'single'))).length <= 2);
  });

  test('survives being written; a truncated, altered or foreign text is not read', () => {
    const filter = new Bloom();
    const ids = range(100).map(() => randomUUID());
    for (const id of ids) filter.add(probeOf(id, 'subtree'));
    const marker = { last_log_id: 120, stamp: 's', entries: 100, rebuilds: 2 };
    const text = writeSnapshot(marker, filter, KEY);
    const read = readSnapshot(text, KEY)!;
    assert.deepEqual(read.marker, marker);
    assert.ok(ids.every((id) => read.filter.has(probeOf(id, 'subtree'))));
    read.filter.add(probeOf(randomUUID(), 'single'));
    assert.equal(read.filter.count, 101);
    for (const bad of [
      '',
      'x',
      text.slice(0, -8),
      text.slice(0, 40),
      text.replace('120', '121'),
      `${text.slice(0, -9)}AAAAAAAA=`,
      '{}\n',
      'null\n',
    ]) {
      assert.equal(readSnapshot(bad, KEY), null, bad.slice(0, 60));
    }
    const forged = writeSnapshot(marker, new Bloom(), randomBytes(32));
    assert.equal(readSnapshot(forged, KEY), null, 'written without the key');
  });
});

describe('the view', () => {
  test('is trusted for less than a second and sees later revocations', async () => {
    const { log, view, pass } = makeView();
    const jti = randomUUID();
    assert.equal(view.version(), -1);
    assert.equal(await isRevoked(view, [jti]), false);
    log.add(jti);
    pass(899);
    assert.equal(await isRevoked(view, [jti]), false, 'still believed');
    pass(1);
    assert.equal(await isRevoked(view, [jti]), true);
  });

  test('a subtree covers the path, a single token itself', async () => {
    const { log, view } = makeView();
    const [root, child] = [randomUUID(), randomUUID()];
    log.add(root, 'single');
    assert.deepEqual([await isRevoked(view, [root]), await isRevoked(view, [root, child])], [true, false]);
    log.add(root, 'subtree');
    view.expire();
    assert.equal(await isRevoked(view, [root, child]), true);
  });

  test('answers nothing while the database is away, and everything again when it is back', async () => {
    const { log, view, pass } = makeView();
    await view.refresh();
    log.is_up = false;
    assert.equal(await isRevoked(view, [randomUUID()]), false, 'what was known a moment ago');
    pass(900);
    await assert.rejects(isRevoked(view, [randomUUID()]), StoreUnavailable);
    log.is_up = true;
    assert.equal(await isRevoked(view, [log.add()]), true);
  });

  test('after a revocation in this process no answer in flight is trusted', async () => {
    const { log, view, pass } = makeView();
    let release = (): void => {};
    log.delay = () => new Promise<void>((resolve) => (release = resolve));
    const old = view.refresh();
    await Promise.resolve();
    pass(1);
    const jti = log.add();
    view.expire();
    log.delay = async () => {};
    const later = isRevoked(view, [jti]);
    release();
    await old;
    assert.equal(await later, true);
  });

  test('the cache is only a starting point: lost, truncated, stale and foreign snapshots change no answer', async () => {
    const { log, store, cache, view } = makeView();
    const ids = range(3_000).map(() => log.add());
    await view.refresh();
    const good = (await cache.get('revocations:filter'))!;
    assert.notEqual(good, null, 'it was put there');
    const later = range(10).map(() => log.add());
    for (const text of [good, null, good.slice(0, -100), 'x']) {
      const other = memoryCache();
      if (text !== null) await other.set('revocations:filter', text, 60_000);
      log.reads = 0;
      const fresh = makeView({ log, store }, other);
      for (const id of [...ids.slice(0, 50), ...later]) assert.equal(await isRevoked(fresh.view, [id]), true);
      assert.equal(await isRevoked(fresh.view, [randomUUID()]), false);
      assert.equal(log.reads, text === good ? 10 : 3_010);
    }
  });

  test('an unreachable cache changes no answer', async () => {
    const away = async (): Promise<never> => {
      throw new StoreUnavailable('away');
    };
    const { log, view } = makeView(makeLog(), { ...memoryCache(), get: away, set: away });
    const ids = range(2_000).map(() => log.add());
    assert.equal(await isRevoked(view, [ids[7]!]), true);
    assert.equal(await isRevoked(view, [randomUUID()]), false);
    await assert.rejects(view.rebuild(), StoreUnavailable, 'to rebuild it is to put it there');
  });

  test('another history with the same ids is noticed, in memory and in the cache', async () => {
    const { log, store, cache, view, pass } = makeView();
    for (const _ of range(1_500)) log.add();
    await view.refresh();
    log.rows = log.rows.slice(0, 1_000);
    const ids = range(600).map(() => log.add());
    pass(1_000);
    for (const id of ids) assert.equal(await isRevoked(view, [id]), true);
    const restarted = makeView({ log, store }, cache);
    for (const id of ids) assert.equal(await isRevoked(restarted.view, [id]), true);
  });

  test('a long log is read in the background; meanwhile each token is looked up', async () => {
    const { log, view, pass } = makeView();
    const ids = range(45_000).map(() => log.add());
    await view.refresh();
    assert.equal(await isRevoked(view, [ids[44_999]!]), true);
    assert.equal(await isRevoked(view, [randomUUID()]), false);
    while (view.mayBeRevoked(probesOf([randomUUID()]))) {
      pass(1_000);
      await view.refresh();
      await new Promise((done) => setImmediate(done));
    }
    for (const id of ids.slice(-100)) assert.ok(view.mayBeRevoked(probesOf([id])));
  });

  test('a rebuild reads all of the log and returns its length', async () => {
    const { log, view, cache } = makeView();
    for (const _ of range(5)) log.add();
    log.add('k', 'key');
    assert.equal(await view.rebuild(), 5);
    assert.equal(readSnapshot((await cache.get('revocations:filter'))!, KEY)!.marker.last_log_id, 6);
  });

  test('a forged filter in the cache is not used, and a rebuild reaches a view that follows the log already', async () => {
    const { log, store, cache, view } = makeView();
    const jti = log.add();
    const end = await store.logEnd(1);
    const forged = new Bloom(end.entries);
    const marker = { last_log_id: 1, stamp: end.stamp, entries: 1, rebuilds: 0 };
    await cache.set('revocations:filter', writeSnapshot(marker, forged, randomBytes(32)), 60_000);
    assert.equal(await isRevoked(view, [jti]), true);

    // A node that believed a forged filter, as versions before this one did.
    await cache.set('revocations:filter', writeSnapshot(marker, forged, KEY), 60_000);
    const misled = makeView({ log, store }, cache);
    assert.equal(await isRevoked(misled.view, [jti]), false);
    await view.rebuild();
    misled.pass(1_000);
    assert.equal(await isRevoked(misled.view, [jti]), true);
  });

  test('changed keys are reported', async () => {
    const { log, view, pass } = makeView();
    const told: string[] = [];
    view.onKeyChange((customer_id) => void told.push(customer_id));
    await view.refresh();
    log.add(randomUUID(), 'key');
    pass(1_000);
    await view.refresh();
    assert.deepEqual(told, ['c']);
  });
});
