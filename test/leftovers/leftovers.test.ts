/**
 * A command that starts a server leaves no process and no folder behind, however it ends: its output is closed, a signal comes at any
 * moment, or it is killed. Processes are found by a mark in their environment, and those of the database, which
 * gets no environment, by the folder that they work in.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fillDataDir } from '../support/embedded-template.ts';
import { PATIENCE_MS, until } from '../support/patience.ts';
import { bareEnvironment, programOf } from '../support/programs.ts';
import { rounds } from '../support/rounds.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const NO_PROC = existsSync('/proc/self/environ') ? false : 'leftovers were NOT looked for: there is no /proc';
/** A stop drains for 10 s and the keeper waits for 15 s, so what is there after this stays, on a busy machine as well. */
const POLL_MS = 50;

interface Command {
  name: string;
  args: readonly string[];
  /** Told once it has started its server or is about to. */
  first_line: RegExp;
  env?: Record<string, string>;
}

const demo: Command = {
  name: 'npm run demo',
  args: ['examples/demo.ts'],
  first_line: /starting one for this run/,
  env: { WEIR_URL: 'http://127.0.0.1:1', WEIR_API_KEY: '' },
};
const agentLoop: Command = { name: 'the agent loop', args: ['examples/agent-loop/main.ts'], first_line: /user:/ };
const bench: Command = {
  name: 'npm run bench',
  args: ['tools/bench/main.ts', '--quick', '--only', 'grpc'],
  first_line: /cores/,
};
const MAIN = programOf('src/main.ts');
const serve: Command = { name: 'weir serve', args: [MAIN, 'serve'], first_line: /Weir is running/ };
/** Most random moments are within its start, so that it loads what a customer's loads. */
const serveFromSources: Command = { ...serve, args: ['src/main.ts', 'serve'] };

/** The server of the MCP proxy: it ends when its standard input does. */
const ECHO = 'process.stdin.resume()';
/** What a host says first: then the proxy starts its server. */
const INITIALIZE = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'host', version: '1' } },
})}\n`;
const proxy: Command = {
  name: 'the MCP proxy',
  args: [MAIN, 'mcp-proxy', '--', process.execPath, '-e', ECHO],
  first_line: /$^/,
  env: {
    WEIR_API_KEY: 'weir_key_none',
    WEIR_CUSTOMER_ID: randomUUID(),
    WEIR_URL: 'http://127.0.0.1:1',
    WEIR_AUTH_URL: 'http://127.0.0.1:1',
  },
};

interface Running {
  child: ChildProcess;
  /** Processes of the command that run now, as their command lines. */
  processes(): string[];
  /** Folders of the command that are there now. */
  folders(): string[];
  firstLine: Promise<unknown>;
  /** What it has printed. */
  said(): string;
}

const dirs: string[] = [];
after(() => {
  for (const dir of dirs) rmSync(dir, { recursive: true, force: true });
});

function ownFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'weir-stop-'));
  dirs.push(dir);
  return dir;
}

/** A start that has its database already; what ends while the database is made is tested at random moments. */
async function startPrepared(command: Command, through_npm?: string): Promise<Running> {
  const dir = ownFolder();
  if (command === serve) await fillDataDir(join(dir, 'data'));
  return start(command, through_npm, dir);
}

/** Starts a command in a process group of its own, as a shell does, with a folder for temporary files of its own. */
function start(command: Command, through_npm?: string, dir = ownFolder()): Running {
  const temporary = join(dir, 'tmp');
  mkdirSync(temporary);
  // Not `WEIR_…`: the MCP proxy keeps such variables from its server.
  const mark = `TEST_MARK=${randomUUID()}`;
  const ports = { PORT: '0', AUTH_PORT: '0', GRPC_PORT: '0', DATA_DIR: join(dir, 'data') };
  const own = { TMPDIR: temporary, TEST_MARK: mark.split('=')[1], ...ports };
  const env = { ...bareEnvironment(), ...own, ...command.env };
  const [program, args] =
    through_npm === undefined ? [process.execPath, command.args] : ['npm', ['run', '--silent', through_npm]];
  const child = spawn(program, args, { cwd: ROOT, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin!.on('error', () => {});
  let said = '';
  const firstLine = new Promise<void>((done) => {
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (chunk) => {
        said += chunk;
        if (command.first_line.test(said)) done();
      });
    child.once('exit', () => done());
  });
  const homes = (): string[] => readdirSync(join(ROOT, 'examples/agent-loop')).filter((name) => home_names.has(name));
  const home_names = new Set<string>();
  const processes = (): string[] =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => {
        const line = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
        const is_ours = read(`/proc/${pid}/environ`).includes(mark) || line.includes(dir) || cwdOf(pid).startsWith(dir);
        if (is_ours) for (const [, name] of line.matchAll(/agent-loop\/(home-\w+)/g)) home_names.add(name!);
        return is_ours ? [`${pid} ${line.slice(0, 200)}`] : [];
      });
  // npm keeps what it has compiled in the folder of temporary files, as any program on this version of Node may.
  const folders = () => [...readdirSync(temporary).filter((name) => name !== 'node-compile-cache'), ...homes()];
  return { child, processes, folders, firstLine, said: () => said };
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function cwdOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

/** Waits for the command to end and until nothing of it is left; fails with what is. */
async function nothingIsLeft({ child, processes, folders }: Running): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  const deadline = performance.now() + PATIENCE_MS;
  while (processes().length > 0 || folders().length > 0) {
    if (performance.now() > deadline) {
      const left = [...processes(), ...folders()];
      for (const line of processes()) kill(Number.parseInt(line, 10));
      assert.deepEqual(left, [], 'left behind');
    }
    await sleep(POLL_MS);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended since it was listed.
  }
}

/** In turn in a group, so that a start is not slowed down by others. */
describe('nothing is left', { skip: NO_PROC }, () => {
  for (const command of [demo, agentLoop, bench]) {
    test(`${command.name}: its reader leaves after the first line`, async () => {
      const running = start(command);
      await running.firstLine;
      // The list of processes names its folders.
      running.processes();
      running.child.stdout!.destroy();
      running.child.stderr!.destroy();
      // A command that prints nothing more cannot know; it ends with its terminal.
      if (command === bench) running.child.kill('SIGHUP');
      if (command === agentLoop) setTimeout(() => running.child.kill('SIGHUP'), 1_000).unref();
      await nothingIsLeft(running);
    });
  }

  const ends = [
    [demo, 'SIGTERM'],
    [demo, 'SIGHUP'],
    [demo, 'SIGKILL'],
    [agentLoop, 'SIGINT'],
    [agentLoop, 'SIGKILL'],
    [bench, 'SIGINT'],
    [bench, 'SIGKILL'],
    [serve, 'SIGHUP'],
    [serve, 'SIGTERM'],
  ] as const;
  for (const [command, signal] of ends) {
    test(`${command.name}: ${signal} once it has started`, async () => {
      const running = await startPrepared(command);
      await running.firstLine;
      running.processes();
      running.child.kill(signal);
      await nothingIsLeft(running);
    });
  }

  for (let round = 0; round < rounds(2); round += 1) {
    for (const command of [demo, agentLoop, serveFromSources]) {
      test(`${command.name}: Ctrl-C at a random moment, ${round + 1}`, async (t) => {
        const moment = randomInt(0, 4_000);
        t.diagnostic(`after ${moment} ms`);
        const running = start(command);
        const looking = setInterval(running.processes, 20);
        await sleep(moment);
        clearInterval(looking);
        interrupt(running);
        await nothingIsLeft(running);
      });
    }
  }

  test('weir serve: a second Ctrl-C ends it at once, with its database', async () => {
    const running = await startPrepared(serve);
    await running.firstLine;
    const api = new URL(/scoring API +(http:\S+)/.exec(running.said())![1]!);
    // A request that never ends holds up an orderly stop. It has arrived when the answer to the next one is there.
    const endless = connect(Number(api.port), api.hostname).on('error', () => {});
    endless.write('POST /events HTTP/1.1\r\nhost: weir\r\ncontent-length: 9\r\n\r\n{');
    await fetch(new URL('/health', api));
    interrupt(running);
    // It has heard the first one when it takes no more connections; then longer than the time within which npm repeats that one.
    const hears = () =>
      fetch(new URL('/health', api)).then(
        () => false,
        () => true,
      );
    await until(hears, 'the first Ctrl-C is heard');
    await sleep(600);
    interrupt(running);
    await nothingIsLeft(running);
    endless.destroy();
    assert.equal(running.child.exitCode, 130);
  });

  for (const [script, command] of [
    ['start', serve],
    ['demo', demo],
  ] as const) {
    test(`npm run ${script}: Ctrl-C reaches the command twice, from the terminal and from npm`, async () => {
      const running = await startPrepared(command, script);
      await running.firstLine;
      interrupt(running);
      await nothingIsLeft(running);
    });
  }

  for (const end of ['SIGINT', 'SIGHUP', 'SIGKILL', 'a closed input'] as const) {
    test(`${proxy.name}: ${end}`, async () => {
      const running = start(proxy);
      running.child.stdin!.write(INITIALIZE);
      while (!running.processes().some((line) => line.includes(ECHO) && !line.includes('mcp-proxy'))) {
        assert.equal(running.child.exitCode, null, 'it ended too early');
        await sleep(POLL_MS);
      }
      if (end === 'a closed input') running.child.stdin!.end();
      else running.child.kill(end);
      await nothingIsLeft(running);
    });
  }
});

/** Ctrl-C as a terminal sends it: to every process of the group. */
function interrupt({ child }: Running): void {
  try {
    process.kill(-child.pid!, 'SIGINT');
  } catch {
    // All of them have ended.
  }
}
