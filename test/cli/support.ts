/** Runs the `weir` command as a person does: a process of its own, from another directory. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { programOf } from '../support/programs.ts';

export const ROOT = resolve(import.meta.dirname, '../..');

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

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

export const weir = (args: readonly string[], options: RunOptions = {}): Promise<Ended> =>
  runProgram(process.execPath, [programOf('src/main.ts'), ...args], options);

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
