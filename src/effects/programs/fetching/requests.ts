/** Programs that make requests to a URL: curl, wget, HTTPie, the web requests of PowerShell, downloaders. */

import { before, withoutEnd } from '../../../lang/ends.ts';
import { noteAdministeringRequest } from '../../administered/calls.ts';
import { CARRIED, type Data, FROM, HOLE } from '../../data.ts';
import { fetchFrom, lookAt, sendTo } from '../../deeds/network.ts';
import { fetchOrRead, readFile } from '../../deeds/read-file.ts';
import { writeFile } from '../../deeds/write-file.ts';
import { isUrl } from '../../hosts.ts';
import { taintSentTo } from '../../key-variables.ts';
import { type Call, type Field, type Options, printingFiles, readOptions } from '../../shell/call.ts';
import type { Reader, Readers } from '../knowledge.ts';
import { onlyAsks } from './questions.ts';
import { deletesByMutation, deletesByRequest } from './remote-deletes.ts';

/** `@file` and `name=@file` are read; anything else is itself. */
function bodyOf(c: Call, value: Field): Data {
  const m = /^(?:[\w.:[\]-]*=)?[@<]([^;]+)/s.exec(value.text);
  if (m === null) return value;
  return m[1] === '-' ? (c.stdin ?? value) : readFile(c.world, m[1]!, c.excerpt);
}

function noteInsecure(c: Call, options: Options, insecure: readonly string[]): void {
  if (options.has(insecure)) c.world.add('bypasses_checks', 'one', 'TLS verification', c.excerpt);
}

interface Request {
  url: Data;
  /** Upper case, '' when none is given. */
  method: string;
  /** What is sent. */
  content: readonly Data[];
  /** Taint of what goes along with the address. */
  carried: number;
  /** The answer goes to the terminal or down the pipe. */
  isShown?: boolean;
  /** Methods that send something. */
  sending: ReadonlySet<string>;
}

/** Does what a request does and returns the answer. */
function request(c: Call, { url, method, content, carried, isShown, sending }: Request): Data {
  const whole = carried | url.taint;
  // An address that is read from a file as a whole only says where to; one with something of the file in it carries that.
  const along = url.text === HOLE && !(whole & (FROM.secret | FROM.personal)) ? 0 : whole;
  const given = content.reduce((t, d) => t | d.taint, along);
  const taint = taintSentTo(c.world, url, given);
  const how = method || (content.length > 0 ? 'POST' : '');
  const isDeleting = deletesByRequest(c.world, how, url.text, c.excerpt);
  noteAdministeringRequest(
    c.world,
    how,
    url.text,
    content.map(({ text }) => text),
    c.excerpt,
  );
  for (const { text } of content) deletesByMutation(c.world, text, c.excerpt);
  if (isDeleting && (taint & CARRIED) === 0) return { text: HOLE, taint: FROM.network };
  const isQuestion = (how === 'POST' || how === 'QUERY') && onlyAsks(c.world, content, taint);
  if (!isQuestion && (content.length > 0 || sending.has(method) || taint & CARRIED))
    return sendTo(c.world, url.text, { text: HOLE, taint }, c.excerpt);
  if (/^\s{0,8}file:/i.test(url.text)) return fetchOrRead(c.world, url.text, c.excerpt);
  return isShown === true ? lookAt(c.world, url.text, c.excerpt) : fetchFrom(c.world, url.text, c.excerpt);
}

const requestByOptions: Reader = (k) => {
  const withValue = k.words('with_value');
  const body = k.options('body');
  const files = k.options('files');
  const carriedOptions = k.options('carried');
  const shownOptions = k.options('shown');
  const methodOptions = k.options('method');
  const urlOptions = k.options('url');
  const output = k.options('output');
  const remoteName = k.options('remote_name');
  const saves = k.options('saves');
  const savesAndIsSilent = k.options('saves_and_is_silent');
  const insecure = k.options('insecure');
  const sending = k.words('sending');
  const socket = k.options('socket');
  const controlSockets = k.pattern('control_sockets');
  return (c) => {
    const options = readOptions(c.args, withValue);
    const urls = [...options.values(urlOptions), ...options.operands.filter((o) => !/^-/.test(o.text))];
    noteInsecure(c, options, insecure);
    const content = options.values(body).map((v) => bodyOf(c, v));
    for (const f of options.values(files))
      content.push(f.text === '-' ? (c.stdin ?? f) : readFile(c.world, f.text, c.excerpt));
    const carried = options.values(carriedOptions).reduce((t, f) => t | f.taint, 0);
    const method = options.value(methodOptions).toUpperCase();
    const isShown = !options.has(saves);
    if (controlSockets.test(options.value(socket)) && (content.length > 0 || method !== ''))
      c.world.add('breaks_isolation', 'one', options.value(socket), c.excerpt);
    let out: Data = { text: HOLE, taint: FROM.network };
    for (const url of urls) {
      out = request(c, { url, method, content, carried, isShown, sending });
      for (const { text } of options.values(shownOptions)) c.world.noteRequest(url.text, text);
    }
    saveTo(c, options.value(output), options.has(remoteName) ? urls : [], out);
    const isPrinted = printingFiles(c.world.ontology).has(options.value(output));
    return options.has(savesAndIsSilent) && !isPrinted ? undefined : out;
  };
};

function saveTo(c: Call, path: string, urls: readonly Field[], data: Data): void {
  if (path !== '' && !printingFiles(c.world.ontology).has(path)) writeFile(c.world, path, data, c.excerpt);
  for (const u of urls) writeFile(c.world, baseName(u.text), data, c.excerpt);
}

/** Name under which a download is kept. */
function baseName(url: string): string {
  return withoutEnd(before(url, /[?#]/), /\//).split('/').at(-1) || 'index.html';
}

const download: Reader = (k) => {
  const withValue = k.words('with_value');
  const body = k.options('body');
  const files = k.options('files');
  const carriedOptions = k.options('carried');
  const shownOptions = k.options('shown');
  const methodOptions = k.options('method');
  const output = k.options('output');
  const folderOptions = k.options('folder');
  const insecure = k.options('insecure');
  const sending = k.words('sending');
  return (c) => {
    const options = readOptions(c.args, withValue);
    noteInsecure(c, options, insecure);
    const content: Data[] = [
      ...options.values(body),
      ...options.values(files).map((f) => readFile(c.world, f.text, c.excerpt)),
    ];
    const carried = options.values(carriedOptions).reduce((t, f) => t | f.taint, 0);
    const method = options.value(methodOptions).toUpperCase();
    const to = options.value(output);
    let out: Data = { text: HOLE, taint: FROM.network };
    for (const url of options.operands) {
      out = request(c, { url, method, content, carried, isShown: to === '-', sending });
      for (const { text } of options.values(shownOptions)) c.world.noteRequest(url.text, text);
    }
    if (to === '-') return out;
    if (to !== '') {
      writeFile(c.world, to, out, c.excerpt);
      return undefined;
    }
    const folder = options.value(folderOptions);
    for (const u of options.operands) {
      const name = baseName(u.text);
      writeFile(c.world, folder === '' ? name : `${folder}/${name}`, out, c.excerpt);
    }
    return undefined;
  };
};

const requestByWords: Reader = (k) => {
  const withValue = k.words('with_value');
  const methods = k.words('methods');
  const sending = k.words('sending');
  return (c) => {
    const [first, ...rest] = readOptions(c.args, withValue).operands;
    const given = first?.text.toUpperCase() ?? '';
    const isMethod = methods.has(given);
    const url = isMethod ? rest.shift() : first;
    const content = rest
      // `name==value` belongs to the address.
      .filter((r) => /[=@]/.test(r.text) && (r.taint !== 0 || !/^[\w.-]{1,64}==/.test(r.text)))
      .map((r) => (/@/.test(r.text) ? readFile(c.world, r.text.replace(/^[^@]*@/, ''), c.excerpt) : r));
    if (url === undefined) return undefined;
    return request(c, {
      // Without a host it is this machine: `:8080/x`, `:/x`.
      url: /^:(?:\d|\/|$)/.test(url.text) ? { ...url, text: `localhost${url.text}` } : url,
      method: isMethod ? given : '',
      content,
      carried: c.stdin?.taint ?? 0,
      sending,
    });
  };
};

/** PowerShell's web requests. */
const requestOfPowershell: Reader = (k) => {
  const output = k.options('output');
  const methodOptions = k.options('method');
  const bodyOptions = k.options('body');
  const sending = k.words('sending');
  return (c) => {
    const at = (name: string) => c.args.findIndex((a) => a.text.toLowerCase() === name);
    const value = (names: readonly string[]): Field | undefined =>
      names.some((name) => at(name) >= 0)
        ? names.map((name) => c.args[at(name) + 1]).find((v) => v !== undefined)
        : undefined;
    const url = c.args.find((a) => isUrl(a.text));
    if (url === undefined) return undefined;
    const to = value(output)?.text;
    const body = value(bodyOptions);
    const method = value(methodOptions)?.text ?? '';
    const out = request(c, {
      url,
      method: method.toUpperCase(),
      content: body === undefined ? [] : [body],
      carried: 0,
      sending,
    });
    if (to !== undefined) writeFile(c.world, to, out, c.excerpt);
    return out;
  };
};

const NONE: ReadonlySet<string> = new Set();

/** certutil, bitsadmin, aria2c and others that fetch a URL among their words. */
const fetch: Reader = (k) => {
  const withValue = k.words('with_value');
  const output = k.options('output');
  const showsOnly = k.words('shows_only');
  return (c) => {
    const url = c.args.find((a) => isUrl(a.text));
    if (url === undefined) return undefined;
    const out = request(c, { url, method: '', content: [], carried: 0, sending: NONE });
    const last = c.args.at(-1)!;
    const to =
      readOptions(c.args, withValue).value(output) ||
      (last !== url && !last.text.startsWith('-') ? last.text : baseName(url.text));
    if (!showsOnly.has(c.name)) writeFile(c.world, to, out, c.excerpt);
    return out;
  };
};

export const REQUEST_READERS: Readers = {
  request: requestByOptions,
  download,
  request_by_words: requestByWords,
  request_of_powershell: requestOfPowershell,
  fetch,
};
