/** `weir graph status|sync|rebuild|EVENT`: the graphs, with or without a running server. */
import type { Command } from 'commander';
import type { Output } from '../../platform/terminal/output.ts';
import { addGraphOfEvent } from '../graph/event-command.ts';

const ABOUT = `
Works on the same data as the server, which may run meanwhile: DATABASE_URL or the embedded database in DATA_DIR, and the
external graph at GRAPH_DB_URL where it is set.
`;

const EXAMPLES = `${ABOUT}
Examples:
  weir graph status
  weir graph sync
  weir graph rebuild
  weir graph event.json --svg > event.svg
`;

export function addGraph(program: Command, output: Output): void {
  const graph = program
    .command('graph')
    .description('see and write the compliance graph and the graph of activity, and see the graph of one event')
    .addHelpText('after', EXAMPLES);
  addGraphOfEvent(graph, output);
  graph
    .command('status')
    .description('list the graphs and the versions of the rules that they hold')
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', ABOUT)
    .action(async (options: { json?: true }) => {
      const { showGraphs } = await import('../graph-data.ts');
      await showGraphs(options.json === true, output);
    });
  graph
    .command('sync')
    .description('write the compliance graph of this version of the rules, if it does not exist yet')
    .addHelpText('after', `${ABOUT}\nA server does the same when it starts. May be repeated at any time.\n`)
    .action(async () => {
      const { syncGraphs } = await import('../graph-data.ts');
      await syncGraphs(output);
    });
  graph
    .command('rebuild')
    .description('clear the graph of activity and rebuild it from the stored events')
    .addHelpText(
      'after',
      `${ABOUT}\nMay be interrupted: a server with the role \`worker\`, or the next call, goes on.\n`,
    )
    .action(async () => {
      const { rebuildGraphs } = await import('../graph-data.ts');
      await rebuildGraphs(output);
    });
}
