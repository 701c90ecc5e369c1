/** What differs between hosts of hooks: the JSON that they send, and the words in which they take an answer. */

export type Decision = 'allow' | 'ask' | 'deny';

/** A tool call that the host is about to make. */
export interface HookCall {
  tool: string;
  args: Record<string, unknown>;
  /** Of an MCP tool. */
  server?: string;
  session_id: string;
  /** File in which the host keeps the conversation. */
  transcript_path?: string;
  cwd?: string;
  user_id?: string;
}

/** What the host said: a call to judge, what the user asked for, or something that needs no answer but this one. */
export type Heard = { call: HookCall } | { prompt: string; session_id: string; answer: Answer } | { answer: Answer };

export interface Answer {
  stdout: string;
  stderr?: string;
  exit_code: number;
}

export interface Host {
  /** As on the command line. */
  name: string;
  title: string;
  /** Understands one message of the host. Throws with the reason when it is no such message. */
  hear(message: Record<string, unknown>): Heard;
  /** `message` is what the host had sent: some of its events take other words. */
  say(decision: Decision, reason: string, message: Record<string, unknown>): Answer;
  /** Below the home folder, or below the project. */
  settings_file: string;
  /** The settings with the hook in them, and without any earlier one of ours. Without `command`: removed. */
  install(settings: Record<string, unknown>, command: string | null): Record<string, unknown>;
}

export const SILENT: Answer = { stdout: '', exit_code: 0 };
/** Every host takes exit code 2 as a refusal, and shows standard error. */
export const REFUSED = 2;

export const json = (value: object): Answer => ({ stdout: `${JSON.stringify(value)}\n`, exit_code: 0 });

/** The field as text; throws when it is missing. */
export function textIn(message: Record<string, unknown>, field: string): string {
  const value = message[field];
  if (typeof value !== 'string' || value === '') throw new Error(`the hook's input has no \`${field}\``);
  return value;
}

export const optionalText = (message: Record<string, unknown>, field: string): string | undefined =>
  typeof message[field] === 'string' && message[field] !== '' ? (message[field] as string) : undefined;

/** An object, also where the host writes it as JSON text. */
export function objectIn(message: Record<string, unknown>, field: string): Record<string, unknown> {
  const value = message[field];
  const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : (value ?? {});
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new Error(`\`${field}\` in the hook's input is not an object`);
  return parsed as Record<string, unknown>;
}

/** Ours, in whatever version: so that installing twice leaves one. */
export const isOurs = (command: unknown, host: string): boolean =>
  typeof command === 'string' && new RegExp(`\\bweir\\S*\\s+hook\\s+${host}\\b`).test(command);
