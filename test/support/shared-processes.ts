/** Test files that run in turn in one process, which loads what they share once. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'node_modules/.cache/weir-test/together');
/** So many are a process: enough that its start counts little, few enough that the processors get equal shares. */
const TOGETHER = 24;
/**
 * What would reach the other files: hooks of the whole process, and what all of it sees. An `after` of a file runs once, at the end of
 * the process, and is there for what is that file's own.
 */
const REACHES_OTHERS =
  /^(?:before|beforeEach|afterEach)\(|\bmock\.|process\.(?:env\[[^\]]*\] =|exit\(|chdir\()|\bDate(?:\.now)? =|^process\.on/m;

/** Whether a test file uses the server or the host that the files of its process share. */
export const sharesServer = (file: string): boolean =>
  /\b(?:sharedWeir|startHostedWeir)\(/.test(readFileSync(join(ROOT, file), 'utf8'));

/** For `node:test`, one file for each process, of at most `together`, by the paths of test files below the repository. */
export function inSharedProcesses(files: readonly string[], together = TOGETHER): string[] {
  const alone = files.filter((file) => REACHES_OTHERS.test(readFileSync(join(ROOT, file), 'utf8')));
  const others = files.filter((file) => !alone.includes(file));
  const count = Math.ceil(others.length / together);
  // Neighbours are alike: those that take long would all be in one process.
  const processes = Array.from({ length: count }, (_, i) => importing(others.filter((_, at) => at % count === i)));
  return [...processes, ...alone];
}

function importing(files: readonly string[]): string {
  const text = files.map((file) => `import ${JSON.stringify(pathToFileURL(join(ROOT, file)).href)};\n`).join('');
  const name = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const path = join(FOLDER, `${name}.test.mjs`);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(path, text);
  return path;
}
