/** What code can do, as data: the kinds of effects, how far they reach, and the bounded list that collects them. */

/** Every kind of effect that code can have. */
export const EFFECT_KINDS = {
  /** Looks at ordinary files or listings. */
  reads: true,
  writes: true,
  deletes: true,
  /** Destroys for good what nothing rebuilds: a personal folder, a database, an index, a queue, a secret of a service. */
  destroys_data: true,
  /** Throws away work that is recorded nowhere else: uncommitted changes, stashes, unmerged branches. */
  discards_work: true,
  sends_out: true,
  downloads: true,
  downloads_and_runs: true,
  /** Runs or installs code from an address that is not a registry and that somebody may well answer for. */
  takes_foreign_code: true,
  /** Starts a program, script or code whose text is not known. */
  runs_code: true,
  installs: true,
  /** Changes where packages come from in future: a registry, index or proxy in the settings. */
  redirects_packages: true,
  /** Points a service or a program at another place for its logins, images, code, names, traffic or records. */
  redirects_trust: true,
  /** Lets code run again later: start files, schedules, services, keys, accounts. */
  persists: true,
  /** Gains more rights: a root shell, setuid, sudoers, group membership. */
  escalates: true,
  /** Runs one named command with the rights of another account: `sudo apt-get update`. */
  runs_as_another: true,
  /** Hands downloaded or decoded text to a program of which nothing is known, which may run it. */
  feeds_unknown_program: true,
  /** Widens access for others: SQL GRANT, world-writable modes, cloud roles. */
  grants: true,
  reads_credentials: true,
  reads_personal_data: true,
  /** Reads the configuration or internals of the machine: /etc, /proc, /sys, system logs. */
  reads_system: true,
  tampers_with_logs: true,
  tampers_with_guards: true,
  /** Hides what runs: decoded, built or packed code that is then executed. */
  obfuscates: true,
  /** A reverse shell, tunnel or listener that others may command. */
  opens_channel: true,
  /** Joins a port of this machine and another one, so that what follows the one is reached from the other. */
  opens_tunnel: true,
  exhausts_resources: true,
  /** Looks over accounts, processes, ports, hosts or traffic. */
  reconnoitres: true,
  alters_schema: true,
  /** Changes, replaces, renames or removes a file of the operating system. */
  writes_system: true,
  /** Stops what runs: kills processes, stops services, shuts down, scales to zero. */
  disrupts: true,
  /** Privileged containers, host mounts, kernel modules, nsenter. */
  breaks_isolation: true,
  /** A session or command on another machine or container. */
  moves_laterally: true,
  /** Loading data in a form that can run code: pickle, yaml.load, trust_remote_code. */
  loads_unsafely: true,
  /** Force push, hard reset, filter-branch. */
  rewrites_history: true,
  /** Backups, snapshots, shadow copies, versions, trash. */
  destroys_recovery: true,
  encrypts: true,
  /** Switches a check off: --no-verify, TLS verification, host keys. */
  bypasses_checks: true,
  /** Switches on, in production, what shows strangers the inside of a service: debug pages, stack traces, a remote debugger. */
  exposes_internals: true,
  /** Keys pressed, screen, clipboard, microphone, camera. */
  spies: true,
  /** Publishes or rolls out: push, publish, apply, upgrade. */
  deploys: true,
  /** Changes the files that steer agents: instructions, permissions, tool lists. */
  modifies_agent: true,
  /** Sends secrets, personal data or what identifies this machine to another one. */
  leaks: true,
  /** Puts code into another process or into every program that starts. */
  injects: true,
  /** Starts a program so that nobody sees it: hidden window, detached with its output thrown away. */
  hides: true,
  /** Runs code of the package while it is installed. */
  hooks_install: true,
  /** Names a bare address, an address with a password, or a host that takes anything from strangers. */
  points_at_strangers: true,
  /** Runs a tool that is made for attacks: it steals credentials, forges tickets, exploits, controls other machines. */
  attacks: true,
  /** Reads, changes or runs the memory of another process. */
  enters_process: true,
  /** Runs other code through a signed program of the system, which checks do not stop. */
  runs_by_proxy: true,
} as const;

export type EffectKind = keyof typeof EFFECT_KINDS;

/** One scratch object, one, several, or everything below a root or in a table. */
export type Scope = 'scratch' | 'one' | 'many' | 'everything';

export interface Effect {
  kind: EffectKind;
  scope: Scope;
  /** What it reaches: a path, table, host or program. */
  object: string;
  /** The piece of code that has the effect, at most 120 characters. */
  excerpt: string;
}

/** Objects that have no name, as they are told. */
export const UNKNOWN_CODE = 'code known only at run time';
export const UNKNOWN_COMMAND = 'command known only at run time';
export const UNKNOWN_PROGRAM = 'program known only at run time';
export const KEPT_TEXT = 'text that a service keeps';
export const REMOTE_COMMANDS = 'commands from a connection';
export const REMOTE_PROGRAM = 'program from a connection';
export const PROCESS_MEMORY = 'memory of a process';
export const FILE_TIMES = 'times of a file';
export const OWN_DATABASE = 'database of this machine';
/** Object of a command that clears the containers, images and volumes of this machine. */
export const OWN_CONTAINERS = 'containers of this machine';

const RANK: Record<Scope, number> = { scratch: 0, one: 1, many: 2, everything: 3 };

/** The wider of two scopes. */
export function wider(a: Scope, b: Scope): Scope {
  return RANK[a] >= RANK[b] ? a : b;
}

const MAX_EFFECTS = 64;
const MAX_TEXT = 120;

/** Shortens to one line of at most 120 characters. */
export function shorten(text: string): string {
  const line = text
    .slice(0, MAX_TEXT * 2)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= MAX_TEXT ? line : `${line.slice(0, MAX_TEXT - 1)}…`;
}

/** Effects in the order found; the same kind on the same object is kept once, with the widest scope. */
export class EffectList {
  readonly items: Effect[] = [];
  /** More effects were found than are kept. */
  was_cut = false;
  readonly #byKey = new Map<string, Effect>();

  add(kind: EffectKind, scope: Scope, object: string, excerpt: string): void {
    const name = shorten(object);
    const key = `${kind} ${name}`;
    const known = this.#byKey.get(key);
    if (known !== undefined) {
      known.scope = wider(known.scope, scope);
      return;
    }
    if (this.items.length >= MAX_EFFECTS) {
      this.was_cut = true;
      this.#replace(kind, scope, name, excerpt);
      return;
    }
    const effect = { kind, scope, object: name, excerpt: shorten(excerpt) };
    this.#byKey.set(key, effect);
    this.items.push(effect);
  }

  /** When full, a kind or a scope not seen yet takes the place of the last effect of the most frequent kind. */
  #replace(kind: EffectKind, scope: Scope, object: string, excerpt: string): void {
    if (this.items.some((e) => e.kind === kind && wider(e.scope, scope) === e.scope)) return;
    const counts = new Map<EffectKind, number>();
    for (const e of this.items) counts.set(e.kind, (counts.get(e.kind) ?? 0) + 1);
    const most = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a))[0];
    const at = this.items.findLastIndex((e) => e.kind === most);
    this.items.splice(at, 1, { kind, scope, object, excerpt: shorten(excerpt) });
  }
}
