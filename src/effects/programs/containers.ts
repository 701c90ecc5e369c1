/** Containers, clusters of them, and infrastructure as code. */

import { type Data, FROM, HOLE } from '../data.ts';
import { destroyForGood } from '../deeds/delete-file.ts';
import { sendTo } from '../deeds/network.ts';
import { readElsewhere, readFile } from '../deeds/read-file.ts';
import { writeFile } from '../deeds/write-file.ts';
import type { Scope } from '../effects.ts';
import { OWN_CONTAINERS } from '../effects.ts';
import { boundRights, hostOpening } from '../parameters/manifests.ts';
import { commandsInSettings } from '../settings.ts';
import { type Call, type Field, field, isDryRun, lineOf, readOptions, wordsOf } from '../shell/call.ts';
import { isPublished, noteOrigin, noteOrigins, notePipedOrigin } from './fetching/code-origins.ts';
import { noteDebugMode } from './fetching/network.ts';
import type { Knowledge, Reader, Readers } from './knowledge.ts';
import { noteMining, onlyLooks } from './unlisted/by-words.ts';

const NOTHING: Data = { text: HOLE, taint: 0 };

/** The beginning of a command line, up to a name in it; all of it where the name is not there. */
const beforeIn = (line: string, name: string): string => {
  const at = line.indexOf(name);
  return at < 0 ? line : line.slice(0, at);
};

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
  const elsewhere = k.pattern('elsewhere');
  const copies = k.words('copies');
  const allElsewhere = k.pattern('all_elsewhere');
  const volumes = k.words('volumes');
  const takesVolumes = k.pattern('takes_volumes');
  const removeContainers = containerRemoval(k);
  const mountOption = k.expression('mounts');
  return (c) => {
    const args = composePrograms.has(c.name) ? [field('compose'), ...c.args] : c.args;
    const text = args.map((a) => a.text).join(' ');
    const options = readOptions(args, withValue, true);
    const first = options.operands[0]?.text ?? '';
    const isGroup = groups.has(first);
    // `compose -f prod.yml down`: a group has options of its own before its verb.
    const behind = isGroup ? readOptions(options.operands.slice(1), withValue, true).operands : options.operands;
    const verb = behind[0]?.text ?? '';
    const rest = readOptions(behind.slice(1), withValue, true);
    const isOwnAll = verb === 'prune' && !allElsewhere.test(`${text} ${c.excerpt}`);
    const object = isOwnAll ? OWN_CONTAINERS : (rest.operands[0]?.text ?? first);
    if (starts.has(verb)) {
      const isOpen = opensHost.test(text);
      if (isOpen) c.world.add('breaks_isolation', 'one', object, c.excerpt);
      c.world.add('runs_code', 'one', object, c.excerpt);
      noteOrigin(c.world, object, c.excerpt, 'image');
      noteMining(c);
      const mounts = mountsOf(c, args, mountOption);
      if ((isOpen || mounts.length > 0) && rest.operands.length > 1)
        c.invoke(
          rest.operands.slice(1).map((word) => onHost(word, mounts)),
          c.stdin,
        );
    } else if (enters.has(verb)) {
      // A container of this machine is no other machine: only what precedes its name could lead elsewhere.
      const before = `${args
        .slice(
          0,
          args.findIndex((a) => a.text === object),
        )
        .map((a) => a.text)
        .join(' ')} `;
      const isOwn = !elsewhere.test(before + object) && !allElsewhere.test(beforeIn(c.excerpt, object));
      c.world.add(isOwn ? 'runs_code' : 'moves_laterally', 'one', object, c.excerpt);
      if (rest.operands.length > 1) c.invoke(rest.operands.slice(1), c.stdin);
    } else if (stops.has(verb)) c.world.add('disrupts', isFoundAtRunTime(args) ? 'many' : 'one', object, c.excerpt);
    else if (removes.has(verb)) {
      const scope = removeContainers(args, verb, first, text);
      const keeps = takesVolumes.test(text) || volumes.has(first);
      if (keeps && scope !== 'scratch') destroyForGood(c.world, scope, object, c.excerpt);
      else c.world.add('deletes', scope, object, c.excerpt);
    } else if (copies.has(verb)) copyWithContainer(c, rest.operands);
    else if (deploys.has(verb)) c.world.add('deploys', 'one', object, c.excerpt);
    else if (downloads.has(verb)) {
      c.world.add('downloads', 'one', object, c.excerpt);
      noteOrigin(c.world, object, c.excerpt, 'image');
    } else if (builds.has(verb)) {
      c.world.add('runs_code', 'one', object, c.excerpt);
      noteOrigins(c.world, args, c.excerpt);
      notePipedOrigin(c.world, c.stdin, args, c.excerpt);
    }
    return NOTHING;
  };
};

/** A folder of the host, and where a container sees it. */
interface Mount {
  from: string;
  to: string;
}

/** Folders of the host outside the project that a container can write: `-v /home/user:/h`. */
function mountsOf(c: Call, args: readonly Field[], option: RegExp): readonly Mount[] {
  return args.flatMap(({ text }) => {
    const m =
      /^(?:--?v(?:olume)?=?)?([~/][^:,]{0,200}):(\/[^:,]{0,200})(?::(?!ro\b)\w{1,8})?$/.exec(text) ?? option.exec(text);
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
export function isFoundAtRunTime(args: readonly Field[]): boolean {
  return args.some((a) => a.taint !== 0 || a.text.includes(HOLE));
}

/** How much a command removes. */
function containerRemoval(k: Knowledge): (args: readonly Field[], verb: string, group: string, text: string) => Scope {
  const prunesAllOf = k.words('prunes_all_of');
  const takesAll = k.pattern('takes_all');
  const takesVolumes = k.pattern('takes_volumes');
  const elsewhere = k.pattern('elsewhere');
  return (args, verb, group, text) => {
    // Without an option, a prune removes only what is unused, and `down` leaves the volumes of the project.
    if (verb === 'prune') return prunesAllOf.has(group) && takesAll.test(text) ? 'everything' : 'many';
    const takesDown = verb === 'down' && takesVolumes.test(text);
    // The volumes of the one project in this folder, on this machine.
    if (takesDown && group === 'compose' && !elsewhere.test(text) && !isFoundAtRunTime(args)) return 'one';
    if (isFoundAtRunTime(args) || takesDown || (verb === 'rm' && group === 'volume')) return 'many';
    return verb === 'down' ? 'scratch' : 'one';
  };
}

const cluster: Reader = (k) => {
  const withValue = k.words('with_value');
  const withValueOfVerb = k.words('with_value_of_verb');
  const fileOptions = k.options('file');
  const folderOptions = k.options('folder');
  const enters = k.words('enters');
  const deletes = k.words('deletes');
  const deletesKind = k.pattern('deletes_kind');
  const localClusters = k.pattern('local_clusters');
  const deletesByLabel = k.pattern('deletes_by_label');
  const entersHost = k.pattern('enters_host');
  const lastingToken = k.pattern('lasting_token');
  const admits = k.pattern('admits');
  const guards = k.pattern('guards');
  const rebuilt = k.words('rebuilt');
  const rights = k.words('rights');
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
    if (entersHost.test(text)) c.world.add('breaks_isolation', 'one', object, c.excerpt);
    if (lastingToken.test(text)) c.world.add('reads_credentials', 'everything', object, c.excerpt);
    if (admits.test(text)) c.world.add('grants', 'one', object, c.excerpt);
    if (deletes.has(verb)) {
      const scope = deletesKind.test(text) ? 'everything' : deletesByLabel.test(text) ? 'many' : 'one';
      if (guards.test(object)) c.world.add('tampers_with_guards', 'one', object, c.excerpt);
      const kind = rest.operands[0]?.text.split('/')[0] ?? '';
      const isRebuilt = rebuilt.has(kind) || rights.has(kind);
      if (localClusters.test(text)) c.world.add('deletes', 'one', object, c.excerpt);
      else if (isRebuilt && scope !== 'everything') c.world.add('deletes', scope, object, c.excerpt);
      else destroyForGood(c.world, scope, object, c.excerpt);
    } else if (enters.has(verb)) {
      c.world.add('moves_laterally', 'one', object, c.excerpt);
      const at = c.args.findIndex((a) => a.text === '--');
      if (at >= 0) c.invoke(c.args.slice(at + 1), c.stdin);
    } else if (scales.has(verb) && (toNothing.test(text) || alwaysDisrupts.has(verb)))
      c.world.add('disrupts', 'many', object, c.excerpt);
    else if (deploys.has(verb) && !onlyLooks(c)) {
      c.world.add('deploys', 'one', object, c.excerpt);
      noteMining(c);
      noteDebugMode(c, text, '');
      const given = commandsInSettings('patch.json', text, c.world.ontology);
      if (given !== '') c.world.runDormant('shell', given);
      if (bindsRole.test(text))
        c.world.add('grants', bindsClusterRole.test(text) ? 'everything' : 'one', object, c.excerpt);
      const file = rest.value(fileOptions) || options.value(fileOptions);
      const source = file || rest.value(folderOptions);
      if (!isPublished(c.world, source)) noteOrigin(c.world, source, c.excerpt, 'module');
      notePipedOrigin(c.world, c.stdin, c.args, c.excerpt);
      const manifest = file === '-' ? c.stdin?.text : c.world.files.get(c.world.describe(file).path)?.text;
      if (opensHost.test(text) || hostOpening(c.world.ontology, manifest ?? '') !== '')
        c.world.add('breaks_isolation', 'one', object, c.excerpt);
      if (boundRights(c.world.ontology, manifest ?? '') !== '') c.world.add('grants', 'everything', object, c.excerpt);
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
      c.world.add(opensToOthers.test(text) ? 'opens_tunnel' : 'reads', 'one', object, c.excerpt);
    else if (reads.has(verb) || (verb === 'config' && readsConfig.test(text)))
      c.world.add('reads', 'one', object, c.excerpt);
    return NOTHING;
  };
};

/** `name:/path` names a file inside; the length of what precedes the path, 0 for a file of this machine. */
const insideAt = (path: string): number => /^[\w.-]{2,253}(?:\/[\w.-]{1,253})?:/.exec(path)?.[0].length ?? 0;

function copyFromPod(c: Call, [from = '', to = '']: readonly string[]): void {
  if (insideAt(from) > 0) takeFromInside(c, from, to);
  else sendTo(c.world, to.split(':')[0]!, readFile(c.world, from, c.excerpt), c.excerpt);
}

/** A container of this machine is no other machine: what is copied into it is only written. */
function copyWithContainer(c: Call, [from, to]: readonly Field[]): void {
  if (from === undefined || to === undefined) return;
  if (insideAt(from.text) > 0) takeFromInside(c, from.text, to.text);
  else {
    readFile(c.world, from.text, c.excerpt);
    c.world.add('writes', 'one', to.text, c.excerpt);
  }
}

function takeFromInside(c: Call, from: string, to: string): void {
  const taint = readElsewhere(c.world, from.slice(insideAt(from)), c.excerpt);
  writeFile(c.world, to, { text: HOLE, taint }, c.excerpt);
}

const infrastructure: Reader = (k) => {
  const previews = k.words('previews');
  const formats = k.words('formats');
  const initialises = k.words('initialises');
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
    if (words.some((w) => initialises.has(w))) noteOrigins(c.world, c.args, c.excerpt);
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
  const withValue = k.words('with_value');
  const takesCode = k.words('takes_code');
  const opensHost = k.pattern('opens_host');
  const deletes = k.words('deletes');
  const deploys = k.words('deploys');
  return (c) => {
    const [verb = '', name = ''] = readOptions(c.args, withValue).operands.map((o) => o.text);
    if (isDryRun(c, c.args)) return NOTHING;
    if (takesCode.has(verb)) noteOrigins(c.world, c.args, c.excerpt);
    if (deletes.has(verb)) destroyForGood(c.world, 'many', name, c.excerpt);
    else if (deploys.has(verb)) c.world.add('deploys', 'many', name, c.excerpt);
    if (deploys.has(verb) && opensHost.test(lineOf(c))) c.world.add('breaks_isolation', 'one', name, c.excerpt);
    return NOTHING;
  };
};

export const CONTAINER_READERS: Readers = { containers, cluster, infrastructure, releases };
