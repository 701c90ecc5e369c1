/** The host process of this test process: see `host-child.ts`. It starts when a test first needs it and ends with the tests. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Reply, Tasks } from './host-messages.ts';
import { childOf } from './programs.ts';

interface Waiting {
  done(value: unknown): void;
  fail(error: Error): void;
}

interface Host {
  child: ChildProcess;
  /** Tests that wait for a reply, by the id of their request. */
  waiting: Map<number, Waiting>;
  /** All that the host has logged so far. */
  stderr(): string;
}

let started: Host | undefined;
let last_id = 0;

after(async () => {
  if (started === undefined || !isHostRunning()) return;
  const exit = once(started.child, 'exit');
  started.child.disconnect();
  await exit;
});

/** Lets the host do something. Rejects with its error, or with what the host logged when it ends meanwhile. */
export async function inHost<Task extends keyof Tasks>(
  task: Task,
  request: Tasks[Task]['request'],
): Promise<Tasks[Task]['reply']> {
  started ??= start();
  const { child, waiting } = started;
  const id = ++last_id;
  const reply = new Promise<unknown>((done, fail) => waiting.set(id, { done, fail }));
  child.ref();
  child.channel?.ref();
  child.send({ id, task, request });
  try {
    return (await reply) as Tasks[Task]['reply'];
  } finally {
    waiting.delete(id);
    if (waiting.size === 0) letTestsEnd(child);
  }
}

/** All that the host has logged so far, of whatever runs in it. */
export const hostLog = (): string => started?.stderr() ?? '';

export const isHostRunning = (): boolean =>
  started !== undefined && started.child.exitCode === null && started.child.signalCode === null;

function start(): Host {
  const child = spawn(process.execPath, childOf('test/support/host-child.ts'), {
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
  const waiting = new Map<number, Waiting>();
  let stderr = '';
  child.stderr!.on('data', (chunk) => {
    stderr += chunk;
  });
  child.on('message', (message: Reply) => {
    const { id } = message;
    if ('error' in message) waiting.get(id)?.fail(new Error(`${message.error}\n${stderr.slice(-4_000)}`));
    else waiting.get(id)?.done(message.value);
  });
  child.once('exit', (code, signal) => {
    for (const { fail } of waiting.values())
      fail(new Error(`the host ended (${code ?? signal}):\n${stderr.slice(-4_000)}`));
  });
  letTestsEnd(child);
  return { child, waiting, stderr: () => stderr };
}

/** An idle host keeps no test process alive. */
function letTestsEnd(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
  (child.stderr as unknown as { unref?: () => void }).unref?.();
}
