/** The command line as a list of commands, and the three exit codes: 0 ok, 1 failed, 2 used wrongly. */
import { Command, CommanderError } from 'commander';
import { WeirError } from '../platform/errors.ts';
import { Output, UsageError } from '../platform/terminal/output.ts';
import { VERSION } from '../platform/version.ts';

const OK = 0;
const FAILED = 1;
const USED_WRONGLY = 2;

type AddCommand = (program: Command, output: Output) => void;

/**
 * To add a command, write `cli/commands/<name>.ts` and list it here by its name, in the order of the help. A command line loads the command
 * that it names and nothing of the others.
 */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  serve: async () => (await import('./commands/serve.ts')).addServe,
  hook: async () => (await import('./commands/hook.ts')).addHook,
  'mcp-proxy': async () => (await import('./commands/mcp-proxy.ts')).addMcpProxy,
  score: async () => (await import('./commands/score.ts')).addScore,
  eval: async () => (await import('./commands/eval.ts')).addEval,
  holds: async () => (await import('./commands/holds.ts')).addHolds,
  keys: async () => (await import('./commands/keys.ts')).addKeys,
  people: async () => (await import('./commands/people.ts')).addPeople,
  tokens: async () => (await import('./commands/tokens.ts')).addTokens,
  webhooks: async () => (await import('./commands/webhooks.ts')).addWebhooks,
  audit: async () => (await import('./commands/audit.ts')).addAudit,
  policy: async () => (await import('./commands/policy.ts')).addPolicy,
  report: async () => (await import('./commands/report.ts')).addReport,
  forecast: async () => (await import('./commands/forecast.ts')).addForecast,
  queue: async () => (await import('./commands/queue.ts')).addQueue,
  graph: async () => (await import('./commands/graph.ts')).addGraph,
  rules: async () => (await import('./commands/rules.ts')).addRules,
  config: async () => (await import('./commands/config.ts')).addConfig,
};

const EXAMPLES = `
Examples:
  weir serve                            start everything in one process, data in ./data
  weir score events.jsonl               score a file of events, one JSON object a line
  weir rules list                       see what the rules look for
  weir keys create --customer ID        issue an API key

Settings are environment variables; \`weir config\` shows them. More in docs/cli.md.`;

async function createProgram(output: Output, [name = '']: readonly string[]): Promise<Command> {
  const program = new Command('weir')
    .description('Weir scores the risk of what AI agents do, before they do it.')
    .version(VERSION, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .showHelpAfterError('(run with --help to see what there is)')
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error:/, 'weir:')) })
    .exitOverride()
    // A command's own options follow it: what stands after `--` is passed on as it is.
    .enablePositionalOptions()
    .addHelpText('after', EXAMPLES);
  const named = Object.hasOwn(COMMANDS, name) ? [COMMANDS[name]!] : Object.values(COMMANDS);
  for (const load of named) (await load())(program, output);
  return program;
}

/** Runs one command line and returns the exit code. Never throws, never ends the process. */
export async function run(args: readonly string[]): Promise<number> {
  const output = new Output();
  try {
    const program = await createProgram(output, args);
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: 'user' });
    return OK;
  } catch (error) {
    // Commander has printed its own message; requested help is not a failure.
    if (error instanceof CommanderError) return error.exitCode === 0 ? OK : USED_WRONGLY;
    process.stderr.write(`weir: ${messageOf(error)}\n`);
    return error instanceof UsageError ? USED_WRONGLY : FAILED;
  }
}

/**
 * Failures whose message is written for the user. Matched by name, because a command line that only prints help should
 * not load a database driver to recognise its errors.
 */
const OPERATOR_ERRORS = new Set([
  'CliError',
  'MixError',
  'SettingsError',
  'StartError',
  'StoreUnavailable',
  'OntologyError',
  'UsageError',
  'WeightsError',
]);

/** One line for failures that the user can fix, the stack for bugs. */
function messageOf(error: unknown): string {
  if (error instanceof WeirError) return error.detail;
  if (error instanceof Error && OPERATOR_ERRORS.has(error.name)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
