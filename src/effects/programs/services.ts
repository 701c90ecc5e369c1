/** Programs that change accounts, processes, services, schedules and the registry. */

import { FROM, HOLE } from '../data.ts';
import { writeFile } from '../deeds.ts';
import {
  type Call,
  lineOf,
  type Program,
  type ProgramTable,
  programTable,
  readOptions,
  wordsOf,
} from '../shell/call.ts';
import { readOperand } from './read-files.ts';

/** Adding or changing people: an account that outlives the session, more so with rights. */
const account: Program = (c) => {
  const text = lineOf(c);
  const isWindows = c.name === 'net';
  const object =
    (isWindows ? c.args[1]?.text : undefined) ??
    readOptions(
      c.args,
      'p s d g G u c e f k aG append-groups groups shell home-dir uid gid comment password',
    ).operands.at(-1)?.text ??
    '';
  const isRemoved = /del/.test(c.name) || /\/delete\b/i.test(text);
  if (isRemoved) c.world.add('deletes', 'one', object, c.excerpt);
  else if (/add|^net$/.test(c.name) || /\/add\b/i.test(text)) c.world.add('persists', 'one', object, c.excerpt);
  if (
    !isRemoved &&
    (/mod|passwd|gpasswd|visudo|chsh/.test(c.name) ||
      /\b(?:sudo|wheel|root|admin\w*|docker)\b|-o -u 0|-u 0\b/.test(text))
  )
    c.world.add('escalates', 'one', object, c.excerpt);
  c.world.add('writes_system', 'one', 'accounts', c.excerpt);
  return undefined;
};

function listAccounts(c: Call): undefined {
  c.world.add('reconnoitres', 'one', 'accounts', c.excerpt);
  return undefined;
}

const netUser: Program = (c) => {
  const [what, ...rest] = wordsOf(c);
  if (/^(?:user|localgroup|group)$/i.test(what ?? ''))
    return rest.some((r) => /^\/(?:add|delete|active)/i.test(r)) || rest.length >= 2 ? account(c) : listAccounts(c);
  if (/^stop$/i.test(what ?? '')) stopService(c, rest[0] ?? '');
  else if (/^(?:view|share|use|session)$/i.test(what ?? '')) c.world.add('reconnoitres', 'one', 'shares', c.excerpt);
  return undefined;
};

const GUARDS =
  /audit|syslog|journald|apparmor|selinux|firewall|ufw|iptables|nftables|fail2ban|clam|falco|osquery|ossec|wazuh|crowdstrike|falcon|sentinel|defend|sysmon|antivirus|avast|sophos|mcafee|carbonblack|cbagent|tripwire|aide|snort|suricata|zeek|datadog|splunk|filebeat|auditbeat|newrelic|nagios|zabbix|prometheus|telegraf|watchdog|monitor|unattended-upgrades|windefend|mpssvc|eventlog/i;
const LOGGERS = /audit|syslog|journald|eventlog|filebeat|splunk/i;

function stopService(c: Call, name: string): void {
  c.world.add('disrupts', 'one', name, c.excerpt);
  noteGuard(c, name);
}

/** `swapoff`, `Stop-Service name`. */
const stopNamed: Program = (c) => {
  stopService(c, lineOf(c));
  return undefined;
};

function noteGuard(c: Call, name: string): void {
  if (LOGGERS.test(name)) c.world.add('tampers_with_logs', 'one', name, c.excerpt);
  if (GUARDS.test(name)) c.world.add('tampers_with_guards', 'one', name, c.excerpt);
}

const kill: Program = (c) => {
  const { operands } = readOptions(c.args, 's n signal u U g t P IM PID im pid');
  if (c.args.some((a) => /^-(?:l|L|0)$/.test(a.text))) return undefined;
  const targets = [...operands, ...readOptions(c.args, 'IM im').values('IM', 'im')]
    .map((o) => o.text)
    .filter((t) => !/^\/|^%\d*$/.test(t));
  const isWide =
    targets.some((t) => t === '-1' || t === '1' || t === '.' || t === '.*') ||
    /-u root\b|-9 -1\b|(?:^|\s)-1$/.test(lineOf(c));
  const isFound = [...operands, c.stdin].some((d) => d !== null && d.taint & FROM.processes);
  const object = targets.join(' ') || lineOf(c);
  c.world.add('disrupts', isWide ? 'everything' : isFound || targets.length > 1 ? 'many' : 'one', object, c.excerpt);
  noteGuard(c, object);
  return undefined;
};

const shutdown: Program = (c) => {
  if (!/-c\b/.test(lineOf(c))) c.world.add('disrupts', 'everything', 'this machine', c.excerpt);
  return undefined;
};

const init: Program = (c) => (/^[06]$/.test(wordsOf(c)[0] ?? '') ? shutdown(c) : undefined);

const systemctl: Program = (c) => {
  const [verb = '', ...units] = readOptions(c.args, 't type p n H M').operands.map((o) => o.text);
  const object = units.join(' ');
  if (/^(?:poweroff|reboot|halt|kexec|emergency|rescue|isolate)$/.test(verb)) return shutdown(c);
  if (/^(?:stop|disable|mask|kill)$/.test(verb)) stopService(c, object);
  else if (/^(?:restart|reload|try-restart)$/.test(verb)) c.world.add('disrupts', 'scratch', object, c.excerpt);
  else if (/^(?:enable|link|preset|edit)$/.test(verb)) c.world.add('persists', 'one', object, c.excerpt);
  else if (verb === 'start') c.world.add('runs_code', 'one', object, c.excerpt);
  return { text: HOLE, taint: 0 };
};

const service: Program = (c) => {
  const [first = '', second = ''] = wordsOf(c);
  const [verb, name] =
    /^(?:start|stop|config|delete|create|query|failure|load|unload|bootout|bootstrap|remove|disable|submit)$/.test(
      first,
    )
      ? [first, second]
      : [second, first];
  if (/^(?:stop|delete|unload|bootout|remove|disable)$/.test(verb)) stopService(c, name);
  else if (/^(?:create|load|bootstrap|submit)$/.test(verb)) c.world.add('persists', 'one', name, c.excerpt);
  else if (verb === 'config' && /start= ?disabled/.test(lineOf(c))) stopService(c, name);
  else if (verb === 'restart') c.world.add('disrupts', 'scratch', name, c.excerpt);
  else if (verb === 'start') c.world.add('runs_code', 'one', name, c.excerpt);
  return undefined;
};

const crontab: Program = (c) => {
  const options = readOptions(c.args, 'u');
  if (options.has('l')) {
    c.world.add('reads', 'one', 'crontab', c.excerpt);
    return { text: HOLE, taint: 0 };
  }
  if (options.has('r')) {
    c.world.add('deletes', 'many', 'crontab', c.excerpt);
    return undefined;
  }
  const file = options.operands[0];
  const data = file === undefined || file.text === '-' ? c.stdin : readOperand(c, file);
  writeFile(c.world, '/var/spool/cron/crontab', data ?? { text: HOLE, taint: 0 }, c.excerpt);
  return undefined;
};

const at: Program = (c) => {
  c.world.add('persists', 'one', c.name, c.excerpt);
  if (c.stdin !== null && c.stdin.text !== HOLE) c.world.run('shell', c.stdin.text);
  return undefined;
};

const schtasks: Program = (c) => {
  const text = lineOf(c);
  if (/\/create|\/change|register-/i.test(`${c.name} ${text}`))
    c.world.add('persists', 'one', 'scheduled task', c.excerpt);
  else if (/\/delete|unregister-/i.test(`${c.name} ${text}`))
    c.world.add('deletes', 'one', 'scheduled task', c.excerpt);
  const run = /\/tr\s+(\S.*?)(?=\s\/\w|$)/i.exec(text);
  if (run !== null) c.world.run('shell', run[1]!);
  return undefined;
};

const registry: Program = (c) => {
  const text = lineOf(c);
  const object = wordsOf(c).find((w) => /^hk|currentversion/i.test(w)) ?? 'registry';
  if (
    /^(?:add|import|copy|restore|set-itemproperty|new-itemproperty)$/i.test(wordsOf(c)[0] ?? c.name) ||
    /itemproperty$/i.test(c.name)
  ) {
    c.world.add('writes_system', 'one', object, c.excerpt);
    if (/run(?:once)?\b|winlogon|userinit|services|image file execution/i.test(text))
      c.world.add('persists', 'one', object, c.excerpt);
    if (/defender|disableantispyware|enablelua|firewallpolicy|wdigest|eventlog|policies/i.test(text))
      c.world.add('tampers_with_guards', 'one', object, c.excerpt);
  } else if (/^delete$/i.test(wordsOf(c)[0] ?? '')) {
    c.world.add('deletes', 'one', object, c.excerpt);
    c.world.add('writes_system', 'one', object, c.excerpt);
  } else if (/^save$/i.test(wordsOf(c)[0] ?? '') && /\b(?:sam|system|security)\b/i.test(text))
    c.world.add('reads_credentials', 'many', object, c.excerpt);
  return undefined;
};

export const SERVICE_PROGRAMS: ProgramTable = programTable({
  'useradd adduser usermod userdel deluser groupadd groupmod groupdel gpasswd passwd chpasswd visudo chsh newusers vipw new-localuser add-localgroupmember':
    account,
  net: netUser,
  'kill pkill killall killall5 taskkill skill xkill stop-process': kill,
  'shutdown reboot halt poweroff restart-computer stop-computer': shutdown,
  'init telinit': init,
  systemctl,
  'service rc-service sc launchctl set-service': service,
  'stop-service swapoff': stopNamed,
  crontab,
  'at batch update-rc.d chkconfig': at,
  'schtasks register-scheduledtask unregister-scheduledtask': schtasks,
  'reg set-itemproperty new-itemproperty': registry,
});
