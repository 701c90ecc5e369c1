/**
 * The entry of `weir hook` in the package: `npm run build` makes one file of it and of what it imports, because reading a dozen
 * modules takes longer than what the hook does. In a checkout src/main.ts answers.
 */
import { hostNamed, runHook } from './guards/hook/main.ts';

const [, subcommand, ...rest] = process.argv.slice(2);
const host = hostNamed(subcommand);
if (host !== null) void runHook(host, rest);
else void import('./main.ts');
