/**
 * The operations that code of every language performs (read, write, delete, send, run), so that `rm`, `os.remove` and
 * `fs.unlink` have the same effects. The effects follow from what the path, the host or the text stands for.
 */
import { perOntology } from '../ontology/per-ontology.ts';
import { patternOf } from '../ontology/words.ts';
import { readSigns } from './code/code-signs.ts';
import { commandsConfigured } from './configured-commands.ts';
import { bounded, CARRIED, type Data, FROM, HOLE, PRIVATE } from './data.ts';
import { type EffectKind, REMOTE_COMMANDS, type Scope, UNKNOWN_CODE, wider } from './effects.ts';
import { hostOf, hostOfShare, hostOfUrl, isAdminShare, isLoopback, isMetadataService, isUrl } from './hosts.ts';
import { taintSentTo, withKeyNames } from './key-variables.ts';
import { noteSourceFile } from './package-sources.ts';
import { type PathTraits, reachBelow, reachOf } from './paths.ts';
import { asksNoMore, commandsInSettings, installHooks } from './settings.ts';
import { programName } from './shell/call.ts';
import { isInstalled } from './shell/command-name.ts';
import { commandsOf, imageCommands, languageOfPath, notebookCode, startsNothing, storedCode } from './stored-code.ts';
import { type Language, MAX_NAMES, type World } from './world.ts';

/** Kinds of credentials of a person that nobody needs at once. */
const COLLECTED = 3;

/** Reads a file. The bits of the result say what kind of file it was. */
export function readFile(w: World, path: string, excerpt: string, scope: Scope = 'one'): Data {
  if (isUrl(path) && hostOfUrl(path) !== '') return fetchFrom(w, path, excerpt);
  const host = hostOfShare(path);
  if (host !== '') {
    w.noteHost(host);
    w.add('reads', scope, path, excerpt);
    return { text: HOLE, taint: FROM.network | FROM.file };
  }
  const traits = w.describe(path);
  const written = w.files.get(traits.path);
  if (written === undefined && traits.place === 'null' && !traits.is_endless && path !== '-')
    return { text: '', taint: 0 };
  if (written !== undefined)
    return traits.is_hidden_scratch ? { text: written.text, taint: written.taint | FROM.staged } : written;
  if (traits.place === 'null' || path === '-') return { text: HOLE, taint: traits.is_endless ? FROM.endless : 0 };
  w.notePath(path);
  let taint: number = FROM.file | (traits.is_hidden_scratch ? FROM.staged : 0);
  if (traits.is_credential) {
    taint |= FROM.secret;
    const isCollected = noteSecret(w, traits);
    w.add('reads_credentials', traits.is_store || isCollected ? 'everything' : scope, traits.path, excerpt);
  } else if (traits.is_personal && traits.place !== 'system' && traits.place !== 'scratch') {
    taint |= FROM.personal;
    w.add('reads_personal_data', scope, traits.path, excerpt);
  }
  if (isSensitiveSystemRead(traits)) {
    taint |= FROM.system;
    w.add('reads_system', scope, traits.path, excerpt);
  } else w.add('reads', traits.place === 'scratch' ? 'scratch' : scope, traits.path, excerpt);
  return { text: HOLE, taint, ...programIn(traits.path) };
}

/** The program that a file is, by the folder of installed programs that it is in, or by the ending of its name. */
export function programIn(path: string): { program?: string } {
  // `cp $(which bash) x`: what a look-up of a program prints is kept as its name.
  return isInstalled(path) || /\.exe$/i.test(path) || !path.includes('/') ? { program: programName(path) } : {};
}

/** Name of the program of which the file at `path` is a copy or a link that this code made; '' when there is none. */
export function copiedProgram(w: World, path: string): string {
  if (w.files.size === 0) return '';
  return w.files.get(w.describe(path).path)?.program ?? '';
}

/** Whether the code has read credentials of several kinds by now: who wants any that he can get reads one after the other. */
function noteSecret(w: World, { path, place }: PathTraits): boolean {
  if (place === 'home' && w.secrets.size < MAX_NAMES) w.secrets.add(path.split('/').slice(0, 3).join('/'));
  return w.secrets.size >= COLLECTED;
}

/** System files, and the start files and histories in a home folder, which show how the machine is set up. */
function isSensitiveSystemRead(t: PathTraits): boolean {
  if (t.is_common_read || t.place === 'scratch' || t.place === 'null') return false;
  return t.place === 'system' || t.is_log || t.is_account || (t.place === 'home' && t.is_start);
}

/** A file on an administrative share (`\\\\host\\C$`) is put on the other machine's disk. */
function noteShare(w: World, path: string, excerpt: string): void {
  const host = hostOfShare(path);
  if (host === '') return;
  w.noteHost(host);
  if (isAdminShare(path)) w.add('moves_laterally', 'everything', path, excerpt);
}

/** Writes, overwrites or extends a file. */
export function writeFile(w: World, path: string, content: Data, excerpt: string, scope: Scope = 'one'): void {
  const traits = w.describe(path);
  if (traits.place === 'null') return;
  w.notePath(path);
  noteShare(w, path, excerpt);
  // Nothing is left of files into which nothing is written.
  if (content.text === '' && content.taint === 0 && scope !== 'one') emptyPath(w, path, excerpt, true);
  if (w.files.size < MAX_NAMES) w.files.set(traits.path, content);
  const reach = traits.place === 'scratch' ? 'scratch' : scope;
  w.add('writes', traits.is_device ? 'everything' : reach, traits.path, excerpt);
  keepShown(w, content);
  if (content.taint & FROM.endless) w.add('exhausts_resources', 'everything', traits.path, excerpt);
  if (content.taint & FROM.encrypted) w.add('encrypts', reach, traits.path, excerpt);
  noteChange(w, traits, excerpt, scope, startsNothing(traits.path, content, w.ontology));
  if (traits.names_package_source) noteSourceFile(w, content.text, excerpt);
  if (!traits.is_agent && asksNoMore(traits.path, content.text, w.ontology))
    w.add('modifies_agent', scope, traits.path, excerpt);
  if (content.text.length >= 8 && content.text !== HOLE) w.stored.set(traits.path, traits);
}

/** Adds the effects that any change of this file has; `isIdle` where nothing is started by what it holds from now on. */
export function noteChange(w: World, t: PathTraits, excerpt: string, scope: Scope = 'one', isIdle = false): void {
  if (t.place === 'null') return;
  if (t.is_device) w.add('deletes', 'everything', t.path, excerpt);
  if (t.is_stable_system) w.add('writes_system', scope, t.path, excerpt);
  // That a place is scratch says what is lost there, not what runs there.
  if (t.is_start && !isIdle) w.add('persists', scope, t.path, excerpt);
  if (t.is_account) w.add('escalates', scope, t.path, excerpt);
  if (t.is_guard) w.add('tampers_with_guards', scope, t.path, excerpt);
  if (t.is_agent) w.add('modifies_agent', scope, t.path, excerpt);
  if (t.is_log) w.add('tampers_with_logs', scope, t.path, excerpt);
}

/**
 * Reads the code that was written to files; call after all other code. The effects of code that runs by itself count like
 * all others; those of other code are kept apart as dormant.
 */
export function readStored(w: World): void {
  for (const [path, { excerpt, isSeveral }] of w.opened) {
    w.files.delete(w.describe(path).path);
    emptyPath(w, path, excerpt, isSeveral);
  }
  w.opened.clear();
  for (const t of w.stored.values()) {
    const stored = w.files.get(t.path)?.text ?? '';
    const text = t.path.endsWith('.ipynb') ? notebookCode(stored) : stored;
    const recipe = storedCode(w.ontology).image.test(t.path) ? imageCommands(text) : null;
    const settings = recipe === null ? commandsInSettings(t.path, text, w.ontology) : '';
    const language = recipe === null ? languageOfPath(t.path, text, w.ontology) : 'shell';
    const configured = commandsConfigured(t.path, text, w.ontology);
    if (configured !== '') {
      const kinds = readDormant(w, t.path, 'shell', configured);
      // The program runs it by itself, as soon as it is used.
      if (kinds.some((kind) => BY_ITSELF.has(kind))) w.run('shell', configured);
    }
    for (const hook of installHooks(t.path, text, w.ontology)) {
      w.add('persists', 'one', t.path, hook);
      w.run('shell', hook);
    }
    if (startsNothing(t.path, { text, taint: 0 }, w.ontology)) continue;
    if (t.is_start && !storedCode(w.ontology).noCode.test(t.path))
      w.run(language ?? 'shell', commandsOf(t.path, text, w.ontology));
    else if (language !== null || settings !== '') {
      readDormant(w, t.path, language ?? 'shell', recipe ?? (language === null ? settings : text));
    }
  }
}

/** Reads code that is only stored, and keeps which kinds of effects the file would have. */
function readDormant(w: World, path: string, language: Language, code: string): readonly EffectKind[] {
  const before = w.dormant.items.length;
  w.runDormant(language, code, readSigns);
  const kinds = new Set([
    ...(w.stored_effects.get(path) ?? []),
    ...w.dormant.items.slice(before).map(({ kind }) => kind),
  ]);
  if (kinds.size > 0 && w.stored_effects.size < MAX_NAMES) w.stored_effects.set(path, [...kinds]);
  return [...kinds];
}

/** Effects with which no honest setting comes. */
const BY_ITSELF: ReadonlySet<EffectKind> = new Set<EffectKind>(['downloads_and_runs', 'leaks', 'opens_channel']);

/** Removes a file or, when `isDeep`, a tree. */
export function deletePath(w: World, path: string, excerpt: string, isDeep: boolean, hasGlob = false): Scope {
  const traits = w.describe(path);
  if (traits.place === 'null') return 'scratch';
  w.notePath(path);
  const isOwn = w.files.has(traits.path) && traits.place !== 'system';
  const origin = w.origins.get(traits.path);
  if (origin !== undefined && isDeep) noteDelete(w, origin, reachBelow(origin), excerpt);
  const scope = isOwn ? 'scratch' : isDeep ? reachBelow(traits) : reachOf(traits, hasGlob);
  noteDelete(w, traits, scope, excerpt);
  return scope;
}

/** Removes what nothing rebuilds, from a service, a database or a home folder. */
export function destroyForGood(w: World, scope: Scope, object: string, excerpt: string): void {
  w.add('deletes', scope, object, excerpt);
  if (scope !== 'scratch') w.add('destroys_data', scope, object, excerpt);
}

/**
 * What a copy removes that makes `to` like its sources. Of a place that holds what a build made, it removes what an earlier build
 * left; an empty folder as the source removes all. `path` is `to` without the machine that it is on: there, no place is scratch.
 */
export function noteMirror(w: World, sources: readonly string[], to: string, excerpt: string, path = to): void {
  const traits = w.describe(path);
  const isScratch = path === to && reachBelow(traits) === 'scratch';
  const keeps = traits.is_treasured || traits.is_recovery || traits.is_store || traits.is_top || traits.is_log;
  const isPublished = !keeps && sources.length > 0 && sources.every((source) => w.describe(source).is_built);
  destroyForGood(w, isScratch || isPublished ? 'scratch' : 'many', to, excerpt);
}

export function noteDelete(w: World, traits: PathTraits, scope: Scope, excerpt: string): void {
  w.add('deletes', scope, traits.path, excerpt);
  if (scope === 'scratch') return;
  if (scope !== 'everything' && traits.is_treasured) w.add('destroys_data', scope, traits.path, excerpt);
  noteChange(w, traits, excerpt, scope);
  if (traits.is_recovery) w.add('destroys_recovery', scope, traits.path, excerpt);
  // Without their keys, people and programs are locked out.
  if (traits.is_credential && traits.place !== 'workspace') w.add('disrupts', scope, traits.path, excerpt);
  if (traits.is_repository) w.add('rewrites_history', 'everything', traits.path, excerpt);
}

/**
 * Leaves nothing in a file: `> file`, `cp /dev/null file`. One that is written anew this way is daily work. Of several that were found,
 * what they held is lost; a file of one fixed name in each folder (`__init__.py`) is made, and records are rotated this way.
 */
export function emptyPath(w: World, path: string, excerpt: string, isSeveral = false): void {
  const traits = w.describe(path);
  if (w.files.has(traits.path) && traits.place !== 'system') return;
  const name = traits.path.slice(traits.path.lastIndexOf('/') + 1);
  const isWide = isSeveral && (!isPlainName(name) || !traits.path.includes('/'));
  if (!isWide && !traits.is_treasured) return;
  noteDelete(w, traits, reachOf(traits, isWide), excerpt);
  if (isWide && traits.place !== 'scratch' && traits.place !== 'null' && !traits.is_log)
    w.add('destroys_data', 'many', folderOf(traits.path), excerpt);
}

/** Whether the name is written out and stands for one file: no wildcard, nothing that is known only at run time. */
const isPlainName = (name: string): boolean => /^[\w.-]+$/.test(name);

/** The folder of a path with wildcards, as far as it is written out. */
export function folderOf(path: string): string {
  const parts = path.split('/');
  const end = parts.findIndex((part) => /[*?\uf8ff]/.test(part));
  return end <= 0 ? path : parts.slice(0, end).join('/') || '/';
}

/** Notes a file that is opened to be written anew: when nothing is written by the end of the code, it stays empty. */
export function noteOpened(w: World, path: string, excerpt: string, isSeveral: boolean): void {
  if (w.opened.size < MAX_NAMES) w.opened.set(path, { excerpt, isSeveral });
}

/** Moves or renames: the old name is gone, the new one is overwritten. */
export function movePath(w: World, from: string, to: string, excerpt: string, hasGlob = false): void {
  const source = w.describe(from);
  const scope = reachOf(source, hasGlob);
  const content = w.files.get(source.path) ?? {
    text: HOLE,
    taint: source.is_credential ? FROM.secret : 0,
    ...programIn(source.path),
  };
  w.notePath(from);
  // What is moved away is not started from there any more.
  noteChange(w, source, excerpt, scope, true);
  if (source.is_credential) w.add('reads_credentials', scope, source.path, excerpt);
  const target = w.describe(to);
  if (target.place === 'null') noteDelete(w, source, reachBelow(source), excerpt);
  if (w.origins.size < MAX_NAMES) w.origins.set(target.path, source);
  writeFile(w, to, content, excerpt, scope);
}

/** Copies: reads the one, writes the other. */
export function copyPath(w: World, from: string, to: string, excerpt: string, scope: Scope = 'one'): void {
  writeFile(w, to, readFile(w, from, excerpt, scope), excerpt, scope);
  noteOtherName(w, from, to, excerpt);
}

/**
 * A program that runs code or talks to the network gets another name: nobody who looks for it by its name finds it. A copy into a
 * folder keeps the name, and so does one with a version behind it.
 */
function noteOtherName(w: World, from: string, to: string, excerpt: string): void {
  const { programs, links } = programNames(w.ontology);
  const name = baseName(from).replace(/\.exe$/i, '');
  if (!programs.test(name) || !(w.describe(from).place === 'system' || !/[\\/]/.test(from))) return;
  const other = baseName(to).replace(/\.exe$/i, '');
  if (other === '' || other === '.' || other === HOLE || links.test(other) || /[\\/]$/.test(to)) return;
  if (other.toLowerCase().startsWith(name.toLowerCase().replace(/[\d.]{1,8}$/, ''))) return;
  w.add('obfuscates', 'one', to, excerpt);
}

const baseName = (path: string): string => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

const programNames = perOntology((ontology) => ({
  programs: patternOf(ontology, 'renamed_programs', 'programs'),
  links: patternOf(ontology, 'renamed_programs', 'links'),
}));

/** Permission bits: set-user-id escalates, access for everybody is a grant, anything else is a change. */
export function changeMode(
  w: World,
  path: string,
  mode: string,
  excerpt: string,
  isDeep = false,
  hasGlob = false,
): void {
  const traits = w.describe(path);
  w.notePath(path);
  const scope = isDeep ? reachBelow(traits) : reachOf(traits, hasGlob);
  const octal = /^0?o?([0-7]{3,5})$/.exec(mode)?.[1];
  const isSetuid =
    octal !== undefined ? octal.length >= 4 && /[4-7]/.test(octal.at(-4)!) : /[+=][rwxXt]{0,8}s/.test(mode);
  const isForAll = octal !== undefined ? /[2367]$/.test(octal) : /(?:^|,)(?:o|a|ugo|go)[+=]\w*w/.test(mode);
  // With the bit for its owner, whoever runs the file has the owner's rights from then on.
  const isOfOwner = octal !== undefined || /(?:^|,)(?:[goa]*u[goa]*|a?)[+=][rwxXt]*s/.test(mode);
  if (isSetuid) w.add('escalates', isOfOwner ? 'everything' : 'one', traits.path, excerpt);
  if (isForAll) w.add('grants', scope, traits.path, excerpt);
  else if (!isSetuid) w.add('writes', scope, traits.path, excerpt);
  if (traits.place === 'system' || traits.is_account || traits.is_log) noteChange(w, traits, excerpt, scope);
}

/** Fetches something from the network for use in the code. */
export function fetchFrom(w: World, url: string, excerpt: string): Data {
  const host = hostOf(url);
  w.noteHost(host);
  if (isMetadataService(host, w.ontology)) {
    w.add('reads_credentials', 'one', host, excerpt);
    return { text: HOLE, taint: FROM.network | FROM.secret };
  }
  w.add('downloads', isLoopback(host) || url.startsWith('/') ? 'scratch' : 'one', host === '' ? url : host, excerpt);
  return { text: HOLE, taint: FROM.network };
}

/** The same for an answer that is only shown: it counts as a download when something keeps it (`keepShown`). */
export function lookAt(w: World, url: string, excerpt: string): Data {
  const host = hostOf(url);
  if (host === '' || isMetadataService(host, w.ontology)) return fetchFrom(w, url, excerpt);
  w.noteHost(host);
  w.add('downloads', 'scratch', host, excerpt);
  w.shown.set(host, excerpt);
  return { text: HOLE, taint: FROM.network };
}

/** Counts answers that were only shown as downloads, because `data` from the network is written, kept or run. */
export function keepShown(w: World, data: Data): void {
  if (data.taint & FROM.network) for (const [host, excerpt] of w.shown) w.add('downloads', 'one', host, excerpt);
}

/** Sends data to a host. Constants sent to this machine itself count as a local test. */
export function sendTo(w: World, destination: string, content: Data, excerpt: string, scope: Scope = 'one'): Data {
  const host = hostOf(destination);
  const taint = taintSentTo(w, { text: destination, taint: 0 }, content.taint);
  w.noteHost(host);
  const isLocal = isLoopback(host) && (taint & CARRIED) === 0;
  const reach = taint & FROM.staged ? 'everything' : taint & FROM.listing ? wider(scope, 'many') : scope;
  w.add('sends_out', isLocal ? 'scratch' : reach, host === '' ? destination : host, excerpt);
  if (taint & PRIVATE && !isLoopback(host)) w.add('leaks', reach, host === '' ? destination : host, excerpt);
  return { text: HOLE, taint: FROM.network };
}

/** A part that is known only at run time, below a domain that is written out. */
const BUILT_NAME = /^[^/]{0,200}\u{f8ff}[^/]{0,80}\.[a-z0-9-]{1,63}\.?[a-z]{2,24}\.?$/iu;
const ANYTHING_PRIVATE = PRIVATE & ~FROM.machine;

/**
 * Looks up a name. A name is passed on to whoever answers for its domain, so what stands before the domain is sent there: private data,
 * or data written in the letters and digits that a name may have, are put there for no other end.
 */
export function lookUpName(w: World, name: Data, excerpt: string): void {
  if (BUILT_NAME.test(name.text) && name.taint & (ANYTHING_PRIVATE | FROM.encoded | FROM.key))
    sendTo(w, name.text, { text: HOLE, taint: name.taint | FROM.machine }, excerpt, 'many');
  else if (name.taint & CARRIED && (name.text !== HOLE || name.taint & FROM.secret))
    sendTo(w, name.text, name, excerpt);
  else w.noteHost(hostOf(name.text));
}

/** Runs text as code: adds effects for where the text comes from, and reads the text when it is known. */
export function runText(w: World, language: Language, code: Data, excerpt: string): void {
  keepShown(w, code);
  if (code.taint & FROM.socket) w.add('opens_channel', 'one', REMOTE_COMMANDS, excerpt);
  if (code.taint & FROM.network) w.add('downloads_and_runs', 'one', 'downloaded code', excerpt);
  else if (code.taint & FROM.decoded) {
    w.add('obfuscates', 'one', 'decoded code', excerpt);
    if (code.text === HOLE) w.unresolved ||= excerpt;
  } else if (code.text === HOLE) w.add('runs_code', 'one', UNKNOWN_CODE, excerpt);
  if (code.text !== HOLE) w.run(language, bounded(language === 'shell' ? withKeyNames(w, code) : code.text));
}

/** Runs a file: reads its text when this code wrote it; otherwise only notes that the file is run. */
export function runFile(w: World, path: string, language: Language | null, excerpt: string): void {
  const host = hostOfShare(path) || (isUrl(path) ? hostOfUrl(path) : '');
  if (host !== '' && isLoopback(host)) {
    w.add('runs_code', 'one', path, excerpt);
    return;
  }
  const traits = w.describe(path);
  const content = w.files.get(traits.path);
  w.notePath(path);
  if (host !== '') {
    w.noteHost(host);
    w.add('downloads_and_runs', 'one', path, excerpt);
    return;
  }
  if (content === undefined) {
    w.add(w.isFetched(traits.path) ? 'downloads_and_runs' : 'runs_code', 'one', traits.path, excerpt);
    return;
  }
  const spoken = language ?? languageOfPath(traits.path, content.text, w.ontology) ?? 'shell';
  runText(w, spoken, content, excerpt);
}
