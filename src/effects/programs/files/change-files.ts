/** Programs that copy, move, change and remove files. */

import { FROM, HOLE, isKnown } from '../../data.ts';
import { changeMode, noteChange } from '../../deeds/change-file.ts';
import { deletePath, emptyPath, noteDelete, noteMirror } from '../../deeds/delete-file.ts';
import { copyPath, movePath } from '../../deeds/move-file.ts';
import { programIn, readElsewhere, readFile } from '../../deeds/read-file.ts';
import { writeFile } from '../../deeds/write-file.ts';
import { FILE_TIMES, wider } from '../../effects.ts';
import { isEndlessDevice, isSystemFolder, reachBelow, reachOf } from '../../paths.ts';
import { type Call, type Field, inputFiles, isSeveral, lineOf, type Options, readOptions } from '../../shell/call.ts';
import { MAX_NAMES, type World } from '../../world.ts';
import type { Reader, Readers } from '../knowledge.ts';

/** This many operands are several files, even where each names one. */
const MANY_OPERANDS = 5;

const remove: Reader = (k) => {
  const recursive = k.options('recursive');
  const alwaysDeep = k.words('always_deep');
  const deepWhenForced = k.words('deep_when_forced');
  const recursiveWhenForced = k.options('recursive_when_forced');
  const deepSwitches = k.words('deep_switches');
  const switches = k.words('switches');
  return (c) => {
    const options = readOptions(c.args);
    const isDeep =
      options.has(recursive) ||
      options.operands.some((o) => deepSwitches.has(o.text.toLowerCase())) ||
      alwaysDeep.has(c.name) ||
      (deepWhenForced.has(c.name) && options.has(recursiveWhenForced));
    const targets = options.operands.filter((o) => !switches.has(o.text.toLowerCase()));
    for (const t of targets)
      deletePath(
        c.world,
        t.text,
        c.excerpt,
        isDeep || ((t.taint & FROM.listing) !== 0 && t.text.endsWith('/*')),
        isSeveral(t),
      );
    if (targets.length >= MANY_OPERANDS) c.world.add('deletes', 'many', targets[0]!.text, c.excerpt);
    return undefined;
  };
};

/** Path that a file gets: below the target when that is a folder, else the target itself. */
function landing(c: Call, target: string, source: string): string {
  const isFolder =
    /\/$/.test(target) ||
    /^(?:\/|~|\.{1,2})$/.test(target) ||
    isSystemFolder(c.world.describe(target).path, c.world.ontology);
  return isFolder && !source.endsWith('/') ? `${target.replace(/\/$/, '')}/${source.split('/').at(-1)}` : target;
}

/** The files that a command moves or copies, and where to: the last operand, or the folder that an option names. */
function sourcesAndTarget(options: Options, folderOptions: readonly string[]): { sources: Field[]; to: string } {
  const folder = options.value(folderOptions);
  if (folder !== '') return { sources: options.operands, to: folder };
  return { sources: options.operands.slice(0, -1), to: options.operands.at(-1)?.text ?? '' };
}

const move: Reader = (k) => {
  const withValue = k.words('with_value');
  const folder = k.options('folder');
  return (c) => {
    const { sources, to } = sourcesAndTarget(readOptions(c.args, withValue), folder);
    for (const s of sources) movePath(c.world, s.text, landing(c, to, s.text), c.excerpt, isSeveral(s));
    return undefined;
  };
};

/** Whether a copy of this leaves an empty file. */
function isNothing(c: Call, path: string): boolean {
  const traits = c.world.describe(path);
  return traits.place === 'null' && !traits.is_endless;
}

/** Switches of Windows (`/mir`) and the other words. */
function parted(args: readonly Field[]): [Field[], Field[]] {
  const isSwitch = ({ text }: Field): boolean => /^\/[a-z]{1,10}(?::.*)?$/i.test(text);
  return [args.filter(isSwitch), args.filter((a) => !isSwitch(a))];
}

const copy: Reader = (k) => {
  const withValue = k.words('with_value');
  const folder = k.options('folder');
  const recursive = k.options('recursive');
  const modeOptions = k.options('mode');
  const setsMode = k.words('sets_mode');
  const switched = k.words('switched');
  const mirrors = k.words('mirrors');
  return (c) => {
    const isSwitched = switched.has(c.name);
    const [switches, args] = isSwitched ? parted(c.args) : [[], c.args];
    const options = readOptions(args, withValue);
    // Behind the two folders stand names of files.
    if (isSwitched) options.operands.splice(2);
    const { sources, to } = sourcesAndTarget(options, folder);
    const isDeep = options.has(recursive);
    const isSeveralTo = options.operands.some((o) => o.text === to && isSeveral(o));
    for (const s of sources) {
      if (c.stdin !== null && inputFiles(c.world.ontology).has(s.text)) {
        writeFile(c.world, landing(c, to, s.text), c.stdin, c.excerpt);
        continue;
      }
      if (isNothing(c, s.text)) emptyPath(c.world, to, c.excerpt, isSeveralTo);
      copyPath(c.world, s.text, landing(c, to, s.text), c.excerpt, isDeep || isSeveral(s) ? 'many' : 'one');
    }
    // What the source lacks is taken from the target.
    if (switches.some(({ text }) => mirrors.has(text.toLowerCase()))) {
      const given = sources.map(({ text }) => text);
      noteMirror(c.world, given, to, c.excerpt);
    }
    const mode = options.value(modeOptions);
    if (setsMode.has(c.name) && mode !== '') changeMode(c.world, to, mode, c.excerpt);
    return undefined;
  };
};

const link: Reader = () => (c) => {
  const { operands } = readOptions(c.args);
  const to = operands.at(-1);
  if (to !== undefined && operands.length > 1 && isNothing(c, operands[0]!.text))
    emptyPath(c.world, to.text, c.excerpt, isSeveral(to));
  const from = operands[0];
  if (to !== undefined) {
    const path = c.world.describe(from!.text).path;
    const content = c.world.files.get(path) ?? { text: HOLE, taint: 0, ...programIn(path) };
    const name = landing(c, to.text, from!.text);
    writeFile(c.world, name, content, c.excerpt);
    if (operands.length > 1 && c.world.links.size < MAX_NAMES)
      c.world.links.set(c.world.describe(name).path, c.world.describe(from!.text));
  }
  // A second name under which the same keys are read.
  if (from !== undefined && operands.length > 1) readElsewhere(c.world, from.text, c.excerpt);
  return undefined;
};

/** Makes or extends empty files and folders; only their place can matter. */
const create: Reader = (k) => {
  const withValue = k.words('with_value');
  const times = k.options('times');
  const folders = k.words('folders');
  return (c) => {
    const options = readOptions(c.args, withValue);
    const isFolder = folders.has(c.name);
    const setsTimes = c.name === 'touch' && options.has(times);
    for (const o of options.operands) {
      if (isFolder) {
        makeFolder(c.world, o.text, c.excerpt);
        continue;
      }
      writeFile(c.world, o.text, { text: '', taint: 0 }, c.excerpt);
      // The time at which a program or setting of the system came is how a change is found later.
      if (setsTimes && c.world.describe(o.text).is_stable_system)
        c.world.add('tampers_with_logs', 'one', FILE_TIMES, c.excerpt);
    }
    return undefined;
  };
};

/** An empty folder neither starts nor steers anything, wherever it stands. */
function makeFolder(world: World, path: string, excerpt: string): void {
  const traits = world.describe(path);
  if (traits.place === 'null') return;
  world.notePath(path);
  // A mirror of it removes everything.
  if (world.files.size < MAX_NAMES) world.files.set(traits.path, { text: '', taint: 0 });
  world.add('writes', traits.place === 'scratch' ? 'scratch' : 'one', traits.path, excerpt);
  noteChange(world, traits, excerpt, 'one', { isIdle: true, isFolder: true });
}

const setMode: Reader = (k) => {
  const option = k.pattern('options');
  const recursive = k.pattern('recursive');
  const recursiveAfterMode = k.pattern('recursive_after_mode');
  return (c) => {
    const args = c.args.filter((a) => a.text !== '--');
    const at = args.findIndex((a) => !option.test(a.text));
    if (at < 0) return undefined;
    const isDeep =
      args.slice(0, at).some((a) => recursive.test(a.text)) ||
      args.slice(at).some((a) => recursiveAfterMode.test(a.text));
    const mode = args[at]!.text;
    for (const p of args.slice(at + 1))
      if (!p.text.startsWith('-')) changeMode(c.world, p.text, mode, c.excerpt, isDeep, isSeveral(p));
    return undefined;
  };
};

const setOwner: Reader = (k) => {
  const withValue = k.words('with_value');
  const recursive = k.options('recursive');
  return (c) => {
    const options = readOptions(c.args, withValue);
    const [owner, ...targets] = options.operands;
    for (const p of targets) {
      const traits = c.world.describe(p.text);
      const scope = options.has(recursive) ? reachBelow(traits) : reachOf(traits, p.hasGlob);
      c.world.notePath(p.text);
      c.world.add(traits.place === 'system' ? 'grants' : 'writes', scope, traits.path, c.excerpt);
      if (traits.place === 'system') noteChange(c.world, traits, c.excerpt, wider(scope, 'one'));
    }
    return owner === undefined ? undefined : { text: '', taint: 0 };
  };
};

const setAttributes: Reader = (k) => {
  const makesMutable = k.pattern('makes_mutable');
  return (c) => {
    for (const o of c.args.filter((a) => !/^[-+=]/.test(a.text))) {
      const traits = c.world.describe(o.text);
      c.world.add('writes', 'one', traits.path, c.excerpt);
      noteChange(c.world, traits, c.excerpt);
      if (c.args.some((a) => makesMutable.test(a.text)))
        c.world.add('tampers_with_guards', 'one', traits.path, c.excerpt);
    }
    return undefined;
  };
};

const APPENDS = ['a', 'append'];

const writeInput: Reader = () => (c) => {
  const options = readOptions(c.args);
  const { operands } = options;
  const data = c.stdin ?? { text: HOLE, taint: 0 };
  if (data.text === '' && !options.has(APPENDS))
    for (const o of operands) emptyPath(c.world, o.text, c.excerpt, operands.length > 1 || isSeveral(o));
  for (const o of operands) writeFile(c.world, o.text, data, c.excerpt);
  return data;
};

/** `dd if=… of=… bs=… count=…`. */
const convert: Reader = () => (c) => {
  const at = (key: string) => c.args.find((a) => a.text.startsWith(`${key}=`))?.text.slice(key.length + 1) ?? '';
  const from = at('if');
  const to = at('of');
  const given = from === '' ? (c.stdin ?? { text: HOLE, taint: 0 }) : readFile(c.world, from, c.excerpt);
  const data = { ...given, taint: given.taint & ~FROM.endless };
  if (to !== '' && c.world.describe(from).place === 'null') emptyPath(c.world, to, c.excerpt);
  if (to !== '') writeFile(c.world, to, data, c.excerpt);
  if (
    isEndlessDevice(from, c.world.ontology) &&
    !/^\/dev\//.test(to) &&
    sizeOf(at('bs') || '512') * (at('count') === '' ? Infinity : sizeOf(at('count'))) >= HUGE
  )
    c.world.add('exhausts_resources', 'everything', to, c.excerpt);
  return to === '' ? data : undefined;
};

/** Bytes from which a file or an allocation counts as an attempt to fill the machine: 50 GB. */
const HUGE = 50e9;

/** Bytes of a size such as `10G`; 0 when the text is none. */
function sizeOf(text: string): number {
  const m = /^(\d+(?:\.\d+)?)\s*([kmgtp]?)/i.exec(text);
  if (m === null) return 0;
  return Number(m[1]) * ({ '': 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12, p: 1e15 }[m[2]!.toLowerCase()] ?? 1);
}

const resize: Reader = (k) => {
  const withValue = k.words('with_value');
  const sizeOptions = k.options('size');
  const punches = k.options('punches');
  return (c) => {
    const options = readOptions(c.args, withValue);
    const size = options.value(sizeOptions);
    for (const o of options.operands) {
      const traits = c.world.describe(o.text);
      const isEmptied = size === '0' || size === '' || options.has(punches);
      if (isEmptied && isSeveral(o)) emptyPath(c.world, o.text, c.excerpt, true);
      writeFile(c.world, o.text, { text: '', taint: 0 }, c.excerpt);
      if (isEmptied) noteDelete(c.world, traits, reachOf(traits, o.hasGlob), c.excerpt);
      else if (sizeOf(size.replace(/^[+<>/%-]/, '')) >= HUGE)
        c.world.add('exhausts_resources', 'everything', o.text, c.excerpt);
    }
    return undefined;
  };
};

const CLUSTER = /^-[A-Za-z]{1,8}$/;

const overwrite: Reader = (k) => {
  const withValue = k.words('with_value');
  const recursive = k.options('recursive');
  const letters = [...recursive].filter((name) => name.length === 1);
  return (c) => {
    const options = readOptions(c.args, withValue);
    // Letters of one dash stand together: `-rf`.
    const isDeep = c.args.some(({ text }) => CLUSTER.test(text) && letters.some((letter) => text.includes(letter)));
    for (const o of options.operands)
      deletePath(c.world, o.text, c.excerpt, isDeep || options.has(recursive), isSeveral(o));
    return undefined;
  };
};

const makeFilesystem: Reader = (k) => {
  const withValue = k.words('with_value');
  const targets = k.pattern('targets');
  const looks = k.pattern('looks');
  const images = k.pattern('images');
  return (c) => {
    if (looks.test(lineOf(c))) return undefined;
    // `parted /dev/sda mklabel gpt`: what is done follows the disk.
    const { operands } = readOptions(c.args, withValue);
    const target = operands.find((o) => targets.test(o.text)) ?? operands.at(-1);
    // What is formatted is a device, a drive or an image: a word alone is a sub-command of another program of this name.
    if (target === undefined || (isKnown(target) && !targets.test(target.text))) return undefined;
    const traits = c.world.describe(target.text);
    // A file that this code made for it, or one among temporary files, is not a disk.
    if (
      isKnown(target)
        ? images.test(target.text) && !traits.is_device && traits.place !== 'system'
        : traits.place === 'scratch'
    ) {
      c.world.add('writes', traits.place === 'scratch' ? 'scratch' : 'one', traits.path, c.excerpt);
      return undefined;
    }
    c.world.add('deletes', 'everything', target.text, c.excerpt);
    if (target.text.startsWith('/')) c.world.add('writes_system', 'everything', target.text, c.excerpt);
    return undefined;
  };
};

export const CHANGING_READERS: Readers = {
  remove,
  move,
  copy,
  link,
  create,
  change_mode: setMode,
  change_owner: setOwner,
  change_attributes: setAttributes,
  write_input: writeInput,
  convert,
  resize,
  overwrite,
  make_filesystem: makeFilesystem,
};
