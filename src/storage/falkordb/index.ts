/** The graphs in FalkorDB, an external graph database: `GRAPH_DB_URL=falkor://…`. */
import type { GraphStore } from '../ports/graph.ts';
import { activityGraph } from './activity.ts';
import { complianceGraph } from './compliance.ts';
import { connectFalkor } from './connection.ts';

export interface FalkorOptions {
  /** Prefix of the names of all graphs, so that a server may be shared; `weir` by default. */
  prefix?: string;
  /** Called when it cannot be used, and when it can be used again; discarded by default. */
  notice?: (text: string) => void;
}

/** Connects in the background: a graph that is away must not prevent a start. */
export function falkorGraph(url: string, { prefix = 'weir', notice = () => {} }: FalkorOptions = {}): GraphStore {
  const db = connectFalkor(url, notice);
  return {
    source: 'falkordb',
    compliance: complianceGraph(db, prefix),
    activity: activityGraph(db, prefix),
    health: db.health,
    close: async () => db.close(),
  };
}
