/** The graphs in PostgreSQL: the default, always there, and what answers while an external graph does not. */
import type pg from 'pg';
import type { GraphStore } from '../../ports/graph.ts';
import { measureHealth } from '../../ports/health.ts';
import { query } from '../connection/pool.ts';
import { activityGraph } from './activity.ts';
import { complianceGraph } from './compliance.ts';

/** `pool`: of its own, so that a long walk keeps no connection from scores. Whoever made it closes it. */
export function postgresGraph(pool: pg.Pool): GraphStore {
  return {
    source: 'postgres',
    compliance: complianceGraph(pool),
    activity: activityGraph(pool),
    health: () => measureHealth(() => query(pool, 'select from compliance_versions limit 1')),
    close: async () => {},
  };
}
