/** Programs that change who watches and what is kept apart, take secrets, or wear the machine out. */

import { FROM, HOLE } from '../data.ts';
import { noteChange, writeFile } from '../deeds.ts';
import { lineOf, type Program, type ProgramTable, programTable, readOptions, wordsOf } from '../shell/call.ts';

/** Switches of one control: effect when the line matches. */
const guard =
  (
    pattern: RegExp,
    kind: 'tampers_with_guards' | 'tampers_with_logs' | 'destroys_recovery' = 'tampers_with_guards',
    scope: 'one' | 'everything' = 'one',
  ): Program =>
  (c) => {
    if (pattern.test(lineOf(c))) c.world.add(kind, scope, c.name, c.excerpt);
    return { text: HOLE, taint: 0 };
  };

const firewall: Program = (c) => {
  const text = lineOf(c);
  if (
    /(?:^|\s)(?:-F|--flush|-X|-P \w+ ACCEPT|-D)\b|disable|reset|flush|state off|--panic-off|--remove|delete|set allprofiles/i.test(
      text,
    )
  )
    c.world.add('tampers_with_guards', /-D\b|delete|--remove/.test(text) ? 'one' : 'everything', c.name, c.excerpt);
  else if (/-[AI]\s+\w+|allow|--add|add rule/i.test(text)) c.world.add('grants', 'one', c.name, c.excerpt);
  return { text: HOLE, taint: 0 };
};

const journalctl: Program = (c) => {
  if (/--vacuum|--rotate|--flush|--relinquish/.test(lineOf(c)))
    c.world.add('tampers_with_logs', 'many', 'journal', c.excerpt);
  else c.world.add('reads', 'one', 'journal', c.excerpt);
  return { text: HOLE, taint: FROM.system };
};

const privilege: Program = (c) => {
  const object = readOptions(c.args).operands.at(-1)?.text ?? c.name;
  c.world.add('escalates', 'one', object, c.excerpt);
  noteChange(c.world, c.world.describe(object), c.excerpt);
  return undefined;
};

const escapeIsolation: Program = (c) => {
  c.world.add('breaks_isolation', 'one', lineOf(c), c.excerpt);
  const rest = readOptions(c.args, 't target S G r R w', true).operands;
  return rest.length > 0 && /nsenter|unshare|chroot/.test(c.name)
    ? c.invoke(c.name === 'chroot' ? rest.slice(1) : rest, c.stdin)
    : undefined;
};

const sysctl: Program = (c) => {
  const change = wordsOf(c).find((w) => /=/.test(w)) ?? '';
  if (change === '' && !/-p\b|--load/.test(lineOf(c))) return { text: HOLE, taint: FROM.system };
  c.world.add('writes_system', 'one', change, c.excerpt);
  if (
    /randomize_va_space|kptr|yama|dmesg_restrict|ip_forward|rp_filter|syncookies|modules_disabled|unprivileged/.test(
      change,
    )
  )
    c.world.add('tampers_with_guards', 'one', change, c.excerpt);
  return undefined;
};

const mount: Program = (c) => {
  if (c.args.length === 0) return { text: HOLE, taint: 0 };
  c.world.add('writes_system', 'one', lineOf(c), c.excerpt);
  if (/--bind|\/proc|\/dev\/[shvn]|overlay/.test(lineOf(c)))
    c.world.add('breaks_isolation', 'one', lineOf(c), c.excerpt);
  return undefined;
};

const exhaust: Program = (c) => {
  c.world.add('exhausts_resources', 'many', lineOf(c) || c.name, c.excerpt);
  return undefined;
};

const spy: Program = (c) => {
  c.world.add('spies', 'one', c.name, c.excerpt);
  const file = readOptions(c.args, 'f d t r').operands.at(-1);
  if (file !== undefined) writeFile(c.world, file.text, { text: HOLE, taint: FROM.personal }, c.excerpt);
  return { text: HOLE, taint: FROM.personal };
};

export const secret: Program = (c) => {
  c.world.add('reads_credentials', 'many', c.name, c.excerpt);
  return { text: HOLE, taint: FROM.secret };
};

const secretWhen =
  (pattern: RegExp): Program =>
  (c) =>
    pattern.test(lineOf(c)) ? secret(c) : { text: HOLE, taint: 0 };

const recovery: Program = (c) => {
  if (/delete|remove|forget|prune|resize|shadows/i.test(lineOf(c)))
    c.world.add('destroys_recovery', 'everything', c.name, c.excerpt);
  return undefined;
};

/** Storage pools, groups and volumes: what is removed there takes its files along, and its snapshots. */
const volume: Program = (c) => {
  const line = `${c.name} ${lineOf(c)}`;
  if (!/\bdestroy\b|remove\b|labelclear|luksErase|erase(?:Disk|Volume)/i.test(line)) return recovery(c);
  const isSnapshot = /@/.test(line);
  if (!isSnapshot) c.world.add('deletes', 'everything', c.args.at(-1)?.text ?? c.name, c.excerpt);
  c.world.add('destroys_recovery', isSnapshot ? 'many' : 'everything', c.name, c.excerpt);
  return undefined;
};

export const GUARD_PROGRAMS: ProgramTable = programTable({
  setenforce: guard(/^(?:0|permissive)/i),
  'iptables ip6tables nft ufw firewall-cmd netsh pfctl set-netfirewallprofile': firewall,
  auditctl: guard(/-D|-e ?0|-d\b/, 'tampers_with_logs'),
  auditpol: guard(/clear|remove|disable/i, 'tampers_with_logs', 'everything'),
  wevtutil: guard(/\b(?:cl|clear-log|sl)\b/i, 'tampers_with_logs', 'everything'),
  'clear-eventlog remove-eventlog': guard(/./, 'tampers_with_logs', 'everything'),
  journalctl,
  logrotate: guard(/-f|--force/, 'tampers_with_logs'),
  fsutil: guard(/usn deletejournal/i, 'tampers_with_logs'),
  'set-mppreference': guard(/disable|exclusion/i),
  'add-mppreference': guard(/exclusion/i),
  'uninstall-windowsfeature': guard(/defender/i),
  'csrutil spctl': guard(/disable/),
  tccutil: guard(/reset/),
  bcdedit: guard(
    /recoveryenabled no|ignoreallfailures|testsigning on|nointegritychecks/i,
    'destroys_recovery',
    'everything',
  ),
  'aa-disable aa-teardown aa-complain apparmor_parser semanage setsebool rmmod': guard(/./),
  'set-executionpolicy': guard(/bypass|unrestricted/i),
  'vssadmin wbadmin restic borg tmutil btrfs velero duplicity duplicati-cli kopia barman wal-g pgbackrest': recovery,
  'zfs zpool lvremove vgremove pvremove cryptsetup diskutil': volume,
  'setcap capsh': privilege,
  'nsenter unshare chroot insmod modprobe kexec pivot_root': escapeIsolation,
  sysctl,
  mount,
  'stress stress-ng hogs memtester': exhaust,
  'xmrig xmr-stak cpuminer minerd ethminer cgminer bfgminer nbminer ccminer t-rex phoenixminer lolminer': exhaust,
  'xwd scrot gnome-screenshot screencapture maim spectacle arecord parecord xclip xsel pbpaste logkeys showkey xinput keylogger fswebcam imagesnap streamer':
    spy,
  'mimikatz lazagne lsadump pypykatz gsecdump procdump unshadow secret-tool keyring': secret,
  import: (c) => (/-window\b/.test(lineOf(c)) ? spy(c) : undefined),
  security: secretWhen(/find-|dump-|export/),
  pass: secretWhen(/^(?:show|ls|\w+\/)/),
  vault: secretWhen(/\b(?:read|kv get|token lookup|login)\b/),
  op: secretWhen(/\b(?:read|item get|document get)\b/),
  cmdkey: secretWhen(/list/i),
});
