/** Programs that change who watches and what is kept apart, take secrets, or wear the machine out. */

import { type Data, FROM, HOLE } from '../data.ts';
import { noteChange } from '../deeds/change-file.ts';
import { destroyForGood } from '../deeds/delete-file.ts';
import { writeFile } from '../deeds/write-file.ts';
import type { Scope } from '../effects.ts';
import { type Call, isDryRun, lineOf, readOptions, wordsOf } from '../shell/call.ts';
import { backups } from './backups.ts';
import type { Reader, Readers } from './knowledge.ts';
import { lineWords, noteMining, readByWords } from './unlisted/by-words.ts';

const NOTHING: Data = { text: HOLE, taint: 0 };

/** A program of which one kind of command line has one effect. */
const switchOff =
  (kind: 'tampers_with_guards' | 'tampers_with_logs' | 'destroys_recovery', scope: Scope): Reader =>
  (k) => {
    const when = k.pattern('when');
    return (c) => {
      if (when.test(lineOf(c))) c.world.add(kind, scope, c.name, c.excerpt);
      return NOTHING;
    };
  };

const firewall: Reader = (k) => {
  const opens = k.pattern('opens');
  const closes = k.pattern('closes');
  const removesRule = k.pattern('removes_rule');
  const addsRule = k.pattern('adds_rule');
  return (c) => {
    const text = lineOf(c);
    if (closes.test(text)) c.world.add('writes', 'one', c.name, c.excerpt);
    else if (opens.test(text))
      c.world.add('tampers_with_guards', removesRule.test(text) ? 'one' : 'everything', c.name, c.excerpt);
    else if (addsRule.test(text)) c.world.add('grants', 'one', c.name, c.excerpt);
    return NOTHING;
  };
};

const journal: Reader = (k) => {
  const erases = k.pattern('erases');
  return (c) => {
    if (erases.test(lineOf(c))) c.world.add('tampers_with_logs', 'many', 'journal', c.excerpt);
    else c.world.add('reads', 'one', 'journal', c.excerpt);
    return { text: HOLE, taint: FROM.system };
  };
};

/** Gives a program rights of its own. */
const capabilities: Reader = (k) => {
  const harmless = k.pattern('harmless');
  return (c) => {
    const { operands } = readOptions(c.args);
    const object = operands.at(-1)?.text ?? c.name;
    const traits = c.world.describe(object);
    // One narrow right for a program of the project itself; for one of the system it would hold for everybody.
    const isNarrow = operands.length === 2 && harmless.test(operands[0]!.text) && traits.place !== 'system';
    c.world.add('escalates', isNarrow ? 'scratch' : 'one', object, c.excerpt);
    noteChange(c.world, traits, c.excerpt);
    return undefined;
  };
};

const leaveIsolation: Reader = (k) => {
  const withValue = k.words('with_value');
  const runsCommand = k.words('runs_command');
  const rootFirst = k.words('root_first');
  return (c) => {
    c.world.add('breaks_isolation', 'one', lineOf(c), c.excerpt);
    const rest = readOptions(c.args, withValue, true).operands;
    if (rest.length === 0 || !runsCommand.has(c.name)) return undefined;
    return c.invoke(rootFirst.has(c.name) ? rest.slice(1) : rest, c.stdin);
  };
};

const kernelSettings: Reader = (k) => {
  const loads = k.pattern('loads');
  const guards = k.pattern('guards');
  return (c) => {
    const change = wordsOf(c).find((w) => /=/.test(w)) ?? '';
    if (change === '' && !loads.test(lineOf(c))) return { text: HOLE, taint: FROM.system };
    c.world.add('writes_system', 'one', change, c.excerpt);
    if (guards.test(change)) c.world.add('tampers_with_guards', 'one', change, c.excerpt);
    return undefined;
  };
};

const mount: Reader = (k) => {
  const opensHost = k.pattern('opens_host');
  const binds = k.pattern('binds');
  const usual = k.pattern('usual');
  const withValue = k.words('with_value');
  return (c) => {
    if (c.args.length === 0) return NOTHING;
    const line = lineOf(c);
    c.world.add('writes_system', 'one', line, c.excerpt);
    const places = readOptions(c.args, withValue).operands.map(({ text }) => c.world.describe(text));
    const isOfSystem = places.some(({ place, path, is_top }) => place === 'system' || is_top || path.includes(HOLE));
    if (opensHost.test(line) || (binds.test(line) && isOfSystem))
      c.world.add('breaks_isolation', 'one', line, c.excerpt);
    // What lies below the place of a mount is out of reach for as long as it stands.
    const covered = places.length > 1 ? places.at(-1)! : undefined;
    if (covered?.is_log === true) c.world.add('tampers_with_logs', 'many', covered.path, c.excerpt);
    const isUsual = covered === undefined || usual.test(covered.path);
    if (!isUsual && (covered.is_treasured || covered.is_vital || covered.is_top))
      c.world.add('disrupts', 'everything', covered.path, c.excerpt);
    return undefined;
  };
};

const exhaust: Reader = () => (c) => {
  if (!noteMining(c)) c.world.add('exhausts_resources', 'many', lineOf(c) || c.name, c.excerpt);
  return undefined;
};

const spy: Reader = (k) => {
  const withValue = k.words('with_value');
  const when = k.patternOrNone('when');
  const showsAlthoughFed = k.patternOrNone('shows_although_fed');
  return (c) => {
    if (when !== null && !when.test(lineOf(c))) return undefined;
    if (showsAlthoughFed !== null && c.stdin !== null && !showsAlthoughFed.test(lineOf(c))) return undefined;
    c.world.add('spies', 'one', c.name, c.excerpt);
    const file = readOptions(c.args, withValue).operands.at(-1);
    if (file !== undefined) writeFile(c.world, file.text, { text: HOLE, taint: FROM.personal }, c.excerpt);
    return { text: HOLE, taint: FROM.personal };
  };
};

/** Takes secrets out of a store. */
export function readSecret(c: Call): Data {
  c.world.add('reads_credentials', 'many', c.name, c.excerpt);
  return { text: HOLE, taint: FROM.secret };
}

/** All that begins alike or stands in one container is more than one. */
const reachOfLine = (c: Call): Scope => (lineWords(c.world.ontology).container.test(lineOf(c)) ? 'many' : 'one');

/** A program of a service that keeps things for others; its words say what it does to them. */
const serviceClient: Reader = (k) => {
  const alsoDestroys = k.patternOrNone('also_destroys');
  const stops = k.patternOrNone('stops');
  return (c) => {
    const end = c.args.findIndex((a) => a.text === '--');
    if (end >= 0 && end + 1 < c.args.length) return c.invoke(c.args.slice(end + 1), c.stdin);
    if (alsoDestroys?.test(lineOf(c)) === true && !isDryRun(c, c.args))
      destroyForGood(c.world, reachOfLine(c), c.args.at(-1)?.text ?? c.name, c.excerpt);
    else if (stops?.test(lineOf(c)) === true) c.world.add('disrupts', 'many', c.args.at(-1)?.text ?? c.name, c.excerpt);
    else readByWords(c, true);
    return { text: HOLE, taint: FROM.network };
  };
};

const secrets: Reader = (k) => {
  const when = k.patternOrNone('when');
  const takesAll = k.patternOrNone('takes_all');
  const client = serviceClient(k);
  return (c) => {
    const line = lineOf(c);
    if (takesAll?.test(line)) c.world.add('reads_credentials', 'everything', c.name, c.excerpt);
    return when === null || when.test(line) ? readSecret(c) : client(c);
  };
};

const snapshots: Reader = (k) => {
  const deletes = k.pattern('deletes');
  return (c) => {
    if (isDryRun(c, c.args)) return undefined;
    if (deletes.test(lineOf(c))) c.world.add('destroys_recovery', 'everything', c.name, c.excerpt);
    return undefined;
  };
};

/** Storage pools, groups and volumes: what is removed there takes its files along, and its snapshots. */
const volumes: Reader = (k) => {
  const destroys = k.pattern('destroys');
  const asBackups = snapshots(k);
  return (c) => {
    const line = `${c.name} ${lineOf(c)}`;
    if (!destroys.test(line)) return asBackups(c);
    const isSnapshot = /@/.test(line);
    if (!isSnapshot) c.world.add('deletes', 'everything', c.args.at(-1)?.text ?? c.name, c.excerpt);
    c.world.add('destroys_recovery', isSnapshot ? 'many' : 'everything', c.name, c.excerpt);
    return undefined;
  };
};

export const GUARD_READERS: Readers = {
  switch_guard: switchOff('tampers_with_guards', 'one'),
  switch_log: switchOff('tampers_with_logs', 'one'),
  erase_log: switchOff('tampers_with_logs', 'everything'),
  switch_recovery: switchOff('destroys_recovery', 'everything'),
  firewall,
  journal,
  snapshots,
  backups,
  volumes,
  capabilities,
  leave_isolation: leaveIsolation,
  kernel_settings: kernelSettings,
  mount,
  exhaust,
  spy,
  secrets,
  service_client: serviceClient,
};
