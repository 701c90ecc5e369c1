/** Calls of Python's libraries that talk to other machines. */
import { does, fetches, removesRemote, sends } from '../code/code-calls.ts';
import {
  arg,
  type CallTable,
  type CodeCall,
  callTable,
  type Handler,
  list,
  reference,
  taintOf,
  unknown,
} from '../code/values.ts';
import { FROM, HOLE } from '../data.ts';
import { sendTo } from '../deeds.ts';
import { hostOf, isLoopback } from '../hosts.ts';

/** Connections: the host is kept with the socket, so that what is sent has a destination. */
const connect: Handler = (c) => {
  const target = c.args[0]?.items?.[0] ?? c.args[0] ?? c.named.get('hostname') ?? c.named.get('host');
  const host = hostOf(target?.text ?? '') || (target?.text ?? '');
  c.world.noteHost(hostOf(host));
  if (c.base !== undefined) Object.assign(c.base, { text: host });
  if (/paramiko|fabric|asyncssh|winrm|smbprotocol|telnetlib/.test(c.name))
    c.world.add('moves_laterally', 'one', host, c.excerpt);
  else if (/socket/.test(c.name)) c.world.sockets.add(host);
  return undefined;
};
const makeSocket: Handler = (c) => {
  const target = c.args[0]?.items?.[0];
  if (target !== undefined) c.world.sockets.add(target.text);
  return { text: target?.text ?? HOLE, taint: 0, ref: 'socket.socket()' };
};
const receive: Handler = (c) =>
  unknown(FROM.network | (/socket|conn|sock|client/.test(c.name) || c.base?.ref.includes('socket') ? FROM.socket : 0));
const bind: Handler = (c) => {
  const host = c.args[0]?.items?.[0]?.text ?? '';
  c.world.add(
    'opens_channel',
    isLoopback(host) && host !== '0.0.0.0' ? 'scratch' : 'one',
    host === '' ? 'listener' : host,
    c.excerpt,
  );
  return undefined;
};
const accept: Handler = () => list([reference('socket.socket()'), unknown()]);
/** Standard input and output handed to a connection: what makes a reverse shell. */
const duplicate: Handler = (c) => {
  if (c.world.sockets.size > 0 || c.args.some((a) => /socket|fileno/.test(a.ref)))
    c.world.add('opens_channel', 'one', [...c.world.sockets][0] ?? 'connection', c.excerpt);
  return undefined;
};
const sendOnSocket: Handler = (c) => {
  if (c.base === undefined || !/socket|SMTP|sock|conn/i.test(c.base.ref)) return undefined;
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
  return /^(?:POST|PUT|PATCH)$/.test(method) || c.named.has('data') || c.named.has('json') || c.named.has('files')
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
/** `.get` and its like mean a request only on a client of HTTP. */
const onClient =
  (handler: Handler): Handler =>
  (c) =>
    /requests|httpx|aiohttp|urllib3|session|client/i.test(c.name) && !/test_client|os\.environ/.test(c.name)
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

export const PYTHON_NETWORK_CALLS: CallTable = callTable({
  'requests.get requests.head requests.options httpx.get httpx.head urllib2.urlopen urllib.urlopen http.client.get wget.download gdown.download feedparser.parse':
    fetches(),
  'requests.post requests.put requests.patch httpx.post httpx.put httpx.patch .post .put_object .upload_fileobj .upload_blob .upload_from_filename .upload_file':
    sends(),
  'requests.delete httpx.delete': removesRemote(),
  '.get .head': onClient(fetches()),
  '.put .patch': onClient(sends()),
  '.delete': onClient(removesRemote()),
  '.request': onClient(request),
  'requests.request httpx.request': request,
  'urllib3.PoolManager().request': request,
  'urllib.request.urlopen urlopen': urlopen,
  'urllib.request.Request urllib2.Request': urlRequest,
  'socket.socket socket.create_connection': makeSocket,
  '.connect': connect,
  '.connect_ex': probes,
  '.bind': bind,
  '.accept': accept,
  '.recv .recvfrom .recv_into': receive,
  '.send .sendall .sendto': sendOnSocket,
  'os.dup2': duplicate,
  'socketserver.TCPServer asyncio.start_server': (c) => bind(c),
  'http.server.HTTPServer http.server.ThreadingHTTPServer uvicorn.run waitress.serve flask.Flask().run': does(
    'opens_channel',
    'scratch',
    'web server',
  ),
  '.sendmail .send_message': mails,
  '.storbinary .storlines .put .upload': (c) =>
    /ftp|sftp|SSH|scp|boto|bucket|blob|client/i.test(c.name) ? uploads(c) : undefined,
  '.retrbinary .retrlines': retrieves,
  '.exec_command .run_cmd': runsRemotely,
  'paramiko.AutoAddPolicy ssl._create_unverified_context urllib3.disable_warnings': does(
    'bypasses_checks',
    'one',
    'TLS or host keys',
  ),
  'nmap.PortScanner nmap.PortScanner().scan scapy.all.sniff scapy.all.sr1 scapy.all.srp scapy.all.send scapy.sniff pyshark.LiveCapture':
    does('reconnoitres', 'many', 'network'),
});
