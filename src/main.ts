/** The `weir` command. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// As process 1, which it is in a container, it receives no signal without a handler: a signal during loading, or a
// second one, would be lost.
if (process.pid === 1) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, (_name: NodeJS.Signals, number: number) => {
      if (process.listenerCount(signal) === 1) process.exit(128 + number);
    });
  }
}

const CACHE = join(import.meta.dirname, '../node_modules/.cache/weir');
const [command, subcommand, ...rest] = process.argv.slice(2);
if (command !== 'hook' || !(await isAnswered())) await runProgram();
// A failed start has closed what it could. A client that cannot be closed, such as a connection attempt to a server
// that never answers, must not keep the process alive; pending output is flushed first.
if (process.exitCode !== 0) process.stdout.write('', () => process.stderr.write('', () => process.exit()));

/** A coding agent waits for its hook before each call, so that the hook loads nothing else. False: it is not a message of a host. */
async function isAnswered(): Promise<boolean> {
  enableCompileCache(CACHE);
  const { hostNamed, runHook } = await import('./guards/hook/main.ts');
  const host = hostNamed(subcommand);
  if (host !== null) await runHook(host, rest);
  return host !== null;
}

async function runProgram(): Promise<void> {
  // A hook ends too soon to gain by them, and V8 would compile Node's own modules anew: 17 ms.
  const [{ setFlagsFromString }, { V8_FLAGS }] = await Promise.all([
    import('node:v8'),
    import('./platform/v8-flags.ts'),
  ]);
  for (const flag of V8_FLAGS) setFlagsFromString(flag);
  // Code that one start compiles is cached for the next: a third of the time until the first answer. Where the cache
  // cannot be written, Node continues without it.
  enableCompileCache(CACHE);
  const { run } = await import('./cli/program.ts');
  process.exitCode = await run(process.argv.slice(2));
}
