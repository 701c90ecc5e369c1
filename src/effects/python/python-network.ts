/** Readers of calls of Python's libraries that communicate with other machines. */
import { perOntology } from '../../ontology/per-ontology.ts';
import { patternOf, setOf } from '../../ontology/words.ts';
import { fetches, identifiesMachine, looksUpName, removesRemote, sends, uploadsFile } from '../code/code-calls.ts';
import type { Readers } from '../code/library-calls.ts';
import { arg, type CodeCall, type Handler, list, reference, taintOf, unknown, type Value } from '../code/values.ts';
import { openConnection } from '../connections.ts';
import { FROM, HOLE } from '../data.ts';
import { sendTo } from '../deeds/network.ts';
import { hostOf, isLoopback } from '../hosts.ts';

/** Parts of dotted names that show the purpose of an object. */
export const pythonObjects = perOntology((ontology) => {
  const named = (name: string): RegExp => patternOf(ontology, 'python_objects', name);
  return {
    clients: named('http_clients'),
    no_clients: named('no_http_clients'),
    uploaders: named('uploaders'),
    connections: named('connections'),
    descriptors: named('connection_descriptors'),
    senders: named('senders'),
    remote_shells: named('remote_shells'),
    resolvers: named('name_resolvers'),
    sending_methods: setOf(ontology, 'http_sending_methods'),
  };
});

/** Keeps the host as the text of the connection, so that later sends have a destination. */
const connect: Handler = (c) => {
  const target = c.args[0]?.items?.[0] ?? c.args[0] ?? c.named.get('hostname') ?? c.named.get('host');
  const host = hostOf(target?.text ?? '') || (target?.text ?? '');
  c.world.noteHost(hostOf(host));
  if (c.base !== undefined) Object.assign(c.base, { text: host });
  if (pythonObjects(c.world.ontology).remote_shells.test(c.name))
    c.world.add('moves_laterally', 'one', host, c.excerpt);
  else if (/socket/.test(c.name)) openConnection(c.world, host, c.excerpt);
  return undefined;
};
const makeSocket: Handler = (c) => {
  const target = c.args[0]?.items?.[0];
  if (target !== undefined) openConnection(c.world, target.text, c.excerpt);
  return { text: target?.text ?? HOLE, taint: 0, ref: 'socket.socket()' };
};
/** A connection as a reader and a writer. */
const openStream: Handler = (c) => {
  const host = arg(c, 0, 'host')?.text ?? '';
  if (host !== '') openConnection(c.world, host, c.excerpt);
  const end = (): Value => ({ ...unknown(FROM.network | FROM.socket, 'socket.stream()') });
  return { ...list([end(), end()]), taint: FROM.network | FROM.socket };
};
const receive: Handler = (c) =>
  unknown(
    FROM.network |
      (pythonObjects(c.world.ontology).connections.test(c.name) || c.base?.ref.includes('socket') ? FROM.socket : 0),
  );
const bind: Handler = (c) => {
  const host = c.args[0]?.items?.[0]?.text ?? '';
  c.world.add('opens_channel', isLoopback(host) && host !== '0.0.0.0' ? 'scratch' : 'one', 'listener', c.excerpt);
  return undefined;
};
const accept: Handler = () => list([reference('socket.socket()'), unknown()]);
/** Connecting standard input and output to a socket makes a reverse shell. */
const duplicate: Handler = (c) => {
  if (c.world.sockets.size > 0 || c.args.some((a) => pythonObjects(c.world.ontology).descriptors.test(a.ref)))
    c.world.add('opens_channel', 'one', [...c.world.sockets][0] ?? 'connection', c.excerpt);
  return undefined;
};
const sendOnSocket: Handler = (c) => {
  if (c.base === undefined || !pythonObjects(c.world.ontology).senders.test(c.base.ref)) return undefined;
  sendTo(c.world, c.base.text, c.args[0] ?? unknown(), c.excerpt);
  return undefined;
};
const mails: Handler = (c) => {
  const server = c.base?.base?.text ?? c.base?.text ?? '';
  sendTo(c.world, server, unknown(taintOf(c.args)), c.excerpt);
  return undefined;
};
const uploads: Handler = (c) => {
  sendTo(c.world, c.base?.base?.text ?? c.base?.text ?? '', unknown(taintOf(c.args) | FROM.file), c.excerpt);
  return undefined;
};
const request: Handler = (c) => {
  const method = (arg(c, 0, 'method')?.text ?? '').toUpperCase();
  const moved: CodeCall = { ...c, args: c.args.slice(1) };
  if (method === 'DELETE') return removesRemote()(moved);
  return pythonObjects(c.world.ontology).sending_methods.has(method) ||
    c.named.has('data') ||
    c.named.has('json') ||
    c.named.has('files')
    ? sends()(moved)
    : fetches()(moved);
};
const urlopen: Handler = (c) =>
  c.args[1] !== undefined || c.named.has('data')
    ? sends()(c)
    : /Request/.test(c.args[0]?.ref ?? '')
      ? urlopen2(c)
      : fetches()(c);
const urlopen2: Handler = (c) => {
  const made = c.args[0]!;
  return made.taint & FROM.encrypted || made.entries?.has('data')
    ? sends()({ ...c, args: [made.base ?? made, ...(made.entries?.values() ?? [])] })
    : fetches()({ ...c, args: [made.base ?? made] });
};
const urlRequest: Handler = (c) => {
  const data = arg(c, 1, 'data');
  return {
    ...unknown(taintOf([data]), 'urllib.request.Request()'),
    base: arg(c, 0, 'url') ?? unknown(),
    ...(data === undefined ? {} : { entries: new Map([['data', data]]) }),
  };
};
/** Methods such as `.get` send a request only when their object is an HTTP client. */
const onClient =
  (handler: Handler): Handler =>
  (c) =>
    pythonObjects(c.world.ontology).clients.test(c.name) && !pythonObjects(c.world.ontology).no_clients.test(c.name)
      ? handler(c)
      : undefined;

const probes: Handler = (c) => {
  c.world.add('reconnoitres', 'many', c.args[0]?.items?.[0]?.text ?? 'ports', c.excerpt);
  return undefined;
};
const retrieves: Handler = (c) => {
  c.world.add('downloads', 'one', c.base?.base?.text ?? 'ftp', c.excerpt);
  return unknown(FROM.network);
};
const runsRemotely: Handler = (c) => {
  c.world.add('moves_laterally', 'one', c.base?.base?.text ?? 'remote host', c.excerpt);
  c.world.run('shell', c.args[0]?.text ?? '');
  return unknown(FROM.network);
};

export const PYTHON_NETWORK_READERS: Readers = {
  identifies_machine: identifiesMachine,
  looks_up_name: looksUpName(),
  looks_up_remote_name: (c) => (pythonObjects(c.world.ontology).resolvers.test(c.name) ? looksUpName()(c) : undefined),
  fetches: fetches(),
  sends: sends(),
  uploads_file: uploadsFile,
  removes_remote: removesRemote(),
  requests_by_method: request,
  fetches_on_client: onClient(fetches()),
  sends_on_client: onClient(sends()),
  removes_on_client: onClient(removesRemote()),
  requests_on_client: onClient(request),
  opens_url: urlopen,
  prepares_request: urlRequest,
  opens_socket: makeSocket,
  opens_stream: openStream,
  connects: connect,
  probes_port: probes,
  listens: bind,
  accepts: accept,
  receives: receive,
  sends_on_socket: sendOnSocket,
  duplicates_descriptor: duplicate,
  sends_mail: mails,
  uploads: (c) => (pythonObjects(c.world.ontology).uploaders.test(c.name) ? uploads(c) : undefined),
  retrieves,
  runs_remotely: runsRemotely,
};
