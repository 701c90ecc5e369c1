/** The user's words and name, where the host gives them: in `_meta` of a call, or in a header that the configuration names. */
import type { ProxyConfig } from './config.ts';
import { type Extra, textOf } from './peer.ts';

/** Members of `_meta`. The host writes them; what the model writes stands in the arguments. */
export const WORDS = 'weir/user_context';
export const USER = 'weir/user_id';

export interface User {
  words: string | undefined;
  user_id: string | undefined;
}

export function userOf({ _meta, requestInfo }: Extra, config: ProxyConfig): User {
  const header = (name: string | undefined): string | undefined =>
    name === undefined ? undefined : decoded(textOf(requestInfo?.headers[name.toLowerCase()]));
  const meta = (_meta ?? {}) as Record<string, unknown>;
  return {
    words: textOf(meta[WORDS]) ?? header(config.userContextHeader),
    user_id: textOf(meta[USER]) ?? header(config.userIdHeader) ?? config.userId,
  };
}

/** Headers hold no lines and no letters beyond Latin-1, so that the value is percent-encoded. */
function decoded(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
