/** The `weir` command. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

// Objects that a busy start allocates live long, because everything is slow then. V8 would conclude that such objects
// always do, and allocate them in old space from then on, where only a full collection frees them: a fifth of the
// processor time (docs/decisions/0018-no-pretenuring.md).
setFlagsFromString('--no-allocation-site-pretenuring');

// Code that one start compiles is cached for the next: a third of the time until the first answer. Where the cache
// cannot be written, Node continues without it.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/weir'));

// As process 1, which it is in a container, it receives no signal without a handler: a signal during loading, or a
// second one, would be lost.
if (process.pid === 1) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, (_name: NodeJS.Signals, number: number) => {
      if (process.listenerCount(signal) === 1) process.exit(128 + number);
    });
  }
}

const [command, subcommand, ...rest] = process.argv.slice(2);
// A coding agent waits for its hook before each call, so that the hook loads nothing else.
const hook = command === 'hook' ? await import('./guards/hook/main.ts') : null;
const host = hook?.hostNamed(subcommand) ?? null;
if (host !== null) await hook!.runHook(host, rest);
else {
  const { run } = await import('./cli/program.ts');
  process.exitCode = await run(process.argv.slice(2));
}
// A failed start has closed what it could. A client that cannot be closed, such as a connection attempt to a server
// that never answers, must not keep the process alive; pending output is flushed first.
if (process.exitCode !== 0) process.stdout.write('', () => process.stderr.write('', () => process.exit()));
