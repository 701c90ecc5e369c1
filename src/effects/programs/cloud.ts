/** Containers, clusters, clouds and infrastructure as code. */

import { cloudWords, readCloudCall } from '../cloud/cloud-call.ts';
import { type Data, FROM, HOLE } from '../data.ts';
import { destroyForGood, readFile, sendTo, writeFile } from '../deeds.ts';
import type { EffectKind, Scope } from '../effects.ts';
import { hostOf } from '../hosts.ts';
import { hostOpening } from '../parameters/manifests.ts';
import { type Call, type Field, field, isDryRun, lineOf, readOptions, wordsOf } from '../shell/call.ts';
import type { Knowledge, Reader, Readers } from './knowledge.ts';
import { onlyLooks } from './unlisted/by-words.ts';

const NOTHING: Data = { text: HOLE, taint: 0 };

const containers: Reader = (k) => {
  const composePrograms = k.words('compose_programs');
  const withValue = k.words('with_value');
  const groups = k.words('groups');
  const starts = k.words('starts');
  const enters = k.words('enters');
  const removes = k.words('removes');
  const stops = k.words('stops');
  const deploys = k.words('deploys');
  const downloads = k.words('downloads');
  const builds = k.words('builds');
  const opensHost = k.pattern('opens_host');
  const volumes = k.words('volumes');
  const takesVolumes = k.pattern('takes_volumes');
  const removeContainers = containerRemoval(k);
  return (c) => {
    const args = composePrograms.has(c.name) ? [field('compose'), ...c.args] : c.args;
    const text = args.map((a) => a.text).join(' ');
    const options = readOptions(args, withValue, true);
    const first = options.operands[0]?.text ?? '';
    const isGroup = groups.has(first);
    const verb = (isGroup ? options.operands[1]?.text : first) ?? '';
    const rest = readOptions(options.operands.slice(isGroup ? 2 : 1), withValue, true);
    const object = rest.operands[0]?.text ?? first;
    if (starts.has(verb)) {
      const isOpen = opensHost.test(text);
      if (isOpen) c.world.add('breaks_isolation', 'one', object, c.excerpt);
      c.world.add('runs_code', 'one', object, c.excerpt);
      const mounts = mountsOf(c, args);
      if ((isOpen || mounts.length > 0) && rest.operands.length > 1)
        c.invoke(
          rest.operands.slice(1).map((word) => onHost(word, mounts)),
          c.stdin,
        );
    } else if (enters.has(verb)) {
      c.world.add('moves_laterally', 'one', object, c.excerpt);
      if (rest.operands.length > 1) c.invoke(rest.operands.slice(1), c.stdin);
    } else if (stops.has(verb)) c.world.add('disrupts', isFoundAtRunTime(args) ? 'many' : 'one', object, c.excerpt);
    else if (removes.has(verb)) {
      const scope = removeContainers(args, verb, first, text);
      const keeps = takesVolumes.test(text) || volumes.has(first);
      if (keeps && scope !== 'scratch') destroyForGood(c.world, scope, object, c.excerpt);
      else c.world.add('deletes', scope, object, c.excerpt);
    } else if (deploys.has(verb)) c.world.add('deploys', 'one', object, c.excerpt);
    else if (downloads.has(verb)) c.world.add('downloads', 'one', object, c.excerpt);
    else if (builds.has(verb)) c.world.add('runs_code', 'one', object, c.excerpt);
    return NOTHING;
  };
};

/** A folder of the host, and where a container sees it. */
interface Mount {
  from: string;
  to: string;
}

/** Folders of the host outside the project that a container can write: `-v /home/user:/h`. */
function mountsOf(c: Call, args: readonly Field[]): readonly Mount[] {
  return args.flatMap(({ text }) => {
    const m =
      /^(?:--?v(?:olume)?=?)?([~/][^:,]{0,200}):(\/[^:,]{0,200})(?::(?!ro\b)\w{1,8})?$/.exec(text) ??
      /\b(?:source|src)=([~/][^,]{0,200}),(?:[^,]{0,64},){0,2}(?:target|dst|destination)=(\/[^,]{0,200})/.exec(text);
    if (m === null || c.world.describe(m[1]!).place === 'workspace') return [];
    return [{ from: m[1]!.replace(/\/$/, ''), to: m[2]!.replace(/\/$/, '') }];
  });
}

/** A word of a command in a container with the places of the host that it means. */
function onHost(word: Field, mounts: readonly Mount[]): Field {
  let { text } = word;
  for (const { from, to } of mounts)
    if (text === to) text = from || '/';
    else if (to !== '') text = text.replaceAll(`${to}/`, `${from}/`);
  return { ...word, text };
}

/** An argument is known only at run time, as in `docker rm $(docker ps -q)`. */
function isFoundAtRunTime(args: readonly Field[]): boolean {
  return args.some((a) => a.taint !== 0 || a.text.includes(HOLE));
}

/** How much a command removes. */
function containerRemoval(k: Knowledge): (args: readonly Field[], verb: string, group: string, text: string) => Scope {
  const prunesAllOf = k.words('prunes_all_of');
  const takesAll = k.pattern('takes_all');
  const takesVolumes = k.pattern('takes_volumes');
  return (args, verb, group, text) => {
    // Without an option, a prune removes only what is unused, and `down` leaves the volumes of the project.
    if (verb === 'prune') return prunesAllOf.has(group) && takesAll.test(text) ? 'everything' : 'many';
    const hasVolumes = (verb === 'down' && takesVolumes.test(text)) || (verb === 'rm' && group === 'volume');
    if (isFoundAtRunTime(args) || hasVolumes) return 'many';
    return verb === 'down' ? 'scratch' : 'one';
  };
}

const cluster: Reader = (k) => {
  const withValue = k.words('with_value');
  const withValueOfVerb = k.words('with_value_of_verb');
  const fileOptions = k.options('file');
  const enters = k.words('enters');
  const deletes = k.words('deletes');
  const deletesKind = k.pattern('deletes_kind');
  const deletesByLabel = k.pattern('deletes_by_label');
  const rebuilt = k.words('rebuilt');
  const scales = k.words('scales');
  const alwaysDisrupts = k.words('always_disrupts');
  const toNothing = k.pattern('to_nothing');
  const deploys = k.words('deploys');
  const bindsRole = k.pattern('binds_role');
  const bindsClusterRole = k.pattern('binds_cluster_role');
  const opensHost = k.pattern('opens_host');
  const secrets = k.pattern('secrets');
  const showsValues = k.pattern('shows_values');
  const showsRaw = k.pattern('shows_raw');
  const copies = k.words('copies');
  const opensChannel = k.words('opens_channel');
  const opensToOthers = k.pattern('opens_to_others');
  const reads = k.words('reads');
  const readsConfig = k.pattern('reads_config');
  return (c) => {
    const text = lineOf(c);
    const options = readOptions(c.args, withValue, true);
    const verb = options.operands[0]?.text ?? '';
    const rest = readOptions(options.operands.slice(1), withValueOfVerb);
    const object = rest.operands.map((o) => o.text).join(' ') || rest.value(fileOptions);
    if (!enters.has(verb) && isDryRun(c, c.args)) {
      c.world.add('reads', 'one', object, c.excerpt);
      return NOTHING;
    }
    if (deletes.has(verb)) {
      const scope = deletesKind.test(text) ? 'everything' : deletesByLabel.test(text) ? 'many' : 'one';
      const isRebuilt = rebuilt.has(rest.operands[0]?.text.split('/')[0] ?? '');
      if (isRebuilt && scope !== 'everything') c.world.add('deletes', scope, object, c.excerpt);
      else destroyForGood(c.world, scope, object, c.excerpt);
    } else if (enters.has(verb)) {
      c.world.add('moves_laterally', 'one', object, c.excerpt);
      const at = c.args.findIndex((a) => a.text === '--');
      if (at >= 0) c.invoke(c.args.slice(at + 1), c.stdin);
    } else if (scales.has(verb) && (toNothing.test(text) || alwaysDisrupts.has(verb)))
      c.world.add('disrupts', 'many', object, c.excerpt);
    else if (deploys.has(verb) && !onlyLooks(c)) {
      c.world.add('deploys', 'one', object, c.excerpt);
      if (bindsRole.test(text))
        c.world.add('grants', bindsClusterRole.test(text) ? 'everything' : 'one', object, c.excerpt);
      const file = rest.value(fileOptions) || options.value(fileOptions);
      const manifest = file === '-' ? c.stdin?.text : c.world.files.get(c.world.describe(file).path)?.text;
      if (opensHost.test(text) || hostOpening(c.world.ontology, manifest ?? '') !== '')
        c.world.add('breaks_isolation', 'one', object, c.excerpt);
    } else if (verb === 'get' && secrets.test(text) && showsValues.test(text)) {
      if (/(?:^|\s)(?:-A|--all-namespaces)\b/.test(text))
        c.world.add('reads_credentials', 'everything', 'secrets of all namespaces', c.excerpt);
      c.world.add('reads_credentials', rest.operands.length > 1 ? 'one' : 'many', object, c.excerpt);
      return { text: HOLE, taint: FROM.secret };
    } else if (verb === 'config' && showsRaw.test(text))
      c.world.add('reads_credentials', 'one', 'kubeconfig', c.excerpt);
    else if (copies.has(verb))
      copyFromPod(
        c,
        rest.operands.map((o) => o.text),
      );
    else if (opensChannel.has(verb))
      c.world.add(opensToOthers.test(text) ? 'opens_channel' : 'reads', 'one', object, c.excerpt);
    else if (reads.has(verb) || (verb === 'config' && readsConfig.test(text)))
      c.world.add('reads', 'one', object, c.excerpt);
    return NOTHING;
  };
};

function copyFromPod(c: Call, [from = '', to = '']: readonly string[]): void {
  if (from.includes(':')) writeFile(c.world, to, { text: HOLE, taint: FROM.file }, c.excerpt);
  else sendTo(c.world, to.split(':')[0]!, readFile(c.world, from, c.excerpt), c.excerpt);
}

const infrastructure: Reader = (k) => {
  const previews = k.words('previews');
  const formats = k.words('formats');
  const changes = k.pattern('changes');
  const skipsReview = k.pattern('skips_review');
  const destroys = k.pattern('destroys');
  const destroysSome = k.pattern('destroys_some');
  const deletesState = k.pattern('deletes_state');
  const deploys = k.pattern('deploys');
  return (c) => {
    const text = lineOf(c);
    const words = wordsOf(c).filter((w) => !w.startsWith('-'));
    if (isDryRun(c, c.args)) return NOTHING;
    if (words.some((w) => previews.has(w)) && !words.some((w) => changes.test(w))) {
      if (words.some((w) => formats.has(w))) c.world.add('writes', 'many', 'infrastructure code', c.excerpt);
      return NOTHING;
    }
    if (skipsReview.test(text)) c.world.add('bypasses_checks', 'one', 'plan review', c.excerpt);
    if (destroys.test(text))
      destroyForGood(c.world, destroysSome.test(text) ? 'many' : 'everything', 'infrastructure', c.excerpt);
    else if (deletesState.test(text)) destroyForGood(c.world, 'one', 'state', c.excerpt);
    else if (deploys.test(text)) c.world.add('deploys', 'many', 'infrastructure', c.excerpt);
    return NOTHING;
  };
};

const releases: Reader = (k) => {
  const deletes = k.words('deletes');
  const deploys = k.words('deploys');
  return (c) => {
    const [verb = '', name = ''] = wordsOf(c);
    if (isDryRun(c, c.args)) return NOTHING;
    if (deletes.has(verb)) destroyForGood(c.world, 'many', name, c.excerpt);
    else if (deploys.has(verb)) c.world.add('deploys', 'many', name, c.excerpt);
    return NOTHING;
  };
};

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
  return (c) => {
    const options = readOptions(c.args, withValue);
    const hosts = options.operands[0]?.text ?? '';
    if (!runsNow.has(c.name)) {
      c.world.add('deploys', 'many', hosts, c.excerpt);
      return NOTHING;
    }
    const module = options.value(moduleOptions);
    const isShell = module === '' || shellModules.has(module);
    runRemotely(c, isShell ? options.value(argumentOptions) : '', hosts, true);
    return NOTHING;
  };
};

const cloud: Reader = (k) => {
  const withValue = k.words('with_value');
  const copiesLine = k.pattern('copies_line');
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
    if (copiesLine.test(text) && remoteCopy.test(text))
      return copy(
        c,
        operands.map((o) => o.text),
      );
    const found = effects.find(({ pattern }) => pattern.test(text));
    const fitting = found?.kind === 'deploys' && onlyLooks(c) ? LOOK : found;
    noteCall(c, operands, text, fitting === undefined || PLAIN.has(fitting.kind));
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

const LOOK = { kind: 'reads', scope: 'one' } as const;

/** Words of an operation on a command line; behind them stand names. */
const MAX_OPERATION = 6;

/** Notes what the operation does. The words of a command end with its verb: `iam create-user`, `role assignment create`. */
function noteCall(c: Call, operands: readonly Field[], line: string, isPlain: boolean): void {
  const { verbs } = cloudWords(c.world.ontology);
  const heads = operands.slice(0, MAX_OPERATION).map((o) => o.text.toLowerCase());
  const at = heads.findIndex((head, i) => i > 0 && head.split('-').some((word) => verbs.has(word)));
  if (at < 1 || c.world.cloud.length >= MAX_CALLS) return;
  // Options are told like parameters of a method: `--user-ids` is `user_ids`.
  const options = line.replace(/--[\w-]{1,60}/g, (option) => option.slice(2).replaceAll('-', '_'));
  const call = readCloudCall(heads.slice(0, at + 1).join('-'), heads[0]!, options, c.world.ontology);
  // What an effect tells already is not told twice, unless it is graver than the effect.
  if (call !== null && (isPlain || call.grade === 3)) c.world.cloud.push(call);
}

const MAX_CALLS = 32;
/** Effects that say little about a call. */
const PLAIN: ReadonlySet<EffectKind> = new Set<EffectKind>(['reads', 'deletes', 'disrupts']);

/** A copy to the cloud, from it, or within it. */
function cloudCopy(k: Knowledge): (c: Call, operands: readonly string[]) => Data {
  const copies = k.words('copies');
  const copiesMany = k.pattern('copies_many');
  const copyDeletes = k.pattern('copy_deletes');
  const placeScheme = new RegExp(`^${k.anyOf('place_schemes')}://`);
  const isPlace = (t: string): boolean => placeScheme.test(t) || /^[\w-]{2,}:(?:[^/\\]|$)/.test(t);
  return (c, operands) => {
    const line = lineOf(c);
    const at = operands.findIndex((o) => copies.has(o));
    const [from = '', to = ''] = operands.slice(at + 1);
    const scope = copiesMany.test(line) ? 'many' : 'one';
    if (isPlace(from) && !isPlace(to))
      writeFile(c.world, to === '' ? '.' : to, { text: HOLE, taint: FROM.network }, c.excerpt, scope);
    else {
      const data =
        isPlace(from) || from === '-' || from === ''
          ? (c.stdin ?? { text: HOLE, taint: FROM.file })
          : readFile(c.world, from, c.excerpt, scope);
      const place = to === '' ? c.name : to;
      c.world.noteHost(hostOf(place));
      const destination = /^\w+:\/\//.test(place) ? place.replace(/^\w+:\/\//, '').split('/')[0]! : place;
      sendTo(c.world, destination, data, c.excerpt, scope);
    }
    if (copyDeletes.test(line)) c.world.add('deletes', 'many', to, c.excerpt);
    return field(HOLE);
  };
}

export const CLOUD_READERS: Readers = {
  containers,
  cluster,
  infrastructure,
  releases,
  remote_setup: remoteSetup,
  fleet_shell: fleetShell,
  cloud,
};
