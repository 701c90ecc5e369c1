/** What the gate remembers, in a folder: for hosts that start anew for each call, or end while a person decides. */
import { promises, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from './types.ts';

/**
 * Remembers held and used events in `dir` (made with mode 0700), so that an approval survives the end of the process and still
 * counts once among all processes that share the folder.
 */
export function fileStore(dir: string): Store {
  const heldFile = (key: string): string => join(dir, `held-${key}`);
  // `promises` is looked up where it is used, because Node loads it when it is first looked up.
  return {
    async find(key) {
      return promises.readFile(heldFile(key), 'utf8').catch(absent);
    },
    async mayHave(beginning) {
      try {
        return readdirSync(dir).some((name) => name.startsWith(`held-${beginning}`));
      } catch (error) {
        return absent(error as NodeJS.ErrnoException) !== null;
      }
    },
    async keep(key, event_id) {
      await promises.mkdir(dir, { recursive: true, mode: 0o700 });
      // Readers see the old file or the new one, and never half of it.
      const file = heldFile(key);
      const part = `${file}.${process.pid}.part`;
      await promises.writeFile(part, event_id, { mode: 0o600 });
      await promises.rename(part, file);
    },
    forget: (key) => promises.rm(heldFile(key), { force: true }),
    async claim(event_id) {
      await promises.mkdir(dir, { recursive: true, mode: 0o700 });
      const file = join(dir, `used-${Buffer.from(event_id).toString('base64url').slice(0, 200)}`);
      try {
        // Only one process can create the file.
        await promises.writeFile(file, '', { flag: 'wx', mode: 0o600, flush: true });
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
        throw error;
      }
    },
  };
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
