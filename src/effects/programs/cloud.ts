/** Clouds by their command lines, and commands for many machines. */

import { type CloudCall, cloudWords, readCloudCall } from '../cloud/cloud-call.ts';
import { type Data, FROM, HOLE } from '../data.ts';
import { destroyForGood } from '../deeds/delete-file.ts';
import { isEmptyFolder } from '../deeds/empty-folder.ts';
import { sendTo } from '../deeds/network.ts';
import { readFile } from '../deeds/read-file.ts';
import { writeFile } from '../deeds/write-file.ts';
import type { EffectKind, Scope } from '../effects.ts';
import { hostOf } from '../hosts.ts';
import { type Call, type Field, field, isDryRun, lineOf, readOptions } from '../shell/call.ts';
import { placeElsewhere, readForCopy } from './backups.ts';
import { isFoundAtRunTime } from './containers.ts';
import type { Knowledge, Reader, Readers } from './knowledge.ts';
import { onlyLooks, readByWords } from './unlisted/by-words.ts';

const NOTHING: Data = { text: HOLE, taint: 0 };

/** Whether a command reaches more than named machines: `all`, `*`, a range. */
const WIDE_HOSTS = /^all$|[*[]/;

/** Runs a command line on other machines. What is deleted on many of them is rebuilt from none. */
function runOnMachines(c: Call, command: string, isMany: boolean, language: 'shell' | 'powershell' = 'shell'): void {
  if (command === '') return;
  const before = c.world.effects.items.length;
  c.world.run(language, command);
  const lost = c.world.effects.items
    .slice(before)
    .find(({ kind, scope }) => kind === 'deletes' && scope !== 'scratch' && scope !== 'one');
  if (isMany && lost !== undefined) destroyForGood(c.world, 'many', lost.object, c.excerpt);
}

function runRemotely(c: Call, command: string, hosts: string, isMany: boolean): void {
  c.world.add('moves_laterally', isMany ? 'many' : 'one', hosts, c.excerpt);
  runOnMachines(c, command, isMany);
}

/** Commands for a fleet: `pdsh -w node[1-40] 'reboot'`, `salt '*' cmd.run 'reboot'`. */
const fleetShell: Reader = (k) => {
  const withValue = k.words('with_value');
  const functions = k.words('run_functions');
  const namesTarget = k.words('names_target');
  return (c) => {
    const { operands } = readOptions(c.args, withValue, true);
    const [target, called] = operands;
    if (!namesTarget.has(c.name)) {
      runRemotely(c, operands.map(({ text }) => text).join(' '), 'hosts', true);
      return NOTHING;
    }
    const hosts = target?.text ?? '';
    const command = functions.has(called?.text ?? '')
      ? operands
          .slice(2)
          .map(({ text }) => text)
          .join(' ')
      : '';
    runRemotely(c, command, hosts, WIDE_HOSTS.test(hosts));
    return NOTHING;
  };
};

const remoteSetup: Reader = (k) => {
  const withValue = k.words('with_value');
  const runsNow = k.words('runs_now');
  const moduleOptions = k.options('module');
  const argumentOptions = k.options('arguments');
  const shellModules = k.words('shell_modules');
  const loginModules = k.words('login_modules');
  const onlyChecks = k.options('only_checks');
  const absent = k.pattern('absent');
  const fileModules = k.words('file_modules');
  const accountModules = k.words('account_modules');
  /** What a module does that makes a thing absent, as a command. */
  const removalOf = (module: string, given: string): string => {
    const named = (keys: string): string =>
      new RegExp(`(?:^|\\s)(?:${keys})=["']?([^\\s"']{1,300})`).exec(given)?.[1] ?? '';
    if (fileModules.has(module)) return `rm -rf ${named('path|dest|name')}`;
    return accountModules.has(module) ? `userdel -r ${named('name|user')}` : '';
  };
  return (c) => {
    const options = readOptions(c.args, withValue);
    const hosts = options.operands[0]?.text ?? '';
    if (options.has(onlyChecks)) {
      c.world.add('reads', 'many', hosts, c.excerpt);
      return NOTHING;
    }
    if (!runsNow.has(c.name)) {
      c.world.add('deploys', 'many', hosts, c.excerpt);
      return NOTHING;
    }
    const module = options.value(moduleOptions);
    const isShell = module === '' || shellModules.has(module);
    const given = options.value(argumentOptions);
    const removal = absent.test(given) ? removalOf(module, given) : '';
    if (loginModules.has(module)) c.world.add('persists', 'many', hosts, c.excerpt);
    runRemotely(c, isShell ? given : removal, hosts, true);
    return NOTHING;
  };
};

const cloud: Reader = (k) => {
  const withValue = k.words('with_value');
  const copies = k.words('copies');
  const remoteCopy = k.pattern('remote_copy');
  const effect = (kind: EffectKind, scope: Scope, name: string = kind) => ({ pattern: k.pattern(name), kind, scope });
  // The first whose pattern fits counts.
  const effects = [
    effect('reads_credentials', 'one'),
    effect('tampers_with_logs', 'everything'),
    effect('tampers_with_guards', 'one'),
    effect('destroys_recovery', 'everything'),
    effect('grants', 'one'),
    effect('persists', 'one'),
    effect('escalates', 'one'),
    effect('deletes', 'everything', 'deletes_all'),
    effect('deletes', 'one'),
    effect('disrupts', 'one'),
    effect('deploys', 'one'),
    effect('reads', 'one'),
  ];
  const bucket = new RegExp(`^${k.anyOf('bucket_schemes')}://`);
  const copy = cloudCopy(k);
  const runsOnMachine = k.pattern('runs_on_machine');
  const runsOnMany = k.pattern('runs_on_many');
  const withdraws = k.pattern('withdraws');
  const copiesFiles = k.words('always_deep');
  const destroyingDeeds = k.words('destroying_deeds');
  const isPowershell = k.pattern('runs_powershell');
  const commandOptions = k.options('commands');
  const withCommands = new Set([...withValue, ...commandOptions]);
  /** `s3://bucket/folder/` is a part of the bucket. */
  const isBelowPrefix = (operands: readonly Field[]): boolean => {
    const places = operands.filter((o) => bucket.test(o.text));
    return places.length > 0 && places.every((p) => /^\w+:\/\/[^/*]+\/[\w.-]/.test(p.text));
  };
  return (c) => {
    const text = lineOf(c);
    const { operands } = readOptions(c.args, withValue);
    if (isDryRun(c, c.args)) return NOTHING;
    if (runsOnMachine.test(text)) {
      // What is done to the machine by calling it is the cloud call's own finding.
      noteCall(c, operands, text, true);
      const command = commandIn(readOptions(c.args, withCommands).value(commandOptions));
      runOnMachines(c, command, runsOnMany.test(text), isPowershell.test(text) ? 'powershell' : 'shell');
      return NOTHING;
    }
    // Among the words of the operation: names and values may hold such a word.
    if (operands.slice(0, MAX_OPERATION).some((o) => copies.has(o.text)) && remoteCopy.test(text))
      return copy(
        c,
        operands.map((o) => o.text),
      );
    const found = effects.find(({ pattern }) => pattern.test(text));
    const fitting = found?.kind === 'deploys' && onlyLooks(c) ? LOOK : found;
    const call = noteCall(c, operands, text, fitting === undefined || PLAIN.has(fitting.kind));
    // Its words are read as those of any other program: being listed must not make a deletion harmless.
    const isPlain = fitting === undefined || (fitting.kind === 'deletes' && fitting.scope === 'one');
    const isStoredObject = copiesFiles.has(c.name) || operands.some((o) => STORED_OBJECT.test(o.text));
    const mayDestroy = call === null ? !isStoredObject && !withdraws.test(text) : destroyingDeeds.has(call.deed);
    if (isPlain && mayDestroy && readByWords(c) === 'destroys') return NOTHING;
    if (fitting === undefined) return NOTHING;
    const { kind, scope } = fitting;
    const object = operands
      .slice(0, 4)
      .map((o) => o.text)
      .join(' ');
    const isPart = scope === 'everything' && kind === 'deletes' && isBelowPrefix(operands);
    const isAll = kind === 'deletes' && scope === 'one' && isFoundAtRunTime(c.args);
    c.world.add(kind, isPart ? 'many' : isAll ? 'everything' : scope, object, c.excerpt);
    if (kind === 'destroys_recovery') c.world.add('deletes', 'one', object, c.excerpt);
    return { text: HOLE, taint: kind === 'reads_credentials' ? FROM.secret | FROM.network : FROM.network };
  };
};

/** `commands=["a","b"]`, `{"commands":["a"]}` or the command itself. */
function commandIn(value: string): string {
  const list = /^\s{0,4}(?:commands\s{0,4}=|\{\s{0,4}"commands"\s{0,4}:)([\s\S]{0,8000})$/.exec(value)?.[1];
  if (list === undefined) return value;
  const quoted = [...list.matchAll(/"((?:[^"\\]|\\.){0,4000})"|'([^']{0,4000})'/g)].map(([, a, b]) => a ?? b ?? '');
  return quoted.length > 0 ? quoted.join('\n') : list.replaceAll('[', '').replaceAll(']', '').trim();
}

/** The address of an object in a store of files: `s3://bucket/name`. A page of the web names a service. */
const STORED_OBJECT = /^(?!https?:)\w{1,16}:\/\//i;

const LOOK = { kind: 'reads', scope: 'one' } as const;

/** Words of an operation on a command line; behind them stand names. */
const MAX_OPERATION = 6;

/**
 * Notes what the operation does and returns it; null where nothing is known of it. The words of a command end with its verb:
 * `iam create-user`, `role assignment create`.
 */
function noteCall(c: Call, operands: readonly Field[], line: string, isPlain: boolean): CloudCall | null {
  const { verbs } = cloudWords(c.world.ontology);
  const heads = operands.slice(0, MAX_OPERATION).map((o) => o.text.toLowerCase());
  const at = heads.findIndex((head, i) => i > 0 && head.split('-').some((word) => verbs.has(word)));
  if (at < 1 || c.world.cloud.length >= MAX_CALLS) return null;
  // The words of the operation say nothing about its parameters: `put-public-access-block`.
  const given = heads.slice(0, at + 1).reduce((rest, head) => rest.replace(head, ''), line);
  // Options are told like parameters of a method: `--user-ids` is `user_ids`.
  const options = given.replace(/--[\w-]{1,60}/g, (option) => option.slice(2).replaceAll('-', '_'));
  const call = readCloudCall(heads.slice(0, at + 1).join('-'), heads[0]!, options, c.world.ontology);
  // What an effect tells already is not told twice, unless it is graver than the effect.
  if (call !== null && (isPlain || call.grade === 3)) c.world.cloud.push(call);
  return call;
}

const MAX_CALLS = 32;
/** Effects that say little about a call. */
const PLAIN: ReadonlySet<EffectKind> = new Set<EffectKind>(['reads', 'deletes', 'disrupts']);

/** A copy to the cloud, from it, or within it. */
function cloudCopy(k: Knowledge): (c: Call, operands: readonly string[]) => Data {
  const copies = k.words('copies');
  const fromInput = k.words('from_input');
  const copiesMany = k.pattern('copies_many');
  const copyDeletes = k.pattern('copy_deletes');
  const alwaysDeep = k.words('always_deep');
  const alwaysDeletes = k.words('always_deletes');
  const mirrors = k.words('mirrors');
  const placeScheme = new RegExp(`^${k.anyOf('place_schemes')}://`);
  const isPlace = (t: string): boolean => placeScheme.test(t) || /^[\w-]{2,}:(?:[^/\\]|$)/.test(t);
  return (c, operands) => {
    const line = lineOf(c);
    const at = operands.findIndex((o) => copies.has(o));
    const places = operands.slice(at + 1);
    const [from = '', to = ''] = fromInput.has(operands[at] ?? '') ? ['-', ...places] : places;
    const scope = copiesMany.test(line) || alwaysDeep.has(c.name) ? 'many' : 'one';
    if (isPlace(from) && !isPlace(to))
      writeFile(c.world, to === '' ? '.' : to, { text: HOLE, taint: FROM.network }, c.excerpt, scope);
    else {
      const data =
        isPlace(from) || from === '-' || from === ''
          ? (c.stdin ?? { text: HOLE, taint: FROM.file })
          : scope === 'many'
            ? readForCopy(c.world, field(from), () => readFile(c.world, from, c.excerpt, scope))
            : readFile(c.world, from, c.excerpt, scope);
      const place = /\bendpoint=/.test(to) ? placeElsewhere(to) : to === '' ? c.name : to;
      c.world.noteHost(hostOf(place));
      const destination = /^\w+:\/\//.test(place) ? place.replace(/^\w+:\/\//, '').split('/')[0]! : place;
      sendTo(c.world, destination, data, c.excerpt, scope);
    }
    const isMirror = copyDeletes.test(line) || (alwaysDeletes.has(c.name) && mirrors.has(operands[at] ?? ''));
    if (isMirror && !isPlace(from) && isEmptyFolder(c.world, from)) destroyForGood(c.world, 'many', to, c.excerpt);
    else if (copyDeletes.test(line))
      c.world.add('deletes', isPlace(to) && c.world.describe(from).is_built ? 'scratch' : 'many', to, c.excerpt);
    return field(HOLE);
  };
}

export const CLOUD_READERS: Readers = {
  remote_setup: remoteSetup,
  fleet_shell: fleetShell,
  cloud,
};
