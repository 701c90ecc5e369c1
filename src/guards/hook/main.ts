/**
 * `weir hook HOST`: reads one message of the host from standard input and answers in the host's words. Loads nothing but the
 * client, because the host waits for it before each call. Whatever goes wrong is a refusal: exit code 2, with the reason.
 */
import { readSync, writeSync } from 'node:fs';
import { type Answer, type Host, REFUSED } from './host.ts';
import { hosts } from './hosts.ts';
import { judge, keepPrompt } from './judge.ts';
import { hookOptions } from './options.ts';

/** Bytes that are read of standard input at a time. */
const CHUNK = 64 * 1024;
/** Most bytes of a message. Weir takes events of 1 MiB; without a bound the system would end the process, which refuses nothing. */
const MAX_INPUT = 16 * 1024 * 1024;

/** The host of this name; `null` for `install` and everything else that is not a message of a host. */
export const hostNamed = (name: string | undefined): Host | null => hosts.find((host) => host.name === name) ?? null;

/** Answers on standard output and ends the process with the exit code. */
export async function runHook(host: Host, args: readonly string[]): Promise<void> {
  // Until there is an answer, an end of the process is a refusal: not every host takes other exit codes as one.
  process.exitCode = REFUSED;
  process.on('uncaughtException', (error) => {
    isWritten(2, refusal(error).stderr);
    process.exit(REFUSED);
  });
  const { stdout, stderr = '', exit_code } = await answer(host, args).catch(refusal);
  process.exitCode = exit_code;
  // Nothing is pending once all is written, and taking down what was loaded would only take time.
  const all_written = [isWritten(2, stderr), isWritten(1, stdout)].every(Boolean);
  if (all_written) process.exit();
}

/**
 * Writes at once where that is possible, which saves loading streams. False: the rest is pending in a stream, because the
 * pipe is full and one that does not wait.
 */
function isWritten(handle: 1 | 2, text: string): boolean {
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(handle, bytes, written);
    return true;
  } catch {
    (handle === 1 ? process.stdout : process.stderr).write(bytes.subarray(written));
    return false;
  }
}

async function answer(host: Host, args: readonly string[]): Promise<Answer> {
  const options = hookOptions(args, process.env);
  const message = parsed(await standardInput());
  if (typeof message !== 'object' || message === null) throw new Error("the hook's input is not a JSON object");
  const heard = host.hear(message);
  if ('prompt' in heard) keepPrompt(options.state_dir, heard.session_id, heard.prompt);
  if (!('call' in heard)) return heard.answer;
  const { decision, reason } = await judge(heard.call, host.name, options);
  return host.say(decision, reason, message);
}

function parsed(input: string): Record<string, unknown> {
  try {
    return JSON.parse(input) as Record<string, unknown>;
  } catch (error) {
    throw new Error(`the hook's input is not JSON: ${(error as Error).message}`);
  }
}

const refusal = (error: Error): Answer & { stderr: string } => ({
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
  let total = 0;
  const take = (chunk: Buffer): void => {
    total += chunk.length;
    if (total > MAX_INPUT) throw new Error(`the hook's input is longer than ${MAX_INPUT} bytes`);
    chunks.push(chunk);
  };
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (let length = readNow(buffer); length !== 0; length = readNow(buffer)) {
    if (length === null) {
      for await (const chunk of process.stdin) take(chunk as Buffer);
      break;
    }
    take(Buffer.from(buffer.subarray(0, length)));
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Bytes of standard input that were read; `null` when it cannot be read in this way. */
function readNow(buffer: Buffer): number | null {
  try {
    return readSync(0, buffer);
  } catch {
    return null;
  }
}
