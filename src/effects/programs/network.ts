/** Programs that talk to other machines. */

import { CARRIED, type Data, FROM, HOLE } from '../data.ts';
import { fetchFrom, lookAt, readFile, runFile, sendTo, writeFile } from '../deeds.ts';
import { hostOf, isLoopback, isUrl } from '../hosts.ts';
import {
  type Call,
  type Field,
  field,
  isDryRun,
  type Options,
  type Program,
  type ProgramTable,
  programTable,
  readOptions,
} from '../shell/call.ts';
import { readOperand } from './read-files.ts';

const CURL_VALUED =
  'A b c C d D e E F H K m o P Q r T u U w x X y Y z data data-raw data-binary data-urlencode data-ascii json form form-string output upload-file header user user-agent request url proxy cookie cookie-jar referer max-time connect-timeout retry write-out cacert cert key resolve range config interface limit-rate';

/** `@file` and `name=@file` are read; anything else is itself. */
function curlValue(c: Call, value: Field): Data {
  const m = /^(?:[\w.-]*=)?[@<]([^;]+)/s.exec(value.text);
  if (m === null) return value;
  return m[1] === '-' ? (c.stdin ?? value) : readFile(c.world, m[1]!, c.excerpt);
}

function noteInsecure(c: Call, options: Options, ...names: string[]): void {
  if (options.has(...names)) c.world.add('bypasses_checks', 'one', 'TLS verification', c.excerpt);
}

const curl: Program = (c) => {
  const options = readOptions(c.args, CURL_VALUED);
  const urls = [...options.values('url'), ...options.operands.filter((o) => !/^-/.test(o.text))];
  noteInsecure(c, options, 'k', 'insecure');
  const sent = options.values(
    'd',
    'data',
    'data-raw',
    'data-binary',
    'data-urlencode',
    'data-ascii',
    'json',
    'F',
    'form',
    'form-string',
  );
  const content = sent.map((v) => curlValue(c, v));
  for (const f of options.values('T', 'upload-file'))
    content.push(f.text === '-' ? (c.stdin ?? f) : readFile(c.world, f.text, c.excerpt));
  const carried = [...urls, ...options.values('H', 'header', 'u', 'user', 'b', 'cookie')].reduce(
    (t, f) => t | f.taint,
    0,
  );
  const method = options.value('X', 'request').toUpperCase();
  const isShown = !options.has('o', 'output', 'O', 'remote-name', 'remote-name-all');
  let out: Data = { text: HOLE, taint: FROM.network };
  for (const url of urls) out = request(c, url.text, method, content, carried, isShown);
  saveTo(c, options.value('o', 'output'), options.has('O', 'remote-name') ? urls : [], out);
  return options.has('o', 'output', 'O') ? undefined : out;
};

/** `isShown`: the answer goes to the terminal or down the pipe. */
function request(
  c: Call,
  url: string,
  method: string,
  content: readonly Data[],
  carried: number,
  isShown = false,
): Data {
  // A place that stands in a file as a whole is gone to; a place with something of the file in it takes that along.
  const along = url === HOLE && !(carried & (FROM.secret | FROM.personal)) ? 0 : carried;
  const taint = content.reduce((t, d) => t | d.taint, along);
  if (content.length > 0 || /^(?:POST|PUT|PATCH)$/.test(method) || taint & CARRIED)
    return sendTo(c.world, url, { text: HOLE, taint }, c.excerpt);
  if (method === 'DELETE') {
    const host = hostOf(url);
    c.world.noteHost(host);
    c.world.add('deletes', 'one', url, c.excerpt);
    return { text: HOLE, taint: FROM.network };
  }
  return isShown ? lookAt(c.world, url, c.excerpt) : fetchFrom(c.world, url, c.excerpt);
}

function saveTo(c: Call, path: string, urls: readonly Field[], data: Data): void {
  if (path !== '' && path !== '-') writeFile(c.world, path, data, c.excerpt);
  for (const u of urls) writeFile(c.world, baseName(u.text), data, c.excerpt);
}

function baseName(url: string): string {
  return (
    url
      .replace(/[?#].*$/, '')
      .replace(/\/+$/, '')
      .split('/')
      .at(-1) || 'index.html'
  );
}

const wget: Program = (c) => {
  const options = readOptions(
    c.args,
    'O o a P i T t w U e output-document directory-prefix post-data post-file body-data body-file method header user password user-agent timeout tries',
  );
  noteInsecure(c, options, 'no-check-certificate');
  const content: Data[] = [
    ...options.values('post-data', 'body-data'),
    ...options.values('post-file', 'body-file').map((f) => readFile(c.world, f.text, c.excerpt)),
  ];
  const carried = options.operands.reduce((t, f) => t | f.taint, 0);
  const to = options.value('O', 'output-document');
  let out: Data = { text: HOLE, taint: FROM.network };
  for (const url of options.operands)
    out = request(c, url.text, options.value('method').toUpperCase(), content, carried, to === '-');
  if (to === '-') return out;
  const folder = options.value('P', 'directory-prefix');
  const urls =
    to === ''
      ? options.operands.map((u) => field(folder === '' ? baseName(u.text) : `${folder}/${baseName(u.text)}`))
      : [];
  if (to !== '') writeFile(c.world, to, out, c.excerpt);
  for (const u of urls) writeFile(c.world, u.text, out, c.excerpt);
  return undefined;
};

const httpie: Program = (c) => {
  const options = readOptions(c.args, 'o output a auth');
  const [first, ...rest] = options.operands;
  const isMethod = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/i.test(first?.text ?? '');
  const url = isMethod ? rest.shift() : first;
  const items = rest
    .filter((r) => /[=@]/.test(r.text))
    .map((r) => (/@/.test(r.text) ? readFile(c.world, r.text.replace(/^[^@]*@/, ''), c.excerpt) : r));
  return url === undefined
    ? undefined
    : request(c, url.text, isMethod ? first!.text.toUpperCase() : '', items, c.stdin?.taint ?? 0);
};

/** PowerShell's web requests. */
const webRequest: Program = (c) => {
  const named = (name: string) => c.args[c.args.findIndex((a) => a.text.toLowerCase() === name) + 1];
  const url = c.args.find((a) => isUrl(a.text));
  const to = c.args.some((a) => /^-outfile$/i.test(a.text)) ? named('-outfile')?.text : undefined;
  const method = c.args.some((a) => /^-method$/i.test(a.text)) ? (named('-method')?.text ?? '') : '';
  const body = c.args.some((a) => /^-(?:body|infile)$/i.test(a.text)) ? [named('-body') ?? named('-infile')!] : [];
  if (url === undefined) return undefined;
  const out = request(c, url.text, method.toUpperCase(), body, 0);
  if (to !== undefined) writeFile(c.world, to, out, c.excerpt);
  return out;
};

const isRemote = (text: string): boolean =>
  /^(?:[\w.-]+@)?[\w.-]{2,}:(?!\/\/|\\)/.test(text) || /^(?:rsync|sftp|scp|ftp):\/\//.test(text);
const remoteHost = (text: string): string => hostOf(text) || text.replace(/^.*@/, '').split(':')[0]!;

/** scp and rsync: out when the last operand is remote, in when another one is, else a local copy. */
const copyAcross: Program = (c) => {
  const options = readOptions(c.args, 'P i o F e l c S J port exclude include rsh files-from bwlimit');
  const to = options.operands.at(-1);
  const sources = options.operands.slice(0, -1);
  if (to === undefined) return undefined;
  noteHostKeys(c);
  if (isDryRun(c.args, /^(?:--dry-run|-[avzrlptgoDHAXSxuchiPq]*n[avzrlptgoDHAXSxuchiPq]*)$/)) return undefined;
  for (const s of sources) {
    const scope = s.hasGlob || options.has('r', 'a', 'recursive', 'archive') ? 'many' : 'one';
    if (isRemote(to.text)) sendTo(c.world, remoteHost(to.text), readOperand(c, s, scope), c.excerpt, scope);
    else if (isRemote(s.text))
      writeFile(c.world, to.text, fetchFrom(c.world, remoteHost(s.text), c.excerpt), c.excerpt, scope);
    else writeFile(c.world, to.text, readOperand(c, s, scope), c.excerpt, scope);
  }
  if (options.has('delete')) c.world.add('deletes', 'many', to.text, c.excerpt);
  return undefined;
};

function noteHostKeys(c: Call): void {
  if (c.args.some((a) => /StrictHostKeyChecking=no/i.test(a.text)))
    c.world.add('bypasses_checks', 'one', 'host keys', c.excerpt);
}

const ssh: Program = (c) => {
  const options = readOptions(c.args, 'b c D E e F I i J L l m O o p Q R S W w B', true);
  const [target, ...command] = options.operands;
  noteHostKeys(c);
  const host = target === undefined ? '' : remoteHost(target.text);
  c.world.noteHost(host);
  if (options.has('R', 'D', 'w')) c.world.add('opens_channel', 'one', host, c.excerpt);
  if (target === undefined) return undefined;
  c.world.add('moves_laterally', 'one', host, c.excerpt);
  if (c.stdin !== null && c.stdin.taint & CARRIED) sendTo(c.world, host, c.stdin, c.excerpt);
  if (command.length > 0) c.world.run('shell', command.map((f) => f.text).join(' '));
  return { text: HOLE, taint: FROM.network };
};

const makeKey: Program = (c) => {
  const path = readOptions(c.args, 'f t b C N m P y').value('f');
  if (path !== '') writeFile(c.world, path, { text: HOLE, taint: 0 }, c.excerpt);
  return undefined;
};

/** ftp, sftp, lftp: what the session script or the operands say. */
const ftp: Program = (c) => {
  const options = readOptions(c.args, 'b i o P e u p');
  const host = options.operands[0] === undefined ? '' : remoteHost(options.operands[0].text);
  const script = `${c.stdin?.text ?? ''} ${options.value('e')}`;
  c.world.noteHost(host);
  const put = /\b(?:m?put|mirror -R|send)\s+(\S+)/.exec(script);
  if (put !== null) sendTo(c.world, host, readFile(c.world, put[1]!, c.excerpt), c.excerpt);
  else c.world.add('moves_laterally', 'one', host, c.excerpt);
  return { text: HOLE, taint: FROM.network };
};

const netcat: Program = (c) => {
  const options = readOptions(c.args, 'e c p s w q g G i o O T x X exec sh-exec');
  const host = options.operands.find((o) => !/^\d+$/.test(o.text))?.text ?? '';
  c.world.noteHost(hostOf(host) || host);
  if (c.stdin !== null && c.stdin.taint & FROM.interactive) c.world.add('opens_channel', 'one', host, c.excerpt);
  else if (options.has('l', 'e', 'c', 'exec', 'sh-exec') || c.args.some((a) => /^-\w*l\w*$/.test(a.text)))
    c.world.add('opens_channel', 'one', host === '' ? 'listener' : host, c.excerpt);
  else if (options.has('z'))
    c.world.add('reconnoitres', /[-,]/.test(options.operands.at(-1)?.text ?? '') ? 'many' : 'one', host, c.excerpt);
  else if (c.stdin !== null) sendTo(c.world, host, c.stdin, c.excerpt);
  else c.world.add('moves_laterally', 'one', host, c.excerpt);
  return { text: HOLE, taint: FROM.network | FROM.socket };
};

const socat: Program = (c) => {
  const text = c.args.map((a) => a.text).join(' ');
  const host = /(?:TCP|UDP|OPENSSL|SCTP)[46]?(?:-CONNECT)?:([^:,\s]+)/i.exec(text)?.[1] ?? 'listener';
  c.world.noteHost(hostOf(host));
  c.world.add('opens_channel', 'one', host, c.excerpt);
  return { text: HOLE, taint: FROM.network };
};

const tunnel: Program = (c) => {
  if (c.args.length === 0 || /^(?:--?version|version|help|--help)$/.test(c.args[0]!.text)) return undefined;
  c.world.add('opens_channel', 'one', c.name, c.excerpt);
  return undefined;
};

const mail: Program = (c) => {
  const options = readOptions(c.args, 's a A c b r S t f from to subject body server attach header h p');
  const to = [...options.operands, ...options.values('t', 'to', 'c', 'b')].map((o) => o.text).join(' ');
  const attached = options
    .values('a', 'A', 'attach')
    .reduce((t, f) => t | readFile(c.world, f.text, c.excerpt).taint, 0);
  sendTo(c.world, to, { text: HOLE, taint: (c.stdin?.taint ?? 0) | attached }, c.excerpt);
  return undefined;
};

/** Hands files to whoever has the code or the address: croc, wormhole, ipfs. */
const handOver: Program = (c) => {
  const [verb, ...files] = readOptions(c.args, 'c code relay api').operands;
  if (!/^(?:send|add|share|upload|push|put)$/.test(verb?.text ?? '')) return undefined;
  for (const f of files) sendTo(c.world, c.name, readOperand(c, f), c.excerpt);
  return undefined;
};

/** Name look-ups; a name built from data takes the data along. */
const lookup: Program = (c) => {
  for (const o of readOptions(c.args, 't p c W i s I').operands) {
    if (o.taint & CARRIED && (o.text !== HOLE || o.taint & FROM.secret)) sendTo(c.world, o.text, o, c.excerpt);
    else c.world.noteHost(hostOf(o.text));
  }
  return { text: HOLE, taint: FROM.network };
};

const ping: Program = (c) => {
  if (c.args.some((a) => /^-\w*f/.test(a.text)))
    c.world.add('exhausts_resources', 'many', c.args.at(-1)?.text ?? '', c.excerpt);
  return lookup(c);
};

/** A look at this machine's own processes, ports and people. */
const look =
  (object: string): Program =>
  (c) => {
    c.world.add('reconnoitres', 'one', object, c.excerpt);
    return { text: HOLE, taint: FROM.system | (object === 'processes' ? FROM.processes : 0) };
  };

/** `lsof -i :3000`, `fuser 3000/tcp`, `pgrep -f vite`: who uses this one thing, not what there is. */
const lookAtOne =
  (object: string, one: RegExp): Program =>
  (c) =>
    one.test(c.args.map((a) => a.text).join(' ')) ? { text: HOLE, taint: FROM.system } : look(object)(c);

/** Scanners, brute force, exploitation, interception. */
const attack: Program = (c) => {
  const target = readOptions(c.args, 'p i w iL oN oA o P L U l u s D e f c t T').operands.at(-1)?.text ?? '';
  c.world.noteHost(hostOf(target));
  c.world.add(
    'reconnoitres',
    isLoopback(target) ? 'one' : 'many',
    target === '' ? c.name : `${c.name} ${target}`,
    c.excerpt,
  );
  return { text: HOLE, taint: FROM.system };
};

const server: Program = (c) => {
  runFile(c.world, c.name, null, c.excerpt);
  return undefined;
};

/** certutil, bitsadmin, aria2c and others that fetch a URL among their words. */
const fetcher: Program = (c) => {
  const url = c.args.find((a) => isUrl(a.text));
  if (url === undefined) return undefined;
  const out = fetchFrom(c.world, url.text, c.excerpt);
  const options = readOptions(c.args, 'o out d dir');
  const last = c.args.at(-1)!;
  const to = options.value('o', 'out') || (last !== url && !last.text.startsWith('-') ? last.text : baseName(url.text));
  if (!/^(?:lynx|w3m|links|elinks)$/.test(c.name)) writeFile(c.world, to, out, c.excerpt);
  return out;
};

export const NETWORK_PROGRAMS: ProgramTable = programTable({
  curl,
  wget,
  'http https xh': httpie,
  'invoke-webrequest iwr invoke-restmethod irm start-bitstransfer': webRequest,
  'aria2c axel lynx w3m links elinks certutil bitsadmin youtube-dl yt-dlp': fetcher,
  'scp rsync': copyAcross,
  'ssh mosh autossh ssh-copy-id': ssh,
  'ssh-keygen': makeKey,
  'ftp sftp lftp tftp': ftp,
  'nc ncat netcat telnet': netcat,
  socat,
  'ngrok cloudflared chisel frpc frps bore localtunnel lt pagekite sish tailscale proxychains sshuttle': tunnel,
  'mail mailx mutt sendmail swaks ssmtp msmtp sendemail': mail,
  'croc wormhole magic-wormhole ipfs ffsend onionshare-cli': handOver,
  'dig host nslookup drill whois traceroute tracepath mtr': lookup,
  'ping ping6': ping,
  'ps top htop pstree pgrep pidof tasklist get-process': look('processes'),
  lsof: lookAtOne('network', /(?:^|\s)-\w*i\s?(?:[46]?(?:tcp|udp)?):\d+(?:\s|$)/i),
  fuser: lookAtOne('network', /(?:^|\s)\d+\/(?:tcp|udp)(?:\s|$)/),
  'netstat ss ifconfig ip arp route ipconfig iwconfig nmcli get-nettcpconnection': look('network'),
  'w who last lastb lastlog users finger getent quser': look('accounts'),
  'nmap masscan zmap rustscan unicornscan hydra medusa ncrack patator sqlmap nikto gobuster dirb dirbuster ffuf wfuzz feroxbuster wpscan nuclei msfconsole msfvenom responder enum4linux smbmap smbclient rpcclient crackmapexec netexec nxc bloodhound-python impacket-secretsdump secretsdump.py psexec.py evil-winrm kerbrute aircrack-ng airodump-ng ettercap bettercap arpspoof dsniff mitmproxy mitmdump john hashcat linpeas.sh linpeas lse.sh pspy nbtscan arp-scan netdiscover fping hping3 slowloris theharvester amass subfinder dnsrecon dnsenum fierce tcpdump tshark dumpcap wireshark ngrep':
    attack,
  'http-server serve': server,
});
