/** The client's package, built and installed as a user installs it: into a folder that has nothing else. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { ROOT, runProgram } from '../cli/support.ts';

export const CLIENT = join(ROOT, 'clients/typescript');

/** A folder for one test file, removed at its end. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'weir-client-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function succeed(program: string, args: string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await runProgram(program, args, { cwd });
  assert.equal(code, 0, `${program} ${args.join(' ')}\n${stdout}\n${stderr}`);
  return stdout;
}

/** Builds the package and packs it; returns the tarball. The output folder is the caller's, so that tests do not share one. */
export async function packClient(folder: string): Promise<string> {
  const packed = join(folder, 'package');
  mkdirSync(packed);
  await succeed('cp', [join(CLIENT, 'package.json'), join(CLIENT, 'README.md'), packed], folder);
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  await succeed(tsc, ['-p', join(CLIENT, 'tsconfig.json'), '--outDir', join(packed, 'dist')], ROOT);
  await succeed('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], packed);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  assert.ok(tarball !== undefined, 'npm pack wrote no tarball');
  return join(folder, tarball);
}

/** A project below `folder` with the package installed from its tarball, without a network. */
export async function installClient(folder: string): Promise<string> {
  const tarball = await packClient(folder);
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  await succeed('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], project);
  assert.deepEqual(
    readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.')),
    ['weir-client'],
    'the client has no dependency',
  );
  return project;
}
