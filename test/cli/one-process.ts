/**
 * Runs `weir` commands of one test file in one process, where a test is about what a command says and does: most of the time of a
 * command is the start of its process. Tests of the process itself (`weir` in support.ts) have one for each.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { after } from 'node:test';
import { PATIENCE_MS } from '../support/patience.ts';
import { programOf } from '../support/programs.ts';
import type { CommandLine } from './commands-child.ts';
import type { Ended, RunOptions } from './support.ts';

const CHILD = programOf('test/cli/commands-child.ts');

/** Runs a command line to its end, after those that were given before. */
export type RunCommand = (args: readonly string[], options?: RunOptions) => Promise<Ended>;

/** For one test file. After its tests, the process must end by itself: no command has left anything open. */
export function commandsInOneProcess(): RunCommand {
  let child: ChildProcess | null = null;
  let last: Promise<unknown> = Promise.resolve();
  after(async () => {
    await last;
    if (child !== null) await endsByItself(child);
  });
  return (args, options = {}) => {
    const ended = last.then(() => {
      if (child === null || child.exitCode !== null || child.signalCode !== null) child = start();
      return runIn(child, args, options);
    });
    last = ended.catch(() => {});
    return ended;
  };
}

function start(): ChildProcess {
  const child = fork(CHILD, [], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], execArgv: [] });
  child.stdout!.setEncoding('utf8');
  child.stderr!.setEncoding('utf8');
  return child;
}

function runIn(child: ChildProcess, args: readonly string[], options: RunOptions): Promise<Ended> {
  const mark = `\0${randomUUID()}\0`;
  const said = { stdout: '', stderr: '' };
  const line: CommandLine = {
    args,
    env: { ...(process.env as Record<string, string>), ...options.env },
    cwd: options.cwd ?? tmpdir(),
    input: Buffer.from(options.input ?? '').toString('base64'),
    mark,
  };
  return new Promise((resolve, reject) => {
    const end = (code: number | null, { stdout, stderr }: typeof said): void => {
      child.stdout!.off('data', hearOut);
      child.stderr!.off('data', hearErr);
      child.off('close', die).off('error', reject);
      resolve({ code, stdout, stderr });
    };
    const endIfMarked = (): void => {
      const [stdout, code = ''] = said.stdout.split(mark);
      const [stderr, is_marked] = said.stderr.split(mark);
      if (code.endsWith('\n') && is_marked !== undefined) end(Number(code), { stdout: stdout!, stderr: stderr! });
    };
    const hearOut = (text: string): void => {
      said.stdout += text;
      endIfMarked();
    };
    const hearErr = (text: string): void => {
      said.stderr += text;
      endIfMarked();
    };
    const die = (code: number | null): void => end(code, said);
    child.stdout!.on('data', hearOut);
    child.stderr!.on('data', hearErr);
    child.once('close', die).once('error', reject);
    child.send(line);
  });
}

async function endsByItself(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const cut = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  child.disconnect();
  const code = await gone;
  clearTimeout(cut);
  assert.equal(code, 0, 'a command has left something open');
}
