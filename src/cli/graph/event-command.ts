/** `weir graph FILE`, or `weir graph event FILE`: the graph of an event, as the structural layer reads it. */
import { type Command, InvalidArgumentError } from 'commander';
import type { Output } from '../../platform/terminal/output.ts';

const EXAMPLES = `
Reads one event as JSON, or one line of a file of events or labelled records. Prints the nodes and edges that the
structural layer reads, and what each was worth: by how much the network's logit of harm falls without it.
--svg draws them; what carried the result is outlined. docs/structural-layer.md explains nodes, edges and features.

Examples:
  weir graph event.json
  weir graph event.json --svg > event.svg
  weir graph events.jsonl.gz --line 12 --svg > event.svg
`;

/** The default of `weir graph`: without a file it shows the status of the other graphs. */
export function addGraphOfEvent(graph: Command, output: Output): void {
  graph
    .command('event', { isDefault: true })
    .description('show the graph of an event, as the structural layer reads it')
    .argument('[file]', 'an event as JSON, or JSON lines, plain or gzip, or - for standard input')
    .option('--svg', 'draw the graph as SVG')
    .option('--line <n>', 'line of the file; default: the first event', lineNumber)
    .addHelpText('after', EXAMPLES)
    .action(async (file: string | undefined, options: { svg?: true; line?: number }) => {
      if (file === undefined) {
        const { showGraphs } = await import('../graph-data.ts');
        return showGraphs(false, output);
      }
      const { showGraph } = await import('./show-graph.ts');
      await showGraph(file, options, output);
    });
}

function lineNumber(text: string): number {
  const line = Number(text);
  if (!Number.isInteger(line) || line < 1) throw new InvalidArgumentError('write a whole number from 1.');
  return line;
}
