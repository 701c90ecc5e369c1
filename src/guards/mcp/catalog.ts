/** Which definitions of a server pass: those that are pinned, and at the first use those in which Weir finds nothing. */
import type { Client, Event } from '../../../clients/typescript/src/types.ts';
import type { Definition } from './definitions.ts';
import { MAX_DESCRIPTION } from './guard.ts';
import { type Pins, readPins, refusalOf, standingOf, writePins } from './pins.ts';

export interface CheckOptions {
  client: Client;
  /** Name of the server, as configured. */
  server: string;
  transport: 'stdio' | 'http';
  agent: { agent_id: string; framework: string };
  /** The file of its pins. */
  file: string;
  /** `refuse`: nothing passes that nobody has pinned. */
  first_use: 'pin' | 'refuse';
}

/** Long definitions are scored in pieces, which overlap so that a sentence at a border is read whole. */
const OVERLAP = 512;
const MAX_PIECES = 8;

/**
 * Why each definition that does not pass is refused, by id; the others pass. Definitions of a first use that pass are pinned.
 * When the pins cannot be read or written, nothing passes.
 */
export async function check(definitions: readonly Definition[], options: CheckOptions): Promise<Map<string, string>> {
  const { file, server, first_use } = options;
  const refused = new Map<string, string>();
  let pins: Pins | null;
  try {
    pins = await readPins(file);
  } catch (error) {
    return new Map(definitions.map(({ id }) => [id, `The pins cannot be read: ${(error as Error).message}.`]));
  }
  const is_first = pins === null;
  const next: Pins = structuredClone(pins ?? { pinned: {}, first_use: {} });
  let unavailable: Problem | null = null;
  for (const definition of definitions) {
    const { id, hash, pinned } = definition;
    const standing = standingOf(definition, pins);
    if (standing === 'pinned') continue;
    if (standing !== 'new') {
      refused.set(id, refusalOf(definition, standing, next, server));
      continue;
    }
    next.first_use[id] = hash;
    const problem: Problem | null =
      unavailable ?? (first_use === 'refuse' ? { text: notPinned(server) } : await problemWith(definition, options));
    if (problem === null) {
      delete next.first_use[id];
      next.pinned[id] = { hash, definition: pinned };
    } else refused.set(id, problem.text);
    // Each question would wait for its own time to run out.
    if (problem?.is_unavailable) unavailable = problem;
  }
  const is_same = !is_first && JSON.stringify(next) === JSON.stringify(pins);
  if (is_same || (is_first && definitions.length === 0)) return refused;
  try {
    await writePins(file, next);
    return refused;
  } catch (error) {
    return new Map(definitions.map(({ id }) => [id, `The pins cannot be written: ${(error as Error).message}.`]));
  }
}

interface Problem {
  text: string;
  /** Weir did not answer. */
  is_unavailable?: true;
}

const notPinned = (server: string): string =>
  `Nobody has pinned the server \`${server}\` yet: \`weir mcp-proxy pin --server ${server}\`.`;

/** What Weir says against a definition; a person may approve the event or pin the server. `null`: nothing. */
async function problemWith({ id, hash, text }: Definition, options: CheckOptions): Promise<Problem | null> {
  const { client, server, transport, agent } = options;
  const pieces = piecesOf(text.toWellFormed());
  if (pieces.length > MAX_PIECES) return { text: `Its definition is too long to be read (${text.length} characters).` };
  for (const [piece, tool_description] of pieces.entries()) {
    // Without the tool's name: what counts is what its text says to the model, not what the tool can do.
    const event = {
      action: 'mcp:tools:list',
      agent,
      target: { resource_type: 'mcp_definition', resource_id: `${server}/${id}`.slice(0, 4_096) },
      parameters: { sha256: hash, piece },
      mcp_context: { server_name: server, transport, tool_description },
    };
    const verdict = await client.gate(event as Event, { wait_s: 0 });
    if (verdict.is_allowed) continue;
    const problem = { text: `Its definition was not taken over. ${verdict.text}` };
    return verdict.why === 'unavailable' ? { ...problem, is_unavailable: true } : problem;
  }
  return null;
}

function piecesOf(text: string): string[] {
  const pieces = [text.slice(0, MAX_DESCRIPTION)];
  for (let from = MAX_DESCRIPTION - OVERLAP; from + OVERLAP < text.length; from += MAX_DESCRIPTION - OVERLAP)
    pieces.push(text.slice(from, from + MAX_DESCRIPTION));
  return pieces;
}
