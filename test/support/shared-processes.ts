/** Test files that run one after the other in one process, which loads what they share once. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'node_modules/.cache/weir-test/together');
/** So many are a process: enough that its start counts little, few enough that the processors get equal shares. */
const TOGETHER = 24;
/** The same of files that also share a server, which take longer. */
const TOGETHER_WITH_SERVER = 7;
/** What would reach the other files: hooks of the whole process, and what all of it sees. */
const REACHES_OTHERS =
  /^(?:before|after|beforeEach|afterEach)\(|\bmock\.|process\.(?:env\[[^\]]*\] =|exit\(|chdir\()|\bDate(?:\.now)? =|^process\.on/m;

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** Whether the tests of a file are content with a server that others use as well (test/support/shared-weir.ts). */
export const sharesServer = (file: string): boolean => /\bsharedWeir\(\)/.test(textOf(file));

/** For `node:test`, one file for each process, by the paths of test files below the repository. */
export function inSharedProcesses(files: readonly string[]): string[] {
  const alone = files.filter((file) => REACHES_OTHERS.test(textOf(file)));
  const others = files.filter((file) => !alone.includes(file));
  const serving = others.filter(sharesServer);
  const plain = others.filter((file) => !serving.includes(file));
  return [...inParts(serving, TOGETHER_WITH_SERVER), ...inParts(plain, TOGETHER), ...alone];
}

function inParts(files: readonly string[], most: number): string[] {
  const count = Math.ceil(files.length / most);
  return Array.from({ length: count }, (_, i) => importing(files.slice(i * most, (i + 1) * most)));
}

function importing(files: readonly string[]): string {
  const text = files.map((file) => `import ${JSON.stringify(pathToFileURL(join(ROOT, file)).href)};\n`).join('');
  const name = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const path = join(FOLDER, `${name}.test.mjs`);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(path, text);
  return path;
}
