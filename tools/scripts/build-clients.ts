/**
 * `npm run build:clients [FOLDER]`: the packages of the clients, as they are installed: `weir-client-VERSION.tgz` for npm and
 * `weir_client-VERSION-py3-none-any.whl` for pip. Default folder: `clients/dist`. Without Python 3 the wheel is left out, and
 * that is said.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const CLIENTS = join(ROOT, 'clients');
const FOLDER = resolve(process.argv[2] ?? join(CLIENTS, 'dist'));

mkdirSync(FOLDER, { recursive: true });
// Packed from a copy, so that two builds at once do not share an output folder.
const copy = mkdtempSync(join(FOLDER, 'building-'));
try {
  const typescript = join(copy, 'typescript');
  for (const file of ['package.json', 'README.md']) cpSync(join(CLIENTS, 'typescript', file), join(typescript, file));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  run(process.execPath, [tsc, '-p', join(CLIENTS, 'typescript'), '--outDir', join(typescript, 'dist')], ROOT);
  run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', FOLDER], typescript);
  if (hasPython()) {
    const python = join(copy, 'python');
    cpSync(join(CLIENTS, 'python'), python, { recursive: true });
    // `pip wheel` is how every installer builds it; pip itself says nothing of use to our readers.
    run('python3', ['-m', 'pip', 'wheel', '-q', '--no-index', '--no-deps', '-w', FOLDER, python], copy);
  } else console.warn('python3 is not installed: the package for Python is not built');
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(FOLDER);

function run(program: string, args: string[], cwd: string): void {
  execFileSync(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
}

function hasPython(): boolean {
  try {
    execFileSync('python3', ['-m', 'pip', '--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
