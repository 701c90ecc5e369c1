/** The `weir` command. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// What was compiled at one start is there at the next: a third of the time until the first answer. Where nothing may be
// written there, Node goes on without.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/weir'));

const { run } = await import('./cli/program.ts');
process.exitCode = await run(process.argv.slice(2));
// A start that failed has closed what it could. A client that nobody can reach any more, such as an attempt to connect to
// a server that never answers, must not keep the process; what was written before is out when this is.
if (process.exitCode !== 0) process.stdout.write('', () => process.stderr.write('', () => process.exit()));
