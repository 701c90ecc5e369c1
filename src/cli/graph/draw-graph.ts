/** Draws the graph of an event as SVG: causes on the left, the action on the right, time and flow from left to right. */
import type { EventGraph, NodeKind } from '../../scoring/graph/event-graph.ts';
import { EDGE_MEANINGS } from './meanings.ts';

const COLUMN_WIDTH = 330;
const BOX_WIDTH = 230;
const BOX_HEIGHT = 40;
const GAP = 12;
const MARGIN = 20;
const LEGEND = 28;
const MOST_LETTERS = 34;

/** Column of each kind, from left to right. */
const COLUMNS: Readonly<Record<NodeKind, number>> = {
  message: 0,
  order: 1,
  argument: 1,
  earlier_action: 1,
  data: 1,
  target: 1,
  agent: 1,
  request: 1,
  finding: 1,
  destination: 2,
  action: 3,
};

const FILLS: Readonly<Record<NodeKind, string>> = {
  message: '#fde7c8',
  order: '#f9c9c0',
  argument: '#d9e7fb',
  earlier_action: '#e8e4f5',
  data: '#d8f0e2',
  target: '#e7ecd6',
  agent: '#ececec',
  request: '#d6eef2',
  finding: '#f7dce8',
  destination: '#fbe3d0',
  action: '#ffffff',
};

interface Place {
  x: number;
  y: number;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const shortened = (text: string): string =>
  text.length <= MOST_LETTERS ? text : `${text.slice(0, MOST_LETTERS - 1)}…`;

function placesOf({ nodes }: EventGraph): { places: Place[]; height: number } {
  const filled = [0, 0, 0, 0];
  for (const { kind } of nodes) filled[COLUMNS[kind]]! += 1;
  const tallest = Math.max(...filled);
  const height = tallest * (BOX_HEIGHT + GAP) - GAP;
  const next = filled.map((count) => (height - (count * (BOX_HEIGHT + GAP) - GAP)) / 2);
  const places = nodes.map(({ kind }) => {
    const column = COLUMNS[kind];
    const y = MARGIN + next[column]!;
    next[column]! += BOX_HEIGHT + GAP;
    return { x: MARGIN + column * COLUMN_WIDTH, y };
  });
  return { places, height };
}

/**
 * @param worth by node, how much it carried; such nodes are outlined, and say their part
 * @returns an SVG document
 */
export function drawGraph(graph: EventGraph, worth: ReadonlyMap<number, number>): string {
  const { places, height } = placesOf(graph);
  const most = Math.max(0, ...worth.values());
  const width = 2 * MARGIN + 3 * COLUMN_WIDTH + BOX_WIDTH;
  const total = height + 2 * MARGIN + LEGEND;
  const edges = graph.edges.map(({ kind, from, to }) => {
    const a = places[from]!;
    const b = places[to]!;
    const [x1, y1, x2, y2] = [a.x + BOX_WIDTH, a.y + BOX_HEIGHT / 2, b.x, b.y + BOX_HEIGHT / 2];
    const bend = Math.max(40, (x2 - x1) / 2);
    const is_marked = (worth.get(from) ?? 0) > most * 0.3 && most > 0;
    const stroke = is_marked ? '#c0392b' : '#9aa5b1';
    return `<path d="M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}" fill="none" stroke="${stroke}" stroke-width="${is_marked ? 2 : 1}" marker-end="url(#tip)"><title>${kind}: ${escaped(EDGE_MEANINGS[kind])}</title></path>`;
  });
  const boxes = graph.nodes.map(({ kind, label }, i) => {
    const { x, y } = places[i]!;
    const own = worth.get(i) ?? 0;
    const is_marked = most > 0 && own > most * 0.3;
    const text = label();
    const share = is_marked ? ` · worth ${(Math.round(own * 100) / 100).toString()}` : '';
    return [
      `<g><title>${escaped(`${kind}: ${text}`)}</title>`,
      `<rect x="${x}" y="${y}" width="${BOX_WIDTH}" height="${BOX_HEIGHT}" rx="6" fill="${FILLS[kind]}" stroke="${is_marked ? '#c0392b' : '#52606d'}" stroke-width="${is_marked ? 3 : 1}"/>`,
      `<text x="${x + 8}" y="${y + 15}" font-size="11" fill="#52606d">${kind.replaceAll('_', ' ')}${share}</text>`,
      `<text x="${x + 8}" y="${y + 31}" font-size="12" fill="#1f2933">${escaped(shortened(text))}</text></g>`,
    ].join('');
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${total}" viewBox="0 0 ${width} ${total}" font-family="system-ui, sans-serif">`,
    '<title>The graph of an event</title>',
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="#9aa5b1"/></marker></defs>',
    `<rect width="${width}" height="${total}" fill="#ffffff"/>`,
    ...edges,
    ...boxes,
    `<text x="${MARGIN}" y="${total - 12}" font-size="11" fill="#52606d">Outlined in red: parts without which the network would see clearly less harm.</text>`,
    '</svg>',
  ].join('\n');
}
