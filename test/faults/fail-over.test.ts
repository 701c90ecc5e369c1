/**
 * The primary of two PostgreSQL servers ends by force under load, and its synchronous standby takes over: all that was
 * acknowledged is there, scores and revocations alike. Skipped where the programs of a PostgreSQL server are not found.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answered, postEvents, storedScores } from '../support/journal.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { freePort } from '../support/port.ts';
import { type Issued, isActive, MANAGED, revokeFamilies } from '../support/revocations.ts';
import { startWeir, temporaryDirectory } from '../support/weir.ts';
import { USUAL_LIMITS_ENV } from '../support/wide-limits.ts';

const PROGRAMS = globSync('/usr/lib/postgresql/*/bin/pg_basebackup').map(dirname).at(-1);
/** PostgreSQL does not run as root; Debian's packages make this account. */
const AS_SERVER = process.getuid?.() === 0 ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : [];
const WANTED = 100;

function run(program: string, ...args: string[]): void {
  const [command, ...rest] = [...AS_SERVER, join(PROGRAMS!, program), ...args];
  execFileSync(command!, rest, { stdio: ['ignore', 'ignore', 'pipe'], cwd: '/' });
}

/** A way to the database that leads to another server from one moment to the next, as a virtual address does. */
async function startDoor(port: number) {
  const pairs = new Set<Socket>();
  const door = { port: 0, leads_to: port, close: () => server.close() };
  const server = createServer((client) => {
    const upstream = connect(door.leads_to, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      pairs.add(from);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  door.port = (server.address() as { port: number }).port;
  return {
    ...door,
    leadTo(next: number) {
      door.leads_to = next;
      for (const socket of pairs) socket.destroy();
    },
  };
}

test('a synchronous standby takes over under load: what was acknowledged is there', {
  skip: PROGRAMS === undefined ? 'a fail-over was NOT tested: no pg_basebackup below /usr/lib/postgresql' : false,
  timeout: 2 * PATIENCE_MS,
}, async (t) => {
  const directory = temporaryDirectory();
  const [primary, standby] = [join(directory, 'primary'), join(directory, 'standby')];
  const [first, second] = [await freePort(), await freePort()];
  chmodSync(directory, 0o755);
  for (const path of [primary, standby]) mkdirSync(path, { mode: 0o700 });
  if (AS_SERVER.length > 0) spawnSync('chown', ['postgres:postgres', primary, standby]);
  const options = (port: number) => `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=`;
  const log = (data: string) => join(data, 'server.log');
  const start = (data: string, port: number, more = '') =>
    run('pg_ctl', '-D', data, '-l', log(data), '-w', '-o', `${options(port)} ${more}`, 'start');
  const door = await startDoor(first);
  try {
    run('initdb', '-D', primary, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--no-sync');
    start(primary, first);
    run('pg_basebackup', '-h', '127.0.0.1', '-p', String(first), '-U', 'postgres', '-D', standby, '-R', '-X', 'stream');
    start(standby, second);
    run('pg_ctl', '-D', primary, '-w', 'stop');
    start(primary, first, '-c synchronous_standby_names=*');

    const weir = await startWeir({
      env: { ...MANAGED, ...USUAL_LIMITS_ENV, DATABASE_URL: `postgres://postgres@127.0.0.1:${door.port}/postgres` },
    });
    const answered: Answered[] = [];
    const issued: Issued[] = [];
    let is_over = false;
    const clients = Array.from({ length: 8 }, (_, n) => postEvents(weir, `c${n}`, answered, () => is_over));
    clients.push(revokeFamilies(weir, issued, () => is_over));
    while (answered.length < WANTED || !issued.some((one) => one.revoked)) await sleep(20);

    run('pg_ctl', '-D', primary, '-m', 'immediate', 'stop');
    run('pg_ctl', '-D', standby, '-w', 'promote');
    const before = { events: answered.length, revoked: issued.filter((one) => one.revoked).length };
    door.leadTo(second);
    while (answered.length < before.events + WANTED) await sleep(20);
    is_over = true;
    await Promise.all(clients);

    const found = await storedScores(weir);
    for (const { event_id, score } of answered) assert.deepEqual(found.get(event_id), [score], event_id);
    for (const { token } of issued.filter((one) => one.revoked)) assert.equal(await isActive(weir, token), false);
    t.diagnostic(`${answered.length} events and ${before.revoked} revocations acknowledged; none is lost`);
    await weir.stop();
  } finally {
    door.close();
    for (const data of [primary, standby]) spawnSync(AS_SERVER[0] ?? join(PROGRAMS!, 'pg_ctl'), stopArgs(data));
    rmSync(directory, { recursive: true, force: true });
  }
});

function stopArgs(data: string): string[] {
  const stop = ['-D', data, '-m', 'immediate', 'stop'];
  return AS_SERVER.length > 0 ? [...AS_SERVER.slice(1), join(PROGRAMS!, 'pg_ctl'), ...stop] : stop;
}
