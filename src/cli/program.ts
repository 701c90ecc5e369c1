/** The command line as a list of commands, and the three exit codes: 0 ok, 1 failed, 2 used wrongly. */
import { Command, CommanderError } from 'commander';
import { WeirError } from '../platform/errors.ts';
import { Output, UsageError } from '../platform/terminal/output.ts';
import { VERSION } from '../platform/version.ts';
import { addAudit } from './audit.ts';
import { addConfig } from './config.ts';
import { addEval } from './eval.ts';
import { addGraph } from './graph.ts';
import { addHolds } from './holds.ts';
import { addHook } from './hook.ts';
import { addKeys } from './keys.ts';
import { addPeople } from './people.ts';
import { addPolicy } from './policy.ts';
import { addQueue } from './queue.ts';
import { addReport } from './report.ts';
import { addRules } from './rules.ts';
import { addScore } from './score.ts';
import { addServe } from './serve-command.ts';
import { addTokens } from './tokens.ts';
import { addWebhooks } from './webhooks.ts';

const OK = 0;
const FAILED = 1;
const USED_WRONGLY = 2;

/** To add a command, write `cli/<name>.ts` and list it here. */
const COMMANDS: readonly ((program: Command, output: Output) => void)[] = [
  addServe,
  addHook,
  addScore,
  addEval,
  addHolds,
  addKeys,
  addPeople,
  addTokens,
  addWebhooks,
  addAudit,
  addPolicy,
  addReport,
  addQueue,
  addGraph,
  addRules,
  addConfig,
];

const EXAMPLES = `
Examples:
  weir serve                            start everything in one process, data in ./data
  weir score events.jsonl               score a file of events, one JSON object a line
  weir rules list                       see what the rules look for
  weir keys create --customer ID        issue an API key

Settings are environment variables; \`weir config\` shows them. More in docs/cli.md.`;

function createProgram(output: Output): Command {
  const program = new Command('weir')
    .description('Weir scores the risk of what AI agents do, before they do it.')
    .version(VERSION, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .showHelpAfterError('(run with --help to see what there is)')
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error:/, 'weir:')) })
    .exitOverride()
    .addHelpText('after', EXAMPLES);
  for (const add of COMMANDS) add(program, output);
  return program;
}

/** Runs one command line and returns the exit code. Never throws, never ends the process. */
export async function run(args: readonly string[]): Promise<number> {
  const output = new Output();
  const program = createProgram(output);
  try {
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
