import { storageContract } from '../../../test/contract/index.ts';
import { makeDatabase, NO_SERVER } from '../../../test/support/test-database.ts';
import { openPostgres } from './index.ts';

storageContract(
  'postgres',
  async () => {
    const database = await makeDatabase();
    return {
      connect: () => openPostgres(database.url),
      run: async (sql, values) => {
        await database.run(sql, values);
      },
      interrupt: () => database.cutConnections(),
      dispose: () => database.drop(),
    };
  },
  NO_SERVER,
);
