import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storageContract } from '../contract.ts';
import { openEmbedded } from './index.ts';
import { killServer } from './kill-server.ts';

storageContract('embedded', async () => {
  const data_dir = mkdtempSync(join(tmpdir(), 'weir-embedded-'));
  return {
    connect: () => openEmbedded(data_dir),
    async interrupt() {
      killServer(data_dir);
    },
    async dispose() {
      rmSync(data_dir, { recursive: true, force: true });
    },
  };
});
