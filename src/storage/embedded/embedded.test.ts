import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { storageContract } from '../../../test/contract/index.ts';
import { killServer } from '../../../test/support/kill-server.ts';
import { WIDE_LIMITS } from '../../../test/support/wide-limits.ts';
import { connectionConfig } from '../postgres/connection/pool.ts';
import { prepareCluster } from './cluster.ts';
import { openEmbedded } from './index.ts';
import { targetOf } from './server.ts';

storageContract('embedded', async () => {
  const data_dir = mkdtempSync(join(tmpdir(), 'weir-embedded-'));
  return {
    connect: () => openEmbedded(data_dir, WIDE_LIMITS),
    async run(sql, values) {
      const client = new pg.Client(connectionConfig(targetOf(await prepareCluster(data_dir), 'weir-test')));
      await client.connect();
      await client.query(sql, values).finally(() => client.end());
    },
    async interrupt() {
      killServer(data_dir);
    },
    async dispose() {
      rmSync(data_dir, { recursive: true, force: true });
    },
  };
});
