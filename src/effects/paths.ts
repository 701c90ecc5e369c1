/** What a path stands for: whose it is, whether it holds secrets, whether it is run or trusted, how much lies below it. */
import type { Ontology } from '../ontology/index.ts';
import { perOntology } from '../ontology/per-ontology.ts';
import { anyOf, listOf, patternOf, setOf, tableOf } from '../ontology/words.ts';
import { HOLE } from './data.ts';
import type { Scope } from './effects.ts';

export type Place = 'null' | 'scratch' | 'workspace' | 'home' | 'system' | 'other';

/** Resolves `~`, `$HOME`, drive letters, other people's home folders, `.`, `..` and the current folder. */
export function normalisePath(raw: string, ontology: Ontology, cwd = ''): string {
  const roots = rootsOf(ontology);
  let path = raw.trim().replace(/^file:\/\//i, '');
  if (ENCODED_STEP.test(path)) path = withoutPercent(path);
  if (path.includes('\\')) path = path.replaceAll('\\', '/');
  const disk = roots.raw_disk.exec(path)?.[1];
  if (disk !== undefined) return `//./${disk}`;
  path = path.replace(roots.home_variable, '~');
  path = path.replace(roots.windows_variable, '/windows');
  path = path.replace(/^[a-zA-Z]:(?=$|\/)/, '');
  if (path === '' && raw.trim() !== '') path = '/';
  const isRooted = path.startsWith('/') || path.startsWith('~') || path.startsWith(HOLE);
  if (!isRooted && cwd !== '') path = `${cwd}/${path}`;
  path = resolveDots(path).replace(roots.climbed, '/');
  path = path.replace(roots.home_folder, '~').replace(/^\/root(?=$|\/)/, '~');
  path = path.replace(/^~[a-z_][\w-]{0,64}(?=$|\/)/i, '~');
  return path.replace(roots.link_of_macos, '');
}

/** A slash or a dot as a number, also one that is told once more: `..%2f`, `%252e`. A tool that undoes it leaves its folder. */
const ENCODED_STEP = /%(?:25){0,3}(?:2f|2e|5c)/i;

const withoutPercent = (path: string): string =>
  path.replace(/%(?:25){0,3}(?:2f|5c)/gi, '/').replace(/%(?:25){0,3}2e/gi, '.');

const rootsOf = perOntology((ontology) => ({
  raw_disk: patternOf(ontology, 'path_roots', 'raw_disk'),
  home_variable: patternOf(ontology, 'path_roots', 'home_variable'),
  windows_variable: patternOf(ontology, 'path_roots', 'windows_variable'),
  home_folder: patternOf(ontology, 'path_roots', 'home_folder'),
  link_of_macos: patternOf(ontology, 'path_roots', 'link_of_macos'),
  climbed: patternOf(ontology, 'path_roots', 'climbed'),
}));

function resolveDots(path: string): string {
  if (!/\/\/|\/\.|^\.\.?(?:$|\/)|.\/$/.test(path)) return path;
  const out: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') out.push(part);
    else if (out.length > 0 && out.at(-1) !== '..') out.pop();
    else if (!path.startsWith('/')) out.push(part);
  }
  const joined = out.join('/');
  if (path.startsWith('/')) return `/${joined}`;
  return joined === '' ? '.' : joined;
}

/** Matchers of the kinds of paths in `ontology/lists/path-kinds.yaml` and `paths.yaml`. */
export const pathKinds = perOntology((ontology) => {
  const accounts = anyOf(ontology, 'account_paths');
  const secretAccounts = anyOf(ontology, 'listed_account_paths');
  const credentials = listOf(ontology, 'credential_paths').filter((p) => !accounts.test(p) || secretAccounts.test(p));
  return {
    accounts,
    changing: anyOf(ontology, 'changing_paths'),
    built: patternOf(ontology, 'scratch_paths', 'built'),
    commonSystem: anyOf(ontology, 'common_system_paths'),
    devices: anyOf(ontology, 'device_paths'),
    documents: anyOf(ontology, 'document_paths'),
    endless: setOf(ontology, 'endless_devices'),
    guards: anyOf(ontology, 'guard_paths'),
    hiddenScratch: patternOf(ontology, 'known_places', 'hidden_scratch'),
    homes: patternOf(ontology, 'known_places', 'homes'),
    isAgentFile: pathMatcher(listOf(ontology, 'agent_self_files')),
    isListedCredential: pathMatcher(credentials),
    loginKeys: anyOf(ontology, 'login_key_paths'),
    logs: anyOf(ontology, 'log_paths'),
    records: anyOf(ontology, 'record_paths'),
    programs: new Set(
      PROGRAM_LANGUAGES.flatMap((language) => [...(tableOf(ontology, 'file_languages').get(language) ?? [])]),
    ),
    namesPackageSource: pathMatcher(listOf(ontology, 'package_source_files')),
    nothing: anyOf(ontology, 'null_paths'),
    open: anyOf(ontology, 'open_paths'),
    personal: anyOf(ontology, 'personal_paths'),
    recovery: anyOf(ontology, 'recovery_paths'),
    repositories: anyOf(ontology, 'repository_paths'),
    scratch: anyOf(ontology, 'scratch_paths'),
    scratchRoots: anyOf(ontology, 'scratch_roots'),
    secrets: anyOf(ontology, 'secret_paths'),
    starts: anyOf(ontology, 'start_paths'),
    stores: anyOf(ontology, 'store_paths'),
    system: anyOf(ontology, 'system_paths'),
    systemFolders: anyOf(ontology, 'system_folders'),
    tops: anyOf(ontology, 'top_paths'),
    treasured: anyOf(ontology, 'treasured_paths'),
    vital: anyOf(ontology, 'vital_paths'),
    vitalSystem: anyOf(ontology, 'vital_system_paths'),
    passing: anyOf(ontology, 'passing_stores'),
  };
});

/** Languages of programs. A file of a shell may be all that a service has for its copies. */
const PROGRAM_LANGUAGES = ['python', 'javascript', 'script'];

type PathKinds = ReturnType<typeof pathKinds>;

/** Whether the path is a device that can be read for ever. */
export function isEndlessDevice(path: string, ontology: Ontology): boolean {
  return pathKinds(ontology).endless.has(path);
}

/** Whether the path is a folder of the system: a file copied to it lands inside it. */
export function isSystemFolder(path: string, ontology: Ontology): boolean {
  return pathKinds(ontology).systemFolders.test(path);
}

/** Entries as in `ontology/lists/paths.yaml`: `folder/`, `/from/root`, `~/below/home`, `*.ext`, `name.*`, else the end of a path. */
export function pathMatcher(entries: readonly string[]): (path: string) => boolean {
  const ends = new Set<string>();
  const extensions = new Set<string>();
  /** Beginnings of names that have any ending. */
  const stems = new Set<string>();
  const folders: string[] = [];
  const roots: string[] = [];
  for (const entry of entries) {
    if (entry.startsWith('*.')) extensions.add(entry.slice(1));
    else if (entry.endsWith('.*')) stems.add(entry.slice(0, -2));
    else if (entry.endsWith('/')) folders.push(entry);
    else if (entry.startsWith('/') || entry.startsWith('~') || entry.includes('/')) roots.push(entry);
    else ends.add(entry);
  }
  return (path) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (ends.has(name)) return true;
    const dot = name.lastIndexOf('.');
    if (dot > 0 && (extensions.has(name.slice(dot)) || stems.has(name.slice(0, dot)))) return true;
    const before = name.lastIndexOf('.', dot - 1);
    if (dot > 0 && before > 0 && extensions.has(name.slice(before))) return true;
    if (
      folders.some(
        (f) => path.startsWith(f) || `/${path}/`.includes(f.startsWith('/') || f.startsWith('~') ? f : `/${f}`),
      )
    )
      return true;
    return roots.some(
      (r) =>
        path === r ||
        path.startsWith(`${r}/`) ||
        path.endsWith(`/${r}`) ||
        (r.startsWith('.') && path.includes(`/${r}/`)),
    );
  };
}

function placeOf(path: string, kinds: PathKinds): Place {
  if (kinds.nothing.test(path)) return 'null';
  if (kinds.scratchRoots.test(path)) return 'scratch';
  const isSystem = kinds.system.test(path);
  if (!isSystem && kinds.scratch.test(path)) return 'scratch';
  if (path === '/' || path === '/*') return 'system';
  if (path.startsWith('~')) return 'home';
  if (isSystem) return 'system';
  return path.startsWith('/') ? 'other' : 'workspace';
}

export const MAX_PATH = 1024;

/** One path; its traits are computed when they are read. */
export class PathTraits {
  /** Normalised: forward slashes, `~` for a home folder, `.` and `..` resolved. */
  readonly path: string;
  readonly place: Place;
  /** A part that is known only at run time and a slash, `$x/`: the root if that part is empty. */
  readonly is_perhaps_root: boolean;
  readonly #kinds: PathKinds;

  /** `cwd` is the folder the code has changed to, '' when unknown. */
  constructor(raw: string, cwd: string, ontology: Ontology) {
    this.#kinds = pathKinds(ontology);
    this.path = normalisePath(raw.slice(0, MAX_PATH), ontology, cwd);
    this.place = placeOf(this.path, this.#kinds);
    this.is_perhaps_root = raw === `${HOLE}/`;
  }

  get is_credential(): boolean {
    return this.#holdsSecrets(this.path) || (/[*?]/.test(this.path) && this.#holdsSecrets(withoutWildcards(this.path)));
  }
  #holdsSecrets(path: string): boolean {
    if (this.#kinds.open.test(path)) return false;
    return this.#kinds.secrets.test(path) || this.#kinds.isListedCredential(path);
  }
  /** A whole store of credentials, or a key that opens an account by itself. */
  get is_store(): boolean {
    return this.#kinds.stores.test(this.path);
  }
  /** A hidden file or folder among temporary files: where collected data wait. */
  get is_hidden_scratch(): boolean {
    return this.place === 'scratch' && this.#kinds.hiddenScratch.test(this.path);
  }
  /** A folder that a build or a test run fills: what was there before was made by an earlier one. */
  get is_built(): boolean {
    return this.place === 'scratch' && !this.#kinds.scratchRoots.test(this.path) && this.#kinds.built.test(this.path);
  }
  get is_personal(): boolean {
    return this.#kinds.personal.test(this.path.toLowerCase());
  }
  get is_log(): boolean {
    return this.#kinds.logs.test(this.path);
  }
  /** A log of who did what, of the system or of a shell. */
  get is_record(): boolean {
    return this.is_log && this.#kinds.records.test(this.path);
  }
  /** What is written here runs again later by itself. */
  get is_start(): boolean {
    return this.#kinds.starts.test(this.path);
  }
  /** Keys with which people log in. */
  get is_login_key(): boolean {
    return this.#kinds.loginKeys.test(this.path);
  }
  get is_guard(): boolean {
    return this.#kinds.guards.test(this.path);
  }
  /** Accounts and rights: passwd, shadow, group, sudoers. */
  get is_account(): boolean {
    return this.#kinds.accounts.test(this.path);
  }
  /** A program is named after the copies that it makes, and is none of them. */
  get is_recovery(): boolean {
    const path = this.path.toLowerCase();
    const name = path.slice(path.lastIndexOf('/') + 1);
    const isProgram = this.#kinds.programs.has(name.slice(name.lastIndexOf('.') + 1));
    return this.#kinds.recovery.test(isProgram ? path.slice(0, -name.length) : path);
  }
  /** Steers agents: instructions, permissions, tool lists. */
  get is_agent(): boolean {
    return this.#kinds.isAgentFile(this.path);
  }
  /** Says where a package manager fetches packages from. */
  get names_package_source(): boolean {
    return this.#kinds.namesPackageSource(this.path);
  }
  /** A disk, memory or other device. */
  get is_device(): boolean {
    return this.path.startsWith('/') && this.#kinds.devices.test(this.path);
  }
  /** Whether the path is a device that can be read for ever. */
  get is_endless(): boolean {
    return this.#kinds.endless.has(this.path);
  }
  /** System files that ordinary programs read all the time. */
  get is_common_read(): boolean {
    return this.#kinds.commonSystem.test(this.path);
  }
  /** The history of a version control. */
  get is_repository(): boolean {
    return this.#kinds.repositories.test(this.path);
  }
  /** Taking this away takes everything. */
  get is_top(): boolean {
    return this.#kinds.tops.test(this.path);
  }
  /** Holds what people made and keep there: nothing rebuilds it. */
  get is_treasured(): boolean {
    return this.place !== 'scratch' && this.#kinds.treasured.test(this.path);
  }
  /** A document of a person, in a home folder. */
  get is_document(): boolean {
    return this.place === 'home' && this.#kinds.documents.test(this.path);
  }
  /** One file that is a whole store: a database, a key that is nowhere else, the state of an infrastructure. */
  get is_vital(): boolean {
    return this.place !== 'scratch' && this.#kinds.vital.test(this.path) && !this.#kinds.passing.test(this.path);
  }
  /** Without it the machine does not start, or writing it stops the machine at once. */
  get is_vital_system(): boolean {
    return this.#kinds.vitalSystem.test(this.path);
  }
  /** Programs, settings and the kernel's data. A service's own data below `/var/lib` and `/srv` changes all day. */
  get is_stable_system(): boolean {
    return this.place === 'system' && !this.#kinds.changing.test(this.path);
  }
}

/** `id_rsa*` finds `id_rsa` too. */
function withoutWildcards(path: string): string {
  const name = path.lastIndexOf('/') + 1;
  return path.slice(0, name) + path.slice(name).replace(/[*?]/g, '');
}

/** How much is affected when this path is removed or changed with everything below it. */
export function reachBelow(traits: PathTraits): Scope {
  const { path, place } = traits;
  if (place === 'scratch' || place === 'null') return 'scratch';
  if (traits.is_top || traits.is_device || traits.is_perhaps_root) return 'everything';
  if (place === 'system' && path.replace(/\/\*$/, '').split('/').length <= 3) return 'everything';
  // An empty variable turns `$x/*` into `/*`.
  if (path.startsWith(HOLE) && /^.\/(?:\*|\.\*)?$/u.test(path)) return 'everything';
  // And `/$x` into `/`.
  if (path === `/${HOLE}`) return 'everything';
  return 'many';
}

/** How much one operand of a command names: several files when it has a wildcard. */
export function reachOf(traits: PathTraits, hasGlob: boolean): Scope {
  if (traits.place === 'scratch' || traits.place === 'null') return 'scratch';
  if (traits.is_device) return 'everything';
  // Whatever a listing of the root or of the home folder gives.
  if (hasGlob && (traits.path === `/${HOLE}` || traits.path === `~/${HOLE}`)) return 'everything';
  return hasGlob ? 'many' : 'one';
}
