/** Calls of Python's libraries that read, list, change and remove files. */
import {
  copies,
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
import {
  arg,
  type CallTable,
  type CodeCall,
  callTable,
  type Handler,
  list,
  taintOf,
  text,
  unknown,
  type Value,
} from '../code/values.ts';
import { FROM, HOLE } from '../data.ts';
import { changeMode, copyPath, fetchFrom, movePath, noteChange, readFile, runFile, writeFile } from '../deeds.ts';
import { reachOf } from '../paths.ts';

/** The object that `open` hands back: its text is the path, so that writing and reading know where. */
const FILE = 'file()';

const open: Handler = (c) => {
  const path = arg(c, 0, 'file', 'filename', 'name', 'path') ?? unknown();
  const mode = /ZipFile|TarFile|tarfile/.test(c.name)
    ? (arg(c, 1, 'mode')?.text ?? 'r')
    : (arg(c, 1, 'mode')?.text ?? 'r');
  return openFile(c, path, mode);
};
const openSelf: Handler = (c) =>
  c.base === undefined ? undefined : openFile(c, c.base, arg(c, 0, 'mode')?.text ?? 'r');

function openFile(c: CodeCall, path: Value, mode: string): Value {
  const scope = isSeveral(path) ? 'many' : 'one';
  if (path.ref === 'fd' || path.number !== undefined) return unknown(0, FILE);
  if (/[wax+]/.test(mode)) {
    writeFile(c.world, path.text, unknown(), c.excerpt, scope);
    return { text: path.text, taint: path.taint & FROM.listing, ref: FILE };
  }
  const data = readFile(c.world, path.text, c.excerpt, scope);
  data.taint &= ~FROM.endless;
  return { text: data.text === HOLE ? path.text : data.text, taint: data.taint, ref: data.text === HOLE ? FILE : '' };
}

/** Text written through an open file counts as the file's content. */
const writeOpen: Handler = (c) => {
  if (c.base?.ref !== FILE) return undefined;
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
const firstArgument: Handler = (c) => c.args[0];
const parent = (v: Value): Value => ({
  text: v.text.includes('/') ? v.text.replace(/\/[^/]*\/?$/, '') || '/' : '.',
  taint: v.taint,
  ref: v.ref,
});
const temporary: Handler = (c) => ({ text: `/tmp/${HOLE}`, taint: 0, ref: /File/.test(c.name) ? FILE : '' });
/** Path methods whose names strings and lists share act only on paths. */
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
const listEntries: Handler = (c) => {
  const below = listsAt(/scandir/.test(c.name) ? 0 : -1, `/${HOLE}`)(c) ?? unknown();
  return { ...unknown(FROM.listing), items: [{ ...below, ref: PATH }] };
};
const glob: Handler = (c) => {
  const pattern = c.args[0] ?? text('*');
  c.world.notePath(pattern.text);
  c.world.add('reads', 'one', c.world.describe(pattern.text.replace(/\/?[*?[][^/]*$/, '') || '.').path, c.excerpt);
  return { ...unknown(FROM.listing), items: [{ text: pattern.text, taint: FROM.listing, ref: '' }] };
};

const mode =
  (pathAt: number): Handler =>
  (c) => {
    const path = pathAt < 0 ? c.base : arg(c, 0, 'path');
    const given = arg(c, pathAt < 0 ? 0 : 1, 'mode');
    if (path === undefined) return undefined;
    const named = /S_ISUID|S_ISGID/.test(c.excerpt) ? '4755' : /S_IRWXO|S_IWOTH/.test(c.excerpt) ? '777' : '';
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
  const data = fetchFrom(c.world, url.text, c.excerpt);
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
  if (c.name.endsWith('.add') || /zip|tar/i.test(c.excerpt))
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
const moveOrCopyOut =
  (handler: Handler): Handler =>
  (c) =>
    handler({ ...c, args: [arg(c, 0, 'src', 'source') ?? unknown(), arg(c, 1, 'dst', 'destination') ?? unknown()] });

export const PYTHON_FILE_CALLS: CallTable = callTable({
  'open io.open codecs.open gzip.open bz2.open lzma.open os.fdopen zipfile.ZipFile tarfile.open tarfile.TarFile aiofiles.open builtins.open':
    open,
  'os.open': open,
  '.open': onPath(openSelf),
  '.write .writelines .writestr': writeOpen,
  '.read .readline .readlines .read_bytes': readOpen,
  '.read_text': readsSelf,
  '.write_text .write_bytes': writesSelf,
  'json.dump yaml.dump yaml.safe_dump toml.dump pickle.dump': dumpTo(1),
  'csv.writer csv.DictWriter': (c) => c.args[0],
  '.writerow .writerows': writeOpen,
  'json.load csv.reader csv.DictReader yaml.safe_load toml.load tomllib.load xml.etree.ElementTree.parse': readOpen2,
  'pd.read_csv pd.read_excel pd.read_json pd.read_parquet pandas.read_csv pandas.read_excel pandas.read_json pandas.read_parquet pandas.read_table pandas.read_html np.loadtxt numpy.loadtxt np.genfromtxt numpy.genfromtxt cv2.imread PIL.Image.open Image.open linecache.getlines linecache.getline fileinput.input docx.Document PyPDF2.PdfReader openpyxl.load_workbook configparser.ConfigParser().read xml.dom.minidom.parse sqlite3.connect ET.parse':
    readsAt(0, 'filename', 'filepath_or_buffer', 'path'),
  '.to_csv .to_excel .to_json .to_parquet .to_pickle .to_html .savefig .save .imwrite': (c) =>
    c.args[0] === undefined || c.args[0].text === HOLE ? undefined : writesAt(0, 9)(c),
  'np.save np.savetxt numpy.save plt.savefig matplotlib.pyplot.savefig cv2.imwrite joblib.dump torch.save': writesAt(0),
  'os.remove os.unlink os.rmdir os.removedirs send2trash.send2trash': removes(false),
  'shutil.rmtree': removes(true),
  '.unlink .rmdir': removesSelf(false),
  '.rmtree': removesSelf(true),
  'os.rename os.replace os.renames shutil.move': moveOrCopyOut(moves),
  '.rename': renameSelf,
  'shutil.copy shutil.copy2 shutil.copyfile': moveOrCopyOut(copies(false)),
  'shutil.copytree distutils.dir_util.copy_tree': moveOrCopyOut(copies(true)),
  'shutil.copyfileobj': copyOpen,
  'os.link os.symlink': link,
  'os.chmod': mode(0),
  '.chmod': mode(-1),
  'os.chown os.lchown shutil.chown os.chflags': owner,
  'os.truncate': writesAt(0),
  'os.mkdir os.makedirs': writesAt(0, 9),
  '.touch .mkdir': (c) => (c.base?.ref === PATH ? writesSelf({ ...c, args: [text('')] }) : undefined),
  'os.listdir': listNames,
  'os.scandir': listEntries,
  '.iterdir .rglob .glob': listEntries,
  'os.walk os.fwalk': walk,
  'glob.glob glob.iglob': glob,
  'shutil.make_archive': archive,
  '.add': addToArchive,
  'shutil.unpack_archive .extractall': (c) => {
    c.world.add('writes', 'many', c.args[0]?.text ?? '.', c.excerpt);
    return undefined;
  },
  'os.path.join .joinpath posixpath.join': joinPath,
  'pathlib.Path pathlib.PosixPath pathlib.PurePath pathlib.WindowsPath Path': makePath,
  'pathlib.Path.home Path.home': home,
  'pathlib.Path.cwd Path.cwd os.getcwd': () => text('.'),
  'os.path.expanduser os.path.expandvars os.path.abspath os.path.realpath os.path.normpath os.fspath os.fsencode':
    firstArgument,
  '.expanduser .resolve .absolute .as_posix': samePath,
  'os.path.dirname': (c) => (c.args[0] === undefined ? undefined : parent(c.args[0])),
  '.parent=': (c) => (c.base?.ref === PATH ? parent(c.base) : undefined),
  'pathlib.Path().parent=': (c) => (c.base === undefined ? undefined : parent(c.base)),
  'os.path.basename': (c) =>
    c.args[0] === undefined ? undefined : { ...c.args[0], text: c.args[0].text.split('/').at(-1) ?? '' },
  'pathlib.Path().name= .path=': samePath,
  'tempfile.mkdtemp tempfile.mktemp tempfile.gettempdir tempfile.TemporaryDirectory tempfile.NamedTemporaryFile tempfile.TemporaryFile':
    temporary,
  'tempfile.mkstemp': () => list([{ ...unknown(), ref: 'fd' }, text(`/tmp/${HOLE}`)]),
  'os.chdir': changeFolder,
  'runpy.run_path': runPath,
  'urllib.request.urlretrieve urllib.urlretrieve urlretrieve': retrieve,
});

function readOpen2(c: CodeCall): Value | undefined {
  return c.args[0] === undefined ? undefined : unknown(c.args[0].taint);
}
