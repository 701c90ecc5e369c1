/** Programs that change accounts, processes, services, schedules and the registry. */

import { withoutEnd } from '../../lang/ends.ts';
import type { Ontology } from '../../ontology/index.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { anyOf, inverseOf, tableOf } from '../../ontology/words.ts';
import { FROM, HOLE, isKnown } from '../data.ts';
import { writeFile } from '../deeds/write-file.ts';
import type { Scope } from '../effects.ts';
import { type Call, type Field, lineOf, type Program, readOptions, wordsOf } from '../shell/call.ts';
import { readOperand } from './files/read-files.ts';
import type { Reader, Readers } from './knowledge.ts';

/** Adding or changing people: an account that outlives the session, more so with rights. */
const account: Reader = (k) => {
  const withValue = k.words('with_value');
  const removers = k.words('removers');
  const adders = k.words('adders');
  const editors = k.words('editors');
  const removes = k.pattern('removes');
  const adds = k.pattern('adds');
  const privileged = k.pattern('privileged');
  const looks = k.pattern('looks');
  const onlyLocks = k.pattern('only_locks');
  return (c) => {
    const text = lineOf(c);
    if (editors.has(c.name) && looks.test(text)) return undefined;
    const object = readOptions(c.args, withValue).operands.at(-1)?.text ?? '';
    const isRemoved = removers.has(c.name) || removes.test(text);
    if (isRemoved) c.world.add('deletes', 'one', object, c.excerpt);
    else if (adders.has(c.name) || adds.test(text)) c.world.add('persists', 'one', object, c.excerpt);
    // Who is locked has fewer rights than before.
    if (!isRemoved && ((editors.has(c.name) && !onlyLocks.test(text)) || privileged.test(text)))
      c.world.add('escalates', 'one', object, c.excerpt);
    c.world.add('writes_system', 'one', 'accounts', c.excerpt);
    return undefined;
  };
};

/** `net user name … /add`, `net stop name`, `net view`. */
const windowsNet: Reader = (k) => {
  const people = k.words('people');
  const changes = k.pattern('changes');
  const removes = k.pattern('removes');
  const privileged = k.pattern('privileged');
  const stops = k.words('stops');
  const looks = k.words('looks');
  const adminShares = k.pattern('admin_shares');
  return (c) => {
    const [what = '', ...rest] = wordsOf(c);
    const verb = what.toLowerCase();
    if (people.has(verb)) {
      const [object = ''] = rest;
      if (!rest.some((r) => changes.test(r)) && rest.length < 2) {
        c.world.add('reconnoitres', 'one', 'accounts', c.excerpt);
        return undefined;
      }
      const isRemoved = removes.test(lineOf(c));
      c.world.add(isRemoved ? 'deletes' : 'persists', 'one', object, c.excerpt);
      if (!isRemoved && privileged.test(lineOf(c))) c.world.add('escalates', 'one', object, c.excerpt);
      c.world.add('writes_system', 'one', 'accounts', c.excerpt);
    } else if (stops.has(verb)) stopService(c, rest[0] ?? '');
    else if (rest.some((r) => adminShares.test(r)))
      c.world.add('moves_laterally', 'everything', rest.find((r) => /\\/.test(r)) ?? 'share', c.excerpt);
    else if (looks.has(verb)) c.world.add('reconnoitres', 'one', 'shares', c.excerpt);
    return undefined;
  };
};

export const controls = perOntology((ontology) => ({
  guards: anyOf(ontology, 'guard_names'),
  loggers: anyOf(ontology, 'logger_names'),
}));

function stopService(c: Call, name: string): void {
  c.world.add('disrupts', 'one', name, c.excerpt);
  noteGuard(c, name);
}

/** `swapoff`, `Stop-Service name`. */
const stopNamed: Reader = () => (c) => {
  stopService(c, lineOf(c));
  return undefined;
};

function noteGuard(c: Call, name: string): void {
  const { guards, loggers } = controls(c.world.ontology);
  if (loggers.test(name)) c.world.add('tampers_with_logs', 'one', name, c.excerpt);
  if (guards.test(name)) c.world.add('tampers_with_guards', 'one', name, c.excerpt);
}

/** The number of one process that somebody started; the first ones are the system's own. */
const PROCESS_ID = /^[1-9]\d{2,6}$/;
/** A process and the one that it started; more of them are many, whosever they are. */
const MAX_NAMED = 2;

const kill: Reader = (k) => {
  const withValue = k.words('with_value');
  const lists = k.words('lists');
  const byName = k.words('by_name');
  const byNameOptions = k.options('by_name');
  const everything = k.words('everything');
  const everythingLine = k.pattern('everything_line');
  return (c) => {
    const { operands } = readOptions(c.args, withValue);
    if (c.args.some((a) => lists.has(a.text))) return undefined;
    const targets = [...operands, ...readOptions(c.args, byName).values(byNameOptions)]
      .map((o) => o.text)
      .filter((t) => !/^\/|^%\d*$/.test(t));
    // The shell's own jobs.
    if (operands.length > 0 && operands.every(({ text }) => /^%\d{1,3}$/.test(text))) return undefined;
    const isWide = targets.some((t) => everything.has(t)) || everythingLine.test(lineOf(c));
    const isFound = [...operands, c.stdin].some((d) => d !== null && d.taint & FROM.processes);
    const told = targets.join(' ') || lineOf(c);
    // Ids that were found by the name of a program: it is the program that is ended.
    const object =
      told.includes(HOLE) && c.world.sought_processes.length > 0 ? c.world.sought_processes.join(' ') : told;
    // Each is named by its number, as it would be in a command of its own.
    const areNamed = targets.length <= MAX_NAMED && targets.every((target) => PROCESS_ID.test(target));
    const isWider = isFound || (targets.length > 1 && !areNamed);
    c.world.add('disrupts', isWide ? 'everything' : isWider ? 'many' : 'one', object, c.excerpt);
    noteGuard(c, object);
    if (c.stdin !== null || told !== object) for (const name of c.world.sought_processes) noteGuard(c, name);
    return undefined;
  };
};

const shutdown: Reader = (k) => {
  const cancels = k.pattern('cancels');
  return (c) => {
    if (!cancels.test(lineOf(c))) c.world.add('disrupts', 'everything', 'this machine', c.excerpt);
    return undefined;
  };
};

const runLevel: Reader = (k) => {
  const halts = k.words('halts');
  const halt = shutdown(k);
  return (c) => (halts.has(wordsOf(c)[0] ?? '') ? halt(c) : undefined);
};

/** Whether units are named as the machine has them, and this code wrote none of them. */
function areInstalled({ world }: Call, units: readonly Field[]): boolean {
  return (
    units.length > 0 &&
    units.every(
      (unit) =>
        isKnown(unit) &&
        unit.taint === 0 &&
        /^[\w@:.-]+$/.test(unit.text) &&
        ![...world.files.keys()].some((path) => path.includes(unit.text.replace(/\.\w+$/, ''))),
    )
  );
}

const units: Reader = (k) => {
  const withValue = k.words('with_value');
  const halts = k.words('halts');
  const stops = k.words('stops');
  const restarts = k.words('restarts');
  const persists = k.words('persists');
  const starts = k.words('starts');
  const halt: Program = shutdown(k);
  const switches = k.words('switches_on');
  return (c) => {
    const [first, ...units] = readOptions(c.args, withValue).operands;
    const verb = first?.text ?? '';
    const object = units.map(({ text }) => text).join(' ');
    if (halts.has(verb)) return halt(c);
    if (stops.has(verb)) stopService(c, object);
    else if (restarts.has(verb)) c.world.add('disrupts', 'scratch', object, c.excerpt);
    else if (persists.has(verb))
      c.world.add('persists', switches.has(verb) && areInstalled(c, units) ? 'scratch' : 'one', object, c.excerpt);
    else if (starts.has(verb)) c.world.add('runs_code', 'one', object, c.excerpt);
    return { text: HOLE, taint: 0 };
  };
};

const service: Reader = (k) => {
  const verbs = k.words('verbs');
  const stops = k.words('stops');
  const persists = k.words('persists');
  const changes = k.words('changes');
  const disables = k.pattern('disables');
  const restarts = k.words('restarts');
  const starts = k.words('starts');
  return (c) => {
    const [first = '', second = ''] = wordsOf(c);
    const [verb, name] = verbs.has(first) ? [first, second] : [second, first];
    const file = c.args.find((a) => c.world.describe(a.text).is_guard);
    if (stops.has(verb) && file !== undefined) c.world.add('tampers_with_guards', 'one', file.text, c.excerpt);
    if (stops.has(verb)) stopService(c, name);
    else if (persists.has(verb)) c.world.add('persists', 'one', name, c.excerpt);
    else if (changes.has(verb) && disables.test(lineOf(c))) stopService(c, name);
    else if (restarts.has(verb)) c.world.add('disrupts', 'scratch', name, c.excerpt);
    else if (starts.has(verb)) c.world.add('runs_code', 'one', name, c.excerpt);
    return undefined;
  };
};

const crontab: Reader = (k) => {
  const withValue = k.words('with_value');
  const lists = k.options('lists');
  const deletes = k.options('deletes');
  return (c) => {
    const options = readOptions(c.args, withValue);
    if (options.has(lists)) {
      c.world.add('reads', 'one', 'crontab', c.excerpt);
      return { text: HOLE, taint: 0 };
    }
    if (options.has(deletes)) {
      c.world.add('deletes', 'many', 'crontab', c.excerpt);
      return undefined;
    }
    const file = options.operands[0];
    const data = file === undefined || file.text === '-' ? c.stdin : readOperand(c, file);
    writeFile(c.world, '/var/spool/cron/crontab', data ?? { text: HOLE, taint: 0 }, c.excerpt);
    return undefined;
  };
};

/** `at`, `batch`: what is piped in runs later. */
const schedule: Reader = () => (c) => {
  c.world.add('persists', 'one', c.name, c.excerpt);
  if (c.stdin !== null && c.stdin.text !== HOLE) c.world.run('shell', c.stdin.text);
  return undefined;
};

const windowsSchedule: Reader = (k) => {
  const adds = k.pattern('adds');
  const removes = k.pattern('removes');
  // linear: the first that begins ends at the latest with its line
  const command = new RegExp(`${k.anyOf('command')}\\s+(\\S.*?)(?=\\s\\/\\w|$)`, 'im');
  return (c) => {
    const text = lineOf(c);
    const line = `${c.name} ${text}`;
    if (adds.test(line)) c.world.add('persists', 'one', 'scheduled task', c.excerpt);
    else if (removes.test(line)) c.world.add('deletes', 'one', 'scheduled task', c.excerpt);
    const run = command.exec(text)?.[1];
    if (run !== undefined) c.world.run('shell', run);
    return undefined;
  };
};

export const registryPlaces = perOntology((ontology) => ({
  /** Long name of a hive → its short one. */
  hives: inverseOf(ontology, 'registry_hives'),
  starts: anyOf(ontology, 'registry_starts'),
  guards: anyOf(ontology, 'registry_guards'),
  policies: anyOf(ontology, 'registry_policies'),
  secrets: anyOf(ontology, 'registry_secrets'),
  safe: tableOf(ontology, 'registry_safe_values'),
}));

/** Whether the value that is written switches the control on: `EnableLUA` 1, `DisableRealtimeMonitoring` 0. */
function isProtecting(path: string, data: string, ontology: Ontology): boolean {
  const value = path.slice(path.lastIndexOf('/') + 1);
  const number = data.toLowerCase().replace(/^0x0{0,8}(?=[\da-f])/, '');
  const safe = registryPlaces(ontology).safe.get(value);
  if (safe !== undefined) return safe.includes(number);
  return (value.startsWith('disable') && number === '0') || (value.startsWith('enable') && number === '1');
}

/** `HKEY_LOCAL_MACHINE\\Software\\X` and `Y` → `hklm/software/x/y`. */
function registryPath(key: string, value: string, hives: ReadonlyMap<string, string>): string {
  const path = `${key}/${value}`
    .toLowerCase()
    .replaceAll('"', '')
    .replaceAll('\\', '/')
    .replace(/^\/\/[^/]{1,64}\//, '');
  return path.replace(/^(\w{1,64}):?(?=\/)/, (_all, hive: string) => hives.get(hive) ?? hive).replace(/\/{2,8}/g, '/');
}

/** The word behind a switch: `/v name`. */
function behind(words: readonly string[], option: RegExp): string {
  const at = words.findIndex((w) => option.test(w));
  return at < 0 ? '' : (words[at + 1] ?? '');
}

const registry: Reader = (k) => {
  const keys = k.pattern('keys');
  const writes = k.words('writes');
  const writers = k.words('writers');
  const deletes = k.words('deletes');
  const saves = k.words('saves');
  const looks = k.words('looks');
  const searched = k.pattern('searched_secrets');
  const oneValue = k.pattern('one_value');
  const ofOne = k.pattern('keys_of_one');
  const whole = k.pattern('whole_keys');
  /** A single value is one thing; a key near its root is all that a program or the system keeps there. */
  const reachOf = (words: readonly string[], path: string): Scope => {
    const key = withoutEnd(path, /\//);
    if (words.some((word) => oneValue.test(word)) || ofOne.test(key)) return 'one';
    return whole.test(key) ? 'everything' : 'many';
  };
  return (c) => {
    const { starts, guards, policies, secrets, hives } = registryPlaces(c.world.ontology);
    const words = wordsOf(c);
    const object = words.find((w) => keys.test(w)) ?? 'registry';
    const verb = words[0]?.toLowerCase() ?? '';
    const path = registryPath(object, behind(words, /^[-/](?:v|name)$/i), hives);
    const isWritten = writers.has(c.name) || writes.has(verb);
    if (isWritten || deletes.has(verb)) {
      const given = behind(words, /^[-/](?:d|value)$/i);
      const isSafe = guards.test(path) && isWritten && isProtecting(path, given, c.world.ontology);
      // A policy holds for everything that its machine or its account does.
      c.world.add('writes_system', policies.test(path) && !isSafe ? 'everything' : 'one', object, c.excerpt);
      if (!isWritten) c.world.add('deletes', reachOf(words, path), object, c.excerpt);
      if (isWritten && starts.test(path)) {
        c.world.add('persists', 'one', object, c.excerpt);
        if (/[\s\\]/.test(given)) c.world.runDormant('cmd', given);
      }
      if (guards.test(path) && !isSafe) c.world.add('tampers_with_guards', 'one', object, c.excerpt);
    } else if (saves.has(verb) && secrets.test(path)) c.world.add('reads_credentials', 'everything', object, c.excerpt);
    else if (looks.has(verb)) {
      if (words.some((w) => /^\/f$/i.test(w)) && searched.test(behind(words, /^\/f$/i)))
        // Anyone who looks for them in a whole hive wants any of them.
        c.world.add('reads_credentials', /[\\/]/.test(object) ? 'many' : 'everything', object, c.excerpt);
      else if (secrets.test(path)) c.world.add('reads_credentials', 'one', object, c.excerpt);
      else c.world.add('reads', 'one', object, c.excerpt);
      return { text: HOLE, taint: FROM.system };
    }
    return undefined;
  };
};

export const SERVICE_READERS: Readers = {
  account,
  windows_net: windowsNet,
  kill,
  shutdown,
  run_level: runLevel,
  units,
  service,
  stop_named: stopNamed,
  crontab,
  schedule,
  windows_schedule: windowsSchedule,
  registry,
};
