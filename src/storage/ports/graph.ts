/**
 * What Weir needs from a graph. Two graphs, both derived from what the tables hold, so that either can be dropped and made again:
 * the compliance graph of the ontology with each customer's own controls, and (activity.ts) what agents did.
 *
 * Every backend passes the suite in test/contract/graph.ts. Methods may reject with `StoreUnavailable` while the backend is out of
 * reach. Nothing on the path of a score calls them.
 */
import type { ActivityGraph } from './activity.ts';
import type { BackendHealth } from './health.ts';

/** The backends, as answers name them; `built_in` is the ontology in memory, which answers when no graph does. */
export type GraphSource = 'postgres' | 'falkordb' | 'built_in';

/** What a node of the compliance graph is. Articles of threat lists are `threat`, those of control catalogues `control`. */
export type ComplianceNodeKind = 'framework' | 'article' | 'control' | 'threat' | 'rule' | 'playbook' | 'theme';

export interface ComplianceNode {
  /** `kind:name`, unique in the graph; articles, controls and threats have the id of `compliance_refs` after `article:`. */
  id: string;
  kind: ComplianceNodeKind;
  /** Texts of the node, all of them strings or lists of strings. */
  properties: Readonly<Record<string, string | readonly string[]>>;
}

/**
 * `cites` rule → article, with the reason in `why` · `handled_by` rule or theme → playbook · `part_of` article → framework ·
 * `about` article → theme · `pinpoint_of`, `succeeded_by`, `sanctioned_by` article → article.
 */
export type ComplianceEdgeKind =
  | 'cites'
  | 'handled_by'
  | 'part_of'
  | 'about'
  | 'pinpoint_of'
  | 'succeeded_by'
  | 'sanctioned_by';

export interface ComplianceEdge {
  from: string;
  kind: ComplianceEdgeKind;
  to: string;
  /** Why the rule cites the article; '' for other edges. */
  why: string;
}

/** The compliance graph of one version of ontology and rules. */
export interface ComplianceDocument {
  /** `Knowledge.version`, as scores name it. */
  rule_set_version: string;
  /** SHA-256 hex over nodes and edges in their order: equal digests are equal graphs. */
  digest: string;
  nodes: readonly ComplianceNode[];
  edges: readonly ComplianceEdge[];
}

/** One version that the graph holds. */
export interface SyncedVersion {
  rule_set_version: string;
  digest: string;
  nodes: number;
  edges: number;
  /** ISO 8601, UTC. */
  synced_at: string;
}

/** A control or an internal policy that a customer added. */
export interface CustomerControl {
  /** The customer's own id, unique among its controls. */
  control_id: string;
  kind: 'control' | 'internal_policy';
  name: string;
  /** What it asks for, one or two sentences. */
  description: string;
  /** Ids of articles that it puts into practice. */
  articles: readonly string[];
  /** Ids of rules that it is cited for, besides those that cite one of its articles. */
  rules: readonly string[];
}

/** All controls of one customer. The revision grows with every change. */
export interface CustomerControls {
  revision: number;
  controls: readonly CustomerControl[];
}

/** An article that the fired rules cite, with what the graph knows of it. */
export interface ContextArticle {
  /** As in `compliance_refs`. */
  id: string;
  kind: 'article' | 'control' | 'threat';
  framework: string;
  framework_name: string;
  article: string;
  title: string;
  obligation: string;
  /** The rules that cite it, each with its reason. */
  cited_by: readonly { rule: string; why: string }[];
  themes: readonly string[];
  /** Ids of the article that it is a pinpoint of, of its successor, and of articles that set the penalty. */
  pinpoint_of: readonly string[];
  succeeded_by: readonly string[];
  sanctioned_by: readonly string[];
}

/**
 * What the compliance graph knows about fired rules. Articles are ordered by id, and are exactly those that the rules cite, whichever
 * backend answers.
 */
export interface ComplianceContext {
  rule_set_version: string;
  articles: readonly ContextArticle[];
  /** Articles of different frameworks about one theme, by theme: what the frameworks have in common here. */
  mappings: readonly { theme: string; articles: readonly string[] }[];
  /** Steps against what fired, with the rules that name the playbook. */
  playbooks: readonly { playbook: string; steps: readonly string[]; rules: readonly string[] }[];
  /** The customer's own controls and internal policies that are at stake, each with the fired rules that it is cited for. */
  controls: readonly (CustomerControl & { cited_for: readonly string[] })[];
}

/** A context, and who gave it. */
export interface SourcedContext extends ComplianceContext {
  source: GraphSource;
}

export interface ComplianceGraph {
  /**
   * Makes the graph of this version be exactly this document; `false` when it was already. In one step for readers. The newest few
   * versions stay, because nodes of two releases may run side by side.
   */
  sync(document: ComplianceDocument): Promise<boolean>;
  /** Newest first. */
  versions(): Promise<SyncedVersion[]>;
  /** What is at stake when these rules fired; null when this version is not in the graph. Unknown rules have no articles. */
  context(customer_id: string, rule_set_version: string, rules: readonly string[]): Promise<FoundContext | null>;
  /** Replaces the customer's controls, unless the graph holds a newer revision. */
  setControls(customer_id: string, controls: CustomerControls): Promise<void>;
}

/** A context, and the revision of the customer's controls that it was made with. */
export interface FoundContext {
  context: ComplianceContext;
  controls_revision: number;
}

/** The truth about customers' controls; graphs have copies. Kept in the relational database. */
export interface ControlStore {
  /** Adds these, or replaces those with the same id; null, with nothing changed, when the customer would have more than `most`. */
  put(customer_id: string, controls: readonly CustomerControl[], most: number): Promise<CustomerControls | null>;
  /** Null when the customer has no such control. */
  remove(customer_id: string, control_id: string): Promise<CustomerControls | null>;
  all(customer_id: string): Promise<CustomerControls>;
  /** Its revision alone; 0 for a customer without controls. */
  revision(customer_id: string): Promise<number>;
}

/** One graph backend. */
export interface GraphStore {
  /** The name that answers carry. */
  source: Exclude<GraphSource, 'built_in'>;
  compliance: ComplianceGraph;
  activity: ActivityGraph;
  /** Pings the backend, bounded to one second; never rejects. */
  health(): Promise<BackendHealth>;
  close(): Promise<void>;
}
