/** What a hook needs to know: from its command line, else from the environment, else the defaults. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { checkedUrl } from '../../../clients/typescript/src/http.ts';
import type { Decision } from './host.ts';

export interface HookOptions {
  url: string;
  api_key: string;
  agent_token: string | null;
  /** Default: the host's name. */
  agent_id: string | null;
  state_dir: string;
  /** Seconds to wait for a decision in Weir before the host's user is asked. Default: 0. */
  wait_s: number;
  patience_ms: number;
  /** What is answered when Weir does not answer. Default: deny. */
  unreachable: Decision;
  /** What is answered for a held action that is not critical. Default: ask. */
  held: 'ask' | 'deny';
}

/** Options on the command line, for `weir hook HOST` and `weir hook install HOST` alike. */
const FLAGS = ['url', 'api-key-file', 'agent-id', 'state-dir', 'wait', 'patience', 'unreachable', 'held'] as const;

/** For messages about a wrong address. */
export const URL_SETTING = '--url or WEIR_URL';
const URL_DEFAULT = 'http://127.0.0.1:8000';
/** A user waits for each call; after that Weir counts as unreachable. */
const PATIENCE_MS = 3_000;

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws with the name of what is missing or wrong. */
export function hookOptions(args: readonly string[], env: Environment): HookOptions {
  const values = valuesIn(args);
  const file = values['api-key-file'] ?? env['WEIR_API_KEY_FILE'];
  const api_key = env['WEIR_API_KEY'] || (file ? keyIn(file) : '');
  if (api_key === '') throw new Error('there is no API key: set WEIR_API_KEY, or name its file with --api-key-file');
  return {
    url: checkedUrl(values.url ?? (env['WEIR_URL'] || URL_DEFAULT), URL_SETTING),
    api_key,
    agent_token: env['WEIR_AGENT_TOKEN'] || null,
    agent_id: values['agent-id'] ?? (env['WEIR_AGENT_ID'] || null),
    state_dir: values['state-dir'] ?? (env['WEIR_STATE_DIR'] || join(homedir(), '.local/state/weir')),
    wait_s: number(values.wait ?? env['WEIR_WAIT_S'], 0, '--wait'),
    patience_ms: number(values.patience ?? env['WEIR_PATIENCE_MS'], PATIENCE_MS, '--patience'),
    ...answersIn(values),
  };
}

function keyIn(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Error(`the file of the API key, \`${file}\`, cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** `--name value` and `--name=value`; the last one counts. Not by `parseArgs` of node:util: loading it takes 1 ms. */
function valuesIn(args: readonly string[]): Partial<Record<(typeof FLAGS)[number], string>> {
  const values: Partial<Record<(typeof FLAGS)[number], string>> = {};
  for (let at = 0; at < args.length; at += 1) {
    const [, given, inline] = /^--([a-z-]+)(?:=(.*))?$/s.exec(args[at]!) ?? [];
    const name = FLAGS.find((flag) => flag === given);
    if (name === undefined) throw new Error(`\`${args[at]}\` is no option of a hook; \`weir hook --help\` lists them`);
    const value = inline ?? args[++at];
    // Another flag in the place of the value is a value that was forgotten.
    if (value === undefined || (inline === undefined && value.startsWith('-')))
      throw new Error(`--${name} has no value; one that begins with - is written --${name}=VALUE`);
    values[name] = value;
  }
  return values;
}

/** Also checks the two before `install` writes them. */
export function answersIn(values: { unreachable?: string; held?: string }): Pick<HookOptions, 'unreachable' | 'held'> {
  const { unreachable = 'deny', held = 'ask' } = values;
  if (unreachable !== 'deny' && unreachable !== 'ask' && unreachable !== 'allow')
    throw new Error(`--unreachable is deny, ask or allow, not \`${unreachable}\``);
  if (held !== 'ask' && held !== 'deny') throw new Error(`--held is ask or deny, not \`${held}\``);
  return { unreachable, held };
}

function number(text: string | undefined, usual: number, name: string): number {
  if (text === undefined || text === '') return usual;
  const value = Number(text);
  if (!(value >= 0)) throw new Error(`${name} must be a number, 0 or more; it is \`${text}\``);
  return value;
}
