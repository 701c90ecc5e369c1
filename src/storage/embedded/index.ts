/** PostgreSQL without any setup: the program ships with Weir and keeps its files below DATA_DIR. */
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import type { Storage } from '../ports/storage.ts';
import { openTarget, type PostgresOptions } from '../postgres/index.ts';
import { reasonOf } from '../reason-of.ts';
import { StartError } from '../start-error.ts';
import { prepareCluster } from './cluster.ts';
import { targetOf } from './server.ts';
import { type Notice, superviseServer } from './supervisor.ts';

export interface EmbeddedOptions extends PostgresOptions {
  /** Also called when the server was lost, cannot start, and is back. */
  notice?: Notice;
}

/**
 * Opens the database below `data_dir`, which the first start makes. A server left behind by a killed process is taken
 * over, and one that another Weir process uses is shared. Rejects with `StartError` when it cannot start.
 */
export async function openEmbedded(data_dir: string, options: EmbeddedOptions = {}): Promise<Storage> {
  const cluster = await prepareCluster(resolve(data_dir));
  const name = `weir-${randomBytes(4).toString('hex')}`;
  const notice = options.notice ?? (() => {});
  const supervisor = await superviseServer(cluster, notice);
  try {
    const storage = await openTarget(targetOf(cluster, name), 'the embedded PostgreSQL', options);
    return {
      ...storage,
      async close() {
        await storage.close();
        await supervisor.close();
      },
    };
  } catch (error) {
    await supervisor.close();
    if (error instanceof StartError) throw error;
    throw new StartError(
      `cannot use the database in \`${cluster.dir}\`: ${reasonOf(error)}; see \`${cluster.log_file}\``,
      {
        cause: error,
      },
    );
  }
}
