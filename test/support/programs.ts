import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { V8_FLAGS } from '../../src/platform/v8-flags.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** Of the environment: the folder that `build-programs.ts` made. */
export const BUILT = 'TEST_BUILT';

/**
 * What Node is to run for a source that tests start, by its path in the repository: the file that `test/run.ts` made of it, else the
 * source. Tests of how the sources start (test/api/start.test.ts, some of test/leftovers/, those of `bin/weir`) do not ask here.
 */
export function programOf(source: string): string {
  const built = process.env[BUILT];
  const file = built === undefined ? '' : join(built, source.replace(/\.ts$/, '.js'));
  return existsSync(file) ? file : join(ROOT, source);
}

/** The arguments of Node for a child process of the tests, by its source; it uses the code that was compiled for the tests' own processes. */
export const childOf = (source: string): string[] => [...V8_FLAGS, programOf(source)];

/** Of this process's environment, what a program needs to run, and the code that earlier starts compiled. */
export function bareEnvironment(): Record<string, string> {
  const names = ['PATH', 'HOME', 'TMPDIR', 'NODE_OPTIONS', 'NODE_COMPILE_CACHE'];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
