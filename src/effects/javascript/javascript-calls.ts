/** Calls of JavaScript's platforms and common packages that act on the world. To add one, add its name to a row. */
import {
  copies,
  decodes,
  does,
  fetches,
  isSeveral,
  listsAt,
  moves,
  readsAt,
  removesRemote,
  runsCode,
  runsProgram,
  runsShell,
  runsSql,
  sameAt,
  sameSelf,
  sends,
  writesAt,
} from '../code/code-calls.ts';
import { type CallTable, callTable, type Handler, list, taintOf, text, unknown, type Value } from '../code/values.ts';
import { built, CARRIED, FROM, HOLE } from '../data.ts';
import { codePoint, decodeBase64, decodeHex } from '../decode.ts';
import { changeMode, deletePath, fetchFrom, runText, sendTo, writeFile } from '../deeds.ts';
import { hostOf } from '../hosts.ts';

export const JAVASCRIPT_CONSTANTS: Readonly<Record<string, string>> = {
  'process.execPath': 'node',
  'path.sep': '/',
  'process.env.HOME': '~',
  'process.env.USERPROFILE': '~',
  'process.env.TMPDIR': '/tmp',
  'os.EOL': '\n',
};

/** `rm(path, { recursive: true })` takes the tree. */
const removesPath: Handler = (c) => {
  const path = c.args[0];
  if (path !== undefined)
    deletePath(
      c.world,
      path.text,
      c.excerpt,
      c.named.get('recursive')?.text === 'true' || /remove|rimraf|emptyDir|del/.test(c.name),
      isSeveral(path),
    );
  return undefined;
};
const joinsPath: Handler = (c) => {
  let path = '';
  for (const p of c.args)
    path = p.text.startsWith('/') || path === '' ? p.text : `${path.replace(/\/$/, '')}/${p.text}`;
  return text(path, taintOf(c.args));
};
const setsMode: Handler = (c) => {
  const [path, mode] = c.args;
  if (path !== undefined)
    changeMode(
      c.world,
      path.text,
      mode?.number === undefined ? (mode?.text ?? '') : mode.number.toString(8),
      c.excerpt,
      false,
      isSeveral(path),
    );
  return undefined;
};
/** A request whose method stands in an options object, as of `fetch` and `axios`. */
const requests: Handler = (c) => {
  const url = c.named.get('url') ?? c.named.get('hostname') ?? c.named.get('host') ?? c.args[0];
  const method = (c.named.get('method')?.text ?? '').toUpperCase();
  if (url === undefined) return undefined;
  const moved = { ...c, args: [url] };
  const content = [c.named.get('body'), c.named.get('data')].filter((v) => v !== undefined);
  if (method === 'DELETE') return removesRemote()(moved);
  if (content.length > 0 || /^(?:POST|PUT|PATCH)$/.test(method) || url.taint & CARRIED)
    return sends()({ ...c, args: [url, ...content] });
  return fetches()(moved);
};
/** Members of a response keep what was fetched. */
const connects: Handler = (c) => {
  const host = c.named.get('host')?.text ?? c.args.find((a) => a.text !== HOLE && a.number === undefined)?.text ?? '';
  c.world.noteHost(hostOf(host));
  if (host !== '') c.world.sockets.add(host);
  return { ...unknown(FROM.network | FROM.socket, 'net.Socket()'), base: text(host) };
};
/** A connection piped into a shell, or the other way round. */
const pipes: Handler = (c) => {
  const ends = [c.base, c.args[0]];
  if (
    ends.some((e) => e?.ref.startsWith('child_process') || /\.std(?:in|out|err)$/.test(e?.ref ?? '')) &&
    ends.some((e) => (e?.taint ?? 0) & FROM.socket)
  )
    c.world.add('opens_channel', 'one', [...c.world.sockets][0] ?? 'connection', c.excerpt);
  else if (c.args[0]?.ref === 'fs.createWriteStream()')
    writeFile(c.world, c.args[0].text, unknown(c.base?.taint ?? 0), c.excerpt);
  return c.args[0];
};
const opensFile: Handler = (c) => {
  const path = c.args[0] ?? unknown();
  writeFile(c.world, path.text, unknown(), c.excerpt);
  return { ...path, ref: 'fs.createWriteStream()' };
};
const buffer: Handler = (c) => {
  const encoding = c.args[1]?.text ?? '';
  if (/base64/.test(encoding)) return decodes(decodeBase64)(c);
  if (/hex/.test(encoding)) return decodes(decodeHex)(c);
  return c.args[0]?.items === undefined ? c.args[0] : characters({ ...c, args: c.args[0].items });
};
const characters: Handler = (c) =>
  c.args.every((a) => a.number !== undefined)
    ? text(c.args.map((a) => codePoint(a.number ?? 0)).join(''), FROM.decoded)
    : unknown(FROM.decoded);
const joinsItems: Handler = (c) => {
  const items = c.base?.items;
  return items === undefined
    ? unknown(c.base?.taint)
    : text(built(items.map((i) => i.text).join(c.args[0]?.text ?? ',')), taintOf(items) | (c.base?.taint ?? 0));
};
const splits: Handler = (c) =>
  c.base === undefined || c.base.text.includes(HOLE)
    ? unknown(c.base?.taint)
    : list(
        c.base.text
          .split(c.args[0]?.text ?? '')
          .slice(0, 256)
          .map((t) => text(t, c.base!.taint)),
      );
const reverses: Handler = (c) =>
  c.base?.items === undefined
    ? unknown(c.base?.taint)
    : { ...list(c.base.items.toReversed()), taint: c.base.taint | FROM.decoded };
const functionFrom: Handler = (c) => {
  const body = c.args.at(-1) ?? unknown();
  runText(c.world, 'javascript', body.text === HOLE ? { text: HOLE, taint: body.taint } : body, c.excerpt);
  return unknown();
};
/** `setTimeout('code')`; with a function it is only later. */
const laterCode: Handler = (c) => {
  const code = c.args[0];
  if (code !== undefined && code.closure === undefined && code.text !== HOLE) c.world.run('javascript', code.text);
  return undefined;
};
const kills: Handler = (c) => {
  const pid: Value | undefined = c.args[0];
  if (/process\.pid/.test(pid?.ref ?? '') || c.args[1]?.text === '0') return undefined;
  c.world.add(
    'disrupts',
    /^(?:-1|1)$/.test(pid?.text ?? '') ? 'everything' : 'one',
    `process ${pid?.text ?? ''}`,
    c.excerpt,
  );
  return undefined;
};
const leaves: Handler = (c) => {
  const url = c.args[0];
  if (url === undefined) return undefined;
  if (url.taint & (FROM.secret | FROM.personal)) sendTo(c.world, url.text, url, c.excerpt);
  else if (/^\s*https?:/i.test(url.text)) fetchFrom(c.world, url.text, c.excerpt);
  return undefined;
};
const importsScript: Handler = (c) => {
  const url = c.args[0];
  if (url === undefined) return undefined;
  fetchFrom(c.world, url.text, c.excerpt);
  c.world.add('downloads_and_runs', 'one', hostOf(url.text), c.excerpt);
  return undefined;
};
const mails: Handler = (c) => {
  sendTo(c.world, c.named.get('to')?.text ?? '', unknown(taintOf([...c.named.values()])), c.excerpt);
  return undefined;
};
const sqlOnClient: Handler = (c) => runsSql()(c);

export const JAVASCRIPT_CALLS: CallTable = callTable({
  'child_process.exec child_process.execSync execa.command execa.commandSync shelljs.exec shell.exec Bun.$ zx.$ execa.execaCommand':
    runsShell(),
  'child_process.spawn child_process.spawnSync child_process.execFile child_process.execFileSync execa execa.execa cross-spawn Bun.spawn cross-spawn.sync':
    runsProgram,
  'Deno.Command Deno.run': (c) =>
    runsProgram({ ...c, args: [c.named.get('cmd') ?? c.args[0] ?? unknown(), c.named.get('args') ?? unknown()] }),
  'child_process.fork worker_threads.Worker': does('runs_code'),
  'eval globalThis.eval window.eval global.eval vm.runInThisContext vm.runInNewContext vm.runInContext vm.Script vm.compileFunction':
    runsCode('javascript'),
  'Function globalThis.Function': functionFrom,
  'setTimeout setInterval': laterCode,
  'fs.unlink fs.unlinkSync fs.promises.unlink fs.rm fs.rmSync fs.promises.rm fs.rmdir fs.rmdirSync fs.promises.rmdir fs.remove fs.removeSync fs.emptyDir fs.emptyDirSync rimraf rimraf.sync rimraf.rimraf del del.sync trash shelljs.rm Deno.remove Deno.removeSync':
    removesPath,
  'fs.writeFile fs.writeFileSync fs.promises.writeFile fs.appendFile fs.appendFileSync fs.promises.appendFile fs.outputFile fs.outputFileSync fs.writeJson fs.truncate fs.truncateSync fs.promises.truncate Deno.writeTextFile Deno.writeFile Deno.writeTextFileSync Bun.write':
    writesAt(0),
  'fs.mkdir fs.mkdirSync fs.promises.mkdir fs.ensureDir fs.ensureDirSync': writesAt(0, 9),
  'fs.createWriteStream': opensFile,
  'fs.readFile fs.readFileSync fs.promises.readFile fs.createReadStream fs.readJson fs.open fs.openSync fs.promises.open Deno.readTextFile Deno.readFile Deno.readTextFileSync Bun.file':
    readsAt(0),
  'fs.readdir fs.readdirSync fs.promises.readdir fs.opendir glob.sync glob fast-glob.sync Deno.readDir': (c) =>
    list([listsAt(0, '')(c) ?? unknown()].map((v) => ({ ...v, text: HOLE }))),
  'fs.rename fs.renameSync fs.promises.rename fs.move fs.moveSync Deno.rename shelljs.mv': moves,
  'fs.copyFile fs.copyFileSync fs.promises.copyFile Deno.copyFile fs.link fs.linkSync fs.symlink fs.symlinkSync':
    copies(false),
  'fs.cp fs.cpSync fs.promises.cp fs.copy fs.copySync shelljs.cp': copies(true),
  'fs.chmod fs.chmodSync fs.promises.chmod': setsMode,
  'fs.chown fs.chownSync fs.utimes fs.utimesSync': writesAt(0, 9),
  'fetch node-fetch undici.fetch undici.request axios axios.request got request ky superagent needle window.fetch globalThis.fetch http.request https.request':
    requests,
  'axios.get got.get request.get http.get https.get superagent.get ky.get $.get $.getJSON needle.get $.getScript':
    fetches(),
  'axios.post axios.put axios.patch got.post got.put request.post request.put superagent.post ky.post $.post needle.post navigator.sendBeacon':
    sends(),
  'axios.delete got.delete request.delete request.del': removesRemote(),
  '$.ajax jQuery.ajax': requests,
  'XMLHttpRequest().open': (c) => {
    if (c.base !== undefined) Object.assign(c.base, { text: c.args[1]?.text ?? HOLE });
    return undefined;
  },
  'XMLHttpRequest().send': (c) => {
    sendTo(c.world, c.base?.text ?? '', c.args[0] ?? unknown(), c.excerpt);
    return undefined;
  },
  'WebSocket io': connects,
  'net.connect net.createConnection net.Socket tls.connect net.Socket().connect': connects,
  '.pipe': pipes,
  'net.createServer().listen': (c) => {
    c.world.add('opens_channel', c.args[1]?.text === '127.0.0.1' ? 'scratch' : 'one', 'listener', c.excerpt);
    return undefined;
  },
  '.sendMail': mails,
  'process.kill': kills,
  'process.setuid process.setgid': does('escalates', 'one', 'user id'),
  'os.userInfo os.networkInterfaces': does('reconnoitres', 'one', 'this machine', FROM.system),
  'v8.deserialize node-serialize.unserialize serialize-javascript.deserialize': does('loads_unsafely'),
  'Buffer.from Buffer': buffer,
  'atob window.atob globalThis.atob': decodes(decodeBase64),
  'unescape decodeURIComponent decodeURI': decodes(unescapePercent),
  'String.fromCharCode String.fromCodePoint': characters,
  '.join': joinsItems,
  '.split': splits,
  '.reverse': reverses,
  '.toString .trim .toLowerCase .text .json .concat .then .catch .finally .data': sameSelf,
  'path.join path.resolve path.posix.join path.normalize': joinsPath,
  'os.homedir': () => text('~'),
  'os.tmpdir': () => text('/tmp'),
  'process.cwd': () => text('.'),
  'JSON.stringify String encodeURIComponent btoa encodeURI': (c) =>
    /^process\.env$/.test(c.args[0]?.ref ?? '') ? unknown(FROM.system | FROM.secret) : sameAt()(c),
  'util.promisify': sameAt(),
  'process.chdir': (c) => {
    c.world.cwd = c.world.describe(c.args[0]?.text ?? '').path;
    return undefined;
  },
  '.query .execute': sqlOnClient,
  'document.cookie=': readsSession,
  'localStorage.getItem sessionStorage.getItem': (c) => readsSession({ ...c, args: [] }),
  'chrome.cookies.getAll': does('reads_credentials', 'many', 'cookies', FROM.secret),
  'navigator.clipboard.readText navigator.mediaDevices.getUserMedia navigator.mediaDevices.getDisplayMedia screenshot-desktop clipboardy.read':
    does('spies', 'one', '', FROM.personal),
  'location.href= window.location.href= window.location= document.location= window.open location.assign location.replace Image().src= .src=':
    leaves,
  importScripts: importsScript,
});

/** The session of a page: reading it is reading a credential, setting a cookie is not. */
function readsSession(c: Parameters<Handler>[0]): Value | undefined {
  if (c.args.length > 0) return undefined;
  c.world.add('reads_credentials', 'one', 'session of the page', c.excerpt);
  return unknown(FROM.secret);
}

function unescapePercent(encoded: string): string {
  return encoded.replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
    run
      .slice(1)
      .split('%')
      .map((h) => String.fromCharCode(Number.parseInt(h, 16)))
      .join(''),
  );
}
