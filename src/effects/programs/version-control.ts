/** Version control: git, patches. */

import { withoutEnd } from '../../lang/ends.ts';
import { noteRewrites } from '../administered/trust.ts';
import { isStrange } from '../code/code-signs.ts';
import { type Data, FROM, HOLE } from '../data.ts';
import { deletePath, destroyForGood } from '../deeds/delete-file.ts';
import { cleanFolder, discardAll, dropStash, FILES_OF, NAMES } from '../deeds/discard-work.ts';
import { fetchFrom, sendTo } from '../deeds/network.ts';
import { writeFile } from '../deeds/write-file.ts';
import { hostOf } from '../hosts.ts';
import { noteSourceSetting } from '../package-sources.ts';
import { type Call, type Field, isDryRun, isSeveral, lineOf, readOptions } from '../shell/call.ts';
import { MAX_NAMES } from '../world.ts';
import { foreignName, strangeHosts } from './fetching/code-origins.ts';
import { github } from './github.ts';
import type { Knowledge, Reader, Readers } from './knowledge.ts';

const EXT = 'ext::';
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
    noteRewrites(c.world, `${lineOf(c)} ${settingsOfEnvironment(c)}`, c.excerpt);
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

const MAX_SETTINGS = 4;

/** Settings that git takes from the environment: `GIT_CONFIG_KEY_0=… GIT_CONFIG_VALUE_0=…`. */
const settingsOfEnvironment = (c: Call): string =>
  Array.from(
    { length: MAX_SETTINGS },
    (_, i) => `${c.variable(`GIT_CONFIG_KEY_${i}`).text} ${c.variable(`GIT_CONFIG_VALUE_${i}`).text}`,
  ).join(' ');

/**
 * Fetches a repository. What is in the folder of one from an address that names no product is that stranger's code; what runs out
 * of any other is code of its maintainer.
 */
function fetchRepository(c: Call, verb: string, operands: readonly string[], url: string): void {
  fetchFrom(c.world, url, c.excerpt);
  const last = operands.at(-1) ?? url;
  const folder = last === url ? (withoutEnd(url, /\//).split('/').at(-1) ?? '').replace(/\.git$/, '') : last;
  if (folder === '') return;
  const { path } = c.world.describe(folder);
  if (isStrange(c.world, url)) c.world.noteFetched(path);
  else if (verb !== 'fetch' && verb !== 'pull') c.world.noteCloned(path, foreignName(c.world, url));
}

/** Runs `git -C folder …` as if it were run there. */
function inFolder(c: Call, folder: string, run: () => Data | undefined): Data | undefined {
  const before = c.world.cwd;
  c.world.cwd = c.world.describe(folder).path;
  const out = run();
  c.world.cwd = before;
  return out;
}

/** Names go that alone kept commits or files reachable: of several, or of those that a search found, the work of many. */
function noteLostNames(c: Call, verb: string, rest: readonly Field[]): void {
  const operands = rest.filter(({ text }) => !text.startsWith('-'));
  // `worktree remove`, `submodule deinit`: the first word is part of the sub-command.
  const names = verb === 'branch' || verb === 'update-ref' || verb === 'replace' ? operands : operands.slice(1);
  const isMany =
    names.length > 1 || rest.some((one) => isSeveral(one) || one.text === '--all' || one.text.includes(HOLE));
  const object = names.map(({ text }) => text).join(' ') || verb;
  c.world.add('discards_work', isMany ? 'many' : 'one', isMany ? `${NAMES} ${object}` : object, c.excerpt);
}

type GitVerbs = (c: Call, verb: string, rest: readonly Field[], text: string) => Data | undefined;

/** What each sub-command does; `rest` follows it, and `text` is the same as one line. */
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
  const withValueOfCheckout = k.words('with_value_of_checkout');
  const namesBranch = k.pattern('names_branch');
  const asksForHelp = k.pattern('asks_for_help');
  const losesWork = k.pattern('loses_work');
  const replacesFiles = k.pattern('replaces_files');
  const putsAside = k.pattern('puts_aside');
  const managesNames = k.words('manages_names');
  const addsRemote = k.words('adds_remote');
  const removesName = k.pattern('removes_name');
  const removesAllNames = k.pattern('removes_all_names');
  const filters = k.words('filters');
  const forgets = k.words('forgets');
  const alwaysForgets = k.words('always_forgets');
  const forgetsNow = k.pattern('forgets_now');
  const fetches = k.words('fetches');
  const runsForEach = k.words('runs_for_each');
  const appliesPatch = k.words('applies_patch');
  const removesTree = k.pattern('removes_tree');
  const keepsFiles = k.pattern('keeps_files');
  const push = gitPush(k);
  return (c, verb, rest, text) => {
    if (appliesPatch.has(verb)) notePatch(c);
    const operands = rest.filter((r) => !r.text.startsWith('-')).map((r) => r.text);
    const [first = ''] = operands;
    if (asksForHelp.test(text)) return NOTHING;
    if (takesBack.has(verb)) {
      // Nothing is lost: the files stay as they are, and only what the next commit records changes.
      if (verb === 'restore' && unstages.test(text)) return undefined;
      // `checkout main a.txt`: from a commit, files that are named.
      const isTaken =
        verb === 'checkout' && !namesBranch.test(text) && readOptions(rest, withValueOfCheckout).operands.length > 1;
      if (takesAllBack.test(` ${text}`))
        discardAll(
          c.world,
          'changes',
          'many',
          operands.length > 1 ? `${FILES_OF} ${first}` : 'working tree',
          c.excerpt,
        );
      else if (isTaken || takesFileBack.test(` ${verb} ${text}`))
        c.world.add('discards_work', 'one', operands.at(-1) ?? 'files', c.excerpt);
      return undefined;
    }
    if (verb === 'remote' && addsRemote.has(first) && c.world.remotes.size < MAX_NAMES)
      c.world.remotes.set(operands[1] ?? '', operands[2] ?? '');
    if (managesNames.has(verb)) {
      if (verb === 'stash' && putsAside.test(text)) c.world.has_put_aside = true;
      if (!removesName.test(text)) return undefined;
      const object = operands.at(-1) ?? verb;
      if (!losesWork.test(`${verb} ${text}`)) c.world.add('deletes', 'scratch', object, c.excerpt);
      else if (verb !== 'stash') noteLostNames(c, verb, rest);
      else if (removesAllNames.test(text)) discardAll(c.world, 'stashes', 'many', object, c.excerpt);
      else dropStash(c.world, object, c.excerpt);
      return undefined;
    }
    if (filters.has(verb)) {
      // Nobody depends on a copy in a scratch folder before it is pushed.
      const isCopy = c.world.describe('.').place === 'scratch';
      c.world.add('rewrites_history', isCopy ? 'one' : 'everything', 'repository', c.excerpt);
      return undefined;
    }
    if (forgets.has(verb)) {
      if (forgetsNow.test(text) || alwaysForgets.has(verb))
        c.world.add('destroys_recovery', 'many', 'reflog', c.excerpt);
      return undefined;
    }
    // The transport `ext` runs what follows it; `%` keeps a blank.
    for (const { text: word } of rest)
      if (word.startsWith(EXT)) c.world.run('shell', word.slice(EXT.length).replace(/%(?=[ %])/g, ''));
    if (fetches.has(verb)) {
      const url = operands.find((b) => hostOf(b) !== '');
      if (url !== undefined) fetchRepository(c, verb, operands, url);
      return NOTHING;
    }
    if (runsForEach.has(verb)) {
      const commands = readOptions(rest, withValueOfRebase)
        .values(execOptions)
        .map((v) => v.text);
      if (losesWork.test(`${verb} ${text}`)) noteLostNames(c, verb, rest);
      const url = verb === 'submodule' ? operands.find((o) => hostOf(o) !== '') : undefined;
      if (url !== undefined) fetchRepository(c, verb, operands, url);
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
        // To the commit that is checked out, nothing but changes is taken back: all of them.
        if (hard.test(text))
          discardAll(c.world, 'changes', /^(?:HEAD|@)?$/.test(first) ? 'many' : 'one', first || 'HEAD', c.excerpt);
        return undefined;
      case 'clean': {
        const flags = text.replace(/[^a-zA-Z -]/g, '');
        if (!dryRun.test(flags) && force.test(flags)) cleanFolder(c.world, first, c.excerpt);
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
        if (replacesFiles.test(`${verb} ${text}`)) discardAll(c.world, 'changes', 'many', 'working tree', c.excerpt);
        else if (losesWork.test(`${verb} ${text}`)) noteLostNames(c, verb, rest);
        return NOTHING;
    }
  };
}

function gitPush(k: Knowledge): (c: Call, text: string, rest: readonly Field[]) => undefined {
  const withValue = k.words('with_value_of_push');
  const pushesAll = k.pattern('pushes_all');
  const forcesPush = k.pattern('forces_push');
  const mirrors = k.pattern('mirrors');
  const leases = k.pattern('leases');
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
    const host = hostOf(c.world.remotes.get(remote) ?? remote);
    if (host !== '') sendTo(c.world, host, { text: HOLE, taint: FROM.listing }, c.excerpt, 'many');
    const isOwn = refspecs.length > 0 && !refspecs.some(isShared) && !pushesAll.test(text);
    // Without a name it is the branch that is checked out, and the lease keeps what others pushed since.
    const isLeased = refspecs.length === 0 && leases.test(text) && !pushesAll.test(text);
    if (forcesPush.test(` ${text}`))
      c.world.add(
        'rewrites_history',
        mirrors.test(text) ? 'everything' : isOwn || isLeased ? 'one' : 'many',
        isOwn ? last : refspecs.length === 0 ? remote : `${remote}/${last.split(':').at(-1)!.replace(/^\+/, '')}`,
        c.excerpt,
      );
    if (deletesBranch.test(text) || refspecs.some((b) => b.startsWith(':'))) {
      // The work of all who build on it goes with it.
      if (refspecs.some(isShared)) destroyForGood(c.world, 'many', last, c.excerpt);
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
  const namesFolder = k.pattern('names_folder');
  const namesHelper = k.pattern('names_helper');
  const setsProxy = k.pattern('sets_proxy');
  return (c, text) => {
    // A setting that is written down holds for every later command; `-c` holds for this one.
    const isKept = c.args[0]?.text === 'config';
    const isAlias = runsAlias.test(text);
    const isSetting = runsSettings.test(text);
    const value = text.slice(text.indexOf('=') + 1);
    if (setsProxy.test(text)) noteSourceSetting(c.world, ['config', 'proxy', value], c.excerpt);
    const isSwitch = /^(?:true|false|)$/i.test(value);
    // A bare name is that of a program which is installed already: `core.pager=delta`.
    const isInstalled =
      isSwitch || (/^[\w.+-]{1,64}$/.test(value) && !namesHelper.test(text) && !namesFolder.test(text));
    if ((isSetting && !isInstalled && (isKept || namesFolder.test(text))) || (isAlias && isKept))
      c.world.add('persists', 'one', text, c.excerpt);
    if ((isSetting || isAlias) && !isSwitch && !namesFolder.test(text)) {
      const command = value.replace(/^!/, '');
      if (isKept) c.world.runDormant('shell', command);
      else c.world.run('shell', command);
    }
    if (checksOff.test(text)) c.world.add('bypasses_checks', isKept ? 'many' : 'one', 'TLS verification', c.excerpt);
  };
}

/** A project that a stranger's patch is applied to is in part that stranger's: what is built or run there afterwards is as well. */
function notePatch(c: Call): void {
  for (const data of [c.stdin, ...c.args.map(({ content }) => content)])
    for (const host of strangeHosts(c.world, data)) c.world.noteCloned(c.world.describe('.').path, host);
}

const patch: Reader = (k) => {
  const withValue = k.words('with_value');
  return (c) => {
    writeFile(c.world, readOptions(c.args, withValue).operands[0]?.text ?? '.', NOTHING, c.excerpt);
    notePatch(c);
    return undefined;
  };
};

export const VERSION_CONTROL_READERS: Readers = { git, github, patch };
