import { storageContract } from '../../../test/contract/index.ts';
import { makeDatabase, NO_SERVER } from '../../../test/support/test-database.ts';
import { WIDE_LIMITS } from '../../../test/support/wide-limits.ts';
import { openPostgres } from './index.ts';

storageContract(
  'postgres',
  async () => {
    const database = await makeDatabase();
    return {
      connect: () => openPostgres(database.url, WIDE_LIMITS),
      run: async (sql, values) => {
        await database.run(sql, values);
      },
      interrupt: () => database.cutConnections(),
      dispose: () => database.drop(),
    };
  },
  NO_SERVER,
);
