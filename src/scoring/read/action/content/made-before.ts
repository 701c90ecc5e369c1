/**
 * Files that earlier calls of the conversation made and that this one runs: `curl -o a …` and then `sh a`, a script that a tool for files
 * wrote. What is split into two steps does what it does in one.
 */

import { concat, type Data, FOREIGN, HOLE } from '../../../../effects/data.ts';
import type { AgentEvent } from '../../../../events/event.ts';
import type { Ontology } from '../../../../ontology/index.ts';
import { type Call, readCalls } from '../../conversation/calls.ts';

/** Files that are looked for, and calls that are read again because they name one. */
const MAX_FILES = 6;
const MAX_CALLS = 32;
const LONGEST_PATH = 300;

interface Running {
  effects: readonly { kind: string; object: string }[];
  perhaps_run: readonly string[];
}

/**
 * The content of the files that this action runs, as far as earlier calls show it; of calls that made the same file the newest decides.
 *
 * @param reading the action as it is read alone
 * @param filesOf the files that a call makes, with their content
 */
export function madeBefore(
  event: AgentEvent,
  reading: Running,
  ontology: Ontology,
  filesOf: (call: AgentEvent) => ReadonlyMap<string, Data>,
): ReadonlyMap<string, Data> {
  const found = new Map<string, Data>();
  const run = reading.effects.filter(({ kind }) => kind === 'runs_code').map(({ object }) => object);
  const files = [...new Set([...run, ...reading.perhaps_run])].filter((path) => /^[^\s\uf8ff]{1,300}$/.test(path));
  if (files.length === 0 || (event.conversation_history ?? []).length === 0) return found;
  const calls = readCalls(event, ontology);
  // Each call is read once, however many of the files it names.
  const read = new Map<Call, ReadonlyMap<string, Data>>();
  const madeBy = (call: Call): ReadonlyMap<string, Data> => {
    const known = read.get(call) ?? filesOf(eventOf(call));
    read.set(call, known);
    return known;
  };
  for (const path of files.slice(0, MAX_FILES)) {
    const content = contentOf(path, calls, madeBy);
    if (content !== undefined) found.set(path, content);
  }
  return found;
}

function contentOf(
  path: string,
  calls: readonly Call[],
  madeBy: (call: Call) => ReadonlyMap<string, Data>,
): Data | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === '') return undefined;
  const naming = calls.filter((call) => names(call, name)).slice(-MAX_CALLS);
  const versions = new Map<string, Data>();
  for (const call of naming.toReversed()) {
    for (const [made, data] of madeBy(call))
      if (isSameFile(made, path) && (data.text !== HOLE || data.taint & FOREIGN) && !versions.has(made))
        versions.set(made, data);
  }
  // Files of one name in several folders: any of them may be the one that runs.
  return [...versions.values()].reduce<Data | undefined>(
    (all, one) => (all === undefined ? one : concat(concat(all, LINE), one)),
    undefined,
  );
}

const LINE: Data = { text: '\n', taint: 0 };

/** Whether a call speaks of the file; its path may stand behind a content of any length. */
const names = ({ text, args }: Call, name: string): boolean =>
  hasWord(text, name) || [...args.values()].some((value) => value.length <= LONGEST_PATH && hasWord(value, name));

/** Whether the name stands in the text by itself, and is no piece of a longer one. */
function hasWord(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!/[\w.-]/.test(text[at - 1] ?? '') && !/[\w-]/.test(text[at + name.length] ?? '')) return true;
  return false;
}

function isSameFile(one: string, other: string): boolean {
  return one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`);
}

const eventOf = ({ name, args }: Call): AgentEvent => ({
  event_id: '',
  timestamp: '',
  action: 'mcp:tool:call',
  mcp_context: { tool_name: name },
  parameters: Object.fromEntries(args),
});
