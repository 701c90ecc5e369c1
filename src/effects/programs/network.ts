/** Programs that talk to other machines. */

import { before, withoutEnd } from '../../lang/ends.ts';
import { CARRIED, type Data, FROM, HOLE } from '../data.ts';
import { destroyForGood, fetchFrom, lookAt, readFile, runFile, sendTo, writeFile } from '../deeds.ts';
import type { Scope } from '../effects.ts';
import { hostOf, isLoopback, isUrl } from '../hosts.ts';
import { reachBelow } from '../paths.ts';
import { type Call, type Field, isDryRun, lineOf, type Options, readOptions } from '../shell/call.ts';
import { readByWords } from './by-words.ts';
import type { Reader, Readers } from './knowledge.ts';
import { readOperand } from './read-files.ts';
import { deletesByRequest } from './remote-deletes.ts';

/** `@file` and `name=@file` are read; anything else is itself. */
function bodyOf(c: Call, value: Field): Data {
  const m = /^(?:[\w.-]*=)?[@<]([^;]+)/s.exec(value.text);
  if (m === null) return value;
  return m[1] === '-' ? (c.stdin ?? value) : readFile(c.world, m[1]!, c.excerpt);
}

function noteInsecure(c: Call, options: Options, insecure: readonly string[]): void {
  if (options.has(insecure)) c.world.add('bypasses_checks', 'one', 'TLS verification', c.excerpt);
}

interface Request {
  url: string;
  /** Upper case, '' when none is given. */
  method: string;
  /** What is sent. */
  content: readonly Data[];
  /** Taint of the address and of what goes along with it. */
  carried: number;
  /** The answer goes to the terminal or down the pipe. */
  isShown?: boolean;
  /** Methods that send something. */
  sending: ReadonlySet<string>;
}

/** Does what a request does and returns the answer. */
function request(c: Call, { url, method, content, carried, isShown, sending }: Request): Data {
  // An address that is read from a file as a whole only says where to; one with something of the file in it carries that.
  const along = url === HOLE && !(carried & (FROM.secret | FROM.personal)) ? 0 : carried;
  const taint = content.reduce((t, d) => t | d.taint, along);
  const isDeleting = deletesByRequest(c.world, method || (content.length > 0 ? 'POST' : ''), url, c.excerpt);
  if (isDeleting && (taint & CARRIED) === 0) return { text: HOLE, taint: FROM.network };
  if (content.length > 0 || sending.has(method) || taint & CARRIED)
    return sendTo(c.world, url, { text: HOLE, taint }, c.excerpt);
  return isShown === true ? lookAt(c.world, url, c.excerpt) : fetchFrom(c.world, url, c.excerpt);
}

const requestByOptions: Reader = (k) => {
  const withValue = k.words('with_value');
  const body = k.options('body');
  const files = k.options('files');
  const carriedOptions = k.options('carried');
  const methodOptions = k.options('method');
  const urlOptions = k.options('url');
  const output = k.options('output');
  const remoteName = k.options('remote_name');
  const saves = k.options('saves');
  const savesAndIsSilent = k.options('saves_and_is_silent');
  const insecure = k.options('insecure');
  const sending = k.words('sending');
  return (c) => {
    const options = readOptions(c.args, withValue);
    const urls = [...options.values(urlOptions), ...options.operands.filter((o) => !/^-/.test(o.text))];
    noteInsecure(c, options, insecure);
    const content = options.values(body).map((v) => bodyOf(c, v));
    for (const f of options.values(files))
      content.push(f.text === '-' ? (c.stdin ?? f) : readFile(c.world, f.text, c.excerpt));
    const carried = [...urls, ...options.values(carriedOptions)].reduce((t, f) => t | f.taint, 0);
    const method = options.value(methodOptions).toUpperCase();
    const isShown = !options.has(saves);
    let out: Data = { text: HOLE, taint: FROM.network };
    for (const url of urls) out = request(c, { url: url.text, method, content, carried, isShown, sending });
    saveTo(c, options.value(output), options.has(remoteName) ? urls : [], out);
    return options.has(savesAndIsSilent) ? undefined : out;
  };
};

function saveTo(c: Call, path: string, urls: readonly Field[], data: Data): void {
  if (path !== '' && path !== '-') writeFile(c.world, path, data, c.excerpt);
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
    const carried = options.operands.reduce((t, f) => t | f.taint, 0);
    const method = options.value(methodOptions).toUpperCase();
    const to = options.value(output);
    let out: Data = { text: HOLE, taint: FROM.network };
    for (const url of options.operands)
      out = request(c, { url: url.text, method, content, carried, isShown: to === '-', sending });
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
      .filter((r) => /[=@]/.test(r.text))
      .map((r) => (/@/.test(r.text) ? readFile(c.world, r.text.replace(/^[^@]*@/, ''), c.excerpt) : r));
    if (url === undefined) return undefined;
    return request(c, {
      url: url.text,
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
      url: url.text,
      method: method.toUpperCase(),
      content: body === undefined ? [] : [body],
      carried: 0,
      sending,
    });
    if (to !== undefined) writeFile(c.world, to, out, c.excerpt);
    return out;
  };
};

const remoteHost = (text: string): string => hostOf(text) || text.replace(/^.*@/, '').split(':')[0]!;

/** scp and rsync: out when the last operand is remote, in when another one is, else a local copy. */
const copyAcross: Reader = (k) => {
  const withValue = k.words('with_value');
  const recursive = k.options('recursive');
  const deletes = k.options('deletes');
  const dryRun = k.pattern('dry_run');
  const trustsAnyHost = k.pattern('trusts_any_host');
  const remoteScheme = new RegExp(`^${k.anyOf('schemes')}://`);
  const isRemote = (text: string): boolean =>
    /^(?:[\w.-]{1,64}@)?[\w.-]{2,253}:(?!\/\/|\\)/.test(text) || remoteScheme.test(text);
  return (c) => {
    const options = readOptions(c.args, withValue);
    const to = options.operands.at(-1);
    const sources = options.operands.slice(0, -1);
    if (to === undefined) return undefined;
    noteHostKeys(c, trustsAnyHost);
    if (isDryRun(c, c.args, dryRun)) return undefined;
    for (const s of sources) {
      const scope = s.hasGlob || options.has(recursive) ? 'many' : 'one';
      if (isRemote(to.text)) sendTo(c.world, remoteHost(to.text), readOperand(c, s, scope), c.excerpt, scope);
      else if (isRemote(s.text))
        writeFile(c.world, to.text, fetchFrom(c.world, remoteHost(s.text), c.excerpt), c.excerpt, scope);
      else writeFile(c.world, to.text, readOperand(c, s, scope), c.excerpt, scope);
    }
    if (options.has(deletes)) destroyForGood(c.world, reachAcross(c, to.text, isRemote(to.text)), to.text, c.excerpt);
    return undefined;
  };
};

/** How much is removed from the target of a copy that makes it like its source. */
function reachAcross(c: Call, to: string, isElsewhere: boolean): Scope {
  return isElsewhere || reachBelow(c.world.describe(to)) !== 'scratch' ? 'many' : 'scratch';
}

function noteHostKeys(c: Call, trustsAnyHost: RegExp): void {
  if (c.args.some((a) => trustsAnyHost.test(a.text))) c.world.add('bypasses_checks', 'one', 'host keys', c.excerpt);
}

const remoteShell: Reader = (k) => {
  const withValue = k.words('with_value');
  const forwards = k.options('forwards');
  const trustsAnyHost = k.pattern('trusts_any_host');
  return (c) => {
    const options = readOptions(c.args, withValue, true);
    const [target, ...command] = options.operands;
    noteHostKeys(c, trustsAnyHost);
    const host = target === undefined ? '' : remoteHost(target.text);
    c.world.noteHost(host);
    if (options.has(forwards)) c.world.add('opens_channel', 'one', host, c.excerpt);
    if (target === undefined) return undefined;
    c.world.add('moves_laterally', 'one', host, c.excerpt);
    if (c.stdin !== null && c.stdin.taint & CARRIED) sendTo(c.world, host, c.stdin, c.excerpt);
    if (command.length > 0) c.world.run('shell', command.map((f) => f.text).join(' '));
    return { text: HOLE, taint: FROM.network };
  };
};

const makeKey: Reader = (k) => {
  const withValue = k.words('with_value');
  const output = k.options('output');
  return (c) => {
    const path = readOptions(c.args, withValue).value(output);
    if (path !== '') writeFile(c.world, path, { text: HOLE, taint: 0 }, c.excerpt);
    return undefined;
  };
};

/** ftp, sftp, lftp: what the session script or the operands say. */
const transferFiles: Reader = (k) => {
  const withValue = k.words('with_value');
  const session = k.options('session');
  const uploads = new RegExp(`\\b${k.anyOf('uploads')}\\s+(\\S+)`);
  return (c) => {
    const options = readOptions(c.args, withValue);
    const host = options.operands[0] === undefined ? '' : remoteHost(options.operands[0].text);
    const script = `${c.stdin?.text ?? ''} ${options.value(session)}`;
    c.world.noteHost(host);
    const sent = uploads.exec(script)?.[1];
    if (sent !== undefined) sendTo(c.world, host, readFile(c.world, sent, c.excerpt), c.excerpt);
    else c.world.add('moves_laterally', 'one', host, c.excerpt);
    return { text: HOLE, taint: FROM.network };
  };
};

const connect: Reader = (k) => {
  const withValue = k.words('with_value');
  const handsOverControl = k.options('hands_over_control');
  const listens = k.pattern('listens');
  const scans = k.options('scans');
  return (c) => {
    const options = readOptions(c.args, withValue);
    const host = options.operands.find((o) => !/^\d+$/.test(o.text))?.text ?? '';
    c.world.noteHost(hostOf(host) || host);
    if (c.stdin !== null && c.stdin.taint & FROM.interactive) c.world.add('opens_channel', 'one', host, c.excerpt);
    else if (options.has(handsOverControl) || c.args.some((a) => listens.test(a.text)))
      c.world.add('opens_channel', 'one', host === '' ? 'listener' : host, c.excerpt);
    else if (options.has(scans))
      c.world.add('reconnoitres', /[-,]/.test(options.operands.at(-1)?.text ?? '') ? 'many' : 'one', host, c.excerpt);
    else if (c.stdin !== null) sendTo(c.world, host, c.stdin, c.excerpt);
    else c.world.add('moves_laterally', 'one', host, c.excerpt);
    return { text: HOLE, taint: FROM.network | FROM.socket };
  };
};

const relay: Reader = (k) => {
  const address = new RegExp(`${k.anyOf('addresses')}[46]?(?:-CONNECT)?:([^:,\\s]+)`, 'i');
  return (c) => {
    const host = address.exec(lineOf(c))?.[1] ?? 'listener';
    c.world.noteHost(hostOf(host));
    c.world.add('opens_channel', 'one', host, c.excerpt);
    return { text: HOLE, taint: FROM.network };
  };
};

const tunnel: Reader = (k) => {
  const informs = k.words('informs');
  const opens = k.patternOrNone('opens');
  return (c) => {
    const [first] = c.args;
    if (first === undefined || informs.has(first.text) || opens?.test(lineOf(c)) === false) return undefined;
    if (readByWords(c) !== 'looks') c.world.add('opens_channel', 'one', c.name, c.excerpt);
    return undefined;
  };
};

const mail: Reader = (k) => {
  const withValue = k.words('with_value');
  const recipients = k.options('recipients');
  const attachments = k.options('attachments');
  return (c) => {
    const options = readOptions(c.args, withValue);
    const to = [...options.operands, ...options.values(recipients)].map((o) => o.text).join(' ');
    const attached = options.values(attachments).reduce((t, f) => t | readFile(c.world, f.text, c.excerpt).taint, 0);
    sendTo(c.world, to, { text: HOLE, taint: (c.stdin?.taint ?? 0) | attached }, c.excerpt);
    return undefined;
  };
};

/** croc, wormhole, ipfs: hand files to anyone who has the code or the address. */
const handOver: Reader = (k) => {
  const withValue = k.words('with_value');
  const sends = k.words('sends');
  return (c) => {
    const [verb, ...files] = readOptions(c.args, withValue).operands;
    if (!sends.has(verb?.text ?? '')) return undefined;
    for (const f of files) sendTo(c.world, c.name, readOperand(c, f), c.excerpt);
    return undefined;
  };
};

/** Name look-ups; a name built from data takes the data along. */
const lookUp: Reader = (k) => {
  const withValue = k.words('with_value');
  return (c) => {
    for (const o of readOptions(c.args, withValue).operands) {
      if (o.taint & CARRIED && (o.text !== HOLE || o.taint & FROM.secret)) sendTo(c.world, o.text, o, c.excerpt);
      else c.world.noteHost(hostOf(o.text));
    }
    return { text: HOLE, taint: FROM.network };
  };
};

const ping: Reader = (k) => {
  const floods = k.pattern('floods');
  const asLookUp = lookUp(k);
  return (c) => {
    if (c.args.some((a) => floods.test(a.text)))
      c.world.add('exhausts_resources', 'many', c.args.at(-1)?.text ?? '', c.excerpt);
    return asLookUp(c);
  };
};

/** A look at this machine's own processes, ports or people. A look at `one_thing` is not a look around. */
const lookAround =
  (object: string, taint: number): Reader =>
  (k) => {
    const oneThing = k.patternOrNone('one_thing');
    return (c) => {
      if (oneThing?.test(lineOf(c)) === true) return { text: HOLE, taint: FROM.system };
      c.world.add('reconnoitres', 'one', object, c.excerpt);
      return { text: HOLE, taint };
    };
  };

/** Scanners, brute force, exploitation, interception. */
const attack: Reader = (k) => {
  const withValue = k.words('with_value');
  return (c) => {
    const target = readOptions(c.args, withValue).operands.at(-1)?.text ?? '';
    c.world.noteHost(hostOf(target));
    c.world.add(
      'reconnoitres',
      isLoopback(target) ? 'one' : 'many',
      target === '' ? c.name : `${c.name} ${target}`,
      c.excerpt,
    );
    return { text: HOLE, taint: FROM.system };
  };
};

const serve: Reader = () => (c) => {
  runFile(c.world, c.name, null, c.excerpt);
  return undefined;
};

/** certutil, bitsadmin, aria2c and others that fetch a URL among their words. */
const fetch: Reader = (k) => {
  const withValue = k.words('with_value');
  const output = k.options('output');
  const showsOnly = k.words('shows_only');
  return (c) => {
    const url = c.args.find((a) => isUrl(a.text));
    if (url === undefined) return undefined;
    const out = fetchFrom(c.world, url.text, c.excerpt);
    const last = c.args.at(-1)!;
    const to =
      readOptions(c.args, withValue).value(output) ||
      (last !== url && !last.text.startsWith('-') ? last.text : baseName(url.text));
    if (!showsOnly.has(c.name)) writeFile(c.world, to, out, c.excerpt);
    return out;
  };
};

export const NETWORK_READERS: Readers = {
  request: requestByOptions,
  download,
  request_by_words: requestByWords,
  request_of_powershell: requestOfPowershell,
  fetch,
  copy_across: copyAcross,
  remote_shell: remoteShell,
  make_key: makeKey,
  file_transfer: transferFiles,
  connect,
  relay,
  tunnel,
  mail,
  hand_over: handOver,
  look_up: lookUp,
  ping,
  look_at_processes: lookAround('processes', FROM.system | FROM.processes),
  look_at_network: lookAround('network', FROM.system),
  look_at_accounts: lookAround('accounts', FROM.system),
  attack,
  serve,
};
