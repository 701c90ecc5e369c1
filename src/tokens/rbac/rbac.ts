/**
 * The rights of a token, as people write them and as they are evaluated. Pure.
 *
 * A request is permitted when some allowed action and some allowed resource match it, no denied one does, and its
 * sensitivity is at most the level: deny wins, and whatever is not allowed is refused. Segments are an open alphabet,
 * so no list of literals adds up to `*`.
 */
import {
  type ActionPattern,
  formatActionPattern,
  formatResourcePattern,
  parseActionPattern,
  parseResourcePattern,
  type ResourcePattern,
} from '../../lang/patterns.ts';

/** The normal form: every key present, patterns written out. This form is stored, shown and put into tokens. */
export interface Rbac {
  allowed_actions: string[];
  denied_actions: string[];
  allowed_resources: string[];
  denied_resources: string[];
  /** 0 public to 4 critical. */
  max_sensitivity_level: number;
}

/** The same, compiled for matching. */
export interface CompiledRbac {
  allowed_actions: readonly ActionPattern[];
  denied_actions: readonly ActionPattern[];
  allowed_resources: readonly ResourcePattern[];
  denied_resources: readonly ResourcePattern[];
  max_sensitivity_level: number;
}

/** One fault; `path` is a JSON pointer from the rbac object. */
export interface RbacError {
  path: string;
  message: string;
}

export type ParsedRbac = { rbac: Rbac; errors: null } | { rbac: null; errors: RbacError[] };

/** Patterns in one list. Keeps the subset check, which is cubic in it, under 10 ms. */
export const MAX_PATTERNS = 64;
/** Bytes of the whole object as JSON: every token carries it. */
export const MAX_RBAC_BYTES = 4_096;
export const MAX_LEVEL = 4;

type ListName = Exclude<keyof Rbac, 'max_sensitivity_level'>;

const ACTION_HINT = '`domain:scope:verb` with `*` for whole segments, or shorter with a final `*`';
const RESOURCE_HINT = '`type:id`, `type:*`, `*:id` or `*`';

/** The keys in the order they are shown: those that a first rbac must name, then those with a default. */
const LISTS: readonly {
  name: ListName;
  is_required: boolean;
  normalise: (text: string) => string | null;
  hint: string;
}[] = [
  { name: 'allowed_actions', is_required: true, normalise: normaliseAction, hint: ACTION_HINT },
  { name: 'denied_actions', is_required: false, normalise: normaliseAction, hint: ACTION_HINT },
  { name: 'allowed_resources', is_required: true, normalise: normaliseResource, hint: RESOURCE_HINT },
  { name: 'denied_resources', is_required: false, normalise: normaliseResource, hint: RESOURCE_HINT },
];

const KEYS: ReadonlySet<string> = new Set([...LISTS.map(({ name }) => name), 'max_sensitivity_level']);

/**
 * Reads an rbac object. A missing key takes the value of `inherited`; without a parent the allow lists and the level
 * are required and the deny lists are empty. An explicit `[]` is empty. `null`, other types and unknown keys are
 * errors: a misspelt deny list must not pass silently. Case is kept; see {@link lowerCaseActions}.
 */
export function parseRbac(value: unknown, inherited: Rbac | null): ParsedRbac {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { rbac: null, errors: [{ path: '', message: 'must be an object' }] };
  }
  const sent = value as Record<string, unknown>;
  const errors: RbacError[] = [];
  for (const key of Object.keys(sent)) {
    if (!KEYS.has(key))
      errors.push({ path: `/${key.slice(0, 100)}`, message: 'is not a known key; check the spelling' });
  }
  const lists = LISTS.map((list) => [list.name, readList(sent, list, inherited, errors)]);
  const max_sensitivity_level = readLevel(sent, inherited, errors);
  const rbac = { ...(Object.fromEntries(lists) as Record<ListName, string[]>), max_sensitivity_level };
  if (errors.length === 0 && utf8Length(JSON.stringify(rbac)) > MAX_RBAC_BYTES) {
    errors.push({ path: '', message: `must have at most ${MAX_RBAC_BYTES} bytes as JSON; use fewer patterns` });
  }
  return errors.length === 0 ? { rbac, errors: null } : { rbac: null, errors };
}

function readList(
  sent: Record<string, unknown>,
  { name, is_required, normalise, hint }: (typeof LISTS)[number],
  inherited: Rbac | null,
  errors: RbacError[],
): string[] {
  if (!Object.hasOwn(sent, name)) {
    if (inherited === null && is_required) errors.push({ path: `/${name}`, message: 'is required' });
    return inherited?.[name] ?? [];
  }
  const list = sent[name];
  if (!Array.isArray(list)) {
    errors.push({ path: `/${name}`, message: 'must be an array of patterns' });
    return [];
  }
  if (list.length > MAX_PATTERNS) {
    errors.push({ path: `/${name}`, message: `must hold at most ${MAX_PATTERNS} patterns, not ${list.length}` });
    return [];
  }
  return list.map((text, index) => {
    const pattern = typeof text === 'string' ? normalise(text) : null;
    if (pattern === null) errors.push({ path: `/${name}/${index}`, message: `must be a pattern: ${hint}` });
    return pattern ?? '';
  });
}

function readLevel(sent: Record<string, unknown>, inherited: Rbac | null, errors: RbacError[]): number {
  const path = '/max_sensitivity_level';
  if (!Object.hasOwn(sent, 'max_sensitivity_level')) {
    if (inherited === null) errors.push({ path, message: 'is required' });
    return inherited?.max_sensitivity_level ?? 0;
  }
  const level = sent['max_sensitivity_level'];
  if (typeof level === 'number' && Number.isInteger(level) && level >= 0 && level <= MAX_LEVEL) return level;
  errors.push({ path, message: `must be a whole number from 0 to ${MAX_LEVEL}` });
  return 0;
}

/** Actions in lower case, as events carry them. Called by the door; resources keep their case. */
export function lowerCaseActions(rbac: Rbac): Rbac {
  const lower = (patterns: readonly string[]): string[] => patterns.map((pattern) => pattern.toLowerCase());
  return { ...rbac, allowed_actions: lower(rbac.allowed_actions), denied_actions: lower(rbac.denied_actions) };
}

/** Throws for an invalid pattern: only what {@link parseRbac} returned is compiled. */
export function compileRbac(rbac: Rbac): CompiledRbac {
  return {
    allowed_actions: rbac.allowed_actions.map((text) => known(parseActionPattern(text), text)),
    denied_actions: rbac.denied_actions.map((text) => known(parseActionPattern(text), text)),
    allowed_resources: rbac.allowed_resources.map((text) => known(parseResourcePattern(text), text)),
    denied_resources: rbac.denied_resources.map((text) => known(parseResourcePattern(text), text)),
    max_sensitivity_level: rbac.max_sensitivity_level,
  };
}

function known<T>(pattern: T | null, text: string): T {
  if (pattern === null) throw new TypeError(`not a pattern: ${text}`);
  return pattern;
}

/** Well-formed text only: a pattern holds no lone surrogate. */
function utf8Length(text: string): number {
  let bytes = 0;
  for (const char of text) {
    const code = char.codePointAt(0)!;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

function normaliseAction(text: string): string | null {
  const pattern = parseActionPattern(text);
  return pattern === null ? null : formatActionPattern(pattern);
}

function normaliseResource(text: string): string | null {
  const pattern = parseResourcePattern(text);
  return pattern === null ? null : formatResourcePattern(pattern);
}
