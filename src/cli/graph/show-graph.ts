/** The graph of one event as text or as a drawing. */
import { eventOf } from '../../../tools/evaluation/labelled.ts';
import { knowledgeHere } from '../../engine/knowledge/knowledge-here.ts';
import type { AgentEvent } from '../../events/event.ts';
import { readEvent } from '../../events/read-event.ts';
import { systemClock } from '../../platform/clock.ts';
import { WeirError } from '../../platform/errors.ts';
import { isBlank, openInput } from '../../platform/terminal/input.ts';
import { CliError, type Output } from '../../platform/terminal/output.ts';
import { MAX_LINE_BYTES, parseLine } from '../../platform/terminal/read-record.ts';
import { textTable } from '../../platform/terminal/table.ts';
import type { EventGraph } from '../../scoring/graph/event-graph.ts';
import { FEATURES } from '../../scoring/graph/features.ts';
import { carriersOf } from '../../scoring/network/occlusion.ts';
import { NO_POLICY } from '../../scoring/policy/policy.ts';
import { read } from '../../scoring/score.ts';
import { drawGraph } from './draw-graph.ts';

export interface GraphOptions {
  svg?: true;
  line?: number;
}

export async function showGraph(file: string, { svg, line }: GraphOptions, output: Output): Promise<void> {
  const knowledge = await knowledgeHere();
  const event = await findEvent(file, line);
  const graph = read(event, NO_POLICY, knowledge).graph(null);
  const worth = new Map<number, number>();
  if (knowledge.structural !== null)
    for (const carrier of carriersOf(knowledge.structural.network, graph))
      if (carrier.node > 0) worth.set(carrier.node, carrier.worth);
  await output.line(svg ? drawGraph(graph, worth) : asText(graph, worth));
}

async function findEvent(file: string, wanted: number | undefined): Promise<AgentEvent> {
  const input = await openInput(file, MAX_LINE_BYTES);
  for await (const line of input.lines) {
    if (wanted === undefined ? isBlank(line) : line.number !== wanted) continue;
    try {
      const { value, has_odd_characters } = parseLine(line);
      return readEvent({ value: eventOf(value), has_odd_characters }, systemClock).event;
    } catch (error) {
      if (!(error instanceof WeirError)) throw error;
      throw new CliError(`${file}, line ${line.number}: ${error.detail}`);
    }
  }
  throw new CliError(wanted === undefined ? `${file} holds no event` : `${file} has no line ${wanted}`);
}

function asText({ nodes, edges }: EventGraph, worth: ReadonlyMap<number, number>): string {
  const node_rows = nodes.map(({ kind, features, label }, i) => [
    String(i),
    kind,
    label(),
    features.flatMap((value, at) => (value === 0 ? [] : [`${FEATURES[kind][at]!.name} ${round(value)}`])).join(', '),
    worth.has(i) ? round(worth.get(i)!) : '',
  ]);
  const edge_rows = edges.map(({ kind, from, to }) => [kind, `${from} → ${to}`]);
  return [
    textTable(['node', 'kind', 'what', 'features', 'worth'], node_rows),
    textTable(['edge', 'nodes'], edge_rows),
  ].join('\n\n');
}

const round = (value: number): string => String(Math.round(value * 100) / 100);
