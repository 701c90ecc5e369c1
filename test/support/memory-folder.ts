/**
 * A folder for temporary files that lies in memory: a server's data directory takes the kernel half a second of processor time
 * on a disk, a twentieth of that here. What was written outlives a killed process on either, and no test cuts the power.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const NAME = 'weir-tests-';
/** What the files of the tests that run at once may take, several times over; less is left to the disk. */
const LEAST_BYTES = 8 * 2 ** 30;
/** `f_type` of tmpfs. */
const TMPFS = 0x0102_1994;

/** Lets this process and those that it starts keep temporary files in memory, unless TMPDIR says where, and removes them at its end. */
export function keepTemporaryFilesInMemory(): void {
  if (process.env['TMPDIR'] || !hasRoom()) return;
  removeThoseOfDead();
  const folder = mkdtempSync(join(MEMORY, `${NAME}${process.pid}-`));
  // As the system's own: servers run under accounts of their own.
  chmodSync(folder, 0o1777);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  if (mayRunPrograms(folder)) {
    process.env['TMPDIR'] = folder;
    process.once('exit', remove);
  } else remove();
}

function hasRoom(): boolean {
  try {
    const { type, bsize, bavail } = statfsSync(MEMORY);
    return type === TMPFS && bsize * bavail >= LEAST_BYTES && freemem() >= LEAST_BYTES;
  } catch {
    return false;
  }
}

/** Containers often forbid it in this folder, and tests install packages with programs. */
function mayRunPrograms(folder: string): boolean {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}

/** A run that was killed leaves its folder. */
function removeThoseOfDead(): void {
  for (const name of readdirSync(MEMORY).filter((each) => each.startsWith(NAME))) {
    if (!isAlive(Number.parseInt(name.slice(NAME.length), 10)))
      rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
