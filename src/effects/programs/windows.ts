/** Programs whose command lines say by their words what they do; most are of Windows. */

import { before } from '../../lang/ends.ts';
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf, tableOf } from '../../ontology/words.ts';
import { FROM, HOLE } from '../data.ts';
import { fetchFrom } from '../deeds/network.ts';
import { runFile } from '../deeds/run-code.ts';
import { writeFile } from '../deeds/write-file.ts';
import { type EffectKind, PROCESS_MEMORY, type Scope } from '../effects.ts';
import { isUrl } from '../hosts.ts';
import { type Call, lineOf, wordsOf } from '../shell/call.ts';
import type { Reader, Readers } from './knowledge.ts';

/** Effects that an entry may name a pattern for, with their reach. */
const told_effects = perOntology((ontology) =>
  [...tableOf(ontology, 'told_effects')].map(([name, [effect = '', scope = 'one']]) => ({
    name,
    kind: effect as EffectKind,
    scope: scope as Scope,
  })),
);

/** A line that matches a pattern named after an effect has that effect. `command` captures a command that it runs. */
const told: Reader = (k) => {
  const effects = told_effects(k.ontology).flatMap(({ name, kind, scope }) => {
    const pattern = k.patternOrNone(name);
    return pattern === null ? [] : [{ kind, scope, pattern }];
  });
  const command = k.patternOrNone('command');
  const host = k.patternOrNone('host');
  return (c) => {
    const line = lineOf(c);
    for (const { kind, scope, pattern } of effects)
      if (pattern.test(line)) c.world.add(kind, scope, line === '' ? c.name : `${c.name} ${line}`, c.excerpt);
    const named = host?.exec(line)?.[1];
    if (named !== undefined) c.world.noteHost(named.toLowerCase());
    const run = command?.exec(line)?.[1];
    if (run !== undefined) c.world.run('cmd', run);
    return { text: HOLE, taint: FROM.system };
  };
};

const patterns = perOntology((ontology) => ({
  asksHelp: patternOf(ontology, 'help_lines', 'only'),
  foreignCode: patternOf(ontology, 'foreign_places', 'code'),
  openFolder: patternOf(ontology, 'foreign_places', 'folder'),
}));

/** A place that anybody can write to, another machine, or code in the line itself. */
function isForeign(word: string, c: Call): boolean {
  const { foreignCode, openFolder } = patterns(c.world.ontology);
  if (foreignCode.test(word) || isUrl(word)) return true;
  if (!/[\\/]/.test(word)) return false;
  const path = before(word.replace(/^\/[a-z]{1,8}:/i, ''), /[,;#]/);
  return c.world.describe(path).place === 'scratch' || openFolder.test(path);
}

/** Whether the command does nothing but print: `forfiles /c "cmd /c echo @file"`. */
function onlyShows(c: Call, command: string | undefined): boolean {
  if (command === undefined) return false;
  const probe = c.world.apart();
  probe.run('cmd', command.replace(/^"?cmd(?:\.exe)?\s{1,4}\/c\s{1,4}|"$/gi, ''));
  return probe.deeds.size === 0 && probe.acted === 0 && probe.unresolved === '' && probe.unknown_program === '';
}

/** Signed programs of the system that run other code: a library, a script, a project file. */
const proxy: Reader = (k) => {
  const always = k.patternOrNone('always');
  const memory = k.patternOrNone('reads_memory');
  const injects = k.patternOrNone('injects');
  const command = k.patternOrNone('command');
  return (c) => {
    const line = lineOf(c);
    const words = wordsOf(c).flatMap((w) => [w, ...w.split(/[\s,]+/)]);
    const foreign = words.find((w) => isForeign(w, c));
    if (memory?.test(line)) c.world.add('reads_credentials', 'everything', PROCESS_MEMORY, c.excerpt);
    if (injects?.test(line)) c.world.add('enters_process', 'one', line, c.excerpt);
    const run = command?.exec(line)?.[1];
    if (foreign !== undefined || (always?.test(line) && !onlyShows(c, run)))
      c.world.add('runs_by_proxy', 'one', `${c.name} ${foreign ?? line}`, c.excerpt);
    else if (line !== '') c.world.add('runs_code', 'one', line, c.excerpt);
    if (run !== undefined) c.world.run('cmd', run);
    return undefined;
  };
};

/** Programs of the system that fetch files besides their own task. */
const sideFetch: Reader = (k) => {
  const decodes = k.patternOrNone('decodes');
  const trusts = k.patternOrNone('tampers_with_guards');
  const secrets = k.patternOrNone('reads_credentials');
  const starts = k.patternOrNone('persists');
  return (c) => {
    const line = lineOf(c);
    if (trusts?.test(line)) c.world.add('tampers_with_guards', 'one', line, c.excerpt);
    if (secrets?.test(line)) c.world.add('reads_credentials', 'one', line, c.excerpt);
    if (starts?.test(line)) c.world.add('persists', 'one', line, c.excerpt);
    const at = c.args.findIndex((a) => isUrl(a.text));
    const last = c.args.at(-1)?.text ?? '';
    if (at >= 0) {
      const got = fetchFrom(c.world, c.args[at]!.text, c.excerpt);
      c.world.add('runs_by_proxy', 'one', `${c.name} ${c.args[at]!.text}`, c.excerpt);
      if (last !== c.args[at]!.text) writeFile(c.world, last, got, c.excerpt);
    } else if (decodes?.test(line)) writeFile(c.world, last, { text: HOLE, taint: FROM.decoded }, c.excerpt);
    return undefined;
  };
};

/** `sc [\\host] verb name binPath= command`. */
const serviceControl: Reader = (k) => {
  const stops = k.words('stops');
  const makes = k.words('makes');
  const hides = k.words('hides');
  const disables = k.pattern('disables');
  const command = k.expression('command');
  return (c) => {
    const words = wordsOf(c);
    const isRemote = /^\\\\/.test(words[0] ?? '');
    const [verb = '', name = ''] = (isRemote ? words.slice(1) : words).map((w) => w.toLowerCase());
    const line = lineOf(c);
    if (isRemote) c.world.add('moves_laterally', makes.has(verb) ? 'everything' : 'one', words[0]!, c.excerpt);
    if (stops.has(verb) || disables.test(line)) {
      c.invoke(
        [
          { text: 'stop-service', taint: 0, hasGlob: false },
          { text: name, taint: 0, hasGlob: false },
        ],
        null,
      );
    }
    if (hides.has(verb)) c.world.add('tampers_with_guards', 'one', name, c.excerpt);
    const run = command.exec(line)?.[1];
    if (makes.has(verb) || run !== undefined) {
      c.world.add('persists', 'one', name, c.excerpt);
      c.world.add('writes_system', 'one', name, c.excerpt);
    }
    if (run !== undefined) c.world.run('cmd', run);
    return undefined;
  };
};

/** Writes the memory of a process to a file. */
const dumpMemory: Reader = (k) => {
  const secretProcesses = k.pattern('secret_processes');
  const byNumber = k.pattern('by_number');
  return (c) => {
    const line = lineOf(c);
    // The number of the process may be looked up in the line itself: `gcore $(pgrep ssh-agent)`.
    if (secretProcesses.test(`${line} ${c.excerpt}`))
      c.world.add('reads_credentials', 'everything', PROCESS_MEMORY, c.excerpt);
    else if (byNumber.test(line)) c.world.add('enters_process', 'one', line, c.excerpt);
    else c.world.add('reads', 'one', line, c.excerpt);
    return undefined;
  };
};

/** Scripts of the Windows script host. */
const scriptHost: Reader = () => (c) => {
  const file = c.args.find((a) => !/^\/\/?[a-z]/i.test(a.text));
  if (file === undefined) return undefined;
  if (isForeign(file.text, c)) c.world.add('runs_by_proxy', 'one', `${c.name} ${file.text}`, c.excerpt);
  runFile(c.world, file.text, null, c.excerpt);
  return undefined;
};

/** Tools that are made for attacks. */
const offensive: Reader = (k) => {
  const looks = k.patternOrNone('looks');
  const secrets = k.patternOrNone('reads_credentials');
  const { asksHelp } = patterns(k.ontology);
  return (c) => {
    const line = lineOf(c);
    if (asksHelp.test(line) || looks?.test(line)) c.world.add('reconnoitres', 'one', c.name, c.excerpt);
    else c.world.add('attacks', 'one', `${c.name} ${line}`, c.excerpt);
    if (secrets?.test(line)) c.world.add('reads_credentials', 'everything', c.name, c.excerpt);
    return { text: HOLE, taint: FROM.system };
  };
};

export const WINDOWS_READERS: Readers = {
  told,
  proxy,
  side_fetch: sideFetch,
  service_control: serviceControl,
  dump_memory: dumpMemory,
  script_host: scriptHost,
  offensive,
};
