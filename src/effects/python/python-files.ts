/** Readers of calls of Python's libraries that read, list, change and remove files. */
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf } from '../../ontology/words.ts';
import {
  copies,
  empties,
  isSeveral,
  listsAt,
  moves,
  readsAt,
  readsSelf,
  removes,
  removesSelf,
  writesAt,
  writesSelf,
} from '../code/code-calls.ts';
import type { Readers } from '../code/library-calls.ts';
import { arg, type CodeCall, type Handler, list, taintOf, text, unknown, type Value } from '../code/values.ts';
import { FROM, HOLE } from '../data.ts';
import { changeMode, noteChange } from '../deeds/change-file.ts';
import { copyPath, movePath } from '../deeds/move-file.ts';
import { fetchOrRead, readFile } from '../deeds/read-file.ts';
import { runFile } from '../deeds/run-code.ts';
import { noteOpened, writeFile } from '../deeds/write-file.ts';
import { reachOf } from '../paths.ts';

/** Reference of the object that `open` returns. Its text is the path, so that reads and writes know the file. */
const FILE = 'file()';

const open: Handler = (c) => {
  const path = arg(c, 0, 'file', 'filename', 'name', 'path') ?? unknown();
  return openFile(c, path, arg(c, 1, 'mode')?.text ?? 'r');
};
const openSelf: Handler = (c) =>
  c.base === undefined ? undefined : openFile(c, c.base, arg(c, 0, 'mode')?.text ?? 'r');

function openFile(c: CodeCall, path: Value, mode: string): Value {
  const scope = isSeveral(path) ? 'many' : 'one';
  if (path.ref === 'fd' || path.number !== undefined) return unknown(0, FILE);
  if (/[wax+]/.test(mode)) {
    writeFile(c.world, path.text, unknown(), c.excerpt, scope);
    if (mode.includes('w') && path.text !== HOLE) noteOpened(c.world, path.text, c.excerpt, scope === 'many');
    return { text: path.text, taint: path.taint & FROM.listing, ref: FILE };
  }
  const data = readFile(c.world, path.text, c.excerpt, scope);
  data.taint &= ~FROM.endless;
  return { text: data.text === HOLE ? path.text : data.text, taint: data.taint, ref: data.text === HOLE ? FILE : '' };
}

/** Text written through an open file is appended to the file's known content. */
const writeOpen: Handler = (c) => {
  if (c.base?.ref !== FILE) return undefined;
  c.world.opened.delete(c.base.text);
  const content = c.args[0] ?? unknown();
  const known = c.world.files.get(c.world.describe(c.base.text).path)?.text ?? HOLE;
  const before = known === HOLE ? '' : known;
  writeFile(
    c.world,
    c.base.text,
    { text: content.text === HOLE ? HOLE : before + content.text, taint: content.taint },
    c.excerpt,
    isSeveral(c.base) ? 'many' : 'one',
  );
  return undefined;
};
const readOpen: Handler = (c) => {
  if (c.base === undefined) return undefined;
  return c.base.ref === FILE ? unknown(c.base.taint | FROM.file) : { ...c.base };
};
const dumpTo =
  (at: number): Handler =>
  (c) => {
    const file = arg(c, at, 'fp', 'file');
    return file === undefined ? undefined : writeOpen({ ...c, base: file, args: [c.args[0] ?? unknown()] });
  };
const joinPath: Handler = (c) => {
  const parts = c.name === '.joinpath' && c.base !== undefined ? [c.base, ...c.args] : c.args;
  let path = '';
  for (const p of parts) path = p.text.startsWith('/') || path === '' ? p.text : `${path.replace(/\/$/, '')}/${p.text}`;
  return { text: path, taint: taintOf(parts), ref: c.base?.ref === PATH ? PATH : '' };
};
const PATH = 'pathlib.Path()';
const makePath: Handler = (c) => ({
  ...(joinPath({ ...c, name: '' }) ?? unknown()),
  ...(c.args.length === 0 ? { text: '.' } : {}),
  ref: PATH,
});
const home: Handler = () => ({ text: '~', taint: 0, ref: PATH });
const samePath: Handler = (c) => (c.base === undefined ? c.args[0] : { ...c.base });
const parent = (v: Value): Value => ({
  text: v.text.includes('/') ? v.text.replace(/\/[^/]*\/?$/, '') || '/' : '.',
  taint: v.taint,
  ref: v.ref,
});
const TEMPORARY = `/tmp/${HOLE}`;
/** Creates or changes a file or folder without writing content from the call. */
const touches = writesAt(0, 9);
/** The result of a parser has the taint of its input. */
const parses: Handler = (c) => (c.args[0] === undefined ? undefined : unknown(c.args[0].taint));
/** For methods that strings and lists have as well: applies the handler only to paths. */
const onPath =
  (handler: Handler): Handler =>
  (c) =>
    c.base?.ref === PATH || /[/\\]/.test(c.base?.text ?? '') ? handler(c) : undefined;

const walk: Handler = (c) => {
  const below = listsAt(0, `/${HOLE}`)(c) ?? unknown();
  const root = { ...below, text: c.args[0]?.text ?? '.' };
  const names = { ...unknown(FROM.listing), items: [{ text: HOLE, taint: FROM.listing, ref: '' }] };
  return { ...unknown(FROM.listing), items: [list([root, names, names])] };
};
const listNames: Handler = (c) => {
  listsAt(0, '')(c);
  return { ...unknown(FROM.listing), items: [{ text: HOLE, taint: FROM.listing, ref: '' }] };
};
/** Lists the entries of the folder in argument `at`, or, with -1, of the path on which the method is called. */
const listEntries =
  (at: number): Handler =>
  (c) => {
    const below = listsAt(at, `/${HOLE}`)(c) ?? unknown();
    return { ...unknown(FROM.listing), items: [{ ...below, ref: PATH }] };
  };
const glob: Handler = (c) => {
  const pattern = c.args[0] ?? text('*');
  c.world.notePath(pattern.text);
  c.world.add('reads', 'one', c.world.describe(withoutGlob(pattern.text) || '.').path, c.excerpt);
  return { ...unknown(FROM.listing), items: [{ text: pattern.text, taint: FROM.listing, ref: '' }] };
};

export const modeNames = perOntology((ontology) => ({
  sets_user: patternOf(ontology, 'python_code', 'set_user_id_modes'),
  is_for_all: patternOf(ontology, 'python_code', 'world_writable_modes'),
}));
/** The octal mode for constants of the module `stat` in the call; '' when there are none. */
function modeOfNames(c: CodeCall): string {
  const { sets_user, is_for_all } = modeNames(c.world.ontology);
  if (sets_user.test(c.excerpt)) return '4755';
  return is_for_all.test(c.excerpt) ? '777' : '';
}
const mode =
  (pathAt: number): Handler =>
  (c) => {
    const path = pathAt < 0 ? c.base : arg(c, 0, 'path');
    const given = arg(c, pathAt < 0 ? 0 : 1, 'mode');
    if (path === undefined) return undefined;
    const named = modeOfNames(c);
    const bits = given?.number === undefined ? named : given.number.toString(8).padStart(3, '0');
    changeMode(c.world, path.text, bits, c.excerpt, false, isSeveral(path));
    return undefined;
  };
const owner: Handler = (c) => {
  const path = c.args[0];
  if (path === undefined) return undefined;
  const traits = c.world.describe(path.text);
  c.world.add('writes', reachOf(traits, isSeveral(path)), traits.path, c.excerpt);
  noteChange(c.world, traits, c.excerpt);
  return undefined;
};
const renameSelf: Handler = (c) => {
  if (c.base !== undefined && c.args[0] !== undefined)
    movePath(c.world, c.base.text, c.args[0].text, c.excerpt, isSeveral(c.base));
  return c.args[0];
};
const retrieve: Handler = (c) => {
  const [url, to] = c.args;
  if (url === undefined) return undefined;
  const data = fetchOrRead(c.world, url.text, c.excerpt);
  if (to !== undefined) writeFile(c.world, to.text, data, c.excerpt);
  return unknown(data.taint);
};
const copyOpen: Handler = (c) => {
  const [from, to] = c.args;
  if (to?.ref === FILE) writeFile(c.world, to.text, unknown(from?.taint ?? 0), c.excerpt);
  return undefined;
};
const archive: Handler = (c) => {
  const [to, , from] = c.args;
  if (from !== undefined) readFile(c.world, from.text, c.excerpt, 'many');
  if (to !== undefined) writeFile(c.world, to.text, unknown(FROM.file | FROM.listing), c.excerpt);
  return to;
};
const addToArchive: Handler = (c) => {
  if (c.base?.ref !== FILE || c.args[0] === undefined) return c.base?.ref === FILE ? undefined : writeOpen(c);
  readFile(c.world, c.args[0].text, c.excerpt, isSeveral(c.args[0]) ? 'many' : 'one');
  return undefined;
};
const changeFolder: Handler = (c) => {
  const to = c.args[0];
  if (to !== undefined && !to.text.includes(HOLE)) c.world.cwd = c.world.describe(to.text).path;
  return undefined;
};
const runPath: Handler = (c) => {
  if (c.args[0] !== undefined) runFile(c.world, c.args[0].text, 'python', c.excerpt);
  return undefined;
};
const link: Handler = (c) => {
  const [from, to] = c.args;
  if (from !== undefined && to !== undefined) copyPath(c.world, from.text, to.text, c.excerpt);
  return undefined;
};
/** Accepts source and destination as named arguments, too. */
const withEnds =
  (handler: Handler): Handler =>
  (c) =>
    handler({ ...c, args: [arg(c, 0, 'src', 'source') ?? unknown(), arg(c, 1, 'dst', 'destination') ?? unknown()] });

export const PYTHON_FILE_READERS: Readers = {
  opens_file: open,
  opens_path: onPath(openSelf),
  reads_file: readsAt(0, 'filename', 'filepath_or_buffer', 'path'),
  reads_open_file: readOpen,
  reads_path: readsSelf,
  parses_content: parses,
  writes_file: writesAt(0),
  empties_file: empties,
  writes_open_file: writeOpen,
  writes_path: writesSelf,
  saves_itself: (c) => (c.args[0] === undefined || c.args[0].text === HOLE ? undefined : touches(c)),
  dumps_into_file: dumpTo(1),
  removes_file: removes(false),
  removes_tree: removes(true),
  removes_path: removesSelf(false),
  removes_path_tree: removesSelf(true),
  moves_file: withEnds(moves),
  moves_path: renameSelf,
  copies_file: withEnds(copies(false)),
  copies_tree: withEnds(copies(true)),
  copies_open_file: copyOpen,
  links_file: link,
  changes_mode: mode(0),
  changes_mode_of_path: mode(-1),
  changes_owner: owner,
  touches_file: touches,
  touches_path: (c) => (c.base?.ref === PATH ? writesSelf({ ...c, args: [text('')] }) : undefined),
  lists_names: listNames,
  lists_entries: listEntries(0),
  lists_entries_of_path: listEntries(-1),
  walks_tree: walk,
  expands_pattern: glob,
  creates_archive: archive,
  adds_to_archive: addToArchive,
  extracts_archive: (c) => {
    c.world.add('writes', 'many', c.args[0]?.text ?? '.', c.excerpt);
    return undefined;
  },
  changes_folder: changeFolder,
  runs_file: runPath,
  downloads_file: retrieve,
  makes_path: makePath,
  joins_path: joinPath,
  home_path: home,
  parent_of_path: (c) => (c.args[0] === undefined ? undefined : parent(c.args[0])),
  parent_of_itself: (c) => (c.base === undefined ? undefined : parent(c.base)),
  base_name: (c) =>
    c.args[0] === undefined ? undefined : { ...c.args[0], text: c.args[0].text.split('/').at(-1) ?? '' },
  same_path: samePath,
  temporary_path: () => text(TEMPORARY),
  temporary_file: () => ({ ...text(TEMPORARY), ref: FILE }),
  temporary_descriptor: () => list([{ ...unknown(), ref: 'fd' }, text(TEMPORARY)]),
};

/** The path before the part with the first wildcard of its last component. */
function withoutGlob(pattern: string): string {
  const slash = pattern.lastIndexOf('/');
  const wildcard = pattern.slice(slash + 1).search(/[*?[]/);
  if (wildcard < 0) return pattern;
  return pattern.slice(0, wildcard === 0 ? Math.max(0, slash) : slash + 1 + wildcard);
}
