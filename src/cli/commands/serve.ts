/** `weir serve` as a command: starts, waits for a signal, stops. serve.ts does the work. */
import type { Command } from 'commander';
import { readSettings } from '../../platform/settings.ts';
import { onStopSignal } from '../../platform/stop-signals.ts';
import type { Output } from '../../platform/terminal/output.ts';

const EXAMPLES = `
Starts every role in one process: api, the scoring API (PORT, 8000); engine, the same over gRPC (GRPC_PORT, 50051);
auth, the auth service (AUTH_PORT, 8001); worker, which scores batches and sends webhooks. The first start makes a
customer and two API keys, one for gates and one for the owner. A terminal shows them, once; elsewhere they are written to
DATA_DIR/first-api-key and DATA_DIR/first-owner-key, for this user alone. The admin key of the auth service is kept in
DATA_DIR/admin-key. Data are kept in DATA_DIR (./data) unless DATABASE_URL is set.
Stops in order on Ctrl-C or SIGTERM; a second signal ends it at once.

Examples:
  weir serve
  PORT=9000 DATA_DIR=/var/lib/weir weir serve
  DATABASE_URL=postgres://weir@db/weir weir serve --roles api,engine
`;

/** By then everything is closed and all output is flushed. */
const LINGER_MS = 1_000;

export function addServe(program: Command, output: Output): void {
  program
    .command('serve')
    .description('start the service')
    .option('--roles <names>', 'only these roles, separated by commas; default: all', splitNames)
    .addHelpText('after', EXAMPLES)
    .action(async (options: { roles?: string[] }) => {
      const settings = readSettings(process.env);
      // Loaded here, so that the other commands do not wait for an HTTP server and a database driver.
      const { serve } = await import('../serve.ts');
      const stopped = new Promise<void>(onStopSignal);
      const running = await serve(settings, output, options.roles);
      await stopped;
      await running.stop();
      // Normally it ends by itself; a client of a store that is frozen must not keep the process.
      setTimeout(() => process.exit(), LINGER_MS).unref();
    });
}

const splitNames = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
