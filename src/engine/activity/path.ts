/**
 * How data could have come from one node to another: the way of fewest steps on which each step is later than the one before. It says
 * what was possible, and not that the same data were read and sent.
 */

import type { FlowStep, NodeRef } from '../../storage/ports/activity.ts';
import type { Graphs, Sourced } from '../../storage/ports/graphs.ts';

export interface FoundPath {
  /** In order; empty when no way was found. */
  steps: readonly FlowStep[];
  is_found: boolean;
  /** More nodes were met than are followed: a way may have been missed. */
  is_cut: boolean;
}

export type FindPath = (
  customer_id: string,
  from: NodeRef,
  to: NodeRef,
  bounds: { hours: number; depth: number },
) => Promise<Sourced<FoundPath>>;

/** Nodes that are followed from each depth, those that data reached first. */
const MOST_FOLLOWED = 200;
/** Of one step; a way has as many as its depth. */
const PATIENCE_MS = 1_000;

const idOf = ({ kind, type, name }: NodeRef): string => JSON.stringify([kind, type, name]);

export function createFindPath(graphs: Graphs): FindPath {
  return async (customer_id, from, to, { hours, depth }) => {
    const found = await graphs.ask(
      ({ activity }) => walk((nodes) => activity.flows(customer_id, nodes, hours), from, to, depth),
      PATIENCE_MS,
    );
    return { source: found.source, answer: found.answer! };
  };
}

type Flows = (from: { node: NodeRef; at: string }[]) => Promise<readonly FlowStep[]>;

/** Level by level. A node is followed again only where data come to it earlier than before: more of its steps are possible then. */
export async function walk(flows: Flows, from: NodeRef, to: NodeRef, depth: number): Promise<FoundPath> {
  const target = idOf(to);
  /** The earliest time at each node, and the step by which data came there. */
  const reached = new Map<string, { at: string; by: Way | null }>([[idOf(from), { at: BEGINNING, by: null }]]);
  let level: Arrival[] = [{ node: from, at: BEGINNING, by: null }];
  let is_cut = false;
  for (let n = 0; n < depth && level.length > 0; n += 1) {
    is_cut ||= level.length > MOST_FOLLOWED;
    const followed = level.slice(0, MOST_FOLLOWED);
    const by_id = new Map(followed.map((one) => [idOf(one.node), one]));
    const next = new Map<string, Arrival>();
    for (const step of await flows(followed.map(({ node, at }) => ({ node, at })))) {
      const id = idOf(step.to);
      const by = { step, before: by_id.get(idOf(step.from))!.by };
      if (id === target) return { steps: stepsOf(by), is_found: true, is_cut };
      const known = reached.get(id);
      if (known !== undefined && known.at <= step.at) continue;
      reached.set(id, { at: step.at, by });
      next.set(id, { node: step.to, at: step.at, by });
    }
    level = [...next.values()].sort((one, other) => (one.at < other.at ? -1 : 1));
  }
  return { steps: [], is_found: false, is_cut };
}

/** Earlier than any event. */
const BEGINNING = '1970-01-01T00:00:00.000000Z';

interface Way {
  step: FlowStep;
  before: Way | null;
}

interface Arrival {
  node: NodeRef;
  at: string;
  by: Way | null;
}

function stepsOf(way: Way): FlowStep[] {
  const steps: FlowStep[] = [];
  for (let one: Way | null = way; one !== null; one = one.before) steps.unshift(one.step);
  return steps;
}
