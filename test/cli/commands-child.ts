/**
 * Runs command lines one after the other, for tests of what commands say and do. Each comes over IPC, and a mark on both outputs
 * says that it is over. This process ends by itself once the channel is closed, unless a command has left something open.
 */
import { Readable } from 'node:stream';
import { run } from '../../src/cli/program.ts';

export interface CommandLine {
  args: readonly string[];
  /** All of its environment. */
  env: Record<string, string>;
  cwd: string;
  /** Standard input, in base64: IPC is JSON. */
  input: string;
  mark: string;
}

// Each command listens for errors and for the end, as one that is alone in its process may.
for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0);

process.on('message', async ({ args, env, cwd, input, mark }: CommandLine) => {
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(input, 'base64')]), configurable: true });
  const code = await run(args);
  process.stderr.write(mark);
  process.stdout.write(`${mark}${code}\n`);
});
