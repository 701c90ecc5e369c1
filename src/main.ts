/** The `weir` command. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

// What a busy start allocates lives long, while all is slow. V8 would conclude that such objects always do, and go on to make
// them where only a full collection frees them, with all that they refer to: a fifth of the time (docs/decisions/0018-no-pretenuring.md).
setFlagsFromString('--no-allocation-site-pretenuring');

// What was compiled at one start is there at the next: a third of the time until the first answer. Where nothing may be
// written there, Node goes on without.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/weir'));

// As process 1, which it is in a container, it hears no signal that nobody listens for: one that comes while it loads, or
// a second one, would be lost.
if (process.pid === 1) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, (_name: NodeJS.Signals, number: number) => {
      if (process.listenerCount(signal) === 1) process.exit(128 + number);
    });
  }
}

const { run } = await import('./cli/program.ts');
process.exitCode = await run(process.argv.slice(2));
// A start that failed has closed what it could. A client that nobody can reach any more, such as an attempt to connect to
// a server that never answers, must not keep the process; what was written before is out when this is.
if (process.exitCode !== 0) process.stdout.write('', () => process.stderr.write('', () => process.exit()));
