/** What the names of action, tool and server say: which languages are passed, what is done to files. */
import type { AgentEvent } from '../../events/event.ts';

/** What the names of action, tool and server say about the code that is passed. */
export interface Hints {
  shell: boolean;
  python: boolean;
  javascript: boolean;
  sql: boolean;
  http: boolean;
}

const NO_HINTS: Hints = { shell: false, python: false, javascript: false, sql: false, http: false };
const ANY_HINT =
  /sh|term|cmd|console|exec|command|python|jupyter|notebook|interpret|repl|java|script|node|deno|js|eval|sql|postgres|database|db|query|big|snow|duck|http|fetch|curl|request|api/i;

function readHints(names: string): Hints {
  return {
    shell:
      /bash|shell|terminal|(?:^|[^a-z])(?:sh|cmd|zsh|pwsh|ssh|console|subprocess)(?:[^a-z]|$)|(?:exec|run)\w*[_ :-]?command|command[_:-]?(?:exec|run|line)|command:(?:exec\w*|run)/i.test(
        names,
      ),
    python: /python|jupyter|notebook|code[_-]?interpreter|(?:^|[^a-z])repl(?:[^a-z]|$)/i.test(names),
    javascript:
      /javascript|typescript|(?:^|[^a-z])(?:node|nodejs|js|deno|bun)(?:[^a-z]|$)|(?:browser|page|puppeteer|playwright)\w*[_:](?:\w+:)?eval\w*/i.test(
        names,
      ),
    sql: /sql|postgres|database|(?:^|[^a-z])(?:db|query|bigquery|snowflake|redshift|clickhouse|duckdb|supabase|athena|trino|presto)(?:[^a-z]|$)/i.test(
      names,
    ),
    http: /(?:^|[^a-z])(?:http|https|fetch|curl|request|webhook|rest|api)(?:[^a-z]|$)/i.test(names),
  };
}

const FILE_DOMAIN =
  /^(?:files?|fs|filesystem|code|system|workspace|repo|editor)\b|(?:^|[^a-z])(?:file|files|filesystem|directory|folder|str_replace|text_editor)(?:[^a-z]|$)/i;

const VERBS: readonly [RegExp, 'write' | 'delete' | 'move' | 'copy' | 'read'][] = [
  [/(?:^|[_:\s-])(?:delete|remove|unlink|rm|rmdir|trash|purge|erase)/i, 'delete'],
  [/(?:^|[_:\s-])(?:move|rename|mv)/i, 'move'],
  [/(?:^|[_:\s-])(?:copy|cp|duplicate)/i, 'copy'],
  [
    /(?:^|[_:\s-])(?:write|edit|create|save|append|insert|replace|overwrite|str_replace|put|modify|update|patch)/i,
    'write',
  ],
  [/(?:^|[_:\s-])(?:read|open|view|cat|get|load|show|download|fetch)/i, 'read'],
];

export type FileVerb = (typeof VERBS)[number][1];
export interface ToolNames {
  hints: Hints;
  /** What a tool with these names does to files; `null` when it has nothing to do with files. */
  file_verb: FileVerb | null;
}

function readNames(action: string, tool: string, server: string): ToolNames {
  const all = `${action} ${tool} ${server}`;
  const names = `${action} ${tool}`.replace(/([a-z])([A-Z])/g, '$1_$2');
  const isHandling = FILE_DOMAIN.test(names) && !/(?:^|[_:\s-])(?:exec|run|eval|launch|start)/i.test(names);
  return {
    hints: ANY_HINT.test(all) ? readHints(all) : NO_HINTS,
    file_verb: isHandling ? (VERBS.find(([pattern]) => pattern.test(names))?.[1] ?? null) : null,
  };
}

/** Names seen before, by action, tool and server: the same come in most events. Forgotten as a whole when it grows. */
const remembered = new Map<string, Map<string, Map<string, ToolNames>>>();
const MAX_REMEMBERED = 2_000;
let count = 0;

export function namesOf(event: AgentEvent): ToolNames {
  const tool = event.mcp_context?.tool_name ?? '';
  const server = event.mcp_context?.server_name ?? '';
  const known = remembered.get(event.action)?.get(tool)?.get(server);
  if (known !== undefined) return known;
  if (count++ >= MAX_REMEMBERED) {
    remembered.clear();
    count = 0;
  }
  const byTool = remembered.get(event.action) ?? new Map<string, Map<string, ToolNames>>();
  const byServer = byTool.get(tool) ?? new Map<string, ToolNames>();
  const names = readNames(event.action, tool, server);
  remembered.set(event.action, byTool);
  byTool.set(tool, byServer);
  byServer.set(server, names);
  return names;
}
