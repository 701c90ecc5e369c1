/** What code does, said with the ontology's verbs, so that an effect weighs as much as the verb that names it. */
import type { VerbEntry } from '../../../ontology/index.ts';
import type { ContentReading, EffectKind } from './content.ts';

type ByScope = readonly [scratch: string, one: string, many: string, everything: string];
const SCOPES = ['scratch', 'one', 'many', 'everything'] as const;
const always = (verb: string): ByScope => [verb, verb, verb, verb];

const VERBS: Readonly<Record<EffectKind, ByScope>> = {
  reads: ['status', 'read', 'search', 'scan'],
  reads_system: ['status', 'inspect', 'list', 'scan'],
  reads_personal_data: ['read', 'retrieve', 'query', 'profile'],
  reads_credentials: ['reveal', 'reveal', 'reveal', 'dump'],
  reconnoitres: ['list', 'enumerate', 'enumerate', 'scan'],
  writes: ['draft', 'write', 'bulk_update', 'bulk_update'],
  deletes: ['trash', 'delete', 'bulk_delete', 'wipe'],
  sends_out: ['post_request', 'post_request', 'export', 'dump'],
  downloads: ['fetch', 'import', 'import', 'import'],
  downloads_and_runs: always('inject'),
  runs_code: ['test', 'run', 'run', 'run'],
  installs: always('install'),
  redirects_packages: always('configure'),
  persists: always('set_policy'),
  escalates: always('elevate'),
  grants: ['chmod', 'set_permission', 'set_permission', 'grant'],
  tampers_with_logs: always('delete_logs'),
  tampers_with_guards: always('bypass'),
  obfuscates: always('interpret'),
  opens_channel: always('tunnel'),
  exhausts_resources: always('shutdown'),
  alters_schema: ['create', 'migrate', 'migrate', 'drop'],
  writes_system: ['write', 'overwrite', 'bulk_update', 'bulk_update'],
  disrupts: ['stop', 'stop', 'shutdown', 'shutdown'],
  breaks_isolation: ['configure', 'elevate', 'elevate', 'elevate'],
  moves_laterally: always('ssh'),
  loads_unsafely: always('load'),
  rewrites_history: ['rebase', 'rebase', 'force_push', 'force_push'],
  destroys_recovery: ['delete', 'purge', 'purge', 'wipe'],
  encrypts: ['update', 'update', 'bulk_update', 'bulk_update'],
  bypasses_checks: always('configure'),
  spies: always('screen_record'),
  deploys: ['build', 'deploy', 'deploy', 'deploy'],
  modifies_agent: always('set_prompt'),
};
/** All kinds of effects that content can have. */
export const EFFECT_KINDS = Object.keys(VERBS) as EffectKind[];

/** Code that only computes and prints is an analysis. */
const INERT = 'analyze';

const NONE: readonly VerbEntry[] = [];

/** One verb per effect; for inert code the verb of an analysis; nothing when no code was understood. */
export function effectVerbs(content: ContentReading, verbs: ReadonlyMap<string, VerbEntry>): readonly VerbEntry[] {
  if (content.languages.length === 0 && content.effects.length === 0 && !content.has_unbounded_statement) return NONE;
  const names = new Set(content.effects.map((effect) => VERBS[effect.kind][SCOPES.indexOf(effect.scope)]!));
  if (content.has_unbounded_statement) names.add('bulk_update');
  if (names.size === 0 && content.is_inert && content.languages.length > 0) names.add(INERT);
  return [...names].flatMap((name) => verbs.get(name) ?? []);
}
