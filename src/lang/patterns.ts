/**
 * Actions, action patterns and resource patterns: three small languages over text that is compared byte for byte.
 *
 * An action is exactly `domain:scope:verb`. In a pattern a segment is a literal or `*`, which stands for one whole
 * segment. A star inside a segment is refused: one reader would take it for a glob, another for a literal, and in a deny
 * list that fails open. Patterns are not compiled to regular expressions, so no pattern can stall the matcher.
 */

/** The wildcard of a pattern. A segment of an action cannot be a star, so a star is unambiguous. */
export const STAR = '*';

/** The segments of an action as written; {@link normaliseAction} lower-cases them. */
export interface Action {
  domain: string;
  scope: string;
  verb: string;
}

/** An action in which `*` may stand for a whole segment; always three segments. */
export interface ActionPattern {
  domain: string;
  scope: string;
  verb: string;
}

/** A resource pattern: `*` for any type, `*` for any id. */
export interface ResourcePattern {
  type: string;
  id: string;
}

/** Longest segment of an action, and longest type of a resource: enough for any name, short enough to index. */
export const MAX_SEGMENT_LENGTH = 64;

/** Longest id of a resource: paths, URLs and ARNs fit (an S3 key has at most 1,024 bytes). */
export const MAX_RESOURCE_ID_LENGTH = 1024;

const SEGMENT = /^[A-Za-z0-9_.-]{1,64}$/;
/** Control and invisible characters, lone surrogates, and white space but for a plain space inside. */
const NOT_IN_A_RESOURCE = /^ | $|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

/** The action in `text`, or null if it is not exactly three segments of `[A-Za-z0-9_.-]{1,64}`. A `*` is refused. */
export function parseAction(text: string): Action | null {
  const segments = split(text);
  if (segments === null || segments.length !== 3 || !segments.every(isSegment)) return null;
  const [domain, scope, verb] = segments as [string, string, string];
  return { domain, scope, verb };
}

/**
 * An action in lower case, or null if the text is not an action. Called once, when an event comes in. The check precedes
 * lower-casing, which would turn some letters outside ASCII (the Kelvin sign) into ASCII letters.
 */
export function normaliseAction(text: string): string | null {
  return parseAction(text) === null ? null : text.toLowerCase();
}

/** The pattern in `text`, or null. Fewer than three segments only with a final `*`, which fills the rest: `github:*`. */
export function parseActionPattern(text: string): ActionPattern | null {
  const segments = split(text);
  if (segments === null || segments.length > 3) return null;
  if (segments.length < 3 && segments.at(-1) !== STAR) return null;
  if (!segments.every((segment) => segment === STAR || isSegment(segment))) return null;
  const [domain = STAR, scope = STAR, verb = STAR] = segments;
  return { domain, scope, verb };
}

/** The normal form of a pattern, lower case and three segments long, or null if it is not a pattern: `GitHub:*` → `github:*:*`. */
export function normaliseActionPattern(text: string): string | null {
  const pattern = parseActionPattern(text);
  return pattern === null ? null : formatActionPattern(pattern).toLowerCase();
}

/** A pattern as text, always three segments. */
export function formatActionPattern(pattern: ActionPattern): string {
  return `${pattern.domain}:${pattern.scope}:${pattern.verb}`;
}

/** Whether every segment of the pattern is a star or equals the segment of the action, byte for byte. */
export function matchesAction(pattern: ActionPattern, action: Action): boolean {
  return (
    covers(pattern.domain, action.domain) && covers(pattern.scope, action.scope) && covers(pattern.verb, action.verb)
  );
}

/** Whether `outer` matches every action that `inner` matches. */
export function isInside(inner: ActionPattern, outer: ActionPattern): boolean {
  return matchesAction(outer, inner);
}

/**
 * The resource pattern in `text`, or null: `type:id`, `type:*`, `*:id`, `*:*` or `*`. Split at the first colon, so an
 * id may hold colons and slashes, and plain spaces inside. Other white space, control characters and a star beside
 * other characters are refused.
 */
export function parseResourcePattern(text: string): ResourcePattern | null {
  if (text === STAR) return { type: STAR, id: STAR };
  const colon = text.indexOf(':');
  if (colon < 0) return null;
  const type = text.slice(0, colon);
  const id = text.slice(colon + 1);
  return isResourcePart(type, MAX_SEGMENT_LENGTH) && isResourcePart(id, MAX_RESOURCE_ID_LENGTH) ? { type, id } : null;
}

/** A resource pattern as text, `*` written out to `*:*`. */
export function formatResourcePattern(pattern: ResourcePattern): string {
  return `${pattern.type}:${pattern.id}`;
}

/**
 * Whether the pattern matches a target. Only `*:*` matches a target without type and id, and only a star matches a missing
 * part.
 */
export function matchesResource(pattern: ResourcePattern, type: string | undefined, id: string | undefined): boolean {
  if (type === undefined && id === undefined) return pattern.type === STAR && pattern.id === STAR;
  return covers(pattern.type, type) && covers(pattern.id, id);
}

function covers(pattern: string, value: string | undefined): boolean {
  return pattern === STAR || pattern === value;
}

/** At most four parts, which is enough to detect too many colons. */
function split(text: string): string[] | null {
  return text.length > 3 * MAX_SEGMENT_LENGTH + 2 ? null : text.split(':', 4);
}

function isSegment(text: string): boolean {
  return SEGMENT.test(text);
}

function isResourcePart(text: string, max_length: number): boolean {
  if (text === STAR) return true;
  return text !== '' && text.length <= max_length && !text.includes(STAR) && !NOT_IN_A_RESOURCE.test(text);
}
