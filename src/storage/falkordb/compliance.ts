/**
 * The compliance graph in FalkorDB: all versions in one graph, each node under a key with its version and digest, so that a version
 * that is being written is not read; the controls of each customer in a graph of their own.
 */
import { contextOf, type Neighbourhood, ruleNode } from '../ports/compliance-context.ts';
import type {
  ComplianceDocument,
  ComplianceEdge,
  ComplianceGraph,
  ComplianceNode,
  CustomerControl,
  CustomerControls,
  SyncedVersion,
} from '../ports/graph.ts';
import type { FalkorConnection, Row } from './connection.ts';
import type { Given } from './values.ts';

const KEPT_VERSIONS = 3;
/** Rows of one query. */
const AT_ONCE = 500;

const FIRST_STEP = `UNWIND $rules AS k MATCH (a:Node {key: k})-[e:LINK]->(b:Node)`;
const EDGE = (from: string, edge: string, to: string): string =>
  `${from}.id AS source, ${edge}.kind AS kind, ${to}.id AS target, ${edge}.why AS why, ${to}.kind AS target_kind, ${to}.properties AS properties`;

export function complianceGraph(db: FalkorConnection, prefix: string): ComplianceGraph {
  const graph = `${prefix}:compliance`;
  const controlsOf = (customer_id: string): string => `${prefix}:controls:${customer_id}`;

  async function versionOf(rule_set_version: string): Promise<string | null> {
    const cypher = 'MATCH (v:Version {rule_set_version: $version}) RETURN v.digest AS digest';
    const [row] = await db.read(graph, cypher, { version: rule_set_version });
    return row === undefined ? null : String(row['digest']);
  }

  async function readControls(customer_id: string): Promise<CustomerControls> {
    const rows = await db.read(
      controlsOf(customer_id),
      `MATCH (r:Revision) OPTIONAL MATCH (c:Control {revision: r.revision})
       RETURN r.revision AS revision, c.control_id AS control_id, c.kind AS kind, c.name AS name, c.description AS description,
         c.articles AS articles, c.rules AS rules`,
    );
    const controls = rows.filter((row) => row['control_id'] !== null).map(({ revision: _, ...row }) => row);
    return { revision: Number(rows[0]?.['revision'] ?? 0), controls: controls as unknown as CustomerControl[] };
  }

  return {
    async sync(document) {
      const { rule_set_version, digest, nodes, edges } = document;
      if ((await versionOf(rule_set_version)) === digest) return false;
      await db.index(graph, 'Node', 'key');
      await db.index(graph, 'Version', 'rule_set_version');
      const key = keyIn(document);
      for (const part of parts(nodes))
        await db.write(
          graph,
          `UNWIND $rows AS r MERGE (n:Node {key: r.key})
           SET n.id = r.id, n.kind = r.kind, n.properties = r.properties, n.version = $version, n.digest = $digest`,
          {
            version: rule_set_version,
            digest,
            rows: part.map(({ id, kind, properties }) => ({
              key: key(id),
              id,
              kind,
              properties: JSON.stringify(properties),
            })),
          },
        );
      for (const part of parts(edges))
        await db.write(
          graph,
          `UNWIND $rows AS r MATCH (a:Node {key: r.a}), (b:Node {key: r.b}) MERGE (a)-[e:LINK {kind: r.kind}]->(b) SET e.why = r.why`,
          { rows: part.map(({ from, kind, to, why }) => ({ a: key(from), b: key(to), kind, why })) },
        );
      // From here on readers find it.
      await db.write(
        graph,
        `OPTIONAL MATCH (o:Version) WITH coalesce(max(o.place), 0) + 1 AS place MERGE (v:Version {rule_set_version: $version})
         SET v.place = place, v.digest = $digest, v.nodes = $nodes, v.edges = $edges, v.synced_at = $now`,
        { version: rule_set_version, digest, nodes: nodes.length, edges: edges.length, now: new Date().toISOString() },
      );
      await forgetOld();
      return true;
    },

    async versions() {
      const rows = await db.read(
        graph,
        `MATCH (v:Version) RETURN v.rule_set_version AS rule_set_version, v.digest AS digest, v.nodes AS nodes, v.edges AS edges,
           v.synced_at AS synced_at ORDER BY v.place DESC`,
      );
      return rows as unknown as SyncedVersion[];
    },

    async context(customer_id, rule_set_version, rules) {
      const [digest, { revision, controls }] = await Promise.all([
        versionOf(rule_set_version),
        readControls(customer_id),
      ]);
      if (digest === null) return null;
      const key = keyIn({ rule_set_version, digest });
      const keys = [...new Set(rules)].map((rule) => key(ruleNode(rule)));
      const [first, second] = await Promise.all([
        db.read(graph, `${FIRST_STEP} RETURN ${EDGE('a', 'e', 'b')}`, { rules: keys }),
        db.read(graph, `${FIRST_STEP} MATCH (b)-[f:LINK]->(c:Node) RETURN DISTINCT ${EDGE('b', 'f', 'c')}`, {
          rules: keys,
        }),
      ]);
      const found = neighbourhoodOf([...first, ...second]);
      return { context: contextOf(rule_set_version, rules, found, controls), controls_revision: revision };
    },

    async setControls(customer_id, { revision, controls }) {
      const rows = controls.map((one): Given => ({ ...one, articles: [...one.articles], rules: [...one.rules] }));
      const into = controlsOf(customer_id);
      await db.write(
        into,
        `MERGE (r:Revision {id: 0}) ON CREATE SET r.revision = -1
         WITH r WHERE r.revision < $revision SET r.revision = $revision
         WITH r UNWIND $rows AS c
         CREATE (:Control {revision: $revision, control_id: c.control_id, kind: c.kind, name: c.name, description: c.description,
           articles: c.articles, rules: c.rules})`,
        { revision, rows },
      );
      await db.write(into, 'MATCH (r:Revision), (c:Control) WHERE c.revision < r.revision DELETE c');
    },
  };

  /** Versions beyond the newest few, and what a version had before it was replaced. */
  async function forgetOld(): Promise<void> {
    await db.write(graph, `MATCH (v:Version) WITH v ORDER BY v.place DESC SKIP ${KEPT_VERSIONS} DELETE v`);
    const kept = await db.read(graph, 'MATCH (v:Version) RETURN v.digest AS digest');
    await db.write(graph, 'MATCH (n:Node) WHERE NOT n.digest IN $digests DELETE n', {
      digests: kept.map(({ digest }) => digest as string),
    });
  }
}

const keyIn =
  ({ rule_set_version, digest }: Pick<ComplianceDocument, 'rule_set_version' | 'digest'>) =>
  (id: string): string =>
    `${rule_set_version} ${digest} ${id}`;

function* parts<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < rows.length; at += AT_ONCE) yield rows.slice(at, at + AT_ONCE);
}

function neighbourhoodOf(rows: readonly Row[]): Neighbourhood {
  const nodes: ComplianceNode[] = [];
  const edges: ComplianceEdge[] = [];
  for (const row of rows) {
    const { source, kind, target, why, target_kind, properties } = row as Record<string, string>;
    edges.push({ from: source!, kind: kind as ComplianceEdge['kind'], to: target!, why: why! });
    nodes.push({
      id: target!,
      kind: target_kind as ComplianceNode['kind'],
      properties: JSON.parse(properties!) as ComplianceNode['properties'],
    });
  }
  return { nodes, edges };
}
