/**
 * `weir hook HOST`: reads one message of the host from standard input and answers in the host's words. Loads nothing but the
 * client, because the host waits for it before each call. Whatever goes wrong is a refusal: exit code 2, with the reason.
 */
import { readSync } from 'node:fs';
import { type Answer, type Host, REFUSED } from './host.ts';
import { hosts } from './hosts.ts';
import { judge, keepPrompt } from './judge.ts';
import { hookOptions } from './options.ts';

/** Bytes that are read of standard input at a time. */
const CHUNK = 64 * 1024;

/** The host of this name; `null` for `install` and everything else that is not a message of a host. */
export const hostNamed = (name: string | undefined): Host | null => hosts.find((host) => host.name === name) ?? null;

/** Answers on standard output and sets the exit code; without anything to write it ends the process. */
export async function runHook(host: Host, args: readonly string[]): Promise<void> {
  const { stdout, stderr = '', exit_code } = await answer(host, args).catch(refusal);
  process.exitCode = exit_code;
  if (stderr !== '') process.stderr.write(stderr);
  if (stdout !== '') process.stdout.write(stdout);
  // Nothing is pending, and taking down what was loaded would only take time.
  if (stderr === '' && stdout === '') process.exit();
}

async function answer(host: Host, args: readonly string[]): Promise<Answer> {
  const options = hookOptions(args, process.env);
  const message = JSON.parse(await standardInput()) as Record<string, unknown>;
  if (typeof message !== 'object' || message === null) throw new Error("the hook's input is not a JSON object");
  const heard = host.hear(message);
  if ('prompt' in heard) keepPrompt(options.state_dir, heard.session_id, heard.prompt);
  if (!('call' in heard)) return heard.answer;
  const { decision, reason } = await judge(heard.call, host.name, options);
  return host.say(decision, reason, message);
}

const refusal = (error: Error): Answer => ({
  stdout: '',
  stderr: `Weir: the call is refused because its hook failed: ${error.message}\n`,
  exit_code: REFUSED,
});

/**
 * All of it. Read at once where that is possible, which saves loading streams; a host may have made its pipe one that
 * does not wait.
 */
async function standardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK);
      const length = readSync(0, chunk);
      if (length === 0) return Buffer.concat(chunks).toString('utf8');
      chunks.push(chunk.subarray(0, length));
    }
  } catch {
    for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('utf8');
  }
}
