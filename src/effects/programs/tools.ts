/** Packages, builds and publishing. */

import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { anyOf, patternOf, setOf } from '../../ontology/words.ts';
import { type Data, HOLE } from '../data.ts';
import { runFile, runText } from '../deeds/run-code.ts';
import { writeFile } from '../deeds/write-file.ts';
import { isUrl } from '../hosts.ts';
import { noteSourceSetting } from '../package-sources.ts';
import {
  type Call,
  type Field,
  field,
  inputFiles,
  isDryRun,
  type Program,
  readOptions,
  wordsOf,
} from '../shell/call.ts';
import { languageOfPath } from '../stored-code.ts';
import { noteOrigin, noteOrigins, originWords } from './fetching/code-origins.ts';
import type { Knowledge, Reader, Readers } from './knowledge.ts';
import { readByWords } from './unlisted/by-words.ts';
import { noteDatabaseWipe, noteSchemaChange } from './unlisted/database-wipes.ts';
import { runForeignWords, runHandedOver } from './unlisted/foreign.ts';
import { noteCodeAddresses } from './unlisted/handed-code.ts';

const NOTHING: Data = { text: HOLE, taint: 0 };

/** pip, npm, apt and the like: the verb decides, then whether the package comes from outside the registry. */
const packages: Reader = (k) => {
  const withValue = k.words('with_value');
  const installs = k.pattern('installs');
  const removes = k.pattern('removes');
  const installsProject = k.words('installs_project');
  const unchecked = k.options('unchecked');
  const deploys = k.words('deploys');
  const evaluating = k.words('evaluating');
  const codeOptions = k.options('code_of_runtime');
  const runsCode = k.words('runs_code');
  const runsProgram = k.words('runs_program');
  const environments = k.words('environments');
  const guardNames = anyOf(k.ontology, 'guard_package_names');
  const runWithin = runProgramWithin(k);
  const modulePrograms = k.words('module_programs');
  const shortSources = k.words('short_source_programs');
  const groups = k.words('groups');
  const setScript = k.expression('set_script');
  const setsProgram = k.pattern('sets_program');
  const hooks = setOf(k.ontology, 'install_hooks');
  return (c) => {
    const options = readOptions(c.args, withValue);
    const { options: origins } = originWords(c.world.ontology);
    const isOrigin = (o: Field): boolean => {
      const before = c.args[c.args.indexOf(o) - 1]?.text ?? '';
      return before.startsWith('-') && !before.includes('=') && origins.has(before.replace(/^-+/, '')) && isUrl(o.text);
    };
    const [first, ...rest] = options.operands.filter((o) => !isOrigin(o)).map((o) => o.text);
    // A runtime that is a package manager, too: `bun -e "…"`.
    if (evaluating.has(c.name)) for (const code of options.values(codeOptions)) c.world.run('javascript', code.text);
    if (first === undefined) return NOTHING;
    // `uv tool install x`, `yarn global add x`: what is done follows the kind of thing.
    const isGroup = groups.has(first) && rest.length > 0 && (installs.test(rest[0]!) || removes.test(rest[0]!));
    const [verb, names] = isGroup ? [rest[0]!, rest.slice(1)] : [first, rest];
    noteSourceSetting(c.world, wordsOf(c), c.excerpt);
    noteScripts(c, setScript);
    if (setsProgram.test(wordsOf(c).join(' '))) c.world.add('persists', 'one', wordsOf(c).join(' '), c.excerpt);
    const isSelfInstall = verb === '' || (names.length === 0 && installsProject.has(verb));
    if (installs.test(verb)) {
      c.world.add('installs', isSelfInstall ? 'scratch' : 'one', names.join(' ') || 'declared packages', c.excerpt);
      noteSources(c, verb, modulePrograms.has(c.name));
      if (shortSources.has(c.name))
        for (const name of names)
          if (SHORT_SOURCE.test(name)) noteOrigin(c.world, `https://github.com/${name}`, c.excerpt);
      if (isSelfInstall) for (const hook of hooks) runScriptOfProject(c, hook);
      if (options.has(unchecked)) c.world.add('bypasses_checks', 'one', 'package signatures', c.excerpt);
    } else if (removes.test(verb)) {
      c.world.add('deletes', 'one', names.join(' ') || 'packages', c.excerpt);
      if (guardNames.test(names.join(' '))) c.world.add('tampers_with_guards', 'one', names.join(' '), c.excerpt);
    } else if (deploys.has(verb) && !isDryRun(c, c.args))
      // What a registry has is everybody's and cannot be taken back.
      c.world.add('deploys', 'everything', names[0] ?? 'package', c.excerpt);
    else if (runsCode.has(verb)) {
      c.world.add('runs_code', 'one', `${c.name} ${verb} ${names[0] ?? ''}`.trim(), c.excerpt);
      if (runsProgram.has(verb) || verb === 'run') noteSources(c, verb, modulePrograms.has(c.name));
      runWritten(c);
      runHandedOver(c);
      runScriptOfProject(c, names[0] ?? verb);
      // `run` of a package manager names one of the project's scripts, of an environment manager a program.
      if (runsProgram.has(verb) || (verb === 'run' && environments.has(c.name))) runWithin(c, verb);
    } else noteDatabaseWipe(c, options.operands);
    return NOTHING;
  };
};

/** `owner/name`: to these programs a repository on the largest forge, and no folder. */
const SHORT_SOURCE = /^[a-z\d][\w-]{0,63}\/[\w.-]{1,100}(?:#\S{0,100})?$/i;

/**
 * Notes where what is installed or run comes from: `--index-url https://…`, `git+https://…`, `go run example.org/x@latest`. Behind the
 * verb, words up to the name of what is run are the program's own; what follows are arguments of that.
 */
function noteSources(c: Call, verb: string, isModules: boolean): void {
  const at = c.args.findIndex((a) => a.text === verb);
  const { options: origins } = originWords(c.world.ontology);
  for (const [i, word] of c.args.entries()) {
    const before = c.args[i - 1]?.text ?? '';
    const isValue = before.startsWith('-') && !before.includes('=');
    // The value of any other option is not a source.
    if (isValue && !origins.has(before.replace(/^-+/, '')) && !(before === '-e' && word.text.includes('+'))) continue;
    if (isModules && i > at && !word.text.startsWith('-') && !isValue) {
      noteOrigin(c.world, word.text, c.excerpt, 'module');
      if (verb === 'run') return;
    } else noteOrigins(c.world, [word], c.excerpt);
  }
}

/** The command behind `verb` and its options: `poetry run rm -rf x`, `npm exec -- rm -rf x`. */
function runProgramWithin(k: Knowledge): (c: Call, verb: string) => void {
  const withValue = k.words('with_value_of_run');
  return (c, verb) => {
    const at = c.args.findIndex((a) => a.text === verb);
    const options = readOptions(c.args.slice(at + 1), withValue, true);
    const [first, second] = options.operands;
    // `run 'make test'`: one word that is a command line.
    const isLine = second === undefined && first !== undefined && /\s/.test(first.text);
    const code = options.value(CALL_OPTIONS) || (isLine ? first.text : '');
    if (code !== '') c.world.run('shell', code);
    if (isLine) return;
    const isRemote = [...options.values(PACKAGE_OPTIONS), ...options.operands.slice(0, 1)].some(({ text }) =>
      isRemotePackage(text, c.world.ontology),
    );
    if (!isRemote && options.operands.length > 0) c.invoke(options.operands, c.stdin);
  };
}

/** Names of the tools with which people build and check a project. */
const workPrograms = perOntology((ontology) => {
  const readers = setOf(ontology, 'project_tool_readers');
  return new Set(ontology.programs.flatMap(({ reader, names }) => (readers.has(reader) ? names : [])));
});

const isWorkProgram = (name: string, ontology: Ontology): boolean =>
  workPrograms(ontology).has(name.replace(/@[\w.-]{1,64}$/, ''));
/** Options of runners of packages that give a command line, and that name the package. */
const CALL_OPTIONS = ['c', 'call'];
const PACKAGE_OPTIONS = ['p', 'package', 'from', 'spec'];

/** A package that comes from no registry. */
function isRemotePackage(name: string, ontology: Ontology): boolean {
  return isUrl(name) || patternOf(ontology, 'package_names', 'source').test(name);
}

/** A script that is put into the manifest of the project: `npm pkg set scripts.test=jest`. It is like writing the file. */
function noteScripts(c: Call, setScript: RegExp): void {
  const scripts: Record<string, string> = {};
  for (const [i, word] of c.args.entries()) {
    const [, name, given = ''] = setScript.exec(word.text) ?? [];
    if (name !== undefined) scripts[name] = given !== '' ? given : (c.args[i + 1]?.text ?? '');
  }
  if (Object.keys(scripts).length === 0) return;
  writeFile(c.world, 'package.json', { text: JSON.stringify({ scripts }), taint: 0 }, c.excerpt);
}

/** Runs a script of a manifest that the code itself wrote. */
function runScriptOfProject(c: Call, name: string): void {
  for (const [path, { text }] of c.world.files) {
    if (!path.endsWith('package.json') || !text.startsWith('{')) continue;
    const script = new RegExp(
      `"${name.replace(/[^\\w:-]/g, '')}"\\s{0,16}:\\s{0,16}"((?:[^"\\\\\\n]|\\\\.){1,2000})"`,
    ).exec(text)?.[1];
    if (script !== undefined) c.world.run('shell', script.replace(/\\(["\\])/g, '$1'));
  }
}

/** `npx thing`, `uvx thing`: fetched when absent, and run. */
const runPackage: Reader = (k) => {
  const withValue = k.words('with_value');
  return (c) => {
    const options = readOptions(c.args, withValue, true);
    const [first, second] = options.operands;
    // `run 'make test'`: one word that is a command line.
    const isLine = second === undefined && first !== undefined && /\s/.test(first.text);
    const code = options.value(CALL_OPTIONS) || (isLine ? first.text : '');
    if (code !== '') c.world.run('shell', code);
    if (isLine) return;
    const command = options.operands;
    const sources = [...options.values(PACKAGE_OPTIONS), ...command.slice(0, 1)];
    const source = sources.find(({ text }) => isRemotePackage(text, c.world.ontology));
    const name = source?.text ?? command[0]?.text ?? '';
    if (name === '') return NOTHING;
    const isRemote = source !== undefined && noteOrigins(c.world, [source], c.excerpt);
    c.world.add('runs_code', 'one', name, c.excerpt);
    // A tool that everybody knows by this name is one of the project's own.
    const isOwn = !isRemote && isWorkProgram(name, c.world.ontology);
    c.world.add('installs', isOwn ? 'scratch' : 'one', name, c.excerpt);
    if (!isRemote) c.invoke(command, c.stdin);
    return NOTHING;
  };
};

/** Builds and runs a source file that this code has written before: `go run x.go`, `javac X.java`, `gcc x.c`. */
function runWritten(c: Call): void {
  for (const { text } of c.args) {
    const { path } = c.world.describe(text);
    const written = c.world.files.get(path);
    if (written !== undefined && languageOfPath(path, written.text, c.world.ontology) !== null)
      runFile(c.world, text, null, c.excerpt);
  }
}

/** A build file given in place: its recipes follow tabs or semicolons. */
function runRecipes(c: Call, file: Data): void {
  const recipes = file.text
    .split('\n')
    .map((line) => (line.startsWith('\t') ? line : line.slice(line.indexOf(';') + 1 || line.length)))
    .map((line) => line.trim().replace(/^[@+-]+/, ''));
  runText(c.world, 'shell', { text: file.text === HOLE ? HOLE : recipes.join('\n'), taint: file.taint }, c.excerpt);
}

const build: Reader = (k) => {
  const withValue = k.words('with_value');
  const deploys = k.words('deploys');
  const codeOptions = k.options('code');
  const fileOptions = k.options('build_file');
  const publishes = k.pattern('publishes');
  const loads = k.patternOrNone('loads');
  return (c) => {
    const options = readOptions(c.args, withValue);
    for (const { text } of c.args) {
      const loaded = loads?.exec(text)?.[1];
      if (loaded !== undefined) runFile(c.world, loaded, 'script', c.excerpt);
    }
    const target = options.operands.map((o) => o.text).join(' ');
    runHandedOver(c);
    noteCodeAddresses(c, true);
    // `rails runner 'code'`, `artisan tinker --execute 'code'`
    runForeignWords(c);
    for (const code of options.values(codeOptions)) runRecipes(c, code);
    const file = options.value(fileOptions);
    if (c.stdin !== null && (file === '-' || inputFiles(c.world.ontology).has(file))) runRecipes(c, c.stdin);
    c.world.add('runs_code', 'one', `${c.name} ${target}`.trim(), c.excerpt);
    if (!noteDatabaseWipe(c, options.operands)) noteSchemaChange(c, readByWords(c, false, true) === 'destroys');
    runWritten(c);
    if (publishes.test(`${c.name} ${target}`) && !isDryRun(c, c.args))
      c.world.add('deploys', 'everything', target, c.excerpt);
    else if (deploys.has(target)) c.world.add('deploys', 'one', target, c.excerpt);
    return NOTHING;
  };
};

const publish: Reader = (k) => {
  const deploys = k.words('deploys');
  const deploysSomething = k.pattern('deploys_something');
  const registries = k.words('registries');
  const runsProgram = k.words('runs_program');
  const runWithin = runProgramWithin(k);
  return (c) => {
    const [verb = '', object = ''] = wordsOf(c);
    if (isDryRun(c, c.args)) return NOTHING;
    if (deploys.has(verb) || deploysSomething.test(object))
      c.world.add('deploys', registries.has(c.name) ? 'everything' : 'one', c.name, c.excerpt);
    else if (runsProgram.has(verb)) runWithin(c, verb);
    // What such a program takes away runs or is kept at a service, whatever it is called.
    else readByWords(c, true);
    return NOTHING;
  };
};

/** Runs its last argument, which is not a program by its name. */
const runGivenFile: Program = (c) => {
  const file = c.args.at(-1);
  if (file !== undefined && c.stdin !== null) runText(c.world, 'shell', c.stdin, c.excerpt);
  else if (file !== undefined) runFile(c.world, file.text, null, c.excerpt);
  return undefined;
};

/** What a compiler writes can be run later. */
const compile: Reader = (k) => {
  const withValue = k.words('with_value');
  const output = k.options('output');
  return (c) => {
    const to = readOptions(c.args, withValue).value(output);
    runWritten(c);
    if (to !== '') c.world.files.set(c.world.describe(field(to).text).path, NOTHING);
    return undefined;
  };
};

export const TOOL_READERS: Readers = {
  packages,
  run_package: runPackage,
  build,
  check: () => () => NOTHING,
  publish,
  compile,
  run_file: () => runGivenFile,
};
