/** The `weir` command. */
import { run } from './cli/program.ts';

process.exitCode = await run(process.argv.slice(2));
