/** Finding a tool in the ontology: by name and server, by name alone, then without a server's prefix. */

import { asciiLower, wordsOf } from '../../../../lang/names.ts';
import type { Ontology, ToolEntry } from '../../../../ontology/index.ts';

function sameServer(entry: ToolEntry, server_words: ReadonlySet<string>): boolean {
  return wordsOf(entry.server).some((word) => server_words.has(word));
}

function riskOf(entry: ToolEntry, ontology: Ontology): number {
  return ontology.verbs.get(entry.action.slice(entry.action.lastIndexOf(':') + 1))?.base_risk ?? 0;
}

/** Of several tools of one name: the one of this server, else the riskiest, since a name alone is only a claim. */
function choose(entries: readonly ToolEntry[], server: string, ontology: Ontology): ToolEntry {
  const server_words = new Set(wordsOf(server));
  const own = server === '' ? [] : entries.filter((entry) => sameServer(entry, server_words));
  return (own.length > 0 ? own : entries).reduce((most, entry) =>
    riskOf(entry, ontology) > riskOf(most, ontology) ? entry : most,
  );
}

const OF_SERVER = /^mcp__[^_]+(?:_[^_]+)*?__(.+)$/i;

/** A tool's own name, without the server that hosts write before it: `mcp__bank__send_money` is `send_money`. */
export const withoutServer = (tool_name: string): string =>
  tool_name.length <= 256 ? (OF_SERVER.exec(tool_name)?.[1] ?? tool_name) : tool_name;

/** The ontology's entry for a tool name, `undefined` when it lists none. */
export function findTool(tool_name: string, server: string, ontology: Ontology): ToolEntry | undefined {
  if (tool_name === '' || tool_name.length > 256) return undefined;
  const name = asciiLower(tool_name);
  const prefixed = OF_SERVER.exec(name)?.[1];
  const [, first = '', rest] = /^([a-z0-9]+)[_-](.+)$/.exec(name) ?? [];
  // A verb in front is not a server: `delete_query` is not the tool `query`.
  const without = ontology.verbs.has(first) || ontology.tool_verb_prefixes.has(first) ? undefined : rest;
  // `str-replace-editor` and `StrReplaceEditor` are the tool that a host calls `str_replace_editor`.
  for (const candidate of [name, prefixed, without, wordsOf(tool_name).join('_')]) {
    const entries = candidate === undefined ? undefined : ontology.tools.get(candidate);
    if (entries !== undefined && entries.length > 0) return choose(entries, server, ontology);
  }
  return undefined;
}

/** How many words of a name repeat the server's in front, `venmo` in `venmo_request_money`; 0 where nothing would be left. */
export function serverWordsBefore(words: readonly string[], server: string): number {
  const own = server === '' || server.length > 128 ? [] : wordsOf(server);
  let before = 0;
  while (before < own.length && own[before] === words[before]) before += 1;
  return before < words.length ? before : 0;
}

/** A name without the words that repeat the server's in front of it. */
export function withoutServerWords(name: string, server: string): string {
  const words = name === '' || server === '' ? [] : wordsOf(name);
  const before = serverWordsBefore(words, server);
  return before === 0 ? name : words.slice(before).join('_');
}
