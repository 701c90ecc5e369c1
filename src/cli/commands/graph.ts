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
    .description('which graphs there are, and which versions of the rules they hold')
    .option('--json', 'as JSON, for a program to read')
    .addHelpText('after', ABOUT)
    .action(async (options: { json?: true }) => {
      const { showGraphs } = await import('../graph-data.ts');
      await showGraphs(options.json === true, output);
    });
  graph
    .command('sync')
    .description('write the compliance graph of this version of the rules; does nothing where it is there already')
    .addHelpText('after', `${ABOUT}\nA server does the same when it starts. May be repeated at any time.\n`)
    .action(async () => {
      const { syncGraphs } = await import('../graph-data.ts');
      await syncGraphs(output);
    });
  graph
    .command('rebuild')
    .description('empty the graph of activity and make it again from the stored events')
    .addHelpText(
      'after',
      `${ABOUT}\nMay be interrupted: a server with the role \`worker\`, or the next call, goes on.\n`,
    )
    .action(async () => {
      const { rebuildGraphs } = await import('../graph-data.ts');
      await rebuildGraphs(output);
    });
}
