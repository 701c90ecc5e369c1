/** Readers of calls of Ruby, PHP, Perl, Lua and Go. `ontology/libraries/script.yaml` assigns a reader to each call. */
import { perOntology } from '../../ontology/per-ontology.ts';
import {
  copies,
  decodes,
  empties,
  fetches,
  identifiesMachine,
  looksUpName,
  moves,
  readsAt,
  removes,
  runsProgram,
  runsShell,
  runsSql,
  sameAt,
  sameSelf,
  sends,
  writesAt,
} from '../code/code-calls.ts';
import { readsVariable, setsVariables } from '../code/environment.ts';
import { compileLibrary, type Readers } from '../code/library-calls.ts';
import { type CodeCall, type Handler, reference, taintOf, text, unknown, type Value } from '../code/values.ts';
import { openConnection } from '../connections.ts';
import { built, FROM, HOLE } from '../data.ts';
import { codePoint, decodeBase64, decodeEntities, decodeHex, decodePercent, reversed, rot13 } from '../decode.ts';
import { folderOf } from '../deeds/delete-file.ts';
import { runText } from '../deeds/run-code.ts';
import { hostOf, isUrl } from '../hosts.ts';
import { scriptWords } from './script-words.ts';

/** Runs text as code of the same language. */
const runsCode: Handler = (c) => {
  const code = c.args[0];
  if (code === undefined) return undefined;
  const isKnown = !code.text.includes(HOLE);
  runText(c.world, 'script', isKnown ? code : { text: HOLE, taint: code.taint }, c.excerpt);
  return unknown(code.taint);
};
/** `open` of Ruby and Perl takes a path, a URL or a command behind a bar. */
/** Perl says how a file is opened before its path, in a word of its own or in the same one: `'<:raw', path`, `"<$path"`. */
function pathAndMode(first: Value | undefined, second: Value | undefined): (Value | undefined)[] {
  if (first === undefined || first.text === HOLE) return [second ?? first, undefined];
  const [, signs = '', rest = ''] = /^\s{0,8}([<>+]{0,3})\s{0,8}(.*)$/s.exec(first.text) ?? [];
  return [second ?? { ...first, text: rest }, { ...first, text: signs }];
}

const opens: Handler = (c) => {
  // Perl names the handle first: `open(F, '<', path)`; `open(STDIN, '>&S')` copies a handle.
  const isHandle = c.args.length > 1 && /^[A-Z]\w*$|^\$/.test(c.args[0]?.ref ?? '') && c.args[0]?.text === HOLE;
  if (isHandle && /^[<>+]*&/.test(c.args[1]?.text ?? '')) return undefined;
  const [path, mode] = isHandle ? pathAndMode(c.args[1], c.args[2]) : c.args;
  if (path === undefined) return undefined;
  if (path.text.startsWith('|')) return runsShell()({ ...c, args: [{ ...path, text: path.text.slice(1) }] });
  if (isUrl(path.text)) return fetches()(c);
  if (/[wa>]/.test(mode?.text ?? '')) return writesAt(0, 9)({ ...c, args: [path] }) ?? { ...path, ref: 'file()' };
  return readsAt(0)({ ...c, args: [path] });
};
/** `file_get_contents` of PHP takes a path as well as a URL. */
const readsPlace: Handler = (c) => {
  const [place] = c.args;
  const isPath = place !== undefined && place.text !== HOLE && !isUrl(place.text) && !place.text.startsWith(HOLE);
  return isPath ? readsAt(0)(c) : fetches()(c);
};
/** Names of files: what is done with one of them is done with each. */
const listsFiles: Handler = (c) => {
  const path = c.args[0] ?? c.base ?? text('.');
  c.world.notePath(path.text);
  c.world.add('reads', 'one', c.world.describe(folderOf(path.text)).path, c.excerpt);
  return { text: /[*?]/.test(path.text) ? path.text : `${path.text}/${HOLE}`, taint: FROM.listing, ref: '' };
};
/** A command and its words as separate arguments: `system('rm', '-rf', x)`, `exec.Command("rm", x)`. */
const runsWords: Handler = (c) =>
  c.args.length > 1
    ? runsProgram({ ...c, args: [c.args[0]!, { ...unknown(), items: wordsIn(c.args.slice(1)) }] })
    : runsShell()(c);
/** The words of a command, of which lists hold several: `System.cmd("sh", ["-c", x])`. */
const wordsIn = (args: readonly Value[]): Value[] => args.flatMap((value) => value.items ?? [value]);
/** `Command::new("sh")`: a command that further calls give its words. */
const beginsCommand: Handler = (c) => {
  runsWords(c);
  return { ...unknown(taintOf(c.args), BEGUN), items: wordsIn(c.args) };
};
const BEGUN = 'command()';
/** `.arg("-c").arg(x)`: runs the command as far as its words are known, unless an option still waits for its value. */
const addsWords: Handler = (c) => {
  if (c.base?.ref !== BEGUN) return undefined;
  const words = [...(c.base.items ?? []), ...wordsIn(c.args)];
  if (!/^[-/]\w{0,8}c$/i.test(words.at(-1)?.text ?? ''))
    runsProgram({ ...c, args: [words[0] ?? unknown(), { ...unknown(), items: words.slice(1) }] });
  return { ...c.base, items: words };
};
/** Opens a connection; what it reads later comes from a socket. */
const connects: Handler = (c) => {
  // A type that is only named opens nothing: `import java.net.Socket`, `(Socket s)`.
  if (c.args.length + c.named.size < 2 && !c.args.some((a) => a.text !== HOLE)) return undefined;
  const host = hostOf(c.args.find((a) => hostOf(a.text) !== '')?.text ?? '');
  openConnection(c.world, host, c.excerpt);
  // `socket_connect($s, host, port)`: what was made before is connected now.
  const handle = c.args[0];
  if (c.args.length > 2 && handle?.ref.endsWith(')'))
    Object.assign(handle, { taint: handle.taint | FROM.network | FROM.socket });
  return { ...unknown(FROM.network | FROM.socket, 'socket()'), base: text(host) };
};
/** `socket.tcp():connect(host, port)`: the object was made before. */
const connectsSocket: Handler = (c) => {
  if (c.base === undefined || !scriptWords(c.world.ontology).socket.test(c.base.ref)) return undefined;
  const made = connects(c);
  if (made !== undefined) Object.assign(c.base, { taint: c.base.taint | made.taint, base: made.base });
  return made;
};
/** `execl(path, name, argument…)`: the words behind the program begin with the name that it is given. */
const replacesProcess: Handler = (c) => {
  const [program, ...rest] = c.args;
  const words = (rest[0]?.items ?? rest).slice(1).filter((w) => w.text !== HOLE && w.number === undefined);
  return program === undefined ? undefined : runsProgram({ ...c, args: [program, { ...unknown(), items: words }] });
};
/** `["sh", "-c", x].execute()` of Groovy. */
const runsItself: Handler = (c) =>
  c.base === undefined || c.args.length > 0 ? undefined : runsShell()({ ...c, args: [c.base] });
/** `require('socket')` of Lua: the module by its name. */
const namesModule: Handler = (c) => reference(c.args[0]?.text ?? '');
/** Hands an open connection to a shell's input and output. */
const reopens: Handler = (c) => {
  if (c.world.sockets.size > 0) c.world.add('opens_channel', 'one', [...c.world.sockets][0] ?? '', c.excerpt);
  return undefined;
};
const unpacks: Handler = (c) => {
  const from = c.base === undefined || c.base.text === HOLE ? c.args[0] : c.base;
  return unknown((from?.taint ?? 0) | FROM.decoded);
};
const makesCharacter: Handler = (c) => {
  const from = c.args.length > 0 ? wordsIn(c.args) : c.base === undefined ? [] : [c.base];
  if (from.length === 0 || from.some(({ number }) => number === undefined)) return unknown(FROM.decoded);
  return text(built(from.map(({ number }) => codePoint(number!)).join('')), FROM.decoded);
};
/** `['l', 'a'].reverse`: the items of a list, or the characters of a text, from the last to the first. */
const reverses: Handler = (c) => {
  const items = c.base?.items?.toReversed();
  if (items === undefined) return decodes(reversed, -1)(c);
  return { ...text(items.map((i) => i.text).join(' '), (c.base?.taint ?? 0) | FROM.decoded), items };
};
const joins: Handler = (c) => {
  const items = c.base?.items;
  if (items === undefined) return sameSelf(c);
  return text(built(items.map((i) => i.text).join(c.args[0]?.text ?? '')), taintOf(items) | (c.base?.taint ?? 0));
};
/** `implode('', $parts)`, `join '', 'a', 'b'`: the sign between the parts stands before them, and may be left out before a list. */
const implodes: Handler = (c) => {
  const parts = c.args.find(({ items }) => items !== undefined);
  const between = c.args.find(({ items }) => items === undefined)?.text ?? '';
  if (parts?.items === undefined && c.args.length > 2) {
    const single = c.args.slice(1);
    return text(built(single.map((i) => i.text).join(c.args[0]!.text)), taintOf(single));
  }
  return parts?.items === undefined
    ? sameAt(c.args.length - 1)(c)
    : text(built(parts.items.map((i) => i.text).join(between)), taintOf(parts.items) | parts.taint);
};
const sendsFields: Handler = (c) =>
  sends()({ ...c, args: [c.args[0] ?? unknown(), unknown(taintOf([...c.args.slice(1), ...c.named.values()]))] });
/** `new`, which returns what was named, with its arguments. */
const makes: Handler = (c: CodeCall) => ({
  ...unknown(taintOf(c.args), c.name.replace(/\.new$/, '')),
  base: c.args[0] ?? text(''),
});

/** `spec.extensions = ['ext/extconf.rb']`: programs that run while the package is installed. */
const declaresExtension: Handler = (c) => {
  const { extension } = scriptWords(c.world.ontology);
  const program = (c.args[0]?.items ?? c.args).find((i) => extension.test(i.text));
  if (program !== undefined) c.world.add('hooks_install', 'one', program.text, c.excerpt);
  return undefined;
};

export const SCRIPT_READERS: Readers = {
  declares_extension: declaresExtension,
  runs_shell: runsWords,
  begins_command: beginsCommand,
  adds_words: addsWords,
  runs_code: runsCode,
  runs_sql: runsSql(),
  opens,
  lists_files: listsFiles,
  empties_file: empties,
  reads_file: readsAt(0),
  writes_file: writesAt(0),
  removes_file: removes(false),
  removes_tree: removes(true),
  moves_file: moves,
  copies_file: copies(false),
  fetches: fetches(),
  reads_place: readsPlace,
  sends: sendsFields,
  connects,
  connects_socket: connectsSocket,
  names_module: namesModule,
  replaces_process: replacesProcess,
  runs_itself: runsItself,
  reopens,
  looks_up_name: looksUpName(),
  identifies_machine: identifiesMachine,
  reads_variable: readsVariable,
  sets_variable: setsVariables,
  reads_environment: () => unknown(FROM.system | FROM.secret),
  unpacks,
  makes_character: makesCharacter,
  makes,
  decodes_base64: decodes(decodeBase64),
  decodes_hex: decodes(decodeHex),
  decodes_percent: decodes(decodePercent),
  decodes_entities: decodes(decodeEntities),
  decodes_rot13: decodes(rot13),
  reverses,
  joins,
  implodes,
  reverses_argument: decodes(reversed),
  returns_itself: sameSelf,
  returns_argument: sameAt(),
};

/** Calls and constants of these languages. Memoized per ontology. */
export const scriptLibrary = perOntology((ontology) => compileLibrary(ontology, 'script', SCRIPT_READERS));
