/** Gives programs a variable by which they run something, in whatever language it is set. */
import { type Data, isKnown } from '../data.ts';
import { namedVariables } from '../program-variables.ts';
import type { World } from '../world.ts';
import { runFile, runText } from './run-code.ts';

/** Options as they would follow the program; what follows a module of Perl as code of its own. */
function startOptions(text: string): string {
  const [, code = ''] = /^-M[\w:]{0,64};(.{1,2000})$/s.exec(text) ?? [];
  return code === '' ? text : `-e '${code.replaceAll("'", `'\\''`)}'`;
}

/**
 * Runs the command that a variable has for other programs, and what a prompt expands, in whatever language it is set.
 *
 * @param contentOf what stands in the file that the value names, where the code itself makes it
 */
export function giveVariable(
  w: World,
  name: string,
  value: Data,
  contentOf: () => Data | undefined = () => undefined,
): void {
  const { command, prompt, start, options } = namedVariables(w.ontology);
  const { text } = value;
  const started = options.get(name);
  // `-M` of Perl loads a module and runs what follows it: `-Mbase;system(…)`.
  if (started !== undefined && text !== '') w.run('shell', `${started} ${startOptions(text)}`);
  if (command.has(name)) w.run('shell', text.replace(/^\s{0,8}\|-?/, ''));
  else if (prompt.has(name) && /[$`]/.test(text)) w.run('shell', `: "${text.replaceAll('"', '')}"`);
  else if (start.has(name) && text !== '') {
    const content = contentOf();
    const language = name.startsWith('PYTHON') ? 'python' : 'shell';
    if (content !== undefined) runText(w, language, content, `${name}=${text}`);
    else runFile(w, text, language, `${name}=${text}`);
  }
}

/** `giveVariable` for a command or a call that is given a variable, where its value is known. */
export function giveKnown(w: World, name: string, value: Data): void {
  if (isKnown(value)) giveVariable(w, name, value);
}
