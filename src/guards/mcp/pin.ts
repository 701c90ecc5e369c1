/** What pinning a server anew would change, and writing it: `weir mcp-proxy pin`. */
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { differenceOf } from '../hook/install.ts';
import type { ServerConfig } from './config.ts';
import { type Definition, instructionsDefinition, toolDefinition } from './definitions.ts';
import { type Params, PassedError } from './peer.ts';
import { type Pins, pinsFile, readPins, writePins } from './pins.ts';
import { McpServer } from './server.ts';

export interface PinPlan {
  /** For people: a paragraph for each definition that is new or has changed; empty when nothing has. */
  difference: string;
  files: { file: string; pins: Pins }[];
  /** How many definitions the server has. */
  count: number;
}

const TIMEOUT_MS = 60_000;
/** Of a host that offers all: some servers have more tools for it. */
const CAPABILITIES = { roots: {}, sampling: {}, elicitation: { form: {}, url: {} } };
const MAX_BYTES = 4 * 1024 * 1024;

/** Starts the server, reads what it says of itself, and compares. Throws when it does not start or answer. */
export async function planPins(
  name: string,
  config: ServerConfig,
  state_dir: string,
  version: string,
): Promise<PinPlan> {
  const { tools, instructions } = await definitionsOf(name, config, version);
  const files = await Promise.all([
    comparison(pinsFile(state_dir, 'tools', name), tools),
    comparison(pinsFile(state_dir, 'instructions', name), instructions),
  ]);
  return {
    difference: files.flatMap(({ parts }) => parts).join('\n\n'),
    files: files.map(({ file, pins }) => ({ file, pins })),
    count: tools.length + instructions.length,
  };
}

export async function writePlan({ files }: PinPlan): Promise<void> {
  for (const { file, pins } of files) await writePins(file, pins);
}

async function definitionsOf(name: string, config: ServerConfig, version: string) {
  const server = new McpServer({
    name,
    config,
    timeout_ms: TIMEOUT_MS,
    max_result_bytes: MAX_BYTES,
    onRequest: () => Promise.reject(new PassedError(-32601, 'Method not found')),
    onNotification: async () => {},
    say: () => {},
  });
  try {
    const clientInfo = { name: 'weir-mcp-proxy', version };
    const greeted = await server.greet({
      protocolVersion: LATEST_PROTOCOL_VERSION,
      capabilities: CAPABILITIES,
      clientInfo,
    });
    await server.notify('notifications/initialized', undefined);
    const listed = server.capabilities['tools'] === undefined ? [] : await server.list('tools/list', 'tools');
    const instructions = await instructionsDefinition(greeted['instructions']);
    return {
      tools: (await Promise.all(listed.map(toolDefinition))) as Definition[],
      instructions: instructions === null ? [] : [instructions],
    };
  } finally {
    await server.close();
  }
}

async function comparison(file: string, definitions: readonly Definition[]) {
  // Pins that cannot be read are replaced: all definitions are new then.
  const pins: Pins | null = await readPins(file).catch(() => null);
  const before: Pins['pinned'] = pins?.pinned ?? {};
  const now: Pins['pinned'] = Object.fromEntries(
    definitions.map(({ id, hash, pinned }) => [id, { hash, definition: pinned }]),
  );
  const parts = Object.entries(now).flatMap(([id, { hash, definition }]) => {
    const known = before[id];
    if (known?.hash === hash) return [];
    return [
      `${known === undefined ? 'new' : 'changed'} ${id}\n${differenceOf(textOf(known?.definition), textOf(definition))}`,
    ];
  });
  // What is not there now may come again for another host; it passes as it was.
  return { file, parts, pins: { pinned: { ...before, ...now }, first_use: {} } };
}

const textOf = (definition: Params | undefined): string =>
  definition === undefined ? '' : JSON.stringify(definition, null, 2);
