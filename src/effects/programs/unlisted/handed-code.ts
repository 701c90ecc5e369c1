/**
 * Code that a program is handed, whatever the program is: the value of an option that takes a command, and an address from
 * which it takes what it runs.
 */
import { perOntology } from '../../../ontology/per-ontology.ts';
import { anyOf, inverseOf, listOf, patternOf, setOf, tableOf } from '../../../ontology/words.ts';
import { isStrange } from '../../code/code-signs.ts';
import { type Data, FROM, HOLE, isKnown } from '../../data.ts';
import { decodeBase64 } from '../../decode.ts';
import { runText } from '../../deeds/run-code.ts';
import { hostOfUrl, isLoopback } from '../../hosts.ts';
import { sourceWords } from '../../package-sources.ts';
import { type Call, type Field, field, inputFiles, isDryRun, programName } from '../../shell/call.ts';
import type { Language } from '../../world.ts';

export const handedCode = perOntology((ontology) => ({
  commands: setOf(ontology, 'command_options'),
  ownCommands: new Map(
    [...tableOf(ontology, 'program_command_options')].map(([name, options]) => [name, new Set(options)]),
  ),
  settings: anyOf(ontology, 'command_settings'),
  variables: new Map([...tableOf(ontology, 'program_command_variables')].map(([name, all]) => [name, new Set(all)])),
  commas: setOf(ontology, 'commands_with_commas'),
  languages: inverseOf(ontology, 'embedded_languages'),
  runs: setOf(ontology, 'running_words'),
  programs: setOf(ontology, 'running_programs'),
  shared: listOf(ontology, 'shared_code'),
  ending: anyOf(ontology, 'code_addresses'),
  data: patternOf(ontology, 'data_addresses', 'javascript'),
}));

const OPTION = /^--?([A-Za-z][\w:-]{0,40})(?:=(.*))?$/s;
/** A setting whose value is a command, by its name: `-o ProxyCommand=…`, `-o DPkg::Post-Invoke::=…`. */
const SETTING = /^(?:-o)?(?:[a-z]{1,16}Command|[\w:-]{1,64}-Invoke(?:-Success)?)(?:::)?[ =](.{2,4000})$/is;
/** Addresses that are looked at in one command. */
const MAX_ADDRESSES = 8;
/** An address as a word of its own or behind the name of what it is for: `--script=https://…`, `-U https://…`. */
const ADDRESS = /(?:^|[=,@])([a-z]{2,8}(?:\+[a-z]{2,8})?:\/\/[^\s"'<>]{3,400})$/i;

/** An environment setting such as `-e BASE_URL=https://…` names a server that the program talks to, not code that it runs. */
const SETTING_OF_ENVIRONMENT = /^[A-Z][A-Z0-9_]{1,63}=[a-z]/;

/** A program that a system brings along, such as the shell that a build runs its recipes with. */
const OF_THE_SYSTEM = /^\/(?:usr\/(?:local\/)?)?bin\/[\w.+-]{1,40}$/;

/**
 * Runs the commands among the options: `rsync -e 'sh -c …'`, `sort --compress-program=…`, `tar -I …`; in settings, as
 * `cargo --config 'target.x.runner="sh …"'`; and in variables that a program takes among its words, as `make SHELL=…`.
 */
export function runCommandOptions(c: Call): void {
  const { commands, ownCommands, settings, variables, commas } = handedCode(c.world.ontology);
  const own = ownCommands.get(c.name);
  const named = variables.get(c.name);
  for (const [i, arg] of c.args.entries()) {
    if (!arg.text.startsWith('-')) {
      const [, variable = '', program = ''] =
        named === undefined ? [] : (/^(\w{1,40})=(.{2,4000})$/s.exec(arg.text) ?? []);
      const isProgram = named?.has(variable) === true && !/\s/.test(program) && !OF_THE_SYSTEM.test(program);
      if (isProgram) runCommand(c, { ...arg, text: program });
      const set = settings.exec(arg.text)?.groups?.['command'];
      if (set !== undefined) runCommand(c, { ...arg, text: set });
      continue;
    }
    if (arg.text === '--') return;
    const [, name = '', value] = OPTION.exec(arg.text) ?? [];
    // `strace -o '|sh -c …'`: in place of a file, a command that reads what would be written there.
    const piped = /^\|{1,2}\s{0,8}([a-z./].{1,2000})$/is.exec(value ?? c.args[i + 1]?.text ?? '')?.[1];
    if (piped !== undefined) c.world.run('shell', piped);
    const attached = own === undefined || arg.text.startsWith('--') ? undefined : attachedTo(own, arg);
    const setting = SETTING.exec(name === 'o' ? (c.args[i + 1]?.text ?? '') : arg.text)?.[1];
    if (setting !== undefined) runCommand(c, { ...arg, text: setting });
    else if (commands.has(name) || own?.has(name) === true) {
      const given = value === undefined ? c.args[i + 1] : { ...arg, text: value };
      runCommand(c, given !== undefined && commas.has(name) ? { ...given, text: withSpaces(given.text) } : given);
    } else if (attached !== undefined) runCommand(c, attached.text === '' ? c.args[i + 1] : attached);
  }
}

/** `sh,-c,cat x` as `sh -c 'cat x'`. */
const withSpaces = (list: string): string =>
  list
    .split(',')
    .map((word) => (/[\s"]/.test(word) ? `'${word.replaceAll("'", `'\\''`)}'` : word))
    .join(' ');

/** The value of a short option behind other letters or behind its own: `-ae 'ssh …'`, `-Izstd`. */
function attachedTo(own: ReadonlySet<string>, arg: Field): Field | undefined {
  const at = [...arg.text.slice(1, 12)].findIndex((letter) => own.has(letter));
  return at < 0 || !/^-[A-Za-z]+/.test(arg.text.slice(0, at + 2))
    ? undefined
    : { ...arg, text: arg.text.slice(at + 2) };
}

const CALL = /^[\w.:!]{1,64}\s{0,2}\(\s{0,4}(["'`])(?<command>[^"'`]{2,4000})\1\s{0,4}\)[;\s]{0,4}$/;

/** `shell("rm -rf x")` is the call of a language that is not known; what it is handed is the command. Any other text is its own. */
export const commandOfCall = (text: string): string => CALL.exec(text.trim())?.groups?.['command'] ?? text;

/** Runs one command that a program was told to run, with what this program handles as its input. */
function runCommand(c: Call, value: Field | undefined): void {
  if (value === undefined || value.text.startsWith('-')) return;
  if (value.text === HOLE || value.taint & (FROM.network | FROM.decoded | FROM.service)) {
    c.world.unresolved ||= c.excerpt;
    runText(c.world, 'shell', value, c.excerpt);
    return;
  }
  const given = value.text.replace(/^exec=/, '').trim();
  const text = commandOfCall(given);
  if (runEmbedded(c, text)) return;
  if (/\s/.test(text)) c.world.run('shell', text);
  else if (c.isActing?.(programName(text)) === true || text.includes('/')) c.invoke([field(text)], handed(c));
}

/** What the command gets to read: what is piped or substituted into the program, else something that is not known. */
function handed(c: Call): Data {
  const taint = c.args.reduce((t, { content }) => t | (content?.taint ?? 0), c.stdin?.taint ?? 0);
  return { text: HOLE, taint };
}

/** Runs lines that a debugger or console hands on to a language: `gdb -ex 'python …'`, `-ex 'shell …'`. */
export function runEmbedded(c: Call, code: string): boolean {
  const [, word = '', rest = ''] = /^\s{0,8}(!|[a-z][\w-]{0,32})\s{0,8}(\S.{0,4000})$/s.exec(code) ?? [];
  const language = handedCode(c.world.ontology).languages.get(word) as Language | undefined;
  if (language === undefined) return false;
  c.world.run(language, rest.startsWith('(') ? commandOfCall(`${word}${rest}`) : rest);
  return true;
}

/**
 * Notes addresses of code among the words: a program is fetched and run where the address ends like code or follows a word
 * that runs something. Places from which packages usually come are no such addresses.
 *
 * @param runs the program runs what it is given, so that an address with the ending of code is enough
 * @returns whether there was one
 */
export function noteCodeAddresses(c: Call, runs = false): boolean {
  if (!runs && isDryRun(c, c.args)) return false;
  const words = handedCode(c.world.ontology);
  let found = 0;
  for (const [i, arg] of c.args.entries()) {
    if (found > MAX_ADDRESSES || !isKnown(arg) || inputFiles(c.world.ontology).has(arg.text)) continue;
    const data = /(?:^|=)(data:.{1,8000})$/s.exec(arg.text)?.[1];
    if (data !== undefined && words.data.test(data)) {
      runText(c.world, 'javascript', { text: dataOf(data), taint: FROM.decoded }, c.excerpt);
      found++;
      continue;
    }
    const url = SETTING_OF_ENVIRONMENT.test(arg.text) ? undefined : ADDRESS.exec(arg.text)?.[1];
    const isShared = url === undefined && words.shared.some((prefix) => arg.text.startsWith(prefix));
    if (url === undefined && !isShared) continue;
    const host = url === undefined ? '' : hostOfUrl(url.replace(/^\w+\+/, ''));
    if (url !== undefined && (host === '' || isLoopback(host) || isRegistry(c, host))) continue;
    const path = (url ?? '').replace(/^[a-z+]{1,12}:\/\/[^/?#]{0,255}/i, '');
    const isRun =
      words.programs.has(c.name) ||
      (words.ending.test(path) && (runs || isToldToRun(c, i, words.runs))) ||
      ((!runs || isShared || words.runs.has(bareOption(c.args[i - 1]?.text ?? ''))) && isToldToRun(c, i, words.runs));
    if (!isRun) continue;
    found++;
    c.world.noteHost(host);
    c.world.add('downloads_and_runs', 'one', url ?? arg.text, c.excerpt);
  }
  return found > 0;
}

/** The name of an option without its dashes and its value; '' for any other word. */
const bareOption = (text: string): string => /^-{1,2}([A-Za-z][\w-]{0,40})/.exec(text)?.[1] ?? '';

/** Whether the option before a word, the option that it is attached to, or a sub-command before it says that it is run. */
function isToldToRun(c: Call, at: number, runs: ReadonlySet<string>): boolean {
  const bare = (text: string): string => text.replace(/^-{1,2}/, '').replace(/[=:].*$/s, '');
  const { text } = c.args[at]!;
  if (text.startsWith('-') && runs.has(bare(text))) return true;
  return c.args.slice(0, at).some((a, i) => runs.has(bare(a.text)) && (i === at - 1 || i < 2));
}

function isRegistry(c: Call, host: string): boolean {
  return sourceWords(c.world.ontology).known.some((one) => host === one || host.endsWith(`.${one}`));
}

/** Whether an address among the words is a bare number or takes anything from anybody: nobody can say whose it is. */
export function namesStranger(c: Call): boolean {
  return c.args.some(({ text }) => {
    const url = ADDRESS.exec(text)?.[1];
    return url !== undefined && isStrange(c.world, url);
  });
}

/** The text of an address that holds its content. */
function dataOf(address: string): string {
  const at = address.indexOf(',');
  const body = address.slice(at + 1);
  if (address.slice(0, at).endsWith('base64')) return decodeBase64(body) ?? HOLE;
  try {
    return decodeURIComponent(body);
  } catch {
    return body;
  }
}
