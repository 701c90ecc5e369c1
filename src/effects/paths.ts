/** What a path stands for: whose it is, whether it holds secrets, whether it is run or trusted, how much lies below it. */
import type { Ontology } from '../ontology/index.ts';
import { HOLE } from './data.ts';
import type { Scope } from './effects.ts';
import {
  ACCOUNT_FILES,
  COMMON_SYSTEM_READS,
  CREDENTIAL_NAMES,
  GUARD_FILES,
  LOG_FILES,
  LOGIN_KEYS,
  PERSONAL_NAMES,
  RECOVERY_NAMES,
  SCRATCH_SEGMENTS,
  START_FILES,
  SYSTEM_ROOTS,
  TOP_FOLDERS,
} from './path-names.ts';

export type Place = 'null' | 'scratch' | 'workspace' | 'home' | 'system' | 'other';

/** Resolves `~`, `$HOME`, drive letters, other people's home folders, `.`, `..` and the current folder. */
export function normalisePath(raw: string, cwd = ''): string {
  let path = raw.trim().replace(/^file:\/\//i, '');
  if (path.includes('\\')) path = path.replaceAll('\\', '/');
  path = path.replace(/^(?:\$\{?HOME\}?|%userprofile%|%homepath%|\$env:(?:userprofile|home))(?=$|\/)/i, '~');
  path = path.replace(/^(?:%(?:systemroot|windir)%|\$env:(?:systemroot|windir))(?=$|\/)/i, '/windows');
  path = path.replace(/^[a-zA-Z]:(?=$|\/)/, '');
  if (path === '' && raw.trim() !== '') path = '/';
  const isRooted = path.startsWith('/') || path.startsWith('~') || path.startsWith(HOLE);
  if (!isRooted && cwd !== '') path = `${cwd}/${path}`;
  path = resolveDots(path);
  path = path
    .replace(/^\/(?:home|users|documents and settings)\/[^/*?]+(?=$|\/)/i, '~')
    .replace(/^\/root(?=$|\/)/, '~');
  path = path.replace(/^~[a-z_][\w-]*(?=$|\/)/i, '~');
  return path.replace(/^\/private(?=\/(?:etc|tmp|var))/, '');
}

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

interface Lists {
  credentials: (path: string) => boolean;
  agents: (path: string) => boolean;
  sources: (path: string) => boolean;
}
const listsOf = new WeakMap<Ontology, Lists>();

function lists(ontology: Ontology): Lists {
  const known = listsOf.get(ontology);
  if (known !== undefined) return known;
  const secret = (ontology.lists.get('credential_paths') ?? []).filter(
    (p) => !ACCOUNT_FILES.test(p) || /shadow|sudoers/.test(p),
  );
  const made = {
    credentials: pathMatcher(secret),
    agents: pathMatcher(ontology.lists.get('agent_self_files') ?? []),
    sources: pathMatcher(ontology.lists.get('package_source_files') ?? []),
  };
  listsOf.set(ontology, made);
  return made;
}

/** Entries as in `ontology/lists/paths.yaml`: `folder/`, `/from/root`, `~/below/home`, `*.ext`, else the end of a path. */
export function pathMatcher(entries: readonly string[]): (path: string) => boolean {
  const ends = new Set<string>();
  const extensions = new Set<string>();
  const folders: string[] = [];
  const roots: string[] = [];
  for (const entry of entries) {
    if (entry.startsWith('*.')) extensions.add(entry.slice(1));
    else if (entry.endsWith('/')) folders.push(entry);
    else if (entry.startsWith('/') || entry.startsWith('~') || entry.includes('/')) roots.push(entry);
    else ends.add(entry);
  }
  return (path) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (ends.has(name)) return true;
    const dot = name.lastIndexOf('.');
    if (dot > 0 && extensions.has(name.slice(dot))) return true;
    if (
      folders.some(
        (f) => path.startsWith(f) || `/${path}/`.includes(f.startsWith('/') || f.startsWith('~') ? f : `/${f}`),
      )
    )
      return true;
    return roots.some((r) => path === r || path.startsWith(`${r}/`) || path.endsWith(`/${r}`));
  };
}

function placeOf(path: string): Place {
  if (/^\/dev\/(?:null|zero|full|u?random|std(?:in|out|err)|tty|fd|pts)\b|^nul$/i.test(path)) return 'null';
  if (
    /^\/(?:tmp|var\/tmp|dev\/shm|var\/folders|windows\/temp)(?:\/|$)|^(?:\$\{?TMPDIR\}?|%temp%|\$env:temp)/i.test(path)
  )
    return 'scratch';
  if (SCRATCH_SEGMENTS.test(path) && !SYSTEM_ROOTS.test(path)) return 'scratch';
  if (path === '/' || path === '/*') return 'system';
  if (path.startsWith('~')) return 'home';
  if (SYSTEM_ROOTS.test(path)) return 'system';
  return path.startsWith('/') ? 'other' : 'workspace';
}

export const MAX_PATH = 1024;

/** One path, described as far as somebody asks. */
export class PathTraits {
  /** Normalised: forward slashes, `~` for a home folder, `.` and `..` resolved. */
  readonly path: string;
  readonly place: Place;
  readonly #ontology: Ontology;

  /** `cwd` is the folder the code has changed to, '' when unknown. */
  constructor(raw: string, cwd: string, ontology: Ontology) {
    this.path = normalisePath(raw.slice(0, MAX_PATH), cwd);
    this.place = placeOf(this.path);
    this.#ontology = ontology;
  }

  get is_credential(): boolean {
    return this.#holdsSecrets(this.path) || (/[*?]/.test(this.path) && this.#holdsSecrets(withoutWildcards(this.path)));
  }
  #holdsSecrets(path: string): boolean {
    return CREDENTIAL_NAMES.test(path) || lists(this.#ontology).credentials(path);
  }
  get is_personal(): boolean {
    return PERSONAL_NAMES.test(this.path.toLowerCase());
  }
  get is_log(): boolean {
    return LOG_FILES.test(this.path);
  }
  /** Whatever is written here runs again later by itself. */
  get is_start(): boolean {
    return START_FILES.test(this.path);
  }
  /** Keys with which others may log in. */
  get is_login_key(): boolean {
    return LOGIN_KEYS.test(this.path);
  }
  get is_guard(): boolean {
    return GUARD_FILES.test(this.path);
  }
  /** Accounts and rights: passwd, shadow, group, sudoers. */
  get is_account(): boolean {
    return ACCOUNT_FILES.test(this.path);
  }
  get is_recovery(): boolean {
    return RECOVERY_NAMES.test(this.path.toLowerCase());
  }
  /** Steers agents: instructions, permissions, tool lists. */
  get is_agent(): boolean {
    return lists(this.#ontology).agents(this.path);
  }
  /** Says where a package manager fetches packages from. */
  get names_package_source(): boolean {
    return lists(this.#ontology).sources(this.path);
  }
  /** A disk, memory or other device. */
  get is_device(): boolean {
    return this.path.startsWith('/') && DEVICES.test(this.path);
  }
  /** System files that every program may read without raising an eyebrow. */
  get is_common_read(): boolean {
    return COMMON_SYSTEM_READS.test(this.path);
  }
}

/** `id_rsa*` finds `id_rsa` too. */
function withoutWildcards(path: string): string {
  const name = path.lastIndexOf('/') + 1;
  return path.slice(0, name) + path.slice(name).replace(/[*?]/g, '');
}

const DEVICES = /^\/dev\/(?:[shv]d[a-z]|nvme|disk|mmcblk|xvd|loop|mapper|mem|kmem|port|dm-)|^\/\/\.\//;

/** How much goes when this path is removed (or changed) with everything below it. */
export function reachBelow(traits: PathTraits): Scope {
  const { path, place } = traits;
  if (place === 'scratch' || place === 'null') return 'scratch';
  if (TOP_FOLDERS.test(path)) return 'everything';
  if (traits.is_device) return 'everything';
  if (place === 'system' && path.replace(/\/\*$/, '').split('/').length <= 3) return 'everything';
  // An empty variable turns `$x/*` into `/*`.
  if (path.startsWith(HOLE) && /^.\/(?:\*|\.\*)?$/u.test(path)) return 'everything';
  return 'many';
}

/** How much one operand of a command names: several when it has a wildcard. */
export function reachOf(traits: PathTraits, hasGlob: boolean): Scope {
  if (traits.place === 'scratch' || traits.place === 'null') return 'scratch';
  if (traits.is_device) return 'everything';
  return hasGlob ? 'many' : 'one';
}
