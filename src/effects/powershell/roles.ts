/** What cmdlets do, by their role: read, write, remove, request, start, remote sessions, management of Windows. */

import { CARRIED, FROM, HOLE } from '../data.ts';
import { deletePath, emptyPath } from '../deeds/delete-file.ts';
import { copyPath, movePath } from '../deeds/move-file.ts';
import { fetchFrom, lookAt, lookUpName, sendTo } from '../deeds/network.ts';
import { readFile } from '../deeds/read-file.ts';
import { runFile } from '../deeds/run-code.ts';
import { writeFile } from '../deeds/write-file.ts';
import { isUrl } from '../hosts.ts';
import { taintSentTo } from '../key-variables.ts';
import { deleteItem } from './found-files.ts';
import { evaluate, makeObject, runNative, runProgram } from './members.ts';
import type { Session } from './session.ts';
import { type Arguments, EMPTY, itemsOf, list, NOTHING, plain, unknown, type Value } from './values.ts';
import { powershellWords } from './words.ts';

/** What a role needs to do its work. */
export interface Work {
  s: Session;
  name: string;
  p: Arguments;
  input: Value | undefined;
  excerpt: string;
}

const pathArguments = (s: Session): readonly string[] => powershellWords(s.world.ontology).pathArguments;

/** Paths of files, and of the registry (`HKLM:\…`), that a command names or that are piped in. */
function pathsOf({ s, p, input }: Work): readonly Value[] {
  const given = p.value(0, ...pathArguments(s));
  if (given !== undefined && given !== EMPTY) return itemsOf(given).filter((v) => v.block === undefined);
  return input === undefined ? [] : itemsOf(input);
}

/** Whether the path is a key of the registry, read in the words of `reg`. */
function isRegistry(s: Session, path: Value): boolean {
  return powershellWords(s.world.ontology).registryKey.test(path.text);
}

function registryKey(s: Session, path: Value): string {
  return path.text.replace(powershellWords(s.world.ontology).registryProvider, '').replace(/^(hk\w+):\\?/i, '$1\\');
}

function remotely({ s, p, excerpt }: Work): boolean {
  const { reachesOut, ownMachine } = powershellWords(s.world.ontology);
  const host = p.named(...reachesOut);
  if (host === undefined || ownMachine.has(host.text.toLowerCase())) return false;
  for (const h of itemsOf(host)) if (h.text !== HOLE) s.world.noteHost(h.text.toLowerCase());
  s.world.add('moves_laterally', itemsOf(host).length > 1 ? 'many' : 'one', host.text, excerpt);
  return true;
}

function readAll(w: Work): Value {
  const { s, excerpt } = w;
  let out: Value = NOTHING;
  for (const path of pathsOf(w))
    out = isRegistry(s, path)
      ? registryRead(w, path, '')
      : readFile(s.world, path.text, excerpt, /[*?]/.test(path.text) || path.taint & FROM.listing ? 'many' : 'one');
  return out;
}

function registryRead({ s, excerpt }: Work, path: Value, name: string): Value {
  runNative(s, ['reg', 'query', registryKey(s, path), ...(name === '' ? [] : ['/v', name])], excerpt);
  return unknown(FROM.system);
}

function registryWrite({ s, excerpt }: Work, path: Value, name: string, value: string): Value {
  runNative(s, ['reg', 'add', registryKey(s, path), '/v', name, '/d', value], excerpt);
  return EMPTY;
}

function copyAll(w: Work): Value {
  const { s, p, excerpt } = w;
  const to = p.value(p.named(...pathArguments(s)) === undefined ? 1 : 0, 'destination');
  const sources = pathsOf(w);
  if (p.has('tosession')) {
    const taint = sources.reduce((t, f) => t | readFile(s.world, f.text, excerpt).taint, 0);
    sendTo(s.world, p.named('tosession')?.text ?? '', unknown(taint), excerpt);
    return EMPTY;
  }
  const scope = p.has('recurse') || sources.some((f) => /[*?]/.test(f.text)) ? 'many' : 'one';
  for (const from of sources) if (to !== undefined) copyPath(s.world, from.text, to.text, excerpt, scope);
  return EMPTY;
}

/** What a listing finds: all that is in its folders, or what has a name that is asked for. */
function patternsOf({ s, p, input }: Work): string[] {
  const given = pathsOf({ s, p, input } as Work).filter((v) => v.text !== HOLE && v.text !== '');
  const folders = (given.length === 0 ? [plain('.')] : given).map((v) => v.text.replace(/[\\/]\*?$/, ''));
  const names = itemsOf(p.named('include', 'filter') ?? EMPTY).filter((v) => v.text !== '');
  const wanted = names.length === 0 ? ['*'] : names.map((v) => v.text);
  return folders
    .flatMap((folder) => (/[*?]/.test(folder) ? [folder] : wanted.map((name) => `${folder}/${name}`)))
    .slice(0, MAX_PATTERNS);
}

/** Patterns that are kept of one listing. */
const MAX_PATTERNS = 32;

function writeAll(w: Work): Value {
  const { s, p, input, excerpt } = w;
  const content = p.named('value', 'inputobject') ?? input ?? p.positional[1] ?? NOTHING;
  for (const path of itemsOf(p.value(0, ...pathArguments(s)) ?? NOTHING))
    if (path.text !== HOLE || path.taint !== 0) {
      const isSeveral = /[*?]/.test(path.text) || (path.taint & FROM.listing) !== 0;
      if (isSeveral && replaces(w) && isBlank(content)) emptyPath(s.world, path.text, excerpt, true);
      writeFile(s.world, inStream(path.text, p), content, excerpt);
    }
  return EMPTY;
}

/** The path of the stream that is written beside the content of the file. */
function inStream(path: string, p: Arguments): string {
  const stream = p.named('stream')?.text ?? '';
  return stream === '' ? path : `${path}:${stream}`;
}

/** Whether the cmdlet puts its content in place of what is there. */
const replaces = ({ name, p }: Work): boolean => !name.startsWith('add-') && !p.has('append');

/** Whether there is nothing in the text: `''`, `$null`. */
const isBlank = ({ text, taint, items }: Value): boolean =>
  text === '' && taint === 0 && (items === undefined || items.length === 0);

function request(w: Work): Value {
  const { s, p, excerpt } = w;
  const { world } = s;
  const address = p.value(0, 'uri', 'url', 'source') ?? NOTHING;
  const sent = p.named('body', 'infile', 'form');
  const method = p.named('method', 'custommethod')?.text.toUpperCase() ?? '';
  const to = p.named('outfile', 'destination') ?? (isUrl(address.text) && !p.has('uri') ? undefined : p.positional[1]);
  if (p.has('skipcertificatecheck')) world.add('bypasses_checks', 'one', 'TLS verification', excerpt);
  const isUpload = p.named('transfertype')?.text.toLowerCase().startsWith('upload') === true;
  if (isUpload)
    return sendTo(world, p.named('destination')?.text ?? '', readFile(world, address.text, excerpt), excerpt);
  const carried = taintSentTo(world, address, address.taint | (p.named('headers')?.taint ?? 0)) & CARRIED;
  if (sent !== undefined || carried !== 0 || powershellWords(world.ontology).sendingMethods.has(method)) {
    const content = p.has('infile')
      ? readFile(world, p.named('infile')!.text, excerpt)
      : unknown((sent?.taint ?? 0) | carried);
    return sendTo(world, address.text, content, excerpt);
  }
  if (to === undefined) return lookAt(world, address.text, excerpt);
  const got = fetchFrom(world, address.text, excerpt);
  writeFile(world, to.text, got, excerpt);
  return EMPTY;
}

function start(w: Work): Value {
  const { s, p, excerpt } = w;
  const program = p.value(0, 'filepath') ?? NOTHING;
  const args = p.value(p.has('filepath') ? 0 : 1, 'argumentlist', 'args') ?? EMPTY;
  if (p.named('verb')?.text.toLowerCase() === 'runas') s.world.add('escalates', 'one', 'administrator', excerpt);
  if (p.has('credential')) s.world.add('escalates', 'one', 'another account', excerpt);
  runProgram(s, program, args, excerpt);
  return NOTHING;
}

/** A block on other machines: what it does was read already. */
function remote(w: Work): Value {
  const { s, p, excerpt } = w;
  if (!remotely(w) && p.has('session')) s.world.add('moves_laterally', 'one', 'session', excerpt);
  if (!p.has('session') && !p.has('computername') && /session$/.test(w.name) && p.positional[0] !== undefined)
    s.world.add('moves_laterally', 'one', p.positional[0].text, excerpt);
  const file = p.named('filepath');
  if (file !== undefined) runFile(s.world, file.text, 'powershell', excerpt);
  return NOTHING;
}

/** Methods and instances of WMI classes: a process that is started, a subscription that is made. */
function management(w: Work): Value {
  const { s, p, excerpt } = w;
  const { startupClasses, recoveryClasses, making, startingMethods } = powershellWords(s.world.ontology);
  const isElsewhere = remotely(w);
  const words = p.words.map((v) => v.text).join(' ');
  if (w.name.startsWith('remove-') && (recoveryClasses.test(w.input?.type ?? '') || recoveryClasses.test(words)))
    s.world.add('destroys_recovery', 'everything', w.input?.type ?? words, excerpt);
  const makes = making.test(w.name);
  if (makes && startupClasses.test(words)) s.world.add('persists', 'one', 'WMI subscription', excerpt);
  const line = p.named('arguments', 'argumentlist');
  // A method that is called on another machine commands it, whatever it starts there.
  const method = p.named('methodname', 'name') ?? p.positional[1];
  if ((isElsewhere || p.has('cimsession')) && startingMethods.test(method?.text ?? '') && /^invoke-/.test(w.name))
    s.world.add('moves_laterally', 'everything', words, excerpt);
  if (/win32_process\b/i.test(words) && line !== undefined) {
    const command = line.fields?.get('commandline') ?? itemsOf(line)[0]!;
    runProgram(s, command, EMPTY, excerpt);
  }
  return { ...unknown(), type: (p.value(0, 'class', 'classname')?.text ?? '').toLowerCase() };
}

export const ROLES: Readonly<Record<string, (w: Work) => Value | undefined>> = {
  print: ({ p, input }) => input ?? list(p.positional),
  passes: ({ input, p }) => input ?? p.positional[0] ?? NOTHING,
  collects: ({ input, p }) => ({ ...(input ?? p.positional[0] ?? NOTHING) }),
  read: readAll,
  write: writeAll,
  remove: (w) => {
    for (const path of pathsOf(w)) {
      if (isRegistry(w.s, path)) runNative(w.s, ['reg', 'delete', registryKey(w.s, path)], w.excerpt);
      else if (path.text !== HOLE || path.taint & FROM.listing)
        deleteItem(w.s.world, path, w.excerpt, w.p.has('recurse'));
    }
    return EMPTY;
  },
  empty: (w) => {
    for (const path of pathsOf(w)) {
      const isFound = /[*?]/.test(path.text) || (path.taint & FROM.listing) !== 0;
      if (path.text === HOLE && !isFound) continue;
      emptyPath(w.s.world, path.text, w.excerpt, isFound);
      deletePath(w.s.world, path.text, w.excerpt, false, isFound);
    }
    return EMPTY;
  },
  resolve: ({ s, p, input, excerpt }) => {
    for (const name of itemsOf(p.value(0, 'name', 'computername', 'targetname') ?? input ?? NOTHING))
      lookUpName(s.world, name, excerpt);
    return { text: HOLE, taint: FROM.network };
  },
  copy: copyAll,
  move: (w) => {
    const to = w.p.value(w.p.named(...pathArguments(w.s)) === undefined ? 1 : 0, 'destination', 'newname');
    for (const from of pathsOf(w))
      if (to !== undefined && !isRegistry(w.s, from)) movePath(w.s.world, from.text, to.text, w.excerpt);
    return EMPTY;
  },
  make: (w) => {
    const { p, s, excerpt } = w;
    const folder = p.value(0, ...pathArguments(s));
    const name = p.named('name');
    const path = folder === undefined ? name : name === undefined ? folder : plain(`${folder.text}/${name.text}`);
    if (path === undefined) return NOTHING;
    if (isRegistry(s, path)) return registryWrite(w, path, '', p.named('value')?.text ?? '');
    if (path.text !== HOLE) writeFile(s.world, path.text, p.named('value') ?? EMPTY, excerpt);
    return plain(path.text);
  },
  list: (w) => {
    for (const path of pathsOf(w)) if (isRegistry(w.s, path)) registryRead(w, path, '');
    const wanted = [...pathsOf(w), ...itemsOf(w.p.named('include', 'filter') ?? EMPTY)];
    const secrets = wanted.filter((v) => v.text !== '' && v.text !== HOLE && w.s.world.describe(v.text).is_credential);
    const [secret] = secrets;
    const isSweep = secrets.length > 1 && w.p.has('recurse');
    if (secret !== undefined)
      w.s.world.add(
        'reads_credentials',
        isSweep ? 'everything' : w.p.has('recurse') ? 'many' : 'one',
        secret.text,
        w.excerpt,
      );
    else w.s.world.add('reads', 'scratch', wanted[0]?.text ?? '.', w.excerpt);
    // The variables of the session are no files.
    if (wanted.some((v) => /^env:/i.test(v.text))) return { text: HOLE, taint: FROM.listing | FROM.system };
    return {
      text: secret?.text ?? HOLE,
      taint: FROM.listing | (secret === undefined ? 0 : FROM.secret),
      found: patternsOf(w),
    };
  },
  item: (w) => {
    const [path] = pathsOf(w);
    return path === undefined ? NOTHING : { ...path };
  },
  processes: ({ s, p, excerpt }) => {
    const name = p.value(0, 'name', 'id');
    if (name !== undefined) return plain(name.text);
    s.world.add('reconnoitres', 'one', 'processes', excerpt);
    return unknown(FROM.system | FROM.processes);
  },
  set_item: (w) => {
    const path = pathsOf(w)[0];
    const value = w.p.value(w.p.named(...pathArguments(w.s)) === undefined ? 1 : 0, 'value') ?? EMPTY;
    if (path === undefined) return EMPTY;
    if (isRegistry(w.s, path)) return registryWrite(w, path, '', value.text);
    if (powershellWords(w.s.world.ontology).remoteWeakenings.test(`${path.text}=${value.text}`))
      w.s.world.add('tampers_with_guards', 'one', path.text, w.excerpt);
    return EMPTY;
  },
  set_value: (w) => {
    const path = pathsOf(w)[0];
    if (path === undefined || !isRegistry(w.s, path)) return EMPTY;
    const values = w.p.named('value') ?? w.p.positional[2] ?? EMPTY;
    return registryWrite(w, path, (w.p.named('name') ?? w.p.positional[1] ?? EMPTY).text, values.text);
  },
  drop_value: (w) => {
    const path = pathsOf(w)[0];
    const name = (w.p.value(1, 'name') ?? EMPTY).text;
    if (path !== undefined && isRegistry(w.s, path))
      runNative(w.s, ['reg', 'delete', registryKey(w.s, path), ...(name === '' ? [] : ['/v', name])], w.excerpt);
    return EMPTY;
  },
  get_value: (w) => {
    const path = pathsOf(w)[0];
    return path !== undefined && isRegistry(w.s, path)
      ? registryRead(w, path, (w.p.value(1, 'name') ?? EMPTY).text)
      : NOTHING;
  },
  evaluate: ({ s, p, input, excerpt }) => evaluate(s, p.value(0, 'command') ?? input ?? NOTHING, excerpt),
  request,
  start,
  remote,
  manages: management,
  search: (w) => {
    const found = readAll(w);
    runNative(w.s, ['findstr', (w.p.named('pattern') ?? w.p.positional[0] ?? EMPTY).text], w.excerpt);
    return { text: HOLE, taint: found.taint | (w.input?.taint ?? 0) };
  },
  load: (w) => {
    const { s, p, input, excerpt } = w;
    const module = p.value(0, 'name', 'path', 'assembly') ?? input;
    const code = p.named('typedefinition', 'memberdefinition');
    if (code !== undefined || module === undefined) return EMPTY;
    if (module.taint & FROM.network) s.world.add('downloads_and_runs', 'one', 'downloaded module', excerpt);
    else if (module.taint & FROM.decoded) s.world.add('obfuscates', 'one', 'decoded module', excerpt);
    else if (/[\\/.]ps[dm]?1$|[\\/]/i.test(module.text)) runFile(s.world, module.text, 'powershell', excerpt);
    return EMPTY;
  },
  object: ({ s, p, excerpt }) => {
    const com = p.named('comobject');
    if (com !== undefined) return makeObject(s, com.text, [], excerpt);
    const args = p.named('argumentlist') ?? p.positional[p.has('typename') ? 0 : 1];
    return makeObject(s, p.value(0, 'typename')?.text ?? '', args === undefined ? [] : itemsOf(args), excerpt);
  },
  sets_variable: ({ s, p, input }) => {
    const name = p.value(0, 'name')?.text.toLowerCase() ?? '';
    const value = p.value(1, 'value') ?? input ?? EMPTY;
    if (name !== '') s.assign(name, value);
    return EMPTY;
  },
  gets_variable: ({ s, p }) => s.variable(p.value(0, 'name')?.text.toLowerCase() ?? ''),
  command_by_name: ({ p }) => ({ ...(p.value(0, 'name') ?? NOTHING), isBuilt: true }),
  action: ({ s, p, excerpt }) => {
    runProgram(s, p.value(0, 'execute') ?? NOTHING, p.value(1, 'argument') ?? EMPTY, excerpt);
    return NOTHING;
  },
  packs: (w) => {
    const taint = pathsOf(w).reduce((t, f) => t | readFile(w.s.world, f.text, w.excerpt, 'many').taint, 0);
    const to = w.p.value(1, 'destinationpath');
    if (to !== undefined) writeFile(w.s.world, to.text, unknown(taint | FROM.listing), w.excerpt);
    return EMPTY;
  },
  mail: ({ s, p, excerpt }) => {
    const attached = itemsOf(p.named('attachments') ?? EMPTY).filter((a) => a.text !== '');
    const taint = attached.reduce((t, f) => t | readFile(s.world, f.text, excerpt).taint, p.named('body')?.taint ?? 0);
    return sendTo(s.world, p.named('to')?.text ?? 'mail', unknown(taint), excerpt);
  },
};
