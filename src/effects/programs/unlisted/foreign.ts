/** Code in languages that are not read here: the commands, deletions and addresses in it tell what it may do. */
import { alternatives } from '../../../ontology/pattern.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { anyOf, listOf, patternOf, tableOf } from '../../../ontology/words.ts';
import { FOREIGN, HOLE } from '../../data.ts';
import { deletePath, destroyForGood } from '../../deeds/delete-file.ts';
import { fetchFrom } from '../../deeds/network.ts';
import { runFile, runText } from '../../deeds/run-code.ts';
import { type Call, type Field, inputFiles, readOptions } from '../../shell/call.ts';
import type { Reader } from '../knowledge.ts';
import { noteForeignWrites, noteTakenAway } from './foreign-files.ts';
import { noteCodeAddresses } from './handed-code.ts';

const MAX_CODE = 8_000;
/** Commands and places that are followed in one piece of code. */
const MAX_FOUND = 12;

/** A command line at the beginning of a text, of a string, or behind a sign that starts a shell. */
const COMMAND = /(?<=^|["'`([{!|<])[ \t]{0,4}([a-z][\w.+-]{0,32})(?=([ \t][^\n"'`)\]>]{1,300}))/g;
/** A command as a list of strings: `"rm" "-rf" "x"`, `["rm", "-rf", "x"]`. */
const LIST = /["']([a-z][\w.+-]{0,32})["']((?:[ ,;|([]{1,4}["'][^"'\n]{1,200}["']){1,8})/g;
/** A place in a string or bare. */
const PLACE = /(?<=["'`(\s=])((?:~|[A-Za-z]:)?[\\/][\w.~*\\/-]{2,200})/g;

export const foreignWords = perOntology((ontology) => ({
  deletions: new RegExp(`(?:\\b|_)${alternatives(listOf(ontology, 'foreign_deletions'))}`, 'i'),
  trees: new RegExp(alternatives(listOf(ontology, 'foreign_tree_words')), 'i'),
  evaluates: new RegExp(
    `\\b${alternatives(listOf(ontology, 'foreign_evaluators'))}\\b[\\s(]{0,4}[^\\n]{0,80}?\\b(https?://[^\\s"'<>)\`]{1,300})`,
    'i',
  ),
  wipes: anyOf(ontology, 'foreign_wipes'),
  statement: anyOf(ontology, 'foreign_statements'),
  messages: new Set(listOf(ontology, 'message_options')),
}));

/** Runs the commands in a piece of code, as lines or as lists of strings. Returns how many there are. */
function runCommandsIn(c: Call, text: string): number {
  let found = 0;
  const run = (name: string, rest: string): void => {
    // A sentence may begin with the name of a program; a command has a place to work on.
    if (c.isActing?.(name) !== true || !/[/~*\\$]/.test(rest) || found >= MAX_FOUND || !c.world.step(8)) return;
    found++;
    c.world.run('shell', `${name}${rest}`);
  };
  for (const [, name = '', rest = ''] of text.matchAll(COMMAND)) run(name, rest);
  for (const [, name = '', rest = ''] of text.matchAll(LIST))
    run(name, rest.replace(/[ ,;|([]{0,4}["']([^"']{1,200})["']/g, ' $1'));
  return found;
}

/** Does what may be in the code, and says whether it found anything. */
export function runForeign(c: Call, code: string): boolean {
  const text = code.slice(0, MAX_CODE);
  const { deletions, trees, wipes } = foreignWords(c.world.ontology);
  let found = runCommandsIn(c, text);
  if (found === 0 && deletions.test(text))
    for (const [, place = ''] of text.matchAll(PLACE)) {
      if (++found > MAX_FOUND || !c.world.step(8)) break;
      deletePath(c.world, place, c.excerpt, trees.test(text), place.includes('*'));
    }
  const statement = foreignWords(c.world.ontology).statement.exec(text)?.[1];
  if (statement !== undefined) {
    found++;
    c.world.run('sql', statement);
  }
  if (wipes.test(text)) {
    found++;
    destroyForGood(c.world, 'everything', 'database', c.excerpt);
  }
  if (noteForeignWrites(c.world, text, c.excerpt)) found++;
  noteTakenAway(c.world, text);
  if (runEvaluated(c, text)) found++;
  return found > 0;
}

/** Code that is fetched and run in one go: `eval get("https://…")`, `source("https://…")`. */
export function runEvaluated(c: Call, text: string): boolean {
  const url = foreignWords(c.world.ontology).evaluates.exec(text)?.[1];
  if (url === undefined) return false;
  runText(c.world, 'script', { text: HOLE, taint: fetchFrom(c.world, url, c.excerpt).taint }, c.excerpt);
  return true;
}

/** Whether a word may hold code: it is not one name, and no message. */
export function mayBeCode(args: readonly Field[], i: number, messages: ReadonlySet<string>): boolean {
  const { text, taint } = args[i]!;
  if (taint !== 0 || !/[\s(!.]/.test(text)) return false;
  const option = /^--?([\w-]{1,32})=/.exec(text)?.[1] ?? /^--?([\w-]{1,32})$/.exec(args[i - 1]?.text ?? '')?.[1] ?? '';
  return !messages.has(option);
}

/** `--option=`, `-X:Option=` or `NAME=` before a value. */
const NAME_OF_VALUE = /^-{0,2}[\w:.-]{1,64}=/;

/** Reads what stands in the words of a command as code, and what is piped into it. */
export function runForeignWords(c: Call): boolean {
  const { messages } = foreignWords(c.world.ontology);
  let isUnderstood = false;
  for (const i of c.args.keys())
    if (mayBeCode(c.args, i, messages) && runForeign(c, c.args[i]!.text.replace(NAME_OF_VALUE, '')))
      isUnderstood = true;
  if (c.stdin !== null && c.stdin.taint === 0 && runForeign(c, c.stdin.text)) isUnderstood = true;
  return isUnderstood;
}

/** The beginning of a statement that no other text has. */
const opensStatement = perOntology((ontology) => {
  const verbs = [...tableOf(ontology, 'sql_opening_objects')].map(
    ([verb, objects]) => `${verb}\\s{1,16}(?:${objects.join('|')})`,
  );
  const rows = patternOf(ontology, 'sql_openings', 'of_rows').source;
  return new RegExp(`^(?:${[...verbs, rows].join('|')})\\b`, 'i');
});

/** Runs each word of a command that is a statement of SQL, whatever program takes it: `wrangler d1 execute shop --command 'DROP TABLE t'`. */
export function runStatementWords(c: Call): void {
  const { messages } = foreignWords(c.world.ontology);
  let found = 0;
  for (const i of c.args.keys()) {
    if (found >= MAX_LINES_HANDED || !mayBeCode(c.args, i, messages)) continue;
    const text = c.args[i]!.text.replace(NAME_OF_VALUE, '').trim();
    if (!opensStatement(c.world.ontology).test(text)) continue;
    found++;
    c.world.run('sql', text.slice(0, MAX_CODE));
  }
}

/** Signs that the words behind a program's name are its arguments and no sentence. */
const SHELL_SIGNS = /[|;&<>`$]|\s-{1,2}[a-zA-Z]|[\s=][~.]{0,2}\//;
const MAX_LINES_HANDED = 4;

/**
 * Runs each word of a command that is a command line of its own: `vagrant ssh -c 'make test | tee log'`. Text that is told to somebody
 * stays out.
 *
 * @returns whether there was one
 */
export function runCommandWords(c: Call): boolean {
  const { messages } = foreignWords(c.world.ontology);
  let found = 0;
  for (const i of c.args.keys()) {
    if (!mayBeCode(c.args, i, messages)) continue;
    const line = c.args[i]!.text.replace(NAME_OF_VALUE, '').trim();
    const first = /^(?:\/[\w./-]{1,64}\/)?([a-z][\w.+-]{0,32})\s/.exec(line)?.[1] ?? '';
    if (c.isActing?.(first) !== true || !SHELL_SIGNS.test(line)) {
      // Code of another language may hold a command: `ghc -e 'callCommand "rm -rf x"'`.
      found += runCommandsIn(c, line.slice(0, MAX_CODE));
      if (found > MAX_LINES_HANDED) break;
      continue;
    }
    if (++found > MAX_LINES_HANDED || !c.world.step(8)) break;
    c.world.run('shell', line.slice(0, MAX_CODE));
  }
  return found > 0;
}

/** Code that a command is handed as a file that another command prints: `java -jar <(curl …)`. */
export function runHandedOver(c: Call): void {
  for (const { content } of c.args) {
    if (content === undefined) continue;
    const hidden = content.taint & FOREIGN;
    if (hidden !== 0) runText(c.world, 'script', { text: HOLE, taint: hidden }, c.excerpt);
    else runForeign(c, content.text);
  }
}

/** Interpreters of which the language is not read: code in an option, in a file, or piped in. */
export const foreign: Reader = (k) => {
  const withValue = k.words('with_value');
  const files = k.wordsOrNone('files');
  return (c) => {
    const options = readOptions(c.args, withValue, true);
    const file = options.values([...files])[0] ?? options.operands[0];
    const before = c.world.added;
    runForeignWords(c);
    runHandedOver(c);
    noteCodeAddresses(c, true);
    if (c.stdin !== null && c.stdin.taint & FOREIGN)
      runText(c.world, 'script', { text: HOLE, taint: c.stdin.taint }, c.excerpt);
    if (file !== undefined && !/\s/.test(file.text) && !inputFiles(c.world.ontology).has(file.text))
      runFile(c.world, file.text, 'script', c.excerpt);
    if (c.world.added === before) c.world.add('runs_code', 'one', c.name, c.excerpt);
    return { text: HOLE, taint: c.stdin?.taint ?? 0 };
  };
};
