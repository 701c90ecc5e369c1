/** Programs that talk to other machines in ways of their own: copies, shells, mail, sockets, look-ups, scans. */

import type { Ontology } from '../../../ontology/index.ts';
import { perOntology } from '../../../ontology/per-ontology.ts';
import { anyOf, listOf, patternOf, setOf } from '../../../ontology/words.ts';
import { readThere } from '../../administered/devices.ts';
import { openConnection } from '../../connections.ts';
import { CARRIED, FROM, HOLE } from '../../data.ts';
import { emptyPath, noteMirror } from '../../deeds/delete-file.ts';
import { fetchFrom, lookUpName, sendTo } from '../../deeds/network.ts';
import { readElsewhere, readFile } from '../../deeds/read-file.ts';
import { runFile } from '../../deeds/run-code.ts';
import { noteSought } from '../../deeds/sought-processes.ts';
import { writeFile } from '../../deeds/write-file.ts';
import { hostOf, isLoopback } from '../../hosts.ts';
import { type Call, field, isDryRun, lineOf, printingFiles, readOptions } from '../../shell/call.ts';
import { readOperand } from '../files/read-files.ts';
import type { Reader, Readers } from '../knowledge.ts';
import { readByWords } from '../unlisted/by-words.ts';

export const debugWords = perOntology((ontology) => {
  const weak = setOf(ontology, 'weak_environment_words');
  return {
    modes: anyOf(ontology, 'debug_modes'),
    production: new Set(listOf(ontology, 'production_words').filter((word) => !weak.has(word))),
  };
});

const MAX_LINE = 4_000;

/** Notes that a command in production switches on what shows the inside of a service. `place` is where it runs. */
export function noteDebugMode(c: Call, line: string, place: string): void {
  const { modes, production } = debugWords(c.world.ontology);
  const text = line.slice(0, MAX_LINE);
  if (!modes.test(text)) return;
  const names = `${place} ${text}`.toLowerCase().split(/[^a-z]+/);
  if (names.some((name) => production.has(name))) c.world.add('exposes_internals', 'one', 'debug', c.excerpt);
}

const remoteHost = (text: string): string => hostOf(text) || text.replace(/^.*@/, '').split(':')[0]!;

/** What follows the host: `host:/etc/x`, `sftp://host/etc/x`. */
const remotePath = (text: string): string => text.replace(/^(?:\w{2,8}:\/\/[^/]{1,256}|[^:]{1,256}:)/, '');

/** scp and rsync: out when the last operand is remote, in when another one is, else a local copy. */
const copyAcross: Reader = (k) => {
  const withValue = k.words('with_value');
  const recursive = k.options('recursive');
  const deletes = k.options('deletes');
  const dryRun = k.expression('dry_run');
  const trustsAnyHost = k.expression('trusts_any_host');
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
      else if (isRemote(s.text)) {
        const { taint } = fetchFrom(c.world, remoteHost(s.text), c.excerpt);
        const kind = readElsewhere(c.world, remotePath(s.text), c.excerpt);
        const data = { text: HOLE, taint: taint | kind };
        if (printingFiles(c.world.ontology).has(to.text)) return data;
        const name = remotePath(s.text).split('/').at(-1)!;
        const isFolder = /(?:^|\/)\.{0,2}$/.test(to.text) && scope === 'one' && name !== '';
        writeFile(
          c.world,
          isFolder ? `${to.text}${to.text.endsWith('/') ? '' : '/'}${name}` : to.text,
          data,
          c.excerpt,
          scope,
        );
      } else {
        const { place, is_endless } = c.world.describe(s.text);
        if (place === 'null' && !is_endless) emptyPath(c.world, to.text, c.excerpt);
        writeFile(c.world, to.text, readOperand(c, s, scope), c.excerpt, scope);
      }
    }
    if (options.has(deletes)) {
      const path = isRemote(to.text) ? to.text.slice(to.text.indexOf(':') + 1) : to.text;
      const given = sources.map(({ text }) => text);
      noteMirror(c.world, given, to.text, c.excerpt, path);
    }
    return undefined;
  };
};

function noteHostKeys(c: Call, trustsAnyHost: RegExp): void {
  if (c.args.some((a) => trustsAnyHost.test(a.text))) c.world.add('bypasses_checks', 'one', 'host keys', c.excerpt);
}

const remoteShell: Reader = (k) => {
  const withValue = k.words('with_value');
  const leadsHere = k.options('leads_here');
  const leadsAway = k.options('leads_away');
  const ownPort = localEnds(k.ontology).port;
  const settings = k.options('settings');
  const trustsAnyHost = k.expression('trusts_any_host');
  return (c) => {
    const options = readOptions(c.args, withValue, true);
    const [target, ...command] = options.operands;
    noteHostKeys(c, trustsAnyHost);
    for (const { text } of options.values(settings)) {
      const code = /^\w{0,16}Command[ =](.+)$/is.exec(text)?.[1];
      if (code !== undefined && code !== 'none') c.world.run('shell', code);
    }
    const host = target === undefined ? '' : remoteHost(target.text);
    c.world.noteHost(host);
    const place = target === undefined ? host : target.text;
    if (options.has(leadsHere)) c.world.add('opens_tunnel', 'one', place, c.excerpt);
    // A port of this machine through which its own programs go out by way of the other one.
    else if (options.has(leadsAway))
      c.world.add('opens_tunnel', ownPort.test(options.value(leadsAway)) ? 'scratch' : 'one', place, c.excerpt);
    if (target === undefined) return undefined;
    c.world.add('moves_laterally', 'one', host, c.excerpt);
    if (c.stdin !== null && c.stdin.taint & CARRIED) sendTo(c.world, host, c.stdin, c.excerpt);
    const line = command.map((f) => f.text).join(' ');
    noteDebugMode(c, line, host);
    if (c.stdin !== null && /^[\w./ -]+$/.test(line))
      c.invoke(
        line
          .trim()
          .split(/\s+/)
          .map((word) => field(word)),
        c.stdin,
      );
    else readThere(c, host, line);
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
  const uploads = new RegExp(`\\b${k.anyOf('uploads')}\\s+([^\\s;'"]+)`);
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

/** A command of a shell that opens a connection by itself: `ztcp host port`. */
const shellSocket: Reader = (k) => {
  const withValue = k.words('with_value');
  const listens = k.options('listens');
  const closes = k.options('closes');
  return (c) => {
    const options = readOptions(c.args, withValue);
    if (options.has(closes)) return undefined;
    if (options.has(listens)) c.world.add('opens_channel', 'one', 'listener', c.excerpt);
    else if (options.operands[0] !== undefined) openConnection(c.world, options.operands[0].text, c.excerpt);
    return { text: HOLE, taint: FROM.network | FROM.socket };
  };
};

const localEnds = perOntology((ontology) => ({
  port: patternOf(ontology, 'local_ends', 'port'),
  socket: patternOf(ontology, 'local_ends', 'socket'),
  service: patternOf(ontology, 'local_ends', 'service'),
  listener: patternOf(ontology, 'local_ends', 'listener'),
}));

/** Whether both ends of a relay are on this machine, and no other machine reaches the end that listens. */
function staysHere(line: string, host: string, ontology: Ontology): boolean {
  const { socket, service, listener } = localEnds(ontology);
  const words = line.split(/\s+/).filter((word) => word.includes(':'));
  return host === '' && words.every((word) => (socket.test(word) && !service.test(word)) || listener.test(word));
}

const relay: Reader = (k) => {
  const address = new RegExp(`${k.anyOf('addresses')}[46]?(?:-CONNECT)?:([^:,\\s]+)`, 'i');
  const handsOverControl = k.pattern('hands_over_control');
  const listens = k.pattern('listens');
  return (c) => {
    const line = lineOf(c);
    const host = address.exec(line)?.[1] ?? '';
    c.world.noteHost(hostOf(host));
    if (handsOverControl.test(line)) c.world.add('opens_channel', 'one', host === '' ? 'listener' : host, c.excerpt);
    else if (host === '' && !listens.test(line)) {
      // Between files, devices and the terminal.
    } else if (staysHere(line, host, c.world.ontology)) {
      c.world.add('opens_tunnel', 'scratch', 'listener', c.excerpt);
    } else
      c.world.add('opens_tunnel', isLoopback(host) ? 'scratch' : 'one', host === '' ? 'listener' : host, c.excerpt);
    return { text: HOLE, taint: FROM.network };
  };
};

/** A program that makes a port of this machine reachable through a machine outside, or the other way round. */
const tunnel: Reader = (k) => {
  const informs = k.words('informs');
  const opens = k.patternOrNone('opens');
  const showsPage = k.pattern('shows_page');
  const loginPorts = k.pattern('login_ports');
  return (c) => {
    const [first] = c.args;
    const line = lineOf(c);
    if (first === undefined || informs.has(first.text) || opens?.test(line) === false) return undefined;
    if (readByWords(c) === 'looks') return undefined;
    const host = c.args.map(({ text }) => hostOf(text)).find((one) => one !== '' && !isLoopback(one)) ?? '';
    c.world.noteHost(host);
    const isPage = host === '' && showsPage.test(line) && !loginPorts.test(` ${line}`);
    c.world.add('opens_tunnel', isPage ? 'scratch' : 'one', host === '' ? c.name : host, c.excerpt);
    return undefined;
  };
};

/** A terminal of this machine that others use. */
const sharedTerminal: Reader = (k) => {
  const informs = k.words('informs');
  return (c) => {
    if (c.args[0] !== undefined && informs.has(c.args[0].text)) return undefined;
    if (readByWords(c) !== 'looks') c.world.add('opens_channel', 'one', c.name, c.excerpt);
    return undefined;
  };
};

const mail: Reader = (k) => {
  const withValue = k.words('with_value');
  const recipients = k.options('recipients');
  const attachments = k.options('attachments');
  const onlyToRecipients = k.wordsOrNone('only_to_recipients');
  return (c) => {
    const options = readOptions(c.args, withValue);
    if (onlyToRecipients.has(c.name) && !options.has(recipients)) return undefined;
    const to = [...(onlyToRecipients.has(c.name) ? [] : options.operands), ...options.values(recipients)]
      .map((o) => o.text)
      .join(' ');
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
    for (const o of readOptions(c.args, withValue).operands) lookUpName(c.world, o, c.excerpt);
    return { text: HOLE, taint: FROM.network };
  };
};

const ping: Reader = (k) => {
  const floods = k.pattern('floods');
  const withValue = k.words('with_value');
  const filling = k.options('filling');
  const asLookUp = lookUp(k);
  return (c) => {
    if (c.args.some((a) => floods.test(a.text)))
      c.world.add('exhausts_resources', 'many', c.args.at(-1)?.text ?? '', c.excerpt);
    const filled = readOptions(c.args, withValue).values(filling);
    const taint = filled.reduce((bits, one) => bits | one.taint, 0);
    if (taint & CARRIED) sendTo(c.world, c.args.at(-1)?.text ?? '', { text: HOLE, taint }, c.excerpt);
    return asLookUp(c);
  };
};

/** A look at this machine's own processes, ports or people. A look at `one_thing` is not a look around. */
const lookAround =
  (object: string, taint: number): Reader =>
  (k) => {
    const oneThing = k.patternOrNone('one_thing');
    const stops = k.patternOrNone('stops');
    const redirects = k.patternOrNone('redirects');
    const cutsOff = k.patternOrNone('cuts_off');
    const namesOfHosts = k.wordsOrNone('names_of_hosts');
    const withValue = k.wordsOrNone('with_value');
    const seeking = k.wordsOrNone('seeking');
    return (c) => {
      const line = `${c.name} ${lineOf(c)}`;
      const isOther = redirects?.test(line) === true;
      if (isOther || cutsOff?.test(line) === true) {
        c.world.add(isOther ? 'redirects_trust' : 'disrupts', 'many', line, c.excerpt);
        return { text: HOLE, taint: FROM.system };
      }
      if (namesOfHosts.has(c.args[0]?.text ?? '')) {
        for (const name of c.args.slice(1)) lookUpName(c.world, name, c.excerpt);
        return { text: HOLE, taint: FROM.network };
      }
      const isOne = oneThing?.test(lineOf(c)) === true;
      if (stops?.test(lineOf(c)) === true) {
        c.world.add('disrupts', isOne ? 'one' : 'many', object, c.excerpt);
        return { text: HOLE, taint: FROM.system };
      }
      if (isOne) {
        c.world.add('reads', 'one', object, c.excerpt);
        return { text: HOLE, taint: FROM.system };
      }
      c.world.add('reconnoitres', 'one', object, c.excerpt);
      const [name, ...others] = seeking.has(c.name) ? readOptions(c.args, withValue).operands : [];
      if (name === undefined || others.length > 0) return { text: HOLE, taint };
      return { text: HOLE, taint: noteSought(c, name.text) ? taint & ~FROM.processes : taint };
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

export const NETWORK_READERS: Readers = {
  copy_across: copyAcross,
  remote_shell: remoteShell,
  make_key: makeKey,
  file_transfer: transferFiles,
  connect,
  shell_socket: shellSocket,
  relay,
  tunnel,
  shared_terminal: sharedTerminal,
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
