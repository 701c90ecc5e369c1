/** Words of a command among parameters, and parameters that are JSON in a parameter. */
import { type Json, type JsonObject, parseJson } from '../../lang/json.ts';
import { commandLine, text, unknown } from '../code/values.ts';

export type Parameters = JsonObject;

/** Characters of a text that is put together or read as JSON. */
export const MAX_INNER = 64 * 1024;

/** A word that names a program, with its folder or without. */
export const isProgramName = (word: string): boolean => /^(?:\/[\w./-]{1,64}\/)?[a-z][\w.+-]{0,32}$/.test(word);

/** Parses parameters that are JSON in a parameter: `arguments: '{"command": ["rm", "-rf", "/"]}'`. */
export function innerOf(json: string): Json[] | Parameters | string | null {
  if (json.length > MAX_INNER || !/^\s{0,64}(?:[{[]|"[{["])/.test(json)) return null;
  // Such a text is a list, an object or a string, or no JSON.
  return (parseJson(json) as Json[] | Parameters | string | undefined) ?? null;
}

/** `["rm", "-rf", "/srv"]`: the name of a program, and options or paths behind it. */
export const isInvocation = ([first = '', ...rest]: readonly string[]): boolean =>
  isProgramName(first) && rest.some((word) => /^-\w/.test(word)) && rest.every((word) => word.length < 512);

/** A cmdlet of PowerShell: its arguments are no shell's. */
const CMDLET = /^[A-Za-z]{2,16}-[A-Za-z]/;

/** Words as a command line, quoted for a POSIX shell. */
export function asCommand(strings: readonly string[]): { language: 'shell'; code: string; is_quoted: boolean } {
  return {
    language: 'shell',
    is_quoted: !CMDLET.test(strings[0] ?? ''),
    code: commandLine({ ...unknown(), items: strings.map((s) => text(s)) }).text,
  };
}
