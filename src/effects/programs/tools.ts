/** Version control, packages, builds and publishing. */

import { anyOf } from '../../ontology/words.ts';
import { CARRIED, type Data, FROM, HOLE } from '../data.ts';
import { deletePath, destroyForGood, fetchFrom, runFile, runText, sendTo, writeFile } from '../deeds.ts';
import { hostOf, isUrl } from '../hosts.ts';
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
import { readByWords } from './by-words.ts';
import type { Knowledge, Reader, Readers } from './knowledge.ts';
import { deletesByRequest } from './remote-deletes.ts';

const NOTHING: Data = { text: HOLE, taint: 0 };

const git: Reader = (k) => {
  const withValue = k.words('with_value');
  const setting = k.options('setting');
  const folderOptions = k.options('folder');
  const skipsHooks = k.pattern('skips_hooks');
  const skipsHooksOfCommit = k.pattern('skips_hooks_of_commit');
  const noteConfig = gitConfig(k);
  const runVerb = gitVerbs(k, noteConfig);
  return (c) => {
    const options = readOptions(c.args, withValue, true);
    for (const v of options.values(setting)) noteConfig(c, v.text);
    const folder = options.value(folderOptions);
    if (folder !== '') return inFolder(c, folder, () => runCommand(c, options.operands));
    return runCommand(c, options.operands);
  };
  function runCommand(c: Call, operands: readonly Field[]): Data | undefined {
    const [verb, ...rest] = operands;
    if (verb === undefined) return NOTHING;
    const text = rest.map((r) => r.text).join(' ');
    if (skipsHooks.test(text) || (verb.text === 'commit' && skipsHooksOfCommit.test(text)))
      c.world.add('bypasses_checks', 'one', 'git hooks', c.excerpt);
    return runVerb(c, verb.text, rest, text);
  }
};

/** Runs `git -C folder …` as if it were run there. */
function inFolder(c: Call, folder: string, run: () => Data | undefined): Data | undefined {
  const before = c.world.cwd;
  c.world.cwd = c.world.describe(folder).path;
  const out = run();
  c.world.cwd = before;
  return out;
}

type GitVerbs = (c: Call, verb: string, rest: readonly Field[], text: string) => Data | undefined;

/** What each sub-command does; `rest` stands behind it, and `text` is the same as one line. */
function gitVerbs(k: Knowledge, noteConfig: (c: Call, text: string) => void): GitVerbs {
  const withValueOfRebase = k.words('with_value_of_rebase');
  const execOptions = k.options('with_value_of_rebase');
  const hard = k.pattern('hard');
  const dryRun = k.pattern('dry_run');
  const force = k.pattern('force');
  const takesBack = k.words('takes_back');
  const takesAllBack = k.pattern('takes_all_back');
  const takesFileBack = k.pattern('takes_file_back');
  const unstages = k.pattern('unstages');
  const losesWork = k.pattern('loses_work');
  const managesNames = k.words('manages_names');
  const removesName = k.pattern('removes_name');
  const removesAllNames = k.pattern('removes_all_names');
  const filters = k.words('filters');
  const forgets = k.words('forgets');
  const alwaysForgets = k.words('always_forgets');
  const forgetsNow = k.pattern('forgets_now');
  const fetches = k.words('fetches');
  const runsForEach = k.words('runs_for_each');
  const removesTree = k.pattern('removes_tree');
  const keepsFiles = k.pattern('keeps_files');
  const push = gitPush(k);
  return (c, verb, rest, text) => {
    const operands = rest.filter((r) => !r.text.startsWith('-')).map((r) => r.text);
    const [first = ''] = operands;
    if (takesBack.has(verb)) {
      if (takesAllBack.test(` ${text}`)) c.world.add('discards_work', 'many', 'working tree', c.excerpt);
      else if (takesFileBack.test(` ${verb} ${text}`) && !unstages.test(text))
        c.world.add('discards_work', 'one', operands.at(-1) ?? 'files', c.excerpt);
      return undefined;
    }
    if (managesNames.has(verb)) {
      if (removesName.test(text)) {
        const scope = removesAllNames.test(text) ? 'many' : 'one';
        const isLost = losesWork.test(`${verb} ${text}`);
        c.world.add(
          isLost ? 'discards_work' : 'deletes',
          isLost ? scope : 'scratch',
          operands.at(-1) ?? verb,
          c.excerpt,
        );
      }
      return undefined;
    }
    if (filters.has(verb)) {
      c.world.add('rewrites_history', 'everything', 'repository', c.excerpt);
      return undefined;
    }
    if (forgets.has(verb)) {
      if (forgetsNow.test(text) || alwaysForgets.has(verb))
        c.world.add('destroys_recovery', 'many', 'reflog', c.excerpt);
      return undefined;
    }
    if (fetches.has(verb)) {
      const url = operands.find((b) => hostOf(b) !== '');
      if (url !== undefined) fetchFrom(c.world, url, c.excerpt);
      return NOTHING;
    }
    if (runsForEach.has(verb)) {
      const commands = readOptions(rest, withValueOfRebase)
        .values(execOptions)
        .map((v) => v.text);
      if (verb === 'submodule' && first === 'foreach')
        commands.push(
          rest
            .slice(1)
            .map((r) => r.text)
            .join(' '),
        );
      for (const command of commands) c.world.run('shell', command);
      return NOTHING;
    }
    switch (verb) {
      case 'push':
        return push(c, text, rest);
      case 'reset':
        if (hard.test(text)) c.world.add('discards_work', 'one', operands[0] ?? 'HEAD', c.excerpt);
        return undefined;
      case 'clean': {
        const flags = text.replace(/[^a-zA-Z -]/g, '');
        if (!dryRun.test(flags) && force.test(flags)) cleanFolder(c, operands[0] ?? '');
        return undefined;
      }
      case 'config':
        noteConfig(c, operands.join('='));
        return NOTHING;
      case 'bisect':
        if (first === 'run') c.invoke(rest.slice(1), null);
        return undefined;
      case 'remote':
        for (const b of operands) c.world.noteHost(hostOf(b));
        return NOTHING;
      case 'rm':
        if (!keepsFiles.test(text)) for (const b of operands) deletePath(c.world, b, c.excerpt, removesTree.test(text));
        return undefined;
      default:
        if (losesWork.test(`${verb} ${text}`)) c.world.add('discards_work', 'one', operands.at(-1) ?? verb, c.excerpt);
        return NOTHING;
    }
  };
}

/** `git clean -f`: in a scratch folder nothing is lost, in a folder of people's own files more than work in progress. */
function cleanFolder(c: Call, path: string): void {
  const traits = c.world.describe(path === '' ? '.' : path);
  const scope = traits.place === 'scratch' ? 'scratch' : 'many';
  c.world.add('discards_work', scope, path === '' ? 'untracked files' : traits.path, c.excerpt);
  if (traits.is_treasured) destroyForGood(c.world, 'many', traits.path, c.excerpt);
}

function gitPush(k: Knowledge): (c: Call, text: string, rest: readonly Field[]) => undefined {
  const withValue = k.words('with_value_of_push');
  const pushesAll = k.pattern('pushes_all');
  const forcesPush = k.pattern('forces_push');
  const mirrors = k.pattern('mirrors');
  const deletesBranch = k.pattern('deletes_branch');
  const sharedBranches = k.pattern('shared_branches');
  const isShared = (refspec: string): boolean => {
    const to = refspec.replace(/^\+/, '').split(':').at(-1)!;
    return /[*\uf8ff]|^$/.test(to) || sharedBranches.test(to.replace(/^refs\/heads\//, ''));
  };
  return (c, text, rest) => {
    const [to, ...refspecs] = readOptions(rest, withValue).operands.map((o) => o.text);
    const remote = to ?? 'origin';
    const last = refspecs.at(-1) ?? remote;
    if (isDryRun(c, rest)) return undefined;
    const host = hostOf(remote);
    if (host !== '') sendTo(c.world, host, { text: HOLE, taint: FROM.listing }, c.excerpt, 'many');
    const isOwn = refspecs.length > 0 && !refspecs.some(isShared) && !pushesAll.test(text);
    if (forcesPush.test(` ${text}`))
      c.world.add(
        'rewrites_history',
        mirrors.test(text) ? 'everything' : isOwn ? 'one' : 'many',
        isOwn ? last : remote,
        c.excerpt,
      );
    if (deletesBranch.test(text) || refspecs.some((b) => b.startsWith(':'))) {
      if (refspecs.some(isShared)) destroyForGood(c.world, 'one', last, c.excerpt);
      else c.world.add('deletes', 'one', last, c.excerpt);
    }
    if (isOwn) c.world.add('writes', 'one', last, c.excerpt);
    else c.world.add('deploys', 'one', remote, c.excerpt);
    return undefined;
  };
}

/** A setting `name=value`, given for one command or written into the configuration. */
function gitConfig(k: Knowledge): (c: Call, text: string) => void {
  const runsSettings = k.pattern('runs_settings');
  const runsAlias = k.pattern('runs_alias');
  const checksOff = k.pattern('checks_off');
  return (c, text) => {
    if (runsSettings.test(text) || runsAlias.test(text)) c.world.add('persists', 'one', text, c.excerpt);
    // A setting that is written down holds for every later command; `-c` holds for this one.
    const scope = c.args[0]?.text === 'config' ? 'many' : 'one';
    if (checksOff.test(text)) c.world.add('bypasses_checks', scope, 'TLS verification', c.excerpt);
  };
}

/** pip, npm, apt and the like: the verb decides, then whether the package comes from outside the registry. */
const packages: Reader = (k) => {
  const withValue = k.words('with_value');
  const installs = k.pattern('installs');
  const removes = k.pattern('removes');
  const installsProject = k.words('installs_project');
  const registry = k.options('registry');
  const unchecked = k.options('unchecked');
  const deploys = k.words('deploys');
  const runsCode = k.words('runs_code');
  const runsProgram = k.words('runs_program');
  const environments = k.words('environments');
  const guardNames = anyOf(k.ontology, 'guard_package_names');
  const runWithin = runProgramWithin(k);
  const sourceOptions = k.words('source_options');
  const withSources = k.words('with_sources');
  /** Says where packages are looked for, and is no package. */
  const isSourceValue = (c: Call, name: string): boolean =>
    withSources.has(c.name) && sourceOptions.has(c.args[c.args.findIndex((a) => a.text === name) - 1]?.text ?? '');
  return (c) => {
    const options = readOptions(c.args, withValue);
    const [verb, ...names] = options.operands.map((o) => o.text);
    if (verb === undefined) return NOTHING;
    noteSourceSetting(c.world, wordsOf(c), c.excerpt);
    const isSelfInstall = verb === '' || (names.length === 0 && installsProject.has(verb));
    if (installs.test(verb)) {
      c.world.add('installs', isSelfInstall ? 'scratch' : 'one', names.join(' ') || 'declared packages', c.excerpt);
      const packagesNamed = names.filter((n) => !isSourceValue(c, n));
      const source = [...packagesNamed, options.value(registry)].find(
        (n) => isUrl(n.replace(/^(?:git|hg)\+/, '')) || /^(?:git\+|github:)/.test(n),
      );
      if (source !== undefined) {
        const host = hostOf(source.replace(/^\w+\+/, ''));
        c.world.noteHost(host);
        c.world.add('downloads_and_runs', 'one', host === '' ? source : host, c.excerpt);
      }
      if (options.has(unchecked)) c.world.add('bypasses_checks', 'one', 'package signatures', c.excerpt);
    } else if (removes.test(verb)) {
      c.world.add('deletes', 'one', names.join(' ') || 'packages', c.excerpt);
      if (guardNames.test(names.join(' '))) c.world.add('tampers_with_guards', 'one', names.join(' '), c.excerpt);
    } else if (deploys.has(verb)) c.world.add('deploys', 'one', names[0] ?? 'package', c.excerpt);
    else if (runsCode.has(verb)) {
      c.world.add('runs_code', 'one', `${c.name} ${verb} ${names[0] ?? ''}`.trim(), c.excerpt);
      // `run` of a package manager names one of the project's scripts, of an environment manager a program.
      if (runsProgram.has(verb) || (verb === 'run' && environments.has(c.name))) runWithin(c, verb);
    }
    return NOTHING;
  };
};

/** The command behind `verb` and its options: `poetry run rm -rf x`, `npm exec -- rm -rf x`. */
function runProgramWithin(k: Knowledge): (c: Call, verb: string) => void {
  const withValue = k.words('with_value_of_run');
  return (c, verb) => {
    const at = c.args.findIndex((a) => a.text === verb);
    const command = readOptions(c.args.slice(at + 1), withValue, true).operands;
    if (command.length > 0) c.invoke(command, c.stdin);
  };
}

/** `npx thing`, `uvx thing`: fetched when absent, and run. */
const runPackage: Reader = (k) => {
  const withValue = k.words('with_value');
  return (c) => {
    const command = readOptions(c.args, withValue, true).operands;
    const name = command[0]?.text ?? '';
    if (name === '') return NOTHING;
    const isRemote = isUrl(name) || /^(?:github:|git\+)/.test(name);
    c.world.add('runs_code', 'one', name, c.excerpt);
    c.world.add(isRemote ? 'downloads_and_runs' : 'installs', 'one', name, c.excerpt);
    if (!isRemote) c.invoke(command, c.stdin);
    return NOTHING;
  };
};

/** A build file given in place: its recipes stand behind tabs or semicolons. */
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
  return (c) => {
    const options = readOptions(c.args, withValue);
    const target = options.operands.map((o) => o.text).join(' ');
    for (const code of options.values(codeOptions)) runRecipes(c, code);
    const file = options.value(fileOptions);
    if (c.stdin !== null && (file === '-' || inputFiles(c.world.ontology).has(file))) runRecipes(c, c.stdin);
    c.world.add('runs_code', 'one', `${c.name} ${target}`.trim(), c.excerpt);
    readByWords(c);
    if (deploys.has(target)) c.world.add('deploys', 'one', target, c.excerpt);
    return NOTHING;
  };
};

const publish: Reader = (k) => {
  const deploys = k.words('deploys');
  const deploysSomething = k.pattern('deploys_something');
  const runsProgram = k.words('runs_program');
  const runWithin = runProgramWithin(k);
  return (c) => {
    const [verb = '', object = ''] = wordsOf(c);
    if (deploys.has(verb) || deploysSomething.test(object)) c.world.add('deploys', 'one', c.name, c.excerpt);
    else if (runsProgram.has(verb)) runWithin(c, verb);
    else readByWords(c);
    return NOTHING;
  };
};

const github: Reader = (k) => {
  const withValue = k.words('with_value');
  const methodOptions = k.options('method');
  const content = k.options('content');
  const sending = k.words('sending');
  const readsCredentials = k.pattern('reads_credentials');
  const deletes = k.pattern('deletes');
  const deletesAll = k.pattern('deletes_all');
  const sends = k.pattern('sends');
  const proposes = k.pattern('proposes');
  const deploys = k.pattern('deploys');
  const callsApi = k.pattern('calls_api');
  const skipsProtection = k.pattern('skips_protection');
  const grants = k.pattern('grants');
  return (c) => {
    const text = wordsOf(c).join(' ');
    const options = readOptions(c.args, withValue);
    if (isDryRun(c, c.args)) return NOTHING;
    if (readsCredentials.test(text)) c.world.add('reads_credentials', 'one', 'GitHub token', c.excerpt);
    else if (deletes.test(text)) {
      const scope = deletesAll.test(text) ? 'everything' : 'one';
      destroyForGood(c.world, scope, options.operands.at(-1)?.text ?? '', c.excerpt);
    } else if (sends.test(text)) sendTo(c.world, 'github.com', { text: HOLE, taint: c.stdin?.taint ?? 0 }, c.excerpt);
    else if (proposes.test(text)) {
      const taint = c.args.reduce((bits, { taint: of }) => bits | of, c.stdin?.taint ?? 0);
      // A request to review what is pushed already gives nothing away; what a file holds may.
      if (taint & CARRIED) sendTo(c.world, 'github.com', { text: HOLE, taint }, c.excerpt);
      else c.world.add('writes', 'one', 'github.com', c.excerpt);
    } else if (deploys.test(text)) c.world.add('deploys', 'one', 'github.com', c.excerpt);
    else if (callsApi.test(text)) {
      const method = options.value(methodOptions).toUpperCase();
      const place = options.operands[1]?.text ?? '';
      if (deletesByRequest(c.world, method, place, c.excerpt)) return { text: HOLE, taint: FROM.network };
      if (sending.has(method) || options.has(content)) sendTo(c.world, 'api.github.com', NOTHING, c.excerpt);
    }
    if (skipsProtection.test(text)) c.world.add('bypasses_checks', 'one', 'branch protection', c.excerpt);
    if (grants.test(text)) c.world.add('grants', 'one', 'repository', c.excerpt);
    return { text: HOLE, taint: FROM.network };
  };
};

/** Runs its last argument, which is no program by its name. */
const runGivenFile: Program = (c) => {
  const file = c.args.at(-1);
  if (file !== undefined && c.stdin !== null) runText(c.world, 'shell', c.stdin, c.excerpt);
  else if (file !== undefined) runFile(c.world, file.text, null, c.excerpt);
  return undefined;
};

const patch: Reader = (k) => {
  const withValue = k.words('with_value');
  return (c) => {
    writeFile(c.world, readOptions(c.args, withValue).operands[0]?.text ?? '.', NOTHING, c.excerpt);
    return undefined;
  };
};

/** What a compiler writes can be run later. */
const compile: Reader = (k) => {
  const withValue = k.words('with_value');
  const output = k.options('output');
  return (c) => {
    const to = readOptions(c.args, withValue).value(output);
    if (to !== '') c.world.files.set(c.world.describe(field(to).text).path, NOTHING);
    return undefined;
  };
};

export const TOOL_READERS: Readers = {
  git,
  github,
  patch,
  packages,
  run_package: runPackage,
  build,
  check: () => () => NOTHING,
  publish,
  compile,
  run_file: () => runGivenFile,
};
