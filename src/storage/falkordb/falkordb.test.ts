/** The suite of every graph, on a server that is there: TEST_GRAPH_DB_URL. */
import { randomBytes } from 'node:crypto';
import { graphContract } from '../../../test/contract/graph.ts';
import { connectFalkor } from './connection.ts';
import { falkorGraph } from './index.ts';

const SERVER = process.env['TEST_GRAPH_DB_URL'];
const NO_GRAPH =
  SERVER === undefined ? 'SKIPPED: TEST_GRAPH_DB_URL is not set: no FalkorDB to test against' : undefined;

graphContract(
  'falkordb',
  async () => {
    const prefix = `weir-test-${randomBytes(6).toString('hex')}`;
    const [graph, other] = [falkorGraph(SERVER!, { prefix }), falkorGraph(SERVER!, { prefix })];
    return {
      graph,
      other,
      async dispose() {
        const db = connectFalkor(SERVER!, () => {});
        for (const name of await db.graphs(prefix)) await db.drop(name);
        db.close();
        await Promise.all([graph.close(), other.close()]);
      },
    };
  },
  NO_GRAPH,
);
