/**
 * Identifies an action with its arguments: what a decision is bound to. The same function as Weir's own
 * (docs/holds.md: `action_hash`), in WebCrypto, so that it runs in Node, Bun and browsers.
 */

export interface HashedAction {
  action: string;
  target?: unknown;
  parameters?: unknown;
}

/**
 * Hex of the SHA-256 of `{"action":…,"parameters":…,"target":…}` in canonical JSON (RFC 8785), with `null` for a missing part,
 * the action in lower case, and U+0000 and lone surrogates as visible escapes. Throws a `TypeError` for what is not JSON.
 */
export const actionHash = async (action: HashedAction): Promise<string> => sha256(canonicalAction(action));

/** What `actionHash` hashes. */
export function canonicalAction({ action, target, parameters }: HashedAction): string {
  // Sent and hashed must be the same: `undefined` members and `toJSON` are resolved as `JSON.stringify` does.
  const parts = { action: action.toLowerCase(), parameters: parameters ?? null, target: target ?? null };
  return canonical(JSON.parse(JSON.stringify(parts)));
}

export async function sha256(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** RFC 8785: members sorted by UTF-16 code units, numbers and strings as ECMAScript writes them. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'string') return JSON.stringify(visible(value));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = new Map(Object.entries(value).map(([name, inner]) => [visible(name), inner]));
  if (members.size < Object.keys(value).length) throw new TypeError('two keys of an object are equal after escaping');
  const names = [...members.keys()].sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(members.get(name))}`).join(',')}}`;
}

/** U+0000 and surrogates without a partner cannot be stored; Weir keeps them as six visible characters. */
const visible = (text: string): string =>
  text.replace(/\0|\p{Surrogate}/gu, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
