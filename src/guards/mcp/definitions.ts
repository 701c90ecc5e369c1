/** What a server says about its tools, and what of it is pinned: everything that the model or the host's permission rules read. */
import { canonical, sha256 } from '../../../clients/typescript/src/action-hash.ts';
import { isObject, type Params, textOf } from './peer.ts';

export interface Definition {
  /** `tool:<name>`, or `instructions` for the text that a server gives the model when it starts. */
  id: string;
  /** SHA-256 of `pinned` in canonical JSON, hex. */
  hash: string;
  /** Members that are pinned. */
  pinned: Params;
  /** Its texts, one a line: what Weir reads for orders. */
  text: string;
}

export const INSTRUCTIONS = 'instructions';
export const toolId = (name: string): string => `tool:${name}`;

/** Icons and `_meta` are for programs, and some servers change them with each answer. */
const PINNED = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;
/** Members of a schema that hold words of the format alone. */
const FORMAT_WORDS = new Set(['type', '$schema', 'format', '$ref', 'pattern']);
/** Deeper schemas are not read: their text is not known, so they are not taken over. */
const MAX_DEPTH = 32;

/** The definition of a tool as `tools/list` gives it. Throws for one that has no name or is nested too deeply. */
export async function toolDefinition(tool: unknown): Promise<Definition & { name: string }> {
  const name = isObject(tool) ? textOf(tool['name']) : undefined;
  if (!isObject(tool) || name === undefined) throw new Error('a tool without a name');
  const pinned = Object.fromEntries(PINNED.flatMap((key) => (tool[key] === undefined ? [] : [[key, tool[key]]])));
  return { ...(await definition(toolId(name), pinned, { ...pinned, name: undefined })), name };
}

/** The definition of a server's instructions; `null` when it gives none. */
export async function instructionsDefinition(instructions: unknown): Promise<Definition | null> {
  const text = textOf(instructions);
  return text === undefined ? null : definition(INSTRUCTIONS, { instructions: text }, text);
}

async function definition(id: string, pinned: Params, read: unknown): Promise<Definition> {
  const lines: string[] = [];
  collect(read, lines, 0);
  return { id, hash: await sha256(canonical(pinned)), pinned, text: lines.join('\n') };
}

/** The texts below `value`, and the names of members: either may hold an order. */
function collect(value: unknown, lines: string[], depth: number): void {
  if (depth > MAX_DEPTH) throw new Error('a tool whose schema is nested too deeply');
  if (typeof value === 'string') lines.push(value);
  else if (Array.isArray(value)) for (const one of value) collect(one, lines, depth + 1);
  else if (isObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      if (FORMAT_WORDS.has(name) && typeof inner === 'string') continue;
      if (isObject(inner)) lines.push(name);
      collect(inner, lines, depth + 1);
    }
  }
}
