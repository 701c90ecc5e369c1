/** The compliance graph in tables, walked by a recursive query. */
import type pg from 'pg';
import { contextOf, NEIGHBOURHOOD_DEPTH, ruleNode } from '../../ports/compliance-context.ts';
import type { ComplianceEdge, ComplianceGraph, ComplianceNode, SyncedVersion } from '../../ports/graph.ts';
import { inTransaction, isoText, query } from '../connection/pool.ts';
import { type ControlsRow, controlsOf, controlsSql, replaceControls } from './controls.ts';

/** Versions that stay. A deployment has two side by side, and one more to go back to. */
const KEPT_VERSIONS = 3;
/** Anyone who writes a version holds this advisory lock, so that nodes that start together write it once. */
const SYNC_LOCK = 0x77677261;

/**
 * One row: whether the version is there, the neighbourhood of the rules, and the customer's controls. The depth is tested where it
 * recurses, so that a cycle between articles ends.
 */
const CONTEXT = {
  name: 'compliance-context',
  text: `with recursive reached (id, depth) as (
  select id collate "C", 0 from unnest($2::text[]) as r (id)
  union
  select e.to_id, r.depth + 1 from reached r
  join compliance_edges e on e.rule_set_version = $1 and e.from_id = r.id
  where r.depth < ${NEIGHBOURHOOD_DEPTH}
), ids as (
  select id, min(depth) as depth from reached group by id
)
select exists (select from compliance_versions where rule_set_version = $1) as is_synced,
  (select coalesce(json_agg(json_build_object('id', n.id, 'kind', n.kind, 'properties', n.properties)), '[]')
    from ids join compliance_nodes n on n.rule_set_version = $1 and n.id = ids.id) as nodes,
  (select coalesce(json_agg(json_build_object('from', e.from_id, 'kind', e.kind, 'to', e.to_id, 'why', e.why)), '[]')
    from ids join compliance_edges e on e.rule_set_version = $1 and e.from_id = ids.id
    where ids.depth < ${NEIGHBOURHOOD_DEPTH}) as edges,
  ${controlsSql('$3::uuid')}`,
};

interface ContextRow extends ControlsRow {
  is_synced: boolean;
  nodes: ComplianceNode[];
  edges: ComplianceEdge[];
}

export function complianceGraph(pool: pg.Pool): ComplianceGraph {
  return {
    sync: (document) =>
      inTransaction(pool, async (client) => {
        const { rule_set_version, digest, nodes, edges } = document;
        // Before the lock: most starts find their version, and need not wait for each other.
        const is_there = async (): Promise<boolean> => {
          const { rows } = await client.query(
            'select from compliance_versions where rule_set_version = $1 and digest = $2',
            [rule_set_version, digest],
          );
          return rows.length > 0;
        };
        if (await is_there()) return false;
        await client.query('select pg_advisory_xact_lock($1)', [SYNC_LOCK]);
        if (await is_there()) return false;
        await client.query('delete from compliance_versions where rule_set_version = $1', [rule_set_version]);
        await client.query(
          'insert into compliance_versions (rule_set_version, digest, nodes, edges) values ($1, $2, $3, $4)',
          [rule_set_version, digest, nodes.length, edges.length],
        );
        await client.query(
          `insert into compliance_nodes (rule_set_version, id, kind, properties)
           select $1, n->>'id', n->>'kind', n->'properties' from json_array_elements($2::json) as n`,
          [rule_set_version, JSON.stringify(nodes)],
        );
        await client.query(
          `insert into compliance_edges (rule_set_version, from_id, kind, to_id, why)
           select $1, e->>'from', e->>'kind', e->>'to', e->>'why' from json_array_elements($2::json) as e`,
          [rule_set_version, JSON.stringify(edges)],
        );
        await client.query(
          `delete from compliance_versions where rule_set_version in (
             select rule_set_version from compliance_versions
             order by rule_set_version = $1 desc, synced_at desc offset ${KEPT_VERSIONS})`,
          [rule_set_version],
        );
        return true;
      }),

    versions: () =>
      query<SyncedVersion>(
        pool,
        `select rule_set_version, digest, nodes, edges, ${isoText('synced_at')} as synced_at
         from compliance_versions order by compliance_versions.synced_at desc, rule_set_version`,
      ),

    async context(customer_id, rule_set_version, rules) {
      const [row] = await query<ContextRow>(pool, CONTEXT, [rule_set_version, rules.map(ruleNode), customer_id]);
      if (!row!.is_synced) return null;
      const { revision, controls } = controlsOf(row!);
      return { context: contextOf(rule_set_version, rules, row!, controls), controls_revision: revision };
    },

    setControls: (customer_id, { revision, controls }) =>
      inTransaction(pool, async (client) => void (await replaceControls(client, customer_id, revision, controls))),
  };
}
