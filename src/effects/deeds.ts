/**
 * The deeds that code of every language does, so that `rm`, `os.remove` and `fs.unlink` mean the same: what a path, a host
 * or a text stands for decides which effects a deed has.
 */
import { bounded, CARRIED, type Data, FROM, HOLE } from './data.ts';
import { type Scope, wider } from './effects.ts';
import { hostOf, hostOfUrl, isLoopback, isMetadataService, isUrl } from './hosts.ts';
import { noteSourceFile } from './package-sources.ts';
import { type PathTraits, reachBelow, reachOf } from './paths.ts';
import { asksNoMore, installHooks } from './settings.ts';
import { type Language, MAX_NAMES, type World } from './world.ts';

/** Reads a file. What comes out remembers what kind of file it was. */
export function readFile(w: World, path: string, excerpt: string, scope: Scope = 'one'): Data {
  if (isUrl(path) && hostOfUrl(path) !== '') return fetchFrom(w, path, excerpt);
  const traits = w.describe(path);
  const written = w.files.get(traits.path);
  if (written !== undefined) return written;
  if (traits.place === 'null' || path === '-')
    return { text: HOLE, taint: /^\/dev\/(?:zero|full|u?random)$/.test(traits.path) ? FROM.endless : 0 };
  w.notePath(path);
  let taint: number = FROM.file;
  if (traits.is_credential) {
    taint |= FROM.secret;
    w.add('reads_credentials', scope, traits.path, excerpt);
  } else if (traits.is_personal && traits.place !== 'system' && traits.place !== 'scratch') {
    taint |= FROM.personal;
    w.add('reads_personal_data', scope, traits.path, excerpt);
  }
  if (isSensitiveSystemRead(traits)) {
    taint |= FROM.system;
    w.add('reads_system', scope, traits.path, excerpt);
  } else w.add('reads', traits.place === 'scratch' ? 'scratch' : scope, traits.path, excerpt);
  return { text: HOLE, taint };
}

/** System files, and the start files and histories in a home folder, which show how the machine is set up. */
function isSensitiveSystemRead(t: PathTraits): boolean {
  if (t.is_common_read || t.place === 'scratch' || t.place === 'null') return false;
  return t.place === 'system' || t.is_log || t.is_account || (t.place === 'home' && t.is_start);
}

/** Writes, overwrites or extends a file. */
export function writeFile(w: World, path: string, content: Data, excerpt: string, scope: Scope = 'one'): void {
  const traits = w.describe(path);
  if (traits.place === 'null') return;
  w.notePath(path);
  if (w.files.size < MAX_NAMES) w.files.set(traits.path, content);
  const reach = traits.place === 'scratch' ? 'scratch' : scope;
  w.add('writes', traits.is_device ? 'everything' : reach, traits.path, excerpt);
  keepShown(w, content);
  if (content.taint & FROM.endless) w.add('exhausts_resources', 'everything', traits.path, excerpt);
  if (content.taint & FROM.encrypted) w.add('encrypts', reach, traits.path, excerpt);
  noteChange(w, traits, excerpt, scope);
  if (traits.names_package_source) noteSourceFile(w, content.text, excerpt);
  if (!traits.is_agent && asksNoMore(traits.path, content.text)) w.add('modifies_agent', scope, traits.path, excerpt);
  if (content.text.length >= 8 && content.text !== HOLE) w.stored.set(traits.path, traits);
}

/** Consequences that any change of a file has because of which file it is. */
export function noteChange(w: World, t: PathTraits, excerpt: string, scope: Scope = 'one'): void {
  if (t.place === 'null') return;
  if (t.is_device) w.add('deletes', 'everything', t.path, excerpt);
  if (isSystemChange(t)) w.add('writes_system', scope, t.path, excerpt);
  // A home folder may stand anywhere, and a key that lets somebody in is none that a build leaves behind.
  if (t.is_start && (t.place !== 'scratch' || t.is_login_key)) w.add('persists', scope, t.path, excerpt);
  if (t.is_account) w.add('escalates', scope, t.path, excerpt);
  if (t.is_guard) w.add('tampers_with_guards', scope, t.path, excerpt);
  if (t.is_agent) w.add('modifies_agent', scope, t.path, excerpt);
  if (t.is_log) w.add('tampers_with_logs', scope, t.path, excerpt);
}

/** A service's own data below `/var/lib` and `/srv` change all day; programs, settings and the kernel's do not. */
function isSystemChange(t: PathTraits): boolean {
  return (
    t.place === 'system' &&
    !/^\/(?:var\/(?:www|lib\/(?!dpkg|pam|apt)|cache|spool\/(?!cron))|run\/|usr\/local\/(?!s?bin|etc|lib))/.test(t.path)
  );
}

/** Once all is done, reads the code that was stored: part of the effects where it runs by itself, else kept apart. */
export function readStored(w: World): void {
  for (const t of w.stored.values()) {
    const text = w.files.get(t.path)?.text ?? '';
    const language = languageOfPath(t.path, text);
    for (const hook of t.place === 'scratch' ? [] : installHooks(t.path, text)) {
      w.add('persists', 'one', t.path, hook);
      w.run('shell', hook);
    }
    if (t.is_start && t.place !== 'scratch' && !/authorized_keys|\.ssh\//.test(t.path))
      w.run(language ?? 'shell', cronLess(t.path, text));
    else if (language !== null) w.runDormant(language, text);
  }
}

/** Drops the five time fields and the user of crontab lines, and the `Exec` keys of unit files. */
function cronLess(path: string, text: string): string {
  if (/cron/.test(path)) return text.replace(/^\s*(?:@\w+|(?:[\d*/,-]+\s+){5})\s*(?:[a-z_][\w-]*\s+(?=\/))?/gm, '');
  if (/\.(?:service|timer|desktop)$/.test(path))
    return [...text.matchAll(/^\s*Exec\w*\s*=\s*-?(.*)$/gm)].map((m) => m[1]).join('\n');
  if (/\.ya?ml$/.test(path)) return workflowCode(text);
  return text;
}

const STEP = /^([\s-]*)(?:run|script|before_script|after_script)\s*:\s*(.*)$/;

/** The commands of a workflow: behind `run:`, in the deeper lines below it, or in the list below it. */
function workflowCode(text: string): string {
  const code: string[] = [];
  let depth = -1;
  let isList = false;
  for (const line of text.split('\n')) {
    const step = STEP.exec(line);
    const indent = line.length - line.trimStart().length;
    if (step !== null) {
      isList = step[2]!.trim() === '';
      const isBlock = isList || /^[|>][-+\d]*\s*$/.test(step[2]!);
      depth = isBlock ? step[1]!.length : -1;
      if (!isBlock) code.push(step[2]!);
    } else if (line.trim() !== '' && depth >= 0) {
      const isBelow = indent > depth || (isList && indent === depth && line.startsWith('- ', indent));
      if (isBelow) code.push(isList ? line.trim().replace(/^- /, '') : line.trim());
      else depth = -1;
    }
  }
  return code.join('\n');
}

/** Language of a file by its name, then by its first line. */
export function languageOfPath(path: string, content: string): Language | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (/\.(?:sh|bash|zsh|ksh|command|ps1|bat|cmd)$/i.test(name) || /^#!.*\b(?:ba|z|k|da)?sh\b/.test(content))
    return 'shell';
  if (/\.(?:py|pyw|ipynb)$/i.test(name) || /^#!.*\bpython/.test(content)) return 'python';
  if (/\.(?:[cm]?js|[cm]?ts|jsx|tsx)$/i.test(name) || /^#!.*\bnode\b/.test(content)) return 'javascript';
  return /\.sql$/i.test(name) ? 'sql' : null;
}

/** Removes a file or, when `isDeep`, a tree. */
export function deletePath(w: World, path: string, excerpt: string, isDeep: boolean, hasGlob = false): Scope {
  const traits = w.describe(path);
  if (traits.place === 'null') return 'scratch';
  w.notePath(path);
  const isOwn = w.files.has(traits.path) && traits.place !== 'system';
  const scope = isOwn ? 'scratch' : isDeep ? reachBelow(traits) : reachOf(traits, hasGlob);
  noteDelete(w, traits, scope, excerpt);
  return scope;
}

export function noteDelete(w: World, traits: PathTraits, scope: Scope, excerpt: string): void {
  w.add('deletes', scope, traits.path, excerpt);
  if (scope === 'scratch') return;
  noteChange(w, traits, excerpt, scope);
  if (traits.is_recovery) w.add('destroys_recovery', scope, traits.path, excerpt);
  // Keys that are gone lock people and programs out.
  if (traits.is_credential && traits.place !== 'workspace') w.add('disrupts', scope, traits.path, excerpt);
  if (/(?:^|\/)\.git$/.test(traits.path)) w.add('rewrites_history', 'everything', traits.path, excerpt);
}

/** Moves or renames: the old name is gone, the new one is overwritten. */
export function movePath(w: World, from: string, to: string, excerpt: string, hasGlob = false): void {
  const source = w.describe(from);
  const scope = reachOf(source, hasGlob);
  const content = w.files.get(source.path) ?? { text: HOLE, taint: source.is_credential ? FROM.secret : 0 };
  w.notePath(from);
  noteChange(w, source, excerpt, scope);
  if (source.is_credential) w.add('reads_credentials', scope, source.path, excerpt);
  if (w.describe(to).place === 'null') noteDelete(w, source, scope, excerpt);
  writeFile(w, to, content, excerpt, scope);
}

/** Copies: reads the one, writes the other. */
export function copyPath(w: World, from: string, to: string, excerpt: string, scope: Scope = 'one'): void {
  writeFile(w, to, readFile(w, from, excerpt, scope), excerpt, scope);
}

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
    octal !== undefined ? octal.length >= 4 && /[4-7]/.test(octal.at(-4)!) : /[ugoa]*[+=][rwxXt]*s/.test(mode);
  const isForAll = octal !== undefined ? /[2367]$/.test(octal) : /(?:^|,)(?:o|a|ugo|go)[+=]\w*w/.test(mode);
  if (isSetuid) w.add('escalates', scope === 'scratch' ? 'one' : scope, traits.path, excerpt);
  if (isForAll) w.add('grants', scope, traits.path, excerpt);
  else if (!isSetuid) w.add('writes', scope, traits.path, excerpt);
  if (traits.place === 'system' || traits.is_account || traits.is_log) noteChange(w, traits, excerpt, scope);
}

/** Fetches something from the network for use in the code. */
export function fetchFrom(w: World, url: string, excerpt: string): Data {
  const host = hostOf(url);
  w.noteHost(host);
  if (isMetadataService(host)) {
    w.add('reads_credentials', 'one', host, excerpt);
    return { text: HOLE, taint: FROM.network | FROM.secret };
  }
  w.add('downloads', isLoopback(host) || url.startsWith('/') ? 'scratch' : 'one', host === '' ? url : host, excerpt);
  return { text: HOLE, taint: FROM.network };
}

/** The same for an answer that is only shown: a look at a page, until something keeps it. */
export function lookAt(w: World, url: string, excerpt: string): Data {
  const host = hostOf(url);
  if (host === '' || isMetadataService(host)) return fetchFrom(w, url, excerpt);
  w.noteHost(host);
  w.add('downloads', 'scratch', host, excerpt);
  w.shown.set(host, excerpt);
  return { text: HOLE, taint: FROM.network };
}

/** What was only shown is written, held in a variable or run after all. */
export function keepShown(w: World, data: Data): void {
  if (data.taint & FROM.network) for (const [host, excerpt] of w.shown) w.add('downloads', 'one', host, excerpt);
}

/** Sends data to a host. Nothing but constants to this machine itself is a local test. */
export function sendTo(w: World, destination: string, content: Data, excerpt: string, scope: Scope = 'one'): Data {
  const host = hostOf(destination);
  w.noteHost(host);
  const isLocal = isLoopback(host) && (content.taint & CARRIED) === 0;
  const reach = content.taint & FROM.listing ? wider(scope, 'many') : scope;
  w.add('sends_out', isLocal ? 'scratch' : reach, host === '' ? destination : host, excerpt);
  return { text: HOLE, taint: FROM.network };
}

/** Runs text as code: says where the text came from, and reads it when it is known. */
export function runText(w: World, language: Language, code: Data, excerpt: string): void {
  keepShown(w, code);
  if (code.taint & FROM.socket) w.add('opens_channel', 'one', 'commands from a connection', excerpt);
  if (code.taint & FROM.network) w.add('downloads_and_runs', 'one', 'downloaded code', excerpt);
  else if (code.taint & FROM.decoded) w.add('obfuscates', 'one', 'decoded code', excerpt);
  else if (code.text === HOLE) w.add('runs_code', 'one', 'code known only at run time', excerpt);
  if (code.text !== HOLE) w.run(language, bounded(code.text));
}

/** Runs a file: its text when this code wrote it, else only the fact. */
export function runFile(w: World, path: string, language: Language | null, excerpt: string): void {
  const traits = w.describe(path);
  const content = w.files.get(traits.path);
  w.notePath(path);
  if (content === undefined) {
    w.add('runs_code', 'one', traits.path, excerpt);
    return;
  }
  const spoken = language ?? languageOfPath(traits.path, content.text) ?? 'shell';
  runText(w, spoken, content, excerpt);
}
