/** Calls of .NET and COM members: what a member does by its role, with the type where the name alone does not tell. */

import { FROM, HOLE } from '../data.ts';
import { decodeBase64, decodeHex, reversed } from '../decode.ts';
import { emptyPath } from '../deeds/delete-file.ts';
import { copyPath, movePath } from '../deeds/move-file.ts';
import { fetchFrom, lookUpName, sendTo } from '../deeds/network.ts';
import { readFile } from '../deeds/read-file.ts';
import { runFile } from '../deeds/run-code.ts';
import { writeFile } from '../deeds/write-file.ts';
import { FILE_TIMES, REMOTE_COMMANDS, REMOTE_PROGRAM, UNKNOWN_CODE, UNKNOWN_PROGRAM } from '../effects.ts';
import { isUrl } from '../hosts.ts';
import { programsOf } from '../programs/index.ts';
import { type Call, field } from '../shell/call.ts';
import { deleteItem } from './found-files.ts';
import type { Session } from './session.ts';
import {
  builtOf,
  EMPTY,
  isProcessClass,
  isSpacedPath,
  itemsOf,
  list,
  MAX_ITEMS,
  NOTHING,
  plain,
  spelt,
  unknown,
  type Value,
} from './values.ts';
import { powershellWords } from './words.ts';

/** `object.member(args)`. */
export function readMember(s: Session, owner: Value, member: string, args: readonly Value[], excerpt: string): Value {
  noteNames(s, [...args, plain(member)], excerpt);
  const text = textMember(owner, member, args);
  if (text !== null) return text;
  if (member === 'create' && isProcessClass(owner)) runProgram(s, args[0] ?? NOTHING, EMPTY, excerpt);
  if (member === 'foreach' || member === 'where') {
    const block = args.find((a) => a.block !== undefined);
    return block === undefined ? owner : s.run(block.block!, owner);
  }
  if (owner.block !== undefined && /^invoke/.test(member))
    return owner.text === HOLE ? evaluate(s, owner, excerpt) : s.run(owner.block);
  return perform(s, owner, member, args, excerpt);
}

/** `[Type]::member(args)`. */
export function readStatic(s: Session, type: string, member: string, args: readonly Value[], excerpt: string): Value {
  noteNames(s, [...args, plain(member), plain(type)], excerpt);
  if (member === 'new') return makeObject(s, type, args, excerpt);
  if (type === 'string' || type === 'array') return staticText(type, member, args);
  if (type === 'scriptblock' && member === 'create') {
    const [code = NOTHING] = args;
    return { ...code, block: code.text === HOLE ? '' : code.text };
  }
  return perform(s, { ...unknown(), type }, member, args, excerpt);
}

/** `New-Object Type` and `[Type]::new()`. */
export function makeObject(s: Session, type: string, args: readonly Value[], excerpt: string): Value {
  const name = type.toLowerCase().replace(/^system\./, '');
  const { types } = powershellWords(s.world.ontology);
  const taint = args.reduce((t, a) => t | a.taint, 0);
  const role = types.get(name);
  noteNames(s, [plain(name), ...args], excerpt);
  if (name === 'string') return staticText(name, 'concat', args);
  if (role === 'unpacker') return { ...unknown(taint | FROM.decoded), type: name };
  if (role === 'connection') {
    s.hasSocket = true;
    const host = args[0]?.text ?? '';
    if (host !== '' && host !== HOLE) s.world.noteHost(host);
    return { ...unknown(FROM.socket), type: name };
  }
  if (role === 'listener') {
    s.world.add('opens_channel', 'one', 'listener', excerpt);
    s.hasSocket = true;
    return { ...unknown(FROM.socket), type: name };
  }
  // What it answers comes from the network.
  if (role === 'requester') return { ...unknown(FROM.network), type: name };
  // A reader around a file or a stream reads what that holds.
  if (role === 'file' && args[0] !== undefined && isKnownPath(args[0]))
    return { ...fileOf(s, args[0], excerpt), type: name };
  return {
    ...unknown(taint),
    type: name,
    ...(args[0] === undefined ? {} : { fields: new Map([['argument', args[0]]]) }),
  };
}

function isKnownPath(v: Value): boolean {
  return v.text !== HOLE && v.text !== '' && v.type === undefined;
}

function fileOf(s: Session, path: Value, excerpt: string): Value {
  return readFile(s.world, path.text, excerpt);
}

/** `object.property = value`. */
export function readSetting(s: Session, owner: Value, property: string, value: Value, excerpt: string): void {
  const { uncheckedProperties, datedProperties } = powershellWords(s.world.ontology);
  // A time that is known or another file's own; the time now is known only at run time.
  if (
    datedProperties.test(property) &&
    (value.text !== HOLE || datedProperties.test(value.type?.split('.').at(-1) ?? ''))
  )
    s.world.add('tampers_with_logs', 'one', FILE_TIMES, excerpt);
  noteNames(s, [plain(property)], excerpt);
  if (uncheckedProperties.test(property)) s.world.add('bypasses_checks', 'one', 'TLS verification', excerpt);
  const type = owner.type ?? '';
  if (/processstartinfo$/.test(type) && /^filename$/.test(property)) runProgram(s, value, EMPTY, excerpt);
}

/** Strings that name the inside of guards, or functions that reach into the memory of other processes. */
export function noteNames(s: Session, values: readonly Value[], excerpt: string): void {
  const { guardInternals, memoryCalls, spyingCalls } = powershellWords(s.world.ontology);
  for (const v of values) {
    if (v.text.length < 6 || v.text === HOLE || v.block !== undefined) continue;
    if (guardInternals.test(v.text))
      s.world.add('tampers_with_guards', 'one', v.isBuilt ? 'hidden name of a guard' : v.text, excerpt);
    if (memoryCalls.test(v.text)) s.world.add('enters_process', 'one', memoryCalls.exec(v.text)?.[0] ?? '', excerpt);
    if (spyingCalls.test(v.text)) s.world.add('spies', 'one', spyingCalls.exec(v.text)?.[0] ?? '', excerpt);
  }
}

function perform(s: Session, owner: Value, member: string, args: readonly Value[], excerpt: string): Value {
  const { world } = s;
  const { members, types, lastingEnvironments } = powershellWords(world.ontology);
  const role = members.get(member);
  const type = owner.type ?? '';
  const kind = types.get(type) ?? '';
  const first = args[0] ?? NOTHING;
  const taint = args.reduce((t, a) => t | a.taint, owner.taint);
  const url = kind === 'requester' ? args.find((a) => isUrl(a.text)) : undefined;
  if (url !== undefined) fetchFrom(world, url.text, excerpt);
  switch (role) {
    case 'fetches':
      if (kind === 'file_class') return fileOf(s, first, excerpt);
      return fetchFrom(world, addressOf(first, owner), excerpt);
    case 'fetches_file': {
      const got = fetchFrom(world, addressOf(first, owner), excerpt);
      if (args[1] !== undefined) writeFile(world, args[1].text, got, excerpt);
      return EMPTY;
    }
    case 'sends': {
      const file = kind === 'file_class' || member !== 'uploadfile' ? undefined : args.at(-1);
      const content = file === undefined ? unknown(taint) : readFile(world, file.text, excerpt);
      return sendTo(world, addressOf(first, owner), content, excerpt);
    }
    case 'encodes':
      return unknown(taint | FROM.encoded);
    case 'resolves':
      lookUpName(world, first, excerpt);
      return unknown(FROM.network);
    case 'decodes':
      return decoded(member, first);
    case 'reads_file':
      return kind === 'file_class' || isKnownPath(first) ? fileOf(s, first, excerpt) : unknown(taint);
    case 'writes_file':
      if (args[1] !== undefined && isEmpty(args[1])) emptyPath(world, first.text, excerpt, isFound(first));
      writeFile(world, first.text, args[1] ?? NOTHING, excerpt);
      return NOTHING;
    case 'deletes_file':
      if (kind === 'file_class') deleteItem(world, first, excerpt, args.length > 1);
      else if (owner.found !== undefined) deleteItem(world, owner, excerpt, args.length > 0);
      if (powershellWords(world.ontology).recoveryClasses.test(type))
        world.add('destroys_recovery', 'everything', type, excerpt);
      return EMPTY;
    case 'copies_file':
      if (kind === 'file_class' && args[1] !== undefined) copyPath(world, first.text, args[1].text, excerpt);
      return EMPTY;
    case 'moves_file':
      if (kind === 'file_class' && args[1] !== undefined) movePath(world, first.text, args[1].text, excerpt);
      return EMPTY;
    case 'starts':
      if (kind === 'starter') runProgram(s, first, args[1] ?? EMPTY, excerpt);
      return NOTHING;
    case 'starts_elsewhere':
      // The object is one of another machine: there is no other use of the call.
      world.add('moves_laterally', 'everything', type, excerpt);
      runProgram(s, first, args[2] ?? EMPTY, excerpt);
      return NOTHING;
    case 'loads_code':
      if (kind !== 'assembly' && !/assembly/.test(type)) break;
      if (taint & FROM.network) world.add('downloads_and_runs', 'one', 'downloaded assembly', excerpt);
      else if (taint & FROM.decoded) world.add('obfuscates', 'one', 'decoded assembly', excerpt);
      else world.add('runs_code', 'one', first.text === HOLE ? 'assembly known only at run time' : first.text, excerpt);
      return { ...unknown(taint), type: 'assembly' };
    case 'runs_text':
      evaluate(s, first, excerpt);
      return NOTHING;
    case 'connects':
      if (first.text !== HOLE) world.noteHost(first.text);
      s.hasSocket ||= kind === 'connection';
      return unknown(taint | FROM.socket);
    case 'writes_registry':
      if (kind === 'registry')
        runNative(s, ['reg', 'add', first.text, '/v', args[1]?.text ?? '', '/d', args[2]?.text ?? ''], excerpt);
      return EMPTY;
    case 'sets_variable':
      if (lastingEnvironments.has(args[2]?.text.toLowerCase().split('.').at(-1) ?? ''))
        runNative(s, ['reg', 'add', 'HKCU\\Environment', '/v', first.text, '/d', args[1]?.text ?? ''], excerpt);
      return EMPTY;
    case 'clears_log':
      world.add('tampers_with_logs', 'everything', first.text === HOLE ? 'event log' : first.text, excerpt);
      return EMPTY;
    case 'unseals':
      world.add('reads_credentials', 'many', type === '' ? member : type, excerpt);
      return unknown(taint | FROM.secret);
    case 'makes_request':
      if (isUrl(first.text)) return { ...unknown(), type: `${type}.${member}`, fields: new Map([['argument', first]]) };
      if (kind === 'starter' || /win32_process$/.test(type)) runProgram(s, first, EMPTY, excerpt);
      return unknown(taint);
    case 'passes': {
      const letters = args.length > 0 && owner.text === HOLE ? spelt(first) : null;
      if (letters !== null) return letters;
      return {
        ...unknown(taint),
        ...(first.text !== HOLE && owner.text === HOLE && args.length === 1 ? { text: first.text } : {}),
      };
    }
    default:
  }
  world.has_unknown = true;
  return { ...unknown(taint), ...(type === '' ? {} : { type: `${type}.${member}` }) };
}

/** Nothing, as a text or as a list. */
const isEmpty = (v: Value): boolean => v.taint === 0 && v.text === '' && itemsOf(v).every(({ text }) => text === '');

/** Whether a path is one of several that were listed. */
const isFound = (v: Value): boolean => (v.taint & FROM.listing) !== 0 || v.text.includes(HOLE);

/** The URL of a call: its own argument, or the one that its object was made with. */
function addressOf(first: Value, owner: Value): string {
  if (isUrl(first.text)) return first.text;
  const given = owner.fields?.get('argument')?.text ?? '';
  return isUrl(given) ? given : first.text;
}

function decoded(member: string, value: Value): Value {
  const text = /hex/.test(member) ? decodeHex(value.text) : decodeBase64(value.text);
  return { text: text === null || text === '' ? HOLE : text, taint: value.taint | FROM.decoded, isBuilt: true };
}

/** Runs text as PowerShell: the code behind `Invoke-Expression` and its kind. */
export function evaluate(s: Session, code: Value, excerpt: string): Value {
  const { world } = s;
  const isFromSocket = (code.taint & FROM.socket) !== 0 || (s.hasSocket && code.text.includes(HOLE));
  if (isFromSocket) world.add('opens_channel', 'one', REMOTE_COMMANDS, excerpt);
  if (code.taint & (FROM.network | FROM.service)) world.add('downloads_and_runs', 'one', 'downloaded code', excerpt);
  else if (code.taint & FROM.decoded || (code.isBuilt === true && isHidden(code.text)))
    world.add('obfuscates', 'one', 'decoded code', excerpt);
  else if (code.text === HOLE) world.add('runs_code', 'one', UNKNOWN_CODE, excerpt);
  return code.text === HOLE || code.text === '' ? unknown(code.taint) : s.run(code.text);
}

/** Code put together from pieces is hidden when nothing of it is inserted at run time. */
function isHidden(text: string): boolean {
  return !text.includes(HOLE) && !/%\w+%/.test(text);
}

/** Starts a program with its arguments as one line. */
export function runProgram(s: Session, program: Value, args: Value, excerpt: string): void {
  const { world } = s;
  if (program.taint & FROM.network) world.add('downloads_and_runs', 'one', program.text, excerpt);
  if (program.text === HOLE || program.text === '') {
    if (s.hasSocket) world.add('opens_channel', 'one', REMOTE_PROGRAM, excerpt);
    else world.add('runs_code', 'one', UNKNOWN_PROGRAM, excerpt);
    return;
  }
  const line = itemsOf(args)
    .map((a) => a.text)
    .filter((t) => t !== '')
    .join(' ');
  const name = isSpacedPath(program.text) ? `"${program.text}"` : program.text;
  if (world.files.has(world.describe(program.text).path)) runFile(world, program.text, null, excerpt);
  else world.run('cmd', `${name} ${line}`);
}

/** Runs a listed program with these words, in place of a cmdlet that does the same. */
export function runNative(s: Session, [name = '', ...words]: readonly string[], excerpt: string): void {
  const call: Call = {
    name,
    args: words.map((word) => field(word)),
    stdin: null,
    excerpt,
    world: s.world,
    invoke: () => NOTHING,
    evaluate: () => NOTHING,
    variable: () => NOTHING,
    setPositional: () => undefined,
    setVariable: () => undefined,
  };
  programsOf(s.world.ontology).get(name)?.run(call);
}

/** Members of strings and arrays; `null` when it is none of these. */
function textMember(owner: Value, member: string, args: readonly Value[]): Value | null {
  const [a = EMPTY, b = EMPTY] = args;
  const isText = owner.type === undefined || /^(?:string|char|char\[\])$/.test(owner.type);
  if (!isText && member !== 'tostring') return null;
  switch (member) {
    case 'replace':
      return a.text === '' || owner.text.includes(HOLE)
        ? unknown(owner.taint | b.taint)
        : builtOf(owner.text.replaceAll(a.text, b.text), owner, a, b);
    case 'substring':
      return /^\d+$/.test(a.text) && !owner.text.includes(HOLE)
        ? builtOf(owner.text.slice(Number(a.text), b.text === '' ? undefined : Number(a.text) + Number(b.text)), owner)
        : unknown(owner.taint);
    case 'split':
      return list(owner.text.split(a.text === '' ? /\s/ : a.text).map((t) => plain(t, owner.taint)));
    case 'tochararray':
      return list([...owner.text.slice(0, MAX_ITEMS)].map((c) => plain(c, owner.taint)));
    case 'insert':
      return builtOf(
        `${owner.text.slice(0, Number(a.text) || 0)}${b.text}${owner.text.slice(Number(a.text) || 0)}`,
        owner,
        b,
      );
    case 'remove':
    case 'trim':
    case 'trimstart':
    case 'trimend':
    case 'tolower':
    case 'toupper':
    case 'normalize':
      return { ...owner, text: member === 'tolower' ? owner.text.toLowerCase() : owner.text.trim() };
    case 'tostring':
      return owner.type === undefined ? { ...owner } : null;
    default:
      return null;
  }
}

/** `[string]::Join`, `[array]::Reverse`. */
function staticText(type: string, member: string, args: readonly Value[]): Value {
  const [a = EMPTY, b = EMPTY] = args;
  if (member === 'join')
    return builtOf(
      itemsOf(b)
        .map((v) => v.text)
        .join(a.text),
      a,
      b,
    );
  if (member === 'concat')
    return builtOf(
      args
        .flatMap(itemsOf)
        .map((v) => v.text)
        .join(''),
      ...args,
    );
  if (member === 'format')
    return builtOf(
      a.text.replace(/\{(\d{1,2})\}/g, (_all, n: string) => args[Number(n) + 1]?.text ?? HOLE),
      ...args,
    );
  if (type === 'array' && member === 'reverse') return builtOf(reversed(a.text), a);
  return unknown(args.reduce((t, v) => t | v.taint, 0));
}
