/** Handlers of library calls that Python and JavaScript share: files, processes, network, decoding, running code. */

import { perOntology } from '../../ontology/per-ontology.ts';
import { listOf, patternOf } from '../../ontology/words.ts';
import { CARRIED, type Data, FOREIGN, FROM, HOLE, PRIVATE } from '../data.ts';
import { deletePath, emptyPath } from '../deeds/delete-file.ts';
import { copyPath, movePath } from '../deeds/move-file.ts';
import { lookUpName, sendTo } from '../deeds/network.ts';
import { fetchOrRead, readFile } from '../deeds/read-file.ts';
import { runText } from '../deeds/run-code.ts';
import { writeFile } from '../deeds/write-file.ts';
import { type EffectKind, type Scope, UNKNOWN_CODE } from '../effects.ts';
import { hostOf, isLoopback } from '../hosts.ts';
import { taintSentTo } from '../key-variables.ts';
import { removesWidely } from '../programs/fetching/remote-deletes.ts';
import type { Language } from '../world.ts';
import { runSerialised } from './serialised.ts';
import { arg, type CodeCall, commandLine, type Handler, taintOf, text, unknown, type Value } from './values.ts';

/** Whether a path stands for several files: it has a wildcard or comes from a listing. */
export function isSeveral(v: Value): boolean {
  return (v.taint & FROM.listing) !== 0 || /[*?]/.test(v.text);
}
const reach = (v: Value): 'one' | 'many' => (isSeveral(v) ? 'many' : 'one');

export const removes =
  (isDeep: boolean, at = 0, ...names: string[]): Handler =>
  (c) => {
    const path = arg(c, at, 'path', ...names);
    if (path !== undefined) deletePath(c.world, path.text, c.excerpt, isDeep, isSeveral(path));
    return undefined;
  };
/** `removes` for a method of a path. */
export const removesSelf =
  (isDeep: boolean): Handler =>
  (c) => {
    if (c.base !== undefined) deletePath(c.world, c.base.text, c.excerpt, isDeep, isSeveral(c.base));
    return undefined;
  };
export const moves: Handler = (c) => {
  const from = arg(c, 0, 'src');
  const to = arg(c, 1, 'dst');
  if (from !== undefined && to !== undefined) movePath(c.world, from.text, to.text, c.excerpt, isSeveral(from));
  return to;
};
export const copies =
  (isDeep: boolean): Handler =>
  (c) => {
    const from = arg(c, 0, 'src');
    const to = arg(c, 1, 'dst');
    if (from !== undefined && to !== undefined)
      copyPath(c.world, from.text, to.text, c.excerpt, isDeep ? 'many' : isSeveral(to) ? 'many' : reach(from));
    return to;
  };
export const readsAt =
  (at: number, ...names: string[]): Handler =>
  (c) => {
    const path = arg(c, at, ...names);
    if (path === undefined) return undefined;
    const data = readFile(c.world, path.text, c.excerpt, reach(path));
    return { ...text(data.text, data.taint), ref: '' };
  };
export const readsSelf: Handler = (c) => {
  if (c.base === undefined) return undefined;
  const data = readFile(c.world, c.base.text, c.excerpt, reach(c.base));
  return text(data.text, data.taint);
};
export const writesAt =
  (at: number, content = 1): Handler =>
  (c) => {
    const path = c.args[at];
    if (path !== undefined)
      writeFile(c.world, path.text, c.args[content] ?? unknown(c.base?.taint ?? 0), c.excerpt, reach(path));
    return undefined;
  };
export const writesSelf: Handler = (c) => {
  if (c.base !== undefined) writeFile(c.world, c.base.text, c.args[0] ?? text(''), c.excerpt, reach(c.base));
  return undefined;
};
/** Cuts a file to a length: without one, or with zero, nothing is left. */
export const empties: Handler = (c) => {
  const path = arg(c, 0, 'path');
  const length = c.args[1];
  if (path === undefined) return undefined;
  const isAll = length === undefined || length.number === 0 || length.text === '0' || length.text === HOLE;
  if (isAll) emptyPath(c.world, path.text, c.excerpt, isSeveral(path));
  writeFile(c.world, path.text, unknown(), c.excerpt, reach(path));
  return undefined;
};
/** Lists a folder. The result stands for the names below the folder, so a loop over it affects several files. */
export const listsAt =
  (at: number, suffix: string): Handler =>
  (c) => {
    const path = (at < 0 ? c.base : c.args[at]) ?? text('.');
    c.world.notePath(path.text);
    c.world.add('reads', 'one', c.world.describe(path.text).path, c.excerpt);
    const pattern = at < 0 && c.args[0] !== undefined && c.args[0].text !== HOLE ? `/${c.args[0].text}` : suffix;
    return { text: `${path.text.replace(/\/$/, '')}${pattern}`, taint: FROM.listing, ref: '' };
  };

export const startSigns = perOntology((ontology) => ({
  hidden: patternOf(ontology, 'code', 'hidden_shells'),
  starts: patternOf(ontology, 'code', 'unknown_program'),
}));

/** A command in a hidden window, and one that starts a file which this code has downloaded under a name made at run time. */
function noteStart(c: CodeCall, code: Data): void {
  const { hidden, starts } = startSigns(c.world.ontology);
  if (hidden.test(code.text)) c.world.add('hides', 'one', code.text, c.excerpt);
  const kept = c.world.files.get(c.world.describe(HOLE).path);
  if (kept !== undefined && kept.taint & FROM.network && starts.test(code.text))
    c.world.add('downloads_and_runs', 'one', 'downloaded file', c.excerpt);
}

/** What only fills in a word of a known command gives nobody a shell, as long as the command runs no text itself. */
function withoutFilling(code: Data): Data {
  const [program = ''] = code.text.trimStart().split(/\s/, 1);
  const isHanded = program === '' || program.includes(HOLE) || /sh$|cmd(?:\.exe)?$/i.test(program);
  return isHanded ? code : { ...code, taint: code.taint & ~FROM.socket };
}

/** Runs a command line, given as a string or as a list of words, in a shell. */
export const runsShell =
  (at = 0, ...names: string[]): Handler =>
  (c) => {
    const command = arg(c, at, ...names);
    if (command === undefined) return undefined;
    const code = withoutFilling(commandLine(command));
    noteStart(c, code);
    noteConnectedEnds(c);
    const [shown, kept] = [c.world.shown.size, c.world.kept_texts];
    runText(
      c.world,
      'shell',
      code.text.startsWith(HOLE) && code.text.length > 1 ? { text: HOLE, taint: code.taint } : code,
      c.excerpt,
    );
    // What a command fetches and prints is what the call returns.
    const fetched = (c.world.shown.size > shown ? FROM.network : 0) | (c.world.kept_texts > kept ? FROM.service : 0);
    return { ...unknown((code.taint & ~FROM.decoded) | fetched, `${c.name}()`), base: text(code.text) };
  };
/** A program whose input or output is a connection is controlled from its other end. */
function noteConnectedEnds(c: CodeCall): void {
  const ends = ['stdin', 'stdout', 'stderr'].map((name) => c.named.get(name));
  const isConnected = ends.some(
    (e) =>
      e !== undefined && ((e.taint & FROM.socket) !== 0 || (c.world.sockets.size > 0 && /fileno|makefile/.test(e.ref))),
  );
  if (isConnected) c.world.add('opens_channel', 'one', [...c.world.sockets][0] ?? 'connection', c.excerpt);
}

/** Runs a program that is given apart from its arguments: `spawn('rm', ['-rf', x])`. */
export const runsProgram: Handler = (c) => {
  const [program, words] = c.args;
  if (program === undefined) return undefined;
  const code = withoutFilling(commandLine({ ...unknown(), items: [program, ...(words?.items ?? [])] }));
  const [shown, kept] = [c.world.shown.size, c.world.kept_texts];
  runText(c.world, 'shell', program.text === HOLE ? { text: HOLE, taint: code.taint } : code, c.excerpt);
  const fetched = (c.world.shown.size > shown ? FROM.network : 0) | (c.world.kept_texts > kept ? FROM.service : 0);
  return { ...unknown(fetched, `${c.name}()`), base: text(code.text) };
};
/** Runs text as code of this language. Known text is interpreted like any other code. */
export const runsCode =
  (language: Language): Handler =>
  (c) => {
    const code = c.args[0];
    if (code === undefined) return undefined;
    if (code.text.includes(HOLE) && (code.taint & FOREIGN) === 0)
      c.world.add('runs_code', 'one', UNKNOWN_CODE, c.excerpt);
    runText(c.world, language, code.text.includes(HOLE) ? { text: HOLE, taint: code.taint } : code, c.excerpt);
    return unknown(code.taint);
  };

export const fetches =
  (at = 0, ...names: string[]): Handler =>
  (c) => {
    noteVerification(c);
    const url = arg(c, at, 'url', ...names);
    if (url === undefined) return undefined;
    const given = taintOf([url, c.named.get('params'), c.named.get('headers')]);
    const carried = taintSentTo(c.world, url, given) & (PRIVATE | FROM.file);
    const data =
      carried !== 0 && !isLoopback(hostOf(url.text))
        ? sendTo(c.world, url.text, unknown(carried), c.excerpt)
        : fetchOrRead(c.world, url.text, c.excerpt);
    return { ...unknown(data.taint, `${c.name}()`), base: url };
  };
/** Named arguments with the content of a request, in any library. */
export const contentParameters = perOntology((ontology) => listOf(ontology, 'http_content_parameters'));
export const sends =
  (at = 0): Handler =>
  (c) => {
    noteVerification(c);
    const url = arg(c, at, 'url');
    if (url === undefined) return undefined;
    const content = [
      ...c.args.filter((_a, i) => i !== at),
      ...contentParameters(c.world.ontology).map((n) => c.named.get(n)),
    ];
    const data = sendTo(c.world, url.text, unknown(taintOf(content)), c.excerpt);
    return { ...unknown(data.taint, `${c.name}()`), base: url };
  };
/** Uploads the files that its arguments name to a store: `upload_file(path, bucket, key)`. */
export const uploadsFile: Handler = (c) => {
  noteVerification(c);
  const given = [...c.args, ...c.named.values()];
  const paths = given.filter(
    ({ text: path }) => /^[~/.]|[/\\]/.test(path) && !path.includes('://') && isAFile(c, path),
  );
  let taint = taintOf(given) | FROM.file;
  for (const path of paths) taint |= readFile(c.world, path.text, c.excerpt, reach(path)).taint;
  const [first, second] = c.args;
  const isPathFirst = first !== undefined && (paths.includes(first) || /\.\w{1,8}$/.test(first.text));
  const place =
    (c.named.get('Bucket') ?? c.named.get('bucket') ?? (isPathFirst ? second : first))?.text.replaceAll(HOLE, '') ?? '';
  const data = sendTo(c.world, place === '' ? 'store' : place, unknown(taint), c.excerpt);
  return unknown(data.taint);
};
/** A key of a store looks like a path that begins nowhere; only what starts at a root, or holds something private, is a file for sure. */
const isAFile = (c: CodeCall, path: string): boolean =>
  /^(?:[~/.]|[A-Za-z]:)/.test(path) || c.world.describe(path).is_credential || c.world.describe(path).is_personal;
export const removesRemote =
  (at = 0): Handler =>
  (c) => {
    const url = arg(c, at, 'url');
    if (url === undefined) return undefined;
    c.world.noteHost(hostOf(url.text));
    if (!removesWidely(c.world, 'DELETE', url.text, c.excerpt)) c.world.add('deletes', 'one', url.text, c.excerpt);
    return unknown(FROM.network);
  };
function noteVerification(c: CodeCall): void {
  if (c.named.get('verify')?.text === 'False' || c.named.get('verify_ssl')?.text === 'False')
    c.world.add('bypasses_checks', 'one', 'TLS verification', c.excerpt);
}

/** Adds one effect, on `object` or, when that is '', on the first argument. `taint`: bits of `FROM` of the result. */
export const does =
  (kind: EffectKind, scope: Scope = 'one', object = '', taint = 0): Handler =>
  (c) => {
    c.world.add(kind, scope, object !== '' ? object : (c.args[0]?.text ?? c.name), c.excerpt);
    if (kind === 'loads_unsafely' && c.args[0] !== undefined) runSerialised(c.world, c.args[0], c.excerpt);
    return unknown(taint | taintOf([c.base]), `${c.name}()`);
  };
/** Decodes argument `at` or, with -1, the object on which the method is called. */
export const decodes =
  (decode: (t: string) => string | null, at = 0): Handler =>
  (c) => {
    const v = at < 0 ? c.base : c.args[at];
    if (v === undefined) return undefined;
    const plain = v.text.includes(HOLE) ? null : decode(v.text);
    return text(plain ?? HOLE, v.taint | FROM.decoded);
  };
/** Returns the object on which the method is called, unchanged: `.strip()`, `.encode()`. */
export const sameSelf: Handler = (c) => (c.base === undefined ? undefined : { ...c.base });
/** Returns argument `at` unchanged: `os.path.abspath(x)`. */
export const sameAt =
  (at = 0): Handler =>
  (c) =>
    c.args[at];

/** Tells the name of the machine or its user: no effect until it goes somewhere. */
export const identifiesMachine: Handler = (c) => unknown(FROM.machine, `${c.name}()`);

/**
 * Looks up the address of a host. A name that is put together from what is known only at run time carries it to whoever
 * answers for the domain: `gethostbyname(f'{key}.example.com')`.
 */
export const looksUpName =
  (at = 0): Handler =>
  (c) => {
    const name = c.args[at];
    if (name === undefined) return undefined;
    c.world.noteHost(hostOf(name.text));
    if (/^[^/]{0,200}\u{f8ff}[^/]{0,80}\.[a-z0-9-]{1,63}\.?[a-z]{2,24}\.?$/iu.test(name.text) || name.taint & PRIVATE)
      c.world.add('leaks', 'one', `lookup of ${name.text}`, c.excerpt);
    if (name.taint & CARRIED) lookUpName(c.world, name, c.excerpt);
    return unknown(FROM.network, `${c.name}()`);
  };

export const statementOpening = perOntology((ontology) => patternOf(ontology, 'sql_openings', 'passed_by_code'));

/** Interprets argument `at` as SQL when it begins like a statement. */
export const runsSql =
  (at = 0): Handler =>
  (c) => {
    const sql = c.args[at];
    if (sql !== undefined && statementOpening(c.world.ontology).test(sql.text.trimStart()))
      c.world.run('sql', sql.text.replaceAll(HOLE, 'x'));
    return unknown(FROM.file | FROM.service, `${c.name}()`);
  };

/** Gives what a service or the clipboard keeps: text that others wrote. */
export const givesKept: Handler = (c) => unknown(FROM.service | taintOf([c.base]), `${c.name}()`);
