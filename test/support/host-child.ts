/**
 * The host process: runs command lines of `weir` one after the other, and several servers beside each other. Of a process of its own,
 * most of the processor time goes into loading modules and ontology and into the first score; here all of them share it.
 */
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { run } from '../../src/cli/program.ts';
import type { Running } from '../../src/cli/serve.ts';
import type { CommandRequest, Ended, Reply, Request, ServerReply, ServerRequest, Tasks } from './host-messages.ts';

const servers = new Map<number, Running>();
let last_server = 0;

/** The environment is that of one task at a time: each reads its settings when it starts. */
function enter(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
}

async function runCommand({ args, env, cwd, input }: CommandRequest): Promise<Ended> {
  enter(env);
  process.chdir(cwd);
  const streams = { stdin: Readable.from([Buffer.from(input)]), stdout: new PassThrough(), stderr: new PassThrough() };
  const own = Object.getOwnPropertyDescriptors(process);
  for (const [name, value] of Object.entries(streams))
    Object.defineProperty(process, name, { value, configurable: true });
  const printed = Promise.all([text(streams.stdout), text(streams.stderr)]);
  let code: number;
  try {
    code = await run(args);
    // As src/main.ts, for which a command may set it as well.
    if (typeof process.exitCode === 'number') code ||= process.exitCode;
  } finally {
    process.exitCode = undefined;
    for (const name of Object.keys(streams)) Object.defineProperty(process, name, own[name as keyof typeof streams]!);
    streams.stdout.end();
    streams.stderr.end();
  }
  const [stdout, stderr] = await printed;
  return { code, stdout, stderr };
}

async function startServer({ env, roles }: ServerRequest): Promise<ServerReply> {
  enter(env);
  // As src/cli/commands/serve.ts.
  const { readSettings } = await import('../../src/platform/settings.ts');
  const { serve } = await import('../../src/cli/serve.ts');
  let stdout = '';
  const line = (text: string): void => {
    stdout += `${text}\n`;
  };
  const running = await serve(readSettings(process.env), { line, is_terminal: false }, roles?.split(','));
  last_server += 1;
  servers.set(last_server, running);
  return { server: last_server, stdout };
}

async function stopServer({ server }: { server: number }): Promise<null> {
  await servers.get(server)?.stop();
  servers.delete(server);
  return null;
}

const TASKS: { [Task in keyof Tasks]: (request: Tasks[Task]['request']) => Promise<Tasks[Task]['reply']> } = {
  command: runCommand,
  serve: startServer,
  stop: stopServer,
};

let turn: Promise<unknown> = Promise.resolve();

process.on('message', ({ id, task, request }: Request) => {
  const work = TASKS[task] as (request: unknown) => Promise<unknown>;
  const reply = (message: Reply): void => void process.send!(message);
  turn = turn
    .then(() => work(request))
    .then(
      (value) => reply({ id, value }),
      (error: unknown) => reply({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
});
// The test has ended; what it did not stop ends as well.
process.once('disconnect', () => {
  void Promise.all([...servers.values()].map((running) => running.stop())).finally(() => process.exit());
});
