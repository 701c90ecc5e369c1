/** Calls of Python's libraries that act on the world. To add one, add its dotted name to a row. */

import { decodes, does, runsCode, runsShell, runsSql, sameAt, sameSelf } from '../code/code-calls.ts';
import { HUGE } from '../code/evaluate.ts';
import {
  arg,
  type CallTable,
  callTable,
  type Handler,
  list,
  reference,
  taintOf,
  text,
  unknown,
  type Value,
} from '../code/values.ts';
import { built, FROM, HOLE } from '../data.ts';
import { codePoint, decodeBase64, decodeHex, reversed, rot13 } from '../decode.ts';
import { PYTHON_FILE_CALLS } from './python-files.ts';
import { PYTHON_NETWORK_CALLS } from './python-network.ts';

export const PYTHON_CONSTANTS: Readonly<Record<string, string>> = {
  'sys.executable': 'python3',
  'os.sep': '/',
  'os.path.sep': '/',
  'os.curdir': '.',
  'os.devnull': '/dev/null',
  'os.linesep': '\n',
  'os.name': 'posix',
};

/** `getattr(os, 'sys' + 'tem')` is a member; `__import__('o' + 's')` a module. */
const attribute: Handler = (c) => {
  const [object, name] = c.args;
  if (object === undefined || name === undefined || name.text.includes(HOLE)) return undefined;
  if (!/["']\s*\)$|["']\s*,/.test(c.excerpt.trim()) || /\+|\[::|decode|join|chr/.test(c.excerpt))
    c.world.add('obfuscates', 'one', `${object.ref}.${name.text}`, c.excerpt);
  return { ...reference(`${object.ref}.${name.text}`), base: object };
};
/** `vars(os)['system']` is a member as well. */
const members: Handler = (c) => (c.args[0] === undefined ? undefined : { ...c.args[0] });
const importModule: Handler = (c) => {
  const name = c.args[0];
  return name === undefined || name.text.includes(HOLE) ? undefined : reference(name.text);
};

const allocate: Handler = (c) => {
  if ((c.args[0]?.number ?? 0) >= HUGE) c.world.add('exhausts_resources', 'everything', 'memory', c.excerpt);
  return undefined;
};
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
const join: Handler = (c) => {
  const items = c.args[0]?.items;
  if (items === undefined || c.base === undefined) return unknown(c.args[0]?.taint);
  return text(built(items.map((i) => i.text).join(c.base.text)), taintOf(items) | c.base.taint);
};
const format: Handler = (c) => {
  if (c.base === undefined || c.base.text === HOLE) return unknown(taintOf(c.args));
  let next = 0;
  const filled = c.base.text.replace(
    /\{(\w*)(?:[!:][^}]*)?\}/g,
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
const codec: Handler = (c) => {
  const name = arg(c, 1, 'encoding')?.text ?? '';
  if (/rot/i.test(name)) return decodes(rot13)(c);
  if (/hex/i.test(name)) return decodes(decodeHex)(c);
  if (/base64/i.test(name)) return decodes(decodeBase64)(c);
  return c.args[0];
};
const unpacks: Handler = (c) => unknown((c.args[0]?.taint ?? 0) | FROM.decoded);
const encrypts: Handler = (c) => unknown(taintOf(c.args) | FROM.encrypted);
const loads: Handler = (c) => {
  const data = c.args[0] ?? unknown();
  if (/yaml/.test(c.name) && /Safe/.test(arg(c, 1, 'Loader')?.ref ?? '')) return unknown(data.taint);
  if (
    c.named.get('weights_only')?.text === 'True' ||
    (/^(?:np|numpy)/.test(c.name) && c.named.get('allow_pickle')?.text !== 'True')
  )
    return unknown(data.taint);
  if (data.taint & FROM.network) c.world.add('downloads_and_runs', 'one', 'downloaded object', c.excerpt);
  c.world.add('loads_unsafely', 'one', c.name, c.excerpt);
  return unknown(data.taint | (/marshal/.test(c.name) ? FROM.decoded : 0));
};
const pretrained: Handler = (c) => {
  if (c.named.get('trust_remote_code')?.text === 'True')
    c.world.add('loads_unsafely', 'one', c.args[0]?.text ?? 'model', c.excerpt);
  return unknown(FROM.network, 'model()');
};
/** Ends other programs; a process this code started itself is its own to end. */
const ends: Handler = (c) => {
  if (
    /subprocess|multiprocessing|Popen\(\)|Process\(\)|Thread|executor|pool/i.test(c.base?.ref ?? '') &&
    !/psutil/.test(c.base?.ref ?? '')
  )
    return undefined;
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
const environment: Handler = (c) => {
  const name = c.args[0]?.text ?? '';
  if (/^(?:HOME|USERPROFILE)$/.test(name)) return text('~');
  return /^(?:TMPDIR|TEMP|TMP)$/.test(name) ? text('/tmp') : (c.args[1] ?? unknown());
};
const wholeEnvironment: Handler = (c) =>
  c.args[0]?.ref === 'os.environ' ? unknown(FROM.system | FROM.secret) : c.args[0];
const openKey: Handler = (c) => ({ ...(c.args[1] ?? unknown()), ref: 'winreg.key()' });
const winregWrite: Handler = (c) => {
  const key = c.args[0]?.text ?? HOLE;
  c.world.add('writes_system', 'one', key === HOLE ? 'registry' : key, c.excerpt);
  if (/\\Run(?:Once)?\b|Winlogon|\\Services\b|Image File Execution/i.test(key))
    c.world.add('persists', 'one', key, c.excerpt);
  return undefined;
};

/** Runs other programs in the place of, or beside, this one: `os.execvp(file, args)`, `os.spawnl(mode, file, …)`. */
const runsWords: Handler = (c) => {
  const words = /\.spawn/.test(c.name) ? c.args.slice(1) : c.args;
  const given: Value[] = words[1]?.items ?? (words.length > 1 ? words.slice(1) : words);
  return runsShell()({ ...c, args: [{ ...unknown(), items: given.length > 0 ? given : words }] });
};
const spawnsTerminal: Handler = (c) => {
  if (c.world.sockets.size > 0) c.world.add('opens_channel', 'one', [...c.world.sockets][0]!, c.excerpt);
  return runsShell()(c);
};

export const PYTHON_CALLS: CallTable = new Map([
  ...PYTHON_FILE_CALLS,
  ...PYTHON_NETWORK_CALLS,
  ...callTable({
    'os.system os.popen os.popen2 os.popen3 os.popen4 commands.getoutput commands.getstatusoutput popen2.popen2 subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen subprocess.getoutput subprocess.getstatusoutput asyncio.create_subprocess_shell pexpect.run pexpect.spawn os.startfile IPython.system get_ipython().system sh.Command delegator.run invoke.run plumbum.local .create_subprocess_shell':
      runsShell(0, 'args', 'cmd', 'command'),
    'asyncio.create_subprocess_exec': (c) => runsShell()({ ...c, args: [{ ...unknown(), items: c.args }] }),
    'os.execl os.execle os.execlp os.execlpe os.execv os.execve os.execvp os.execvpe os.spawnl os.spawnle os.spawnlp os.spawnv os.spawnve os.spawnvp os.posix_spawn':
      runsWords,
    'pty.spawn': spawnsTerminal,
    'exec eval compile builtins.exec builtins.eval __builtins__.exec __builtins__.eval code.interact runpy.run_code execfile':
      runsCode('python'),
    '__import__ importlib.import_module builtins.__import__ importlib.__import__': importModule,
    'getattr builtins.getattr': attribute,
    'vars builtins.vars': members,
    'ctypes.CDLL ctypes.cdll.LoadLibrary ctypes.WinDLL ctypes.windll.LoadLibrary ctypes.PyDLL': does('runs_code'),
    'ctypes.windll.kernel32.VirtualAlloc ctypes.windll.kernel32.CreateRemoteThread ctypes.windll.kernel32.RtlMoveMemory mmap.mmap.exec':
      does('obfuscates', 'one', 'machine code'),
    'pickle.load pickle.loads cPickle.load cPickle.loads dill.load dill.loads cloudpickle.load cloudpickle.loads joblib.load torch.load yaml.load yaml.unsafe_load yaml.full_load_all shelve.open marshal.load marshal.loads jsonpickle.decode pandas.read_pickle pd.read_pickle np.load numpy.load':
      loads,
    '.from_pretrained transformers.pipeline datasets.load_dataset torch.hub.load sentence_transformers.SentenceTransformer':
      pretrained,
    // Processes, accounts, the machine
    'psutil.process_iter psutil.pids psutil.Process': does('reconnoitres', 'one', 'processes', FROM.processes),
    'psutil.net_connections psutil.users pwd.getpwall grp.getgrall pwd.getpwnam netifaces.interfaces psutil.net_if_addrs':
      does('reconnoitres', 'one', 'accounts and connections', FROM.system),
    'os.kill os.killpg signal.pthread_kill': kills,
    '.terminate .kill .suspend': ends,
    'os.abort': () => undefined,
    'os.setuid os.setgid os.seteuid os.setegid os.setreuid os.setresuid': does('escalates', 'one', 'user id'),
    'os.chroot': does('breaks_isolation', 'one', 'root folder'),
    'os.environ.get os.getenv os.environ.setdefault os.environ.pop': environment,
    'dict list str json.dumps repr': wholeEnvironment,
    '.copy .items .values': sameSelf,
    'winreg.OpenKey winreg.OpenKeyEx winreg.CreateKey winreg.CreateKeyEx _winreg.OpenKey': openKey,
    'winreg.SetValueEx winreg.SetValue _winreg.SetValueEx': winregWrite,
    'crontab.CronTab': does('persists', 'one', 'crontab'),
    'keyring.get_password keyring.get_credential browser_cookie3.load browser_cookie3.chrome browser_cookie3.firefox win32crypt.CryptUnprotectData spwd.getspall spwd.getspnam secretstorage.dbus_init':
      does('reads_credentials', 'many', 'password store', FROM.secret),
    '.get_secret_value .access_secret_version': does('reads_credentials', 'one', 'secret', FROM.secret),
    'pynput.keyboard.Listener pynput.mouse.Listener keyboard.hook keyboard.on_press keyboard.record keyboard.read_event keyboard.read_key pyautogui.screenshot PIL.ImageGrab.grab ImageGrab.grab mss.mss pyperclip.paste cv2.VideoCapture sounddevice.rec pyaudio.PyAudio pyscreenshot.grab':
      does('spies', 'one', '', FROM.personal),
    // Text and decoding
    'base64.b64decode base64.urlsafe_b64decode base64.standard_b64decode base64.decodebytes base64.decodestring binascii.a2b_base64':
      decodes(decodeBase64),
    'bytes.fromhex bytearray.fromhex binascii.unhexlify binascii.a2b_hex': decodes(decodeHex),
    'base64.b32decode base64.b85decode base64.a85decode zlib.decompress gzip.decompress bz2.decompress lzma.decompress':
      unpacks,
    'codecs.decode codecs.encode': codec,
    reversed: reverses,
    chr: character,
    '.join': join,
    '.format': format,
    '.replace': replaced,
    map: (c) =>
      list(
        (c.args[1]?.items ?? [c.args[1] ?? unknown()])
          .slice(0, 64)
          .map((v) =>
            c.args[0]?.ref === 'chr'
              ? (character({ ...c, args: [v] }) ?? unknown())
              : c.args[0] === undefined
                ? unknown()
                : c.apply(c.args[0], [v]),
          ),
      ),
    '.strip .rstrip .lstrip .encode .decode .lower .read .readlines .getvalue .splitlines .json .content': sameSelf,
    'bytes bytearray': (c) => allocate(c) ?? sameAt()(c),
    'int float set tuple sorted enumerate iter next io.StringIO io.BytesIO json.loads textwrap.dedent shlex.quote urllib.parse.quote html.escape':
      sameAt(),
    'shlex.split': (c) => (c.args[0] === undefined ? undefined : list(c.args[0].text.split(/\s+/).map((w) => text(w)))),
    '.split': (c) =>
      c.base === undefined || c.base.text.includes(HOLE)
        ? unknown(c.base?.taint)
        : list(
            c.base.text
              .split(c.args[0]?.text ?? /\s+/)
              .slice(0, 64)
              .map((w) => text(w, c.base!.taint)),
          ),
    'range xrange': range,
    'np.zeros np.ones np.empty numpy.zeros numpy.ones numpy.empty torch.zeros': allocate,
    '.encrypt .encrypt_and_digest cryptography.fernet.Fernet().encrypt pyAesCrypt.encryptFile': encrypts,
    '.execute .executemany .executescript .read_sql pandas.read_sql pandas.read_sql_query pd.read_sql': runsSql(),
    'sqlalchemy.text text': sameAt(),
  }),
]);
