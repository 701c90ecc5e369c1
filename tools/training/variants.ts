/** Changed examples that break shortcuts: findings that did not fire, history and arguments that the event left out. */
import { NODE_KINDS } from '../../src/scoring/graph/event-graph.ts';
import { FINDING_FEATURES, VERDICT_FEATURES } from '../../src/scoring/graph/features.ts';
import { noisyOr } from '../../src/scoring/layers/policy.ts';
import type { Finding } from '../../src/scoring/types.ts';
import type { CompactFinding, CompactGraph, Example } from './example.ts';

const FINDING = NODE_KINDS.indexOf('finding');
/** What an event may leave out. */
const LEFT_OUT = (['order', 'message', 'argument', 'earlier_action', 'data', 'request'] as const).map((kind) =>
  NODE_KINDS.indexOf(kind),
);

/** The policy layer, 0-100, of some of an example's findings. */
export const policyOf = (findings: readonly CompactFinding[]): number =>
  noisyOr(findings.filter(({ is_counted }) => is_counted) as unknown as Finding[]);

/** The graph without these nodes and their edges. The action stays. */
export function withoutNodes(graph: CompactGraph, isLeftOut: (node: number) => boolean): CompactGraph {
  const place = new Map<number, number>();
  for (let v = 0; v < graph.kinds.length; v += 1) if (v === 0 || !isLeftOut(v)) place.set(v, place.size);
  const kept = [...place.keys()];
  return {
    kinds: kept.map((v) => graph.kinds[v]!),
    features: kept.map((v) => graph.features[v]!),
    edges: graph.edges
      .filter(([, from, to]) => place.has(from) && place.has(to))
      .map(([kind, from, to]) => [kind, place.get(from)!, place.get(to)!]),
  };
}

/** The example as if only these of its findings had been made. */
export function withFindings(example: Example, findings: readonly CompactFinding[]): Example {
  const made = findings as unknown as Finding[];
  const verdict = { policy_score: policyOf(findings), findings: made };
  const graph = withoutNodes(example.graph, (v) => example.graph.kinds[v] === FINDING);
  graph.features[0] = [
    ...VERDICT_FEATURES.map(({ of }) => of(verdict)),
    ...graph.features[0]!.slice(VERDICT_FEATURES.length),
  ];
  for (const finding of made) {
    if (finding.contribution <= 0 && finding.floor <= 0) continue;
    graph.kinds.push(FINDING);
    graph.features.push(FINDING_FEATURES.map(({ of }) => of(finding)));
    graph.edges.push([0, graph.kinds.length - 1, 0]);
  }
  return { ...example, graph, findings: [...findings] };
}

export interface Losses {
  /** Probability that a finding is lost. */
  finding: number;
  /** Probability that all nodes of one kind are left out. */
  kind: number;
}

/** A variant with some findings and kinds of nodes lost. */
export function vary(example: Example, { finding, kind }: Losses, random: (below: number) => number): Example {
  const chance = (share: number): boolean => random(1_000) < 1_000 * share;
  const kept = example.findings.filter(() => !chance(finding));
  const varied = kept.length === example.findings.length ? example : withFindings(example, kept);
  const gone = new Set(LEFT_OUT.filter(() => chance(kind)));
  if (gone.size === 0) return varied;
  return { ...varied, graph: withoutNodes(varied.graph, (v) => gone.has(varied.graph.kinds[v]!)) };
}
