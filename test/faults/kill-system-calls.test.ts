/**
 * SIGKILL at a random system call, put there by `strace`: in the server (a write to a socket or a file), or in a process of
 * its database (a write or a flush to the disk). After the next start all that was acknowledged is there, once: scores,
 * and revocations of whole families of tokens. `TEST_ROUNDS` sets how often (default 2). Skipped where strace cannot trace.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Answered, postEvents, storedScores } from '../support/journal.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { type Issued, isActive, MANAGED, revokeFamilies } from '../support/revocations.ts';
import { rounds } from '../support/rounds.ts';
import { killDatabase, startWeir, temporaryDirectory } from '../support/weir.ts';

const ROUNDS = rounds(2);
const CLIENTS = 8;
/** The call that kills is one of the first so many of a thread or process. */
const CALLS = 400;
/** The load goes on as long as this at most: where a thread makes fewer calls, the round ends without a kill. */
const LOAD_MS = 10_000;
const OF_THE_SERVER = 'write,writev,sendto,sendmsg,pwrite64';
const OF_THE_DATABASE = 'write,sendto,pwrite64,pwritev,fdatasync,fsync';

const can_trace = spawnSync('strace', ['-f', '-qq', '-o', '/dev/null', process.execPath, '--version']).status === 0;

/** Process ids of what the embedded database's first process has started: its writers and the connections' processes. */
function databaseProcesses(data_dir: string): number[] {
  const first = Number(readFileSync(join(data_dir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  return readFileSync(`/proc/${first}/task/${first}/children`, 'utf8').trim().split(/\s+/).map(Number);
}

/** Lets the kernel send SIGKILL to a process at the `call`-th of these system calls that one of its threads makes. */
async function killAtCall(pids: readonly number[], calls: string, call: number): Promise<ChildProcess> {
  const inject = ['-f', '-e', `trace=${calls}`, '-e', `inject=${calls}:signal=SIGKILL:when=${call}`];
  const tracer = spawn('strace', ['-o', '/dev/null', ...inject, ...pids.flatMap((pid) => ['-p', String(pid)])], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // strace says so as soon as it has attached.
  await once(tracer.stderr!, 'data');
  return tracer;
}

test(`${ROUNDS} × SIGKILL at a random system call: what was acknowledged is there, once`, {
  skip: can_trace ? false : 'strace cannot trace here; install it to run this',
  timeout: PATIENCE_MS + ROUNDS * 60_000,
}, async (t) => {
  const data_dir = temporaryDirectory();
  const answered: Answered[] = [];
  const issued: Issued[] = [];
  let kills = 0;
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const weir = await startWeir({ data_dir, env: MANAGED });
      const of_database = round % 2 === 1;
      let is_over = false;
      const clients = Array.from({ length: CLIENTS }, (_, i) =>
        postEvents(weir, `r${round}c${i}`, answered, () => is_over),
      );
      clients.push(revokeFamilies(weir, issued, () => is_over));
      const call = 1 + Math.floor(Math.random() * CALLS);
      const pids = of_database ? databaseProcesses(data_dir) : [weir.child.pid!];
      const tracer = await killAtCall(pids, of_database ? OF_THE_DATABASE : OF_THE_SERVER, call);
      // The tracer ends with what it traces: the server, or all processes of the database, because the others do not
      // outlive the one that is killed.
      const exit = once(tracer, 'exit');
      let injected = true;
      const cut = setTimeout(() => {
        injected = false;
        if (of_database) killDatabase(data_dir);
        else weir.child.kill('SIGKILL');
      }, LOAD_MS);
      await exit;
      clearTimeout(cut);
      if (injected) kills += 1;
      const gone = weir.child.exitCode === null && weir.child.signalCode === null ? once(weir.child, 'exit') : null;
      weir.child.kill('SIGKILL');
      is_over = true;
      await Promise.all([gone, ...clients]);
    }
    const weir = await startWeir({ data_dir, env: MANAGED });
    const found = await storedScores(weir);
    for (const { event_id, score } of answered) assert.deepEqual(found.get(event_id), [score], event_id);
    for (const { token } of issued.filter((one) => one.revoked)) assert.equal(await isActive(weir, token), false);
    await weir.stop();
    t.diagnostic(
      `${kills} kills, ${answered.length} events answered, ${issued.filter((one) => one.revoked).length} tokens revoked`,
    );
    assert.ok(answered.length > 0 && kills > 0, `the load must reach the server: ${answered.length}, ${kills}`);
  } finally {
    rmSync(data_dir, { recursive: true, force: true });
  }
});
