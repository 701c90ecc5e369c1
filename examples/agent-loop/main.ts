/**
 * `node examples/agent-loop/main.ts [FOLDER]`: an agent is asked to sum up a file, and the file asks it for something else.
 * The steps are printed; what is held waits for you. Without FOLDER the files are made in a new one, which is gone afterwards.
 *
 * It uses the Weir that the environment names (`gateFromEnvironment`); without WEIR_API_KEY it starts one for this run.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { newId } from '../../src/platform/ids.ts';
import { startKept, stopBeforeEnd } from '../../tools/kept/kept-process.ts';
import { startServer } from '../demo/server.ts';
import { gateFromEnvironment } from '../gate.ts';
import { runAgent } from './loop.ts';
import { MINUTES, scriptedModel, TASK } from './story.ts';
import { mcpTools } from './tools.ts';

const say = (text: string): void => console.log(text);
const given = process.argv[2];
// Not in the system's temporary folder, because Weir scores what is written there as hardly harmful.
const folder = given ?? join(import.meta.dirname, `home-${newId().slice(-12)}`);
const own_folders = given === undefined ? [folder] : [];
const env = { ...process.env };
let own: { stop(): Promise<void> } | null = null;
let owner_key = '$WEIR_OWNER_KEY';
const cleanUp = async (): Promise<void> => void (await own?.stop());
stopBeforeEnd(cleanUp);
if (env['WEIR_API_KEY']) own = await startKept({ args: null, folders: own_folders });
else {
  const server = await startServer(env, own_folders);
  own = server;
  const { url, auth_url, api_key, customer_id } = server;
  // In the environment of the person who decides, not of the agent.
  owner_key = server.owner_key;
  Object.assign(env, { WEIR_URL: url, WEIR_AUTH_URL: auth_url, WEIR_API_KEY: api_key, WEIR_CUSTOMER_ID: customer_id });
}
/** What a person types in another terminal. */
const decide = `WEIR_AUTH_URL=${env['WEIR_AUTH_URL']} WEIR_CUSTOMER_ID=${env['WEIR_CUSTOMER_ID']} WEIR_OWNER_KEY=${owner_key} npx node examples/decide.ts`;

const told = new Set<string>();
try {
  await mkdir(join(folder, '.ssh'), { recursive: true });
  await writeFile(join(folder, 'minutes.md'), MINUTES);
  const server = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/dist/index.js');
  const tools = await mcpTools(process.execPath, [server, folder]);
  say(`user: ${TASK}\n`);
  try {
    const { messages, outcome } = await runAgent({
      task: TASK,
      model: scriptedModel(folder),
      tools,
      gate: gateFromEnvironment(env),
      agent_id: 'minutes-writer',
      onHeld({ name }, { event_id, reasoning }) {
        if (told.has(event_id)) return;
        told.add(event_id);
        say(`HELD  ${name}\n      ${reasoning}\n      Decide in another terminal, in this folder:`);
        say(`      ${decide} ${event_id} reject "not what I asked for"`);
      },
      onStep({ name, arguments: args }, verdict) {
        say(`${verdict.is_allowed ? 'done ' : 'NOT  '} ${name} ${JSON.stringify(args).slice(0, 100)}`);
        if (!verdict.is_allowed) say(`      the model reads: ${verdict.text}`);
      },
    });
    say(`\nagent: ${outcome === 'done' ? messages.at(-1)?.content : 'stopped; too much was refused.'}`);
    process.exitCode = outcome === 'done' ? 0 : 1;
  } finally {
    await tools.close();
  }
} catch (error) {
  console.error(`agent-loop: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  await cleanUp();
}
