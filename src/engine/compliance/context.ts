/**
 * What the compliance graph knows about fired rules: from the graph in use, and from the ontology in memory when no graph answers, so
 * that no justification waits for a graph or fails with it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { Knowledge } from '../../scoring/knowledge.ts';
import { contextOf, type Neighbourhood, ruleNode } from '../../storage/ports/compliance-context.ts';
import type { ComplianceContext, ControlStore, CustomerControls, SourcedContext } from '../../storage/ports/graph.ts';
import type { Graphs } from '../../storage/ports/graphs.ts';
import { complianceDocument } from './document.ts';

/**
 * The context of these rules, by ids, as they were in this version of the rules; by the rules in force where no graph has that
 * version any more. Never rejects. Answers within about `PATIENCE_MS` more than the relational database takes.
 */
export type FindContext = (
  customer_id: string,
  rule_set_version: string,
  rules: readonly string[],
) => Promise<SourcedContext>;

export interface ContextParts {
  graphs: Graphs;
  controls: Pick<ControlStore, 'all' | 'revision'>;
  knowledge: Knowledge;
  /** Settles when the graphs were written, as far as they can be (`keepSynced`). */
  synced: Promise<void>;
  log: Log;
}

/** An external graph answers in a millisecond; one that takes longer than this is as good as away. */
const PATIENCE_MS = 400;
/** Right after the first start of a version its graph is just being written. */
const START_MS = 2_000;

export function createFindContext({ graphs, controls, knowledge, synced, log }: ContextParts): FindContext {
  const builtIn = builtInContext(knowledge);

  /** Null when no graph has this version, or the graph contradicts the rules. */
  async function fromGraph(
    customer_id: string,
    rule_set_version: string,
    rules: readonly string[],
  ): Promise<SourcedContext | null> {
    const ask = () =>
      graphs.ask((graph) => graph.compliance.context(customer_id, rule_set_version, rules), PATIENCE_MS);
    const [asked, revision] = await Promise.all([ask(), controls.revision(customer_id)]);
    let found = asked;
    if (found.answer !== null && found.answer.controls_revision < revision) {
      // The graph's copy of the customer's controls is old: it gets the new one, and the answer is made with it.
      await mirror(customer_id, await controls.all(customer_id));
      found = await ask();
    }
    if (found.answer === null) return null;
    const { source } = found;
    const { context } = found.answer;
    if (rule_set_version === knowledge.version && !citesTheSame(context, builtIn(rules, []))) {
      log.error({ source, rule_set_version }, 'the compliance graph contradicts the rules; run `weir graph sync`');
      return null;
    }
    return { source, ...context };
  }

  async function mirror(customer_id: string, newest: CustomerControls): Promise<void> {
    for (const graph of graphs.all)
      if (graph.source !== 'postgres') await graph.compliance.setControls(customer_id, newest).catch(() => {});
  }

  return async (customer_id, rule_set_version, rules) => {
    try {
      if (graphs.enabled) {
        await Promise.race([synced, sleep(START_MS, undefined, { ref: false })]);
        const versions = [...new Set([rule_set_version, knowledge.version])];
        for (const version of versions) {
          const found = await fromGraph(customer_id, version, rules);
          if (found !== null) return found;
        }
      }
    } catch (error) {
      const is_away = error instanceof StoreUnavailable;
      log[is_away ? 'warn' : 'error']({ err: error }, 'the compliance graph cannot be read; the ontology answers');
    }
    const own = await controls.all(customer_id).catch(() => ({ controls: [] }));
    return { source: 'built_in', ...builtIn(rules, own.controls) };
  };
}

/** The same answer from the ontology in memory, which is indexed for the first question. */
export function builtInContext(knowledge: Knowledge) {
  let index: ReturnType<typeof indexOf> | null = null;
  return (rules: readonly string[], controls: CustomerControls['controls']): ComplianceContext => {
    index ??= indexOf(knowledge);
    const { node_by_id, edges_by_end } = index;
    const first = rules.flatMap((rule) => edges_by_end.get(ruleNode(rule)) ?? []);
    const second = first.flatMap(({ to }) => edges_by_end.get(to) ?? []);
    const found: Neighbourhood = {
      edges: [...first, ...second],
      nodes: [...first, ...second].flatMap(({ to }) => node_by_id.get(to) ?? []),
    };
    return contextOf(knowledge.version, rules, found, controls);
  };
}

function indexOf(knowledge: Knowledge) {
  const { nodes, edges } = complianceDocument(knowledge);
  return {
    node_by_id: new Map(nodes.map((node) => [node.id, node])),
    edges_by_end: Map.groupBy(edges, ({ from }) => from),
  };
}

/** A graph is a copy, and somebody may have edited it: it adds no article to a rule, and takes none away. */
function citesTheSame(context: ComplianceContext, known: ComplianceContext): boolean {
  const cited = ({ articles }: ComplianceContext): string =>
    JSON.stringify(articles.map(({ id, cited_by }) => [id, cited_by]));
  return cited(context) === cited(known);
}
