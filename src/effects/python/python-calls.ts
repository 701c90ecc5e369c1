/** Readers of calls of Python's libraries. `ontology/libraries/python.yaml` assigns a reader to each call. */

import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf, setOf, tableOf } from '../../ontology/words.ts';
import { decodes, givesKept, runsCode, runsShell, runsSql, sameAt, sameSelf } from '../code/code-calls.ts';
import { readsVariable, setsVariables } from '../code/environment.ts';
import { compileLibrary, type Readers } from '../code/library-calls.ts';
import { HUGE } from '../code/operators.ts';
import { runSerialised } from '../code/serialised.ts';
import {
  arg,
  type CodeCall,
  type Handler,
  list,
  reference,
  taintOf,
  text,
  unknown,
  type Value,
} from '../code/values.ts';
import { built, FROM, HOLE } from '../data.ts';
import { codePoint, decodeBase64, decodeEntities, decodeHex, decodePercent, reversed, rot13 } from '../decode.ts';
import { runLoaded } from '../deeds/run-code.ts';
import type { World } from '../world.ts';
import { PYTHON_FILE_READERS } from './python-files.ts';
import { PYTHON_NETWORK_READERS } from './python-network.ts';
import { notePreload } from './python-values.ts';

/** Calls of the library that run programs or code: readers by this beginning, and the effect of that name. */
const RUNNING = /^(?:runs_(?:shell|program|code)|replaces_process|spawns_)/;

export const pythonWords = perOntology((ontology) => ({
  /** Names of the functions that run programs or code, without their modules; common words are left out. */
  runners: new Set(
    (ontology.libraries.get('python')?.calls ?? [])
      .filter(({ reader, effect }) => RUNNING.test(reader) || effect === 'runs_code')
      .flatMap(({ names }) => names.map((name) => name.slice(name.lastIndexOf('.') + 1)))
      .filter((name) => !setOf(ontology, 'common_function_names').has(name)),
  ),
  acting: setOf(ontology, 'python_acting_modules'),
  install_commands: setOf(ontology, 'install_commands'),
  window_flags: patternOf(ontology, 'python_code', 'window_flags'),
  hidden_windows: patternOf(ontology, 'python_code', 'hidden_windows'),
  plain_codecs: patternOf(ontology, 'python_code', 'plain_codecs'),
  builders: patternOf(ontology, 'python_code', 'text_builders'),
  own_processes: patternOf(ontology, 'python_objects', 'own_processes'),
  start_keys: patternOf(ontology, 'python_code', 'registry_start_keys'),
}));
const words = (c: CodeCall): ReturnType<typeof pythonWords> => pythonWords(c.world.ontology);

/**
 * `getattr(os, 'sys' + 'tem')` returns the member. A name that is built from pieces, unlike a literal, is hidden, and so is one
 * that runs programs or code: anyone who means `os.system` writes that.
 */
const attribute: Handler = (c) => {
  const [object, name] = c.args;
  if (object === undefined || name === undefined) return undefined;
  const isActing = words(c).acting.has(object.ref);
  const isDecoded = (name.taint & FROM.decoded) !== 0;
  if (name.text.includes(HOLE)) return isDecoded ? { ...reference(`${object.ref}.…`), is_hidden: true } : undefined;
  const found: Value = { ...reference(`${object.ref}.${name.text}`), base: object };
  const isWritten = /["']\s*\)$|["']\s*,/.test(c.excerpt.trim());
  const isBuilt = /\+|\[::/.test(c.excerpt) || words(c).builders.test(c.excerpt);
  const isSerious = isBuilt || isDecoded || words(c).runners.has(name.text);
  if (!isWritten || isBuilt)
    c.world.add('obfuscates', isSerious ? 'one' : 'scratch', `${object.ref}.${name.text}`, c.excerpt);
  const is_hidden = isDecoded || isActing || words(c).runners.has(name.text);
  const is_readable = !isDecoded && !words(c).runners.has(name.text);
  return is_hidden && c.args[2] === undefined ? { ...found, is_hidden, is_readable } : found;
};
/** `vars(os)['system']` is the member `os.system`. */
const members: Handler = (c) => {
  const [object] = c.args;
  if (object === undefined) return undefined;
  return words(c).acting.has(object.ref) ? { ...object, taint: object.taint | FROM.names } : { ...object };
};
const importModule: Handler = (c) => {
  const name = c.args[0];
  if (name === undefined || name.text.includes(HOLE)) return undefined;
  runModule(c.world, name.text, c.excerpt);
  return reference(name.text);
};

/** Endings of the file of a module and of what it holds: `m.py`, `m/__init__.py`. */
const moduleFiles = perOntology((ontology) => tableOf(ontology, 'module_files').get('python')!);

/** Runs a module that this code fetched, by its dotted name or that of something in it. */
export function runModule(w: World, name: string, excerpt: string): void {
  if (w.files.size === 0) return;
  const path = name.replaceAll('.', '/');
  const within = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  for (const one of [path, within]) if (one !== '') runLoaded(w, one, moduleFiles(w.ontology), 'python', excerpt);
}

/** Makes a module of a file or an archive: `zipimporter('/tmp/a.zip')`, `spec_from_file_location('a', '/tmp/a.py')`. */
const loadsFile: Handler = (c) => {
  for (const { text: path } of c.args.slice(0, 2))
    if (path.includes('/'))
      runLoaded(c.world, c.world.describe(path).path.replace(/^\/{0,4}/, ''), [''], 'python', c.excerpt);
  return undefined;
};

const allocate: Handler = (c) => {
  if ((c.args[0]?.number ?? 0) >= HUGE) c.world.add('exhausts_resources', 'everything', 'memory', c.excerpt);
  return undefined;
};
/** `bytes([…])`, `bytes(c ^ 7 for c in …)`: the characters that the numbers stand for. */
function bytesOf(given: Value | undefined): Value | undefined {
  const { items } = given ?? {};
  if (items === undefined || items.length === 0 || items.some(({ number }) => number === undefined)) return given;
  return {
    ...text(items.map(({ number }) => codePoint(number ?? 0)).join(''), (given?.taint ?? 0) | FROM.decoded),
    is_bytes: true,
  };
}
const range: Handler = (c) => {
  const end = c.args[1] ?? c.args[0];
  if (end?.number === undefined) return unknown();
  const start = c.args.length > 1 ? (c.args[0]?.number ?? 0) : 0;
  if (end.number - start > 64) return { ...unknown(), number: end.number - start };
  return list(
    Array.from({ length: Math.max(0, end.number - start) }, (_, i) => ({
      text: String(start + i),
      taint: 0,
      ref: '',
      number: start + i,
    })),
  );
};
const character: Handler = (c) =>
  c.args[0]?.number === undefined
    ? unknown(c.args[0]?.taint)
    : text(codePoint(c.args[0].number), c.args[0].taint | FROM.decoded);
/** `ord(c)`: the number of one known character. */
const numberOf: Handler = (c) => {
  const [given] = c.args;
  const number = given?.text === HOLE || given?.number !== undefined ? undefined : given?.text.codePointAt(0);
  return number === undefined ? unknown(given?.taint) : { ...text(String(number), given?.taint), number };
};
/** `attrgetter('system')(os)`: the member that the name says, of what is handed over. */
const namedMember: Handler = (c) => {
  const [owner] = c.args;
  return owner === undefined || owner.ref === '' || c.base === undefined || c.base.text === HOLE
    ? undefined
    : { ...reference(`${owner.ref}.${c.base.text}`, owner.taint), base: owner, is_hidden: true };
};
const join: Handler = (c) => {
  // `str.join('', parts)`: the text between the parts stands before them.
  const [between, parts] = c.args;
  if (parts?.items !== undefined && between !== undefined) return join({ ...c, base: between, args: [parts] });
  const items = c.args[0]?.items;
  if (items === undefined || c.base === undefined) return unknown(c.args[0]?.taint);
  return text(built(items.map((i) => i.text).join(c.base.text)), taintOf(items) | c.base.taint);
};
const format: Handler = (c) => {
  if (c.base === undefined || c.base.text === HOLE) return unknown(taintOf(c.args));
  let next = 0;
  const filled = c.base.text.replace(
    /\{(\w{0,64})(?:[!:][^}]{0,64})?\}/g,
    (_m, key: string) => (key === '' ? c.args[next++] : (c.named.get(key) ?? c.args[Number(key)]))?.text ?? HOLE,
  );
  return text(built(filled), c.base.taint | taintOf(c.args));
};
const replaced: Handler = (c) => {
  const [from, to] = c.args;
  if (
    c.base === undefined ||
    from === undefined ||
    to === undefined ||
    c.base.text.includes(HOLE) ||
    from.text === '' ||
    from.text === HOLE
  )
    return c.base === undefined ? undefined : { ...c.base };
  return text(built(c.base.text.replaceAll(from.text, to.text)), c.base.taint);
};
const reverses: Handler = (c) =>
  c.args[0]?.items === undefined ? decodes(reversed)(c) : list(c.args[0].items.toReversed());
/** `b'…'.decode('cp037')`: a codec that no text is written in hides what it says. */
const decodesText: Handler = (c) => {
  const name = arg(c, 0, 'encoding')?.text ?? '';
  const base = c.base;
  if (base === undefined) return undefined;
  if (name === '' || name.includes(HOLE) || words(c).plain_codecs.test(name)) return { ...base };
  const moved = { ...c, args: [base, text(name)] };
  const plain = codec(moved);
  return plain === base ? unknown(base.taint | FROM.decoded) : plain;
};
const codec: Handler = (c) => {
  const name = arg(c, 1, 'encoding')?.text ?? '';
  if (/rot/i.test(name)) return decodes(rot13)(c);
  if (/hex/i.test(name)) return decodes(decodeHex)(c);
  if (/base64/i.test(name)) return decodes(decodeBase64)(c);
  return c.args[0];
};
const unpacks: Handler = (c) => unknown((c.args[0]?.taint ?? 0) | FROM.decoded);
const encrypts: Handler = (c) => unknown(taintOf(c.args) | FROM.encrypted);
/** Loads data in a format that can run code. `origin`: bits of `FROM` that are added to those of the data. */
function loads(c: CodeCall, origin = 0): Value {
  const data = c.args[0] ?? unknown();
  if (c.named.get('weights_only')?.text === 'True') return unknown(data.taint);
  if (data.taint & FROM.network) c.world.add('downloads_and_runs', 'one', 'downloaded object', c.excerpt);
  c.world.add('loads_unsafely', 'one', c.name, c.excerpt);
  runSerialised(c.world, data, c.excerpt);
  return unknown(data.taint | origin);
}
const pretrained: Handler = (c) => {
  if (c.named.get('trust_remote_code')?.text === 'True')
    c.world.add('loads_unsafely', 'one', c.args[0]?.text ?? 'model', c.excerpt);
  return unknown(FROM.network, 'model()');
};
/** Ending a process disrupts it, unless the code started the process itself. */
const ends: Handler = (c) => {
  if (words(c).own_processes.test(c.base?.ref ?? '') && !/psutil/.test(c.base?.ref ?? '')) return undefined;
  if (c.base === undefined || (c.base.ref === '' && c.base.taint === 0)) return undefined;
  c.world.add('disrupts', c.base.taint & FROM.processes ? 'many' : 'one', 'process', c.excerpt);
  return undefined;
};
const kills: Handler = (c) => {
  const [pid, signal] = c.args;
  if (signal?.number === 0 || /getpid/.test(pid?.ref ?? '')) return undefined;
  c.world.add(
    'disrupts',
    pid?.text === '-1' || pid?.text === '1' ? 'everything' : (pid?.taint ?? 0) & FROM.processes ? 'many' : 'one',
    `process ${pid?.text ?? ''}`,
    c.excerpt,
  );
  return undefined;
};
/** `subprocess.Popen(…, creationflags=CREATE_NO_WINDOW)`: nobody sees what runs. */
const runsProgramOfFlags: Handler = (c) => {
  const flags = words(c).window_flags.test(c.excerpt);
  const { hidden_windows } = words(c);
  if ((flags && hidden_windows.test(c.excerpt)) || hidden_windows.test(c.named.get('creationflags')?.ref ?? ''))
    c.world.add('hides', 'one', c.args[0]?.text ?? c.name, c.excerpt);
  return runsShell(0, 'args', 'cmd', 'command')(c);
};
/** `setup(cmdclass={'install': C})` runs the methods of `C` while the package is installed. */
const declaresPackage: Handler = (c) => {
  for (const [command, made] of c.named.get('cmdclass')?.entries ?? [])
    if (words(c).install_commands.has(command))
      c.world.add('hooks_install', 'one', `${command} command`, made.ref === '' ? c.excerpt : made.ref);
  return undefined;
};
const setsVariable: Handler = (c) => {
  const names = [c.args[0]?.text ?? '', ...(c.args[0]?.entries?.keys() ?? []), ...c.named.keys()];
  for (const name of names) notePreload(c.world, name, c.excerpt);
  return setsVariables(c);
};
const wholeEnvironment: Handler = (c) =>
  c.args[0]?.ref === 'os.environ' ? unknown(FROM.system | FROM.secret) : c.args[0];
/** `os.environ.items()`: every variable with its value. */
const allVariables: Handler = (c) => {
  c.world.add('reads', 'one', 'environment', c.excerpt);
  return unknown(FROM.system | FROM.secret);
};
const openKey: Handler = (c) => ({ ...(c.args[1] ?? unknown()), ref: 'winreg.key()' });
const winregWrite: Handler = (c) => {
  const key = c.args[0]?.text ?? HOLE;
  c.world.add('writes_system', 'one', key === HOLE ? 'registry' : key, c.excerpt);
  if (words(c).start_keys.test(key)) c.world.add('persists', 'one', key, c.excerpt);
  return undefined;
};

/** Runs a program from words: `os.execvp(file, args)`, `os.spawnl(mode, file, …)` without the mode. */
function runsWords(c: CodeCall, args: readonly Value[]): Value | undefined {
  const given: readonly Value[] = args[1]?.items ?? (args.length > 1 ? args.slice(1) : args);
  return runsShell()({ ...c, args: [{ ...unknown(), items: [...(given.length > 0 ? given : args)] }] });
}
const map: Handler = (c) => {
  const [mapped, over] = c.args;
  return list(
    (over?.items ?? [over ?? unknown()])
      .slice(0, 64)
      .map((v) =>
        mapped?.ref === 'chr'
          ? (character({ ...c, args: [v] }) ?? unknown())
          : mapped === undefined
            ? unknown()
            : c.apply(mapped, [v]),
      ),
  );
};
const splitWords: Handler = (c) =>
  c.args[0] === undefined ? undefined : list(c.args[0].text.split(/\s+/).map((w) => text(w)));
const split: Handler = (c) =>
  c.base === undefined || c.base.text.includes(HOLE)
    ? unknown(c.base?.taint)
    : list(
        c.base.text
          .split(c.args[0]?.text ?? /\s+/)
          .slice(0, 64)
          .map((w) => text(w, c.base!.taint)),
      );
const spawnsTerminal: Handler = (c) => {
  if (c.world.sockets.size > 0) c.world.add('opens_channel', 'one', [...c.world.sockets][0]!, c.excerpt);
  return runsShell()(c);
};

export const PYTHON_READERS: Readers = {
  ...PYTHON_FILE_READERS,
  ...PYTHON_NETWORK_READERS,
  runs_shell: runsProgramOfFlags,
  decodes_text: decodesText,
  declares_package: declaresPackage,
  sets_variable: setsVariable,
  runs_program: (c) => runsShell()({ ...c, args: [{ ...unknown(), items: c.args }] }),
  replaces_process: (c) => runsWords(c, c.args),
  spawns_process: (c) => runsWords(c, c.args.slice(1)),
  spawns_terminal: spawnsTerminal,
  runs_code: runsCode('python'),
  runs_sql: runsSql(),
  gives_kept: givesKept,
  imports_module: importModule,
  loads_file: loadsFile,
  gets_member: attribute,
  lists_members: members,
  loads_object: (c) => loads(c),
  loads_yaml: (c) => (/Safe/.test(arg(c, 1, 'Loader')?.ref ?? '') ? unknown(c.args[0]?.taint) : loads(c)),
  loads_array: (c) => (c.named.get('allow_pickle')?.text === 'True' ? loads(c) : unknown(c.args[0]?.taint)),
  loads_bytecode: (c) => loads(c, FROM.decoded),
  loads_model: pretrained,
  signals_process: kills,
  ends_process: ends,
  reads_variable: readsVariable,
  copies_environment: wholeEnvironment,
  lists_environment: allVariables,
  opens_registry_key: openKey,
  writes_registry: winregWrite,
  allocates: allocate,
  decodes_base64: decodes(decodeBase64),
  decodes_hex: decodes(decodeHex),
  decodes_percent: decodes(decodePercent),
  decodes_entities: decodes(decodeEntities),
  unpacks,
  converts_codec: codec,
  encrypts,
  reverses,
  makes_character: character,
  numbers_character: numberOf,
  gets_named_member: namedMember,
  makes_bytes: (c) => allocate(c) ?? bytesOf(c.args[0]),
  makes_range: range,
  maps: map,
  joins_text: join,
  formats_text: format,
  replaces_text: replaced,
  splits_text: split,
  splits_words: splitWords,
  returns_itself: sameSelf,
  returns_argument: sameAt(),
};

/** Calls, constants and module aliases of Python's libraries. Memoized per ontology. */
export const pythonLibrary = perOntology((ontology) => compileLibrary(ontology, 'python', PYTHON_READERS));
