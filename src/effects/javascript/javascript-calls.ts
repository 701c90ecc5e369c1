/** Readers of calls of JavaScript's platforms and packages. `ontology/libraries/javascript.yaml` assigns a reader to each call. */
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../ontology/words.ts';
import {
  copies,
  decodes,
  empties,
  fetches,
  givesKept,
  identifiesMachine,
  isSeveral,
  listsAt,
  looksUpName,
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
  uploadsFile,
  writesAt,
} from '../code/code-calls.ts';
import { readsVariable, setsVariables } from '../code/environment.ts';
import { compileLibrary, type Readers } from '../code/library-calls.ts';
import { type CodeCall, type Handler, list, taintOf, text, unknown, type Value } from '../code/values.ts';
import { openConnection } from '../connections.ts';
import { built, CARRIED, FROM, HOLE } from '../data.ts';
import { codePoint, decodeBase64, decodeHex, decodePercent } from '../decode.ts';
import { changeMode } from '../deeds/change-file.ts';
import { deletePath } from '../deeds/delete-file.ts';
import { fetchFrom, sendTo } from '../deeds/network.ts';
import { runText } from '../deeds/run-code.ts';
import { writeFile } from '../deeds/write-file.ts';
import { hostOf } from '../hosts.ts';
import { taintSentTo } from '../key-variables.ts';

export const javascriptWords = perOntology((ontology) => ({
  sending_methods: setOf(ontology, 'http_sending_methods'),
  acting_objects: setOf(ontology, 'javascript_acting_objects'),
  standard_streams: patternOf(ontology, 'javascript_code', 'standard_streams'),
}));
const words = (c: CodeCall): ReturnType<typeof javascriptWords> => javascriptWords(c.world.ontology);

/** Removes the path in the first argument. `isDeep`: with everything below the path. */
function removesPath(c: CodeCall, isDeep: boolean): undefined {
  const path = c.args[0];
  if (path !== undefined) deletePath(c.world, path.text, c.excerpt, isDeep, isSeveral(path));
}
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
/** A request with its method in an options object, as for `fetch` and `axios`. */
const requests: Handler = (c) => {
  const url = c.named.get('url') ?? c.named.get('hostname') ?? c.named.get('host') ?? c.args[0];
  const method = (c.named.get('method')?.text ?? '').toUpperCase();
  if (url === undefined) return undefined;
  const moved = { ...c, args: [url] };
  const content = [c.named.get('body'), c.named.get('data')].filter((v) => v !== undefined);
  if (method === 'DELETE') return removesRemote()(moved);
  if (content.length > 0 || words(c).sending_methods.has(method) || url.taint & CARRIED)
    return sends()({ ...c, args: [url, ...content] });
  return fetches()(moved);
};
/** Opens a connection: the result is tainted as content of a socket, with the host as its `base`. */
const connects: Handler = (c) => {
  const host = c.named.get('host')?.text ?? c.args.find((a) => a.text !== HOLE && a.number === undefined)?.text ?? '';
  if (host !== '') openConnection(c.world, host, c.excerpt);
  return { ...unknown(FROM.network | FROM.socket, 'net.Socket()'), base: text(host) };
};
/** Piping a connection into a shell, or a shell into a connection, opens a channel. */
const pipes: Handler = (c) => {
  const ends = [c.base, c.args[0]];
  if (
    ends.some((e) => e?.ref.startsWith('child_process') || words(c).standard_streams.test(e?.ref ?? '')) &&
    ends.some((e) => (e?.taint ?? 0) & FROM.socket)
  )
    c.world.add('opens_channel', 'one', [...c.world.sockets][0] ?? 'connection', c.excerpt);
  else if (c.args[0]?.ref === 'fs.createWriteStream()')
    writeFile(c.world, c.args[0].text, unknown(c.base?.taint ?? 0), c.excerpt);
  return c.args[0];
};
const opensStream: Handler = (c) => {
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
/** Items that are known, each by itself; what a function makes of others is not known. */
const mapsItems: Handler = (c) => {
  const items = c.base?.items;
  const [mapped] = c.args;
  if (items === undefined || mapped?.closure === undefined) return unknown(taintOf([c.base, ...c.args]));
  return list(items.slice(0, MAX_MAPPED).map((item) => c.apply(mapped, [item])));
};
const MAX_MAPPED = 64;
/** `'a'.charCodeAt(0)` */
const numbersCharacter: Handler = (c) => {
  const number =
    c.base === undefined || c.base.text.includes(HOLE) ? undefined : c.base.text.codePointAt(c.args[0]?.number ?? 0);
  return number === undefined ? unknown(c.base?.taint) : { ...text(String(number), c.base?.taint), number };
};
/** `import('child_process').then(m => …)`: the function gets what the promise stands for. */
const handsOn: Handler = (c) => {
  const [next] = c.args;
  if (c.base === undefined || next?.closure === undefined || c.base.ref === '') return sameSelf(c);
  c.apply(next, [c.base]);
  return { ...c.base };
};
const reverses: Handler = (c) =>
  c.base?.items === undefined
    ? unknown(c.base?.taint)
    : { ...list(c.base.items.toReversed()), taint: c.base.taint | FROM.decoded };
const functionFrom: Handler = (c) => {
  const body = c.args.at(-1) ?? unknown();
  runText(c.world, 'javascript', body.text === HOLE ? { text: HOLE, taint: body.taint } : body, c.excerpt);
  return unknown();
};
/** `setTimeout('code')` runs the text. A function argument is evaluated like any other callback. */
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
    pid?.text === '-1' || pid?.text === '1' ? 'everything' : 'one',
    `process ${pid?.text ?? ''}`,
    c.excerpt,
  );
  return undefined;
};
const leaves: Handler = (c) => {
  const url = c.args[0];
  if (url === undefined) return undefined;
  const taint = taintSentTo(c.world, url, url.taint);
  if (taint & (FROM.secret | FROM.personal)) sendTo(c.world, url.text, { ...url, taint }, c.excerpt);
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
/** The names or members of a module, from which code picks one that it does not want to write. */
const listsNames: Handler = (c) => {
  const [object] = c.args;
  if (object === undefined) return undefined;
  const isActing = words(c).acting_objects.has(object.ref) && object.entries === undefined;
  return unknown(object.taint | (isActing ? FROM.names : 0));
};
/** `Reflect.get(process, 'spawn')` is `process.spawn`, hidden. */
const getsMember: Handler = (c) => {
  const [object, name] = c.args;
  if (object === undefined || name === undefined || !words(c).acting_objects.has(object.ref)) return undefined;
  return { ...unknown(object.taint, `${object.ref}.${name.text.includes(HOLE) ? '…' : name.text}`), is_hidden: true };
};
/** A process that outlives this one and whose output nobody gets, or whose window is hidden. */
const startsProgram: Handler = (c) => {
  const options = c.args.find((a) => a.entries !== undefined)?.entries;
  const is = (name: string, value: string): boolean => options?.get(name)?.text === value;
  if (is('windowsHide', 'true') || (is('detached', 'true') && is('stdio', 'ignore')))
    c.world.add('hides', 'one', c.args[0]?.text ?? c.name, c.excerpt);
  return runsProgram(c);
};

export const JAVASCRIPT_READERS: Readers = {
  empties_file: empties,
  reads_file: readsAt(0),
  writes_file: writesAt(0),
  opens_stream: opensStream,
  touches_file: writesAt(0, 9),
  removes_file: (c) => removesPath(c, c.named.get('recursive')?.text === 'true'),
  removes_tree: (c) => removesPath(c, true),
  moves_file: moves,
  copies_file: copies(false),
  copies_tree: copies(true),
  changes_mode: setsMode,
  lists_folder: (c) => list([listsAt(0, '')(c) ?? unknown()].map((v) => ({ ...v, text: HOLE }))),
  changes_folder: (c) => {
    c.world.cwd = c.world.describe(c.args[0]?.text ?? '').path;
    return undefined;
  },
  joins_path: joinsPath,
  requests_by_options: requests,
  fetches: fetches(),
  sends: sends(),
  uploads_file: uploadsFile,
  removes_remote: removesRemote(),
  opens_request: (c) => {
    if (c.base !== undefined) Object.assign(c.base, { text: c.args[1]?.text ?? HOLE });
    return undefined;
  },
  sends_request: (c) => {
    sendTo(c.world, c.base?.text ?? '', c.args[0] ?? unknown(), c.excerpt);
    return undefined;
  },
  connects,
  pipes,
  listens: (c) => {
    c.world.add('opens_channel', c.args[1]?.text === '127.0.0.1' ? 'scratch' : 'one', 'listener', c.excerpt);
    return undefined;
  },
  sends_mail: mails,
  runs_shell: runsShell(),
  runs_program: startsProgram,
  identifies_machine: identifiesMachine,
  looks_up_name: looksUpName(),
  lists_names: listsNames,
  gets_member: getsMember,
  writes_request: (c) => {
    if (c.args[0] !== undefined) sendTo(c.world, c.base?.base?.text ?? c.base?.text ?? '', c.args[0], c.excerpt);
    return undefined;
  },
  runs_program_of_options: (c) =>
    runsProgram({ ...c, args: [c.named.get('cmd') ?? c.args[0] ?? unknown(), c.named.get('args') ?? unknown()] }),
  runs_code: runsCode('javascript'),
  makes_function: functionFrom,
  runs_code_later: laterCode,
  imports_script: importsScript,
  runs_sql: runsSql(),
  gives_kept: givesKept,
  signals_process: kills,
  reads_cookie: readsSession,
  reads_session: (c) => readsSession({ ...c, args: [] }),
  leaves_page: leaves,
  makes_buffer: buffer,
  decodes_base64: decodes(decodeBase64),
  decodes_percent: decodes(decodePercent),
  makes_characters: characters,
  joins_items: joinsItems,
  maps_items: mapsItems,
  numbers_character: numbersCharacter,
  hands_on: handsOn,
  splits_text: splits,
  reverses_items: reverses,
  reads_variable: readsVariable,
  sets_variable: setsVariables,
  copies_environment: (c) => (c.args[0]?.ref === 'process.env' ? unknown(FROM.system | FROM.secret) : c.args[0]),
  returns_itself: sameSelf,
  returns_argument: sameAt(),
};

/** Calls, constants and module aliases of JavaScript's libraries. Memoized per ontology. */
export const javascriptLibrary = perOntology((ontology) => compileLibrary(ontology, 'javascript', JAVASCRIPT_READERS));

/** Reading the cookies of a page reads a credential; setting a cookie does not. */
function readsSession(c: Parameters<Handler>[0]): Value | undefined {
  if (c.args.length > 0) return undefined;
  c.world.add('reads_credentials', 'one', 'session of the page', c.excerpt);
  return unknown(FROM.secret);
}
