/** Makes the context of fired rules from nodes and edges, the same for every backend that fetched them. */
import type {
  ComplianceContext,
  ComplianceEdge,
  ComplianceEdgeKind,
  ComplianceNode,
  ContextArticle,
  CustomerControl,
} from './graph.ts';

/** Edges that begin at the fired rules or at what these cite, and the nodes at both ends. In any order, also with repetitions. */
export interface Neighbourhood {
  nodes: readonly ComplianceNode[];
  edges: readonly ComplianceEdge[];
}

/** How far from a rule its neighbourhood reaches: rule → article → framework, theme or article. */
export const NEIGHBOURHOOD_DEPTH = 2;

export const ruleNode = (rule: string): string => `rule:${rule}`;
export const articleNode = (article: string): string => `article:${article}`;

const nameOf = (node: string): string => node.slice(node.indexOf(':') + 1);
const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
const sorted = (texts: Iterable<string>): string[] => [...new Set(texts)].sort(byText);

/** `rules`: ids of the fired rules. `controls`: all that the customer has. */
export function contextOf(
  rule_set_version: string,
  rules: readonly string[],
  neighbourhood: Neighbourhood,
  controls: readonly CustomerControl[],
): ComplianceContext {
  const fired = new Set(rules);
  const nodes = new Map(neighbourhood.nodes.map((node) => [node.id, node]));
  const edges = edgeIndex(neighbourhood.edges);
  const cited = new Map<string, { rule: string; why: string }[]>();
  for (const rule of sorted(rules))
    for (const { to, why } of edges(ruleNode(rule), 'cites')) listIn(cited, to).push({ rule, why });
  const articles = [...cited]
    .map(([id, cited_by]) => articleOf(id, cited_by, nodes, edges))
    .sort((one, other) => byText(one.id, other.id));
  return {
    rule_set_version,
    articles,
    mappings: mappingsOf(articles),
    playbooks: playbooksOf(sorted(rules), nodes, edges),
    controls: controls
      .map((control) => ({ ...control, cited_for: citedFor(control, fired, articles) }))
      .filter(({ cited_for }) => cited_for.length > 0)
      .sort((one, other) => byText(one.control_id, other.control_id)),
  };
}

type Edges = (from: string, kind: ComplianceEdgeKind) => readonly ComplianceEdge[];

function edgeIndex(edges: readonly ComplianceEdge[]): Edges {
  const index = new Map<string, Map<string, ComplianceEdge>>();
  for (const edge of edges) {
    const key = `${edge.kind} ${edge.from}`;
    const found = index.get(key) ?? new Map<string, ComplianceEdge>();
    index.set(key, found.set(edge.to, edge));
  }
  return (from, kind) => [...(index.get(`${kind} ${from}`)?.values() ?? [])];
}

function listIn<T>(map: Map<string, T[]>, key: string): T[] {
  const list = map.get(key) ?? [];
  map.set(key, list);
  return list;
}

const textOf = (node: ComplianceNode | undefined, name: string): string => {
  const value = node?.properties[name];
  return typeof value === 'string' ? value : '';
};

function articleOf(
  node_id: string,
  cited_by: { rule: string; why: string }[],
  nodes: ReadonlyMap<string, ComplianceNode>,
  edges: Edges,
): ContextArticle {
  const node = nodes.get(node_id);
  const framework = edges(node_id, 'part_of')[0]?.to ?? '';
  const targets = (kind: ComplianceEdgeKind): string[] => sorted(edges(node_id, kind).map(({ to }) => nameOf(to)));
  return {
    id: nameOf(node_id),
    kind: node?.kind === 'threat' || node?.kind === 'control' ? node.kind : 'article',
    framework: nameOf(framework),
    framework_name: textOf(nodes.get(framework), 'name'),
    article: textOf(node, 'article'),
    title: textOf(node, 'title'),
    obligation: textOf(node, 'obligation'),
    cited_by,
    themes: targets('about'),
    pinpoint_of: targets('pinpoint_of'),
    succeeded_by: targets('succeeded_by'),
    sanctioned_by: targets('sanctioned_by'),
  };
}

/** A theme on which articles of one framework alone are cited maps nothing. */
function mappingsOf(articles: readonly ContextArticle[]): ComplianceContext['mappings'] {
  const by_theme = new Map<string, ContextArticle[]>();
  for (const article of articles) for (const theme of article.themes) listIn(by_theme, theme).push(article);
  return [...by_theme]
    .filter(([, about]) => new Set(about.map(({ framework }) => framework)).size > 1)
    .map(([theme, about]) => ({ theme, articles: about.map(({ id }) => id) }))
    .sort((one, other) => byText(one.theme, other.theme));
}

function playbooksOf(
  rules: readonly string[],
  nodes: ReadonlyMap<string, ComplianceNode>,
  edges: Edges,
): ComplianceContext['playbooks'] {
  const named = new Map<string, string[]>();
  for (const rule of rules) for (const { to } of edges(ruleNode(rule), 'handled_by')) listIn(named, to).push(rule);
  return [...named]
    .map(([id, by]) => {
      const steps = nodes.get(id)?.properties['steps'];
      return { playbook: nameOf(id), steps: Array.isArray(steps) ? (steps as readonly string[]) : [], rules: by };
    })
    .sort((one, other) => byText(one.playbook, other.playbook));
}

/** A control is at stake for the rules that it names, and for those that cite one of its articles. */
function citedFor(control: CustomerControl, fired: ReadonlySet<string>, articles: readonly ContextArticle[]): string[] {
  const own = new Set(control.articles);
  return sorted([
    ...control.rules.filter((rule) => fired.has(rule)),
    ...articles.filter(({ id }) => own.has(id)).flatMap(({ cited_by }) => cited_by.map(({ rule }) => rule)),
  ]);
}
