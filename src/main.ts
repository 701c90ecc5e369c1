/** The `weir` command. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// What was compiled at one start is there at the next: a third of the time until the first answer. Where nothing may be
// written there, Node goes on without.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/weir'));

const { run } = await import('./cli/program.ts');
process.exitCode = await run(process.argv.slice(2));
