/**
 * `npm run check`: every `check:…` that must be green before a change, as many at once as there are processors. Each one's
 * output comes whole, when it ends.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const ROOT = join(import.meta.dirname, '../..');
/** Those that take longest come first. */
const CHECKS = ['expressions', 'types', 'style', 'arrows', 'unused', 'pure'];

async function run(name: string): Promise<void> {
  const child = spawn('npm', ['run', '--silent', `check:${name}`], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  console.log(`check:${name} ${code === 0 ? 'ok' : 'FAILED'}`);
  process.stdout.write(out);
  process.stderr.write(err);
  if (code !== 0) process.exitCode = 1;
}

const waiting = [...CHECKS];
async function runWaiting(): Promise<void> {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await run(name);
}
await Promise.all(Array.from({ length: availableParallelism() }, runWaiting));
