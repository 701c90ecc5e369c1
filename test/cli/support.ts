/**
 * Runs the `weir` command as a person does, from another directory. The first run of each command in a test file is a process of its
 * own; later ones run in turn in the host process (test/support/host-child.ts), which has loaded what they need.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { inHost } from '../support/host.ts';
import type { Ended } from '../support/host-messages.ts';
import { programOf } from '../support/programs.ts';

export const ROOT = resolve(import.meta.dirname, '../..');

export type { Ended };

export interface RunOptions {
  /** Standard input; default: none. */
  input?: string | Buffer;
  env?: Record<string, string>;
  /** Default: the folder of temporary files. */
  cwd?: string;
}

/** Runs any program to its end. */
export async function runProgram(program: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const child = spawn(program, args, { cwd: options.cwd ?? tmpdir(), env: { ...process.env, ...options.env } });
  // A program that ends before it has read everything is not this test's failure.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  const exit = new Promise<number | null>((done, fail) => {
    child.on('close', done);
    child.on('error', fail);
  });
  const [code, stdout, stderr] = await Promise.all([exit, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}

/** `weir` with these arguments as a process of its own. */
export const weirAlone = (args: readonly string[], options: RunOptions = {}): Promise<Ended> =>
  runProgram(process.execPath, [programOf('src/main.ts'), ...args], options);

/** Commands that were a process of their own. */
const ran = new Set<string>();

/** `weir` with these arguments, to its end. */
export async function weir(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const command = commandOf(args);
  if (!ran.has(command)) {
    ran.add(command);
    return weirAlone(args, options);
  }
  return inHost('command', {
    args,
    env: { ...process.env, ...options.env },
    cwd: options.cwd ?? tmpdir(),
    input: options.input ?? '',
  });
}

/** The words that name a command: `tokens create`, and `eval` of `eval file.jsonl`. */
function commandOf([command = '', subcommand = '']: readonly string[]): string {
  return /^[a-z][a-z-]*$/.test(subcommand) ? `${command} ${subcommand}` : command;
}

/** A folder for one test file, removed at its end. */
export function temporaryFolder(): { path: string; write: (name: string, content: string | Buffer) => string } {
  const path = mkdtempSync(join(tmpdir(), 'weir-cli-'));
  after(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    write: (name, content) => {
      const file = join(path, name);
      writeFileSync(file, content);
      return file;
    },
  };
}

export const jsonLines = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');

export const parseLines = (content: string): Record<string, unknown>[] =>
  content
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
