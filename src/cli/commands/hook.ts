/** `weir hook`: guards coding agents through their hooks. src/main.ts answers a host's message before this is loaded. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { checkedUrl } from '../../../clients/typescript/src/http.ts';
import type { Host } from '../../guards/hook/host.ts';
import { hosts } from '../../guards/hook/hosts.ts';
import { planChange, writeChange } from '../../guards/hook/install.ts';
import { answersIn } from '../../guards/hook/options.ts';
import { CliError, type Output, UsageError } from '../../platform/terminal/output.ts';

const names = hosts.map(({ name }) => name).join(', ');

const EXAMPLES = `
\`weir hook HOST\` reads one message of the host from standard input and answers in its words: allow, ask or deny. Options:
  --url URL              the scoring API (WEIR_URL, http://127.0.0.1:8000)
  --api-key-file FILE    file with a gate's API key (WEIR_API_KEY, WEIR_API_KEY_FILE)
  --unreachable ANSWER   deny, ask or allow when Weir does not answer (deny)
  --held ANSWER          ask or deny when an action is held (ask); a critical one is always denied
  --wait SECONDS         wait for a decision in Weir first (0)
  --patience MS          time until Weir counts as unreachable (3000)
  --agent-id NAME        the agent's name in events (the host's)
  --state-dir FOLDER     held events and used approvals (~/.local/state/weir)

Examples:
  weir hook install claude-code --api-key-file ~/.config/weir/api-key
  weir hook install cursor --api-key-file ~/.config/weir/api-key --project --yes
  weir hook uninstall codex
`;

interface InstallOptions {
  project?: true;
  yes?: true;
  url?: string;
  apiKeyFile?: string;
  unreachable?: string;
  held?: string;
  wait?: string;
  agentId?: string;
}

export function addHook(program: Command, output: Output): void {
  const hook = program
    .command('hook')
    .description(`guard a coding agent through its hooks: ${names}`)
    .addHelpText('after', EXAMPLES);
  hook
    .command('install')
    .description("write the hook into the host's settings; shows the difference first")
    .argument('<host>', names, hostNamed)
    .option('--project', 'for this project alone, not for all of this user')
    .option('--yes', 'write without asking')
    .option('--url <url>', 'the scoring API')
    .option(
      '--api-key-file <file>',
      "file with a gate's API key; without it the host's environment must have WEIR_API_KEY",
    )
    .option('--unreachable <answer>', 'deny, ask or allow when Weir does not answer')
    .option('--held <answer>', 'ask or deny when an action is held')
    .option('--wait <seconds>', 'wait for a decision in Weir first')
    .option('--agent-id <name>', "the agent's name in events")
    .action((host: Host, options: InstallOptions) => change(host, commandOf(host, options), options, output));
  hook
    .command('uninstall')
    .description("remove the hook from the host's settings; shows the difference first")
    .argument('<host>', names, hostNamed)
    .option('--project', 'from this project, not from the settings of this user')
    .option('--yes', 'write without asking')
    .action((host: Host, options: InstallOptions) => change(host, null, options, output));
}

function hostNamed(name: string): Host {
  const host = hosts.find((one) => one.name === name);
  if (host === undefined) throw new InvalidArgumentError(`it must be one of ${names}.`);
  return host;
}

/** The command with the program's full path: the host may have another PATH. */
function commandOf({ name }: Host, options: InstallOptions): string {
  try {
    answersIn(options);
    if (options.url !== undefined) checkedUrl(options.url, '--url');
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const { url, apiKeyFile, unreachable, held, wait, agentId } = options;
  if (apiKeyFile !== undefined) checkKeyFile(apiKeyFile);
  const flags = [
    ['--url', url],
    ['--api-key-file', apiKeyFile === undefined ? undefined : resolve(apiKeyFile)],
    ['--unreachable', unreachable],
    ['--held', held],
    ['--wait', wait],
    ['--agent-id', agentId],
  ].flatMap(([flag, value]) => (value === undefined ? [] : [flag!, quoted(value)]));
  return [quoted(join(import.meta.dirname, '../../../bin/weir')), 'hook', name, ...flags].join(' ');
}

/** The installed hook would refuse every call of the agent for a key file that is missing or misspelt. */
function checkKeyFile(file: string): void {
  let key = '';
  try {
    key = readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError(
      code === 'ENOENT' ? `there is no file \`${file}\`; nothing was changed` : `cannot read \`${file}\`: ${code}`,
    );
  }
  if (key === '') throw new CliError(`\`${file}\` is empty: it must have a gate's API key; nothing was changed`);
}

const quoted = (text: string): string =>
  /^[A-Za-z0-9_./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

async function change(host: Host, command: string | null, options: InstallOptions, output: Output): Promise<void> {
  const folder = options.project ? process.cwd() : homedir();
  let planned: ReturnType<typeof planChange>;
  try {
    planned = planChange(host, folder, command, options.project === undefined);
  } catch (error) {
    throw new CliError((error as Error).message);
  }
  const { file } = planned;
  if (planned.difference === '') return output.line(`${file} is as it should be.`);
  await output.line(`${file}\n\n${planned.difference}\n`);
  if (!options.yes && !(await isConfirmed())) {
    return output.line('Nothing was written. Run it with --yes to write this.');
  }
  writeChange(planned);
  await output.line(command === null ? `Removed from ${host.title}.` : `Installed for ${host.title}.`);
}

async function isConfirmed(): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const said = await terminal.question('Write it? [y/N] ');
  terminal.close();
  return /^y(es)?$/i.test(said.trim());
}
