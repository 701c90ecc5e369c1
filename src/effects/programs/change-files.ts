/** Programs that copy, move, change and remove files. */

import { FROM, HOLE } from '../data.ts';
import { changeMode, copyPath, deletePath, movePath, noteChange, noteDelete, readFile, writeFile } from '../deeds.ts';
import { wider } from '../effects.ts';
import { reachBelow, reachOf } from '../paths.ts';
import { type Call, type Program, type ProgramTable, programTable, readOptions } from '../shell/call.ts';
import { isSeveral } from './read-files.ts';

const rm: Program = (c) => {
  const options = readOptions(c.args);
  const isWindows = options.operands.some((o) => /^\/[sqf]$/i.test(o.text));
  const isDeep =
    options.has('r', 'R', 'recursive', 'recurse', 'Recurse') ||
    isWindows ||
    c.name === 'rimraf' ||
    (/^(?:rd|remove-item|rmtree|srm)$/.test(c.name) && options.has('rf', 'Force', 's'));
  const targets = options.operands.filter((o) => !/^\/[sqfa]$/i.test(o.text));
  for (const t of targets)
    deletePath(
      c.world,
      t.text,
      c.excerpt,
      isDeep || ((t.taint & FROM.listing) !== 0 && t.text.endsWith('/*')),
      isSeveral(t),
    );
  if (targets.length >= 5) c.world.add('deletes', 'many', targets[0]!.text, c.excerpt);
  return undefined;
};

/** Where something lands: in the folder when the target is one, else under the target's name. */
function landing(c: Call, target: string, source: string): string {
  const isFolder =
    /\/$/.test(target) || /^(?:\/|~|\.{1,2})$/.test(target) || SYSTEM_FOLDER.test(c.world.describe(target).path);
  return isFolder && !source.endsWith('/') ? `${target.replace(/\/$/, '')}/${source.split('/').at(-1)}` : target;
}
const SYSTEM_FOLDER =
  /^\/(?:bin|sbin|lib|etc|usr|var|opt|srv|boot|usr\/(?:local\/)?(?:s?bin|lib|share)|etc\/(?:cron\.\w+|profile\.d|init\.d|systemd\/system|sudoers\.d))$/;

const mv: Program = (c) => {
  const options = readOptions(c.args, 't target-directory S suffix');
  const folder = options.value('t', 'target-directory');
  const sources = folder === '' ? options.operands.slice(0, -1) : options.operands;
  const to = folder === '' ? (options.operands.at(-1)?.text ?? '') : folder;
  for (const s of sources) movePath(c.world, s.text, landing(c, to, s.text), c.excerpt, isSeveral(s));
  return undefined;
};

const cp: Program = (c) => {
  const options = readOptions(c.args, 't target-directory S suffix m mode o owner g group');
  const folder = options.value('t', 'target-directory');
  const sources = folder === '' ? options.operands.slice(0, -1) : options.operands;
  const to = folder === '' ? (options.operands.at(-1)?.text ?? '') : folder;
  const isDeep = options.has('r', 'R', 'a', 'recursive', 'archive');
  for (const s of sources)
    copyPath(c.world, s.text, landing(c, to, s.text), c.excerpt, isDeep || isSeveral(s) ? 'many' : 'one');
  const mode = options.value('m', 'mode');
  if (c.name === 'install' && mode !== '') changeMode(c.world, to, mode, c.excerpt);
  return undefined;
};

const ln: Program = (c) => {
  const { operands } = readOptions(c.args);
  const to = operands.at(-1);
  if (to !== undefined) writeFile(c.world, landing(c, to.text, operands[0]!.text), { text: HOLE, taint: 0 }, c.excerpt);
  const from = operands[0];
  if (from !== undefined && operands.length > 1 && c.world.describe(from.text).is_credential)
    c.world.add('reads_credentials', 'one', from.text, c.excerpt);
  return undefined;
};

/** Makes or extends empty things: worth telling only where they lie. */
const touch: Program = (c) => {
  const options = readOptions(c.args, 'd t r date reference m mode');
  for (const o of options.operands) writeFile(c.world, o.text, { text: '', taint: 0 }, c.excerpt);
  return undefined;
};

const chmod: Program = (c) => {
  const args = c.args.filter((a) => a.text !== '--');
  const at = args.findIndex((a) => !/^-[Rcfvh]+$|^--/.test(a.text));
  if (at < 0) return undefined;
  const isDeep =
    args.slice(0, at).some((a) => /R|recursive/.test(a.text)) ||
    args.slice(at).some((a) => /^-R|--recursive/.test(a.text));
  const mode = args[at]!.text;
  for (const p of args.slice(at + 1))
    if (!p.text.startsWith('-')) changeMode(c.world, p.text, mode, c.excerpt, isDeep, isSeveral(p));
  return undefined;
};

const chown: Program = (c) => {
  const options = readOptions(c.args, 'from reference');
  const [owner, ...targets] = options.operands;
  for (const p of targets) {
    const traits = c.world.describe(p.text);
    const scope = options.has('R', 'recursive') ? reachBelow(traits) : reachOf(traits, p.hasGlob);
    c.world.notePath(p.text);
    c.world.add(traits.place === 'system' ? 'grants' : 'writes', scope, traits.path, c.excerpt);
    if (traits.place === 'system') noteChange(c.world, traits, c.excerpt, wider(scope, 'one'));
  }
  return owner === undefined ? undefined : { text: '', taint: 0 };
};

const tee: Program = (c) => {
  const { operands } = readOptions(c.args);
  const data = c.stdin ?? { text: HOLE, taint: 0 };
  for (const o of operands) writeFile(c.world, o.text, data, c.excerpt);
  return data;
};

const dd: Program = (c) => {
  const at = (key: string) => c.args.find((a) => a.text.startsWith(`${key}=`))?.text.slice(key.length + 1) ?? '';
  const from = at('if');
  const to = at('of');
  const isEndlessSource = /^\/dev\/(?:zero|u?random|full)$/.test(from);
  const given = from === '' ? (c.stdin ?? { text: HOLE, taint: 0 }) : readFile(c.world, from, c.excerpt);
  const data = { text: given.text, taint: given.taint & ~FROM.endless };
  if (to !== '') writeFile(c.world, to, data, c.excerpt);
  if (
    isEndlessSource &&
    !/^\/dev\//.test(to) &&
    sizeOf(at('bs') || '512') * (at('count') === '' ? Infinity : sizeOf(at('count'))) >= HUGE
  )
    c.world.add('exhausts_resources', 'everything', to, c.excerpt);
  return to === '' ? data : undefined;
};

/** From here on a file or an allocation counts as an attempt to fill the machine: 50 GB. */
const HUGE = 50e9;

export function sizeOf(text: string): number {
  const m = /^(\d+(?:\.\d+)?)\s*([kmgtp]?)/i.exec(text);
  if (m === null) return 0;
  return Number(m[1]) * ({ '': 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12, p: 1e15 }[m[2]!.toLowerCase()] ?? 1);
}

const truncate: Program = (c) => {
  const options = readOptions(c.args, 's size r reference l length o offset');
  const size = options.value('s', 'size', 'l', 'length');
  for (const o of options.operands) {
    writeFile(c.world, o.text, { text: '', taint: 0 }, c.excerpt);
    const traits = c.world.describe(o.text);
    if (size === '0' || size === '') noteDelete(c.world, traits, reachOf(traits, o.hasGlob), c.excerpt);
    else if (sizeOf(size.replace(/^[+<>/%-]/, '')) >= HUGE)
      c.world.add('exhausts_resources', 'everything', o.text, c.excerpt);
  }
  return undefined;
};

const shred: Program = (c) => {
  for (const o of readOptions(c.args, 'n s iterations size').operands)
    deletePath(c.world, o.text, c.excerpt, false, isSeveral(o));
  return undefined;
};

const makeFilesystem: Program = (c) => {
  const target = readOptions(c.args, 't L U b O N n').operands.at(-1);
  if (target === undefined) return undefined;
  c.world.add('deletes', 'everything', target.text, c.excerpt);
  if (target.text.startsWith('/')) c.world.add('writes_system', 'everything', target.text, c.excerpt);
  return undefined;
};

const chattr: Program = (c) => {
  for (const o of c.args.filter((a) => !/^[-+=]/.test(a.text))) {
    const traits = c.world.describe(o.text);
    c.world.add('writes', 'one', traits.path, c.excerpt);
    noteChange(c.world, traits, c.excerpt);
    if (c.args.some((a) => /^-\w*i/.test(a.text))) c.world.add('tampers_with_guards', 'one', traits.path, c.excerpt);
  }
  return undefined;
};

export const CHANGING_PROGRAMS: ProgramTable = programTable({
  'rm rmdir unlink del erase rd remove-item ri trash trash-put srm rimraf': rm,
  'mv move move-item ren rename rename-item': mv,
  'cp copy xcopy robocopy copy-item install ditto': cp,
  'ln link mklink': ln,
  'touch mkdir md mkfifo mknod new-item': touch,
  chmod,
  'chown chgrp setfacl icacls takeown': chown,
  chattr,
  'tee tee-object sponge set-content add-content out-file': tee,
  dd,
  'truncate fallocate': truncate,
  'shred wipe sdelete': shred,
  'mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mke2fs wipefs sgdisk parted fdisk sfdisk format blkdiscard diskpart':
    makeFilesystem,
});
