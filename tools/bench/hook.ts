/**
 * `node tools/bench/hook.ts [ROUNDS]`: what a coding agent waits for before each call of a tool: `weir hook claude-code` from
 * the start of the process to its end, beside `node -e 0`, in turns. The package is built, packed and installed into an empty
 * folder, as a user does it; the server is that of the checkout. Prints Markdown.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { scratchFolder } from './http.ts';
import { API_KEY, httpCases } from './http-cases.ts';
import { percentiles } from './open-loop.ts';
import { startServer } from './server-process.ts';

const ROOT = join(import.meta.dirname, '../..');
const ROUNDS = Number(process.argv[2] ?? 100);
/** The server compiles its code while it answers these. */
const WARM_UP_ROUNDS = 20;
/** Unit of processor time in /proc/self/stat, in ms: 100 a second on every Linux. */
const TICK_MS = 10;

interface Row {
  user?: string;
  tool?: string;
  input?: object;
  expect?: string;
  result?: string;
}
const session = readFileSync(join(ROOT, 'corpus/hooks/claude-code.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row);
const everyday = session.filter(({ expect }) => expect === 'everyday');

/** The package in a folder that had nothing in it; returns its program as `weir hook install` names it. */
function installPackage(folder: string): string {
  const run = (program: string, args: string[], cwd: string) => execFileSync(program, args, { cwd, stdio: 'ignore' });
  const [dist, project] = [join(folder, 'dist'), join(folder, 'project')];
  run(process.execPath, [join(ROOT, 'tools/scripts/build-package.ts'), dist], ROOT);
  run('npm', ['pack', '--pack-destination', folder, dist], folder);
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"private":true}');
  const { version } = JSON.parse(readFileSync(join(dist, 'package.json'), 'utf8')) as { version: string };
  run('npm', ['install', '--prefer-offline', join(folder, `weir-${version}.tgz`)], project);
  return join(project, 'node_modules/weir/bin/weir');
}

/** The session so far, as Claude Code keeps it. */
function writeTranscript(file: string): void {
  const lines = session.flatMap(({ user, tool, input, result = 'ok' }, index) => {
    const line = (role: string, content: unknown) => ({ type: role, message: { role, content } });
    if (user !== undefined) return [line('user', user)];
    return [
      line('assistant', [{ type: 'tool_use', id: `toolu_${index}`, name: tool, input }]),
      line('user', [{ type: 'tool_result', tool_use_id: `toolu_${index}`, content: result }]),
    ];
  });
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** Processor time of all ended child processes so far, in ms; 0 where the system does not say. */
function childrenCpu(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
  } catch {
    return 0;
  }
}

interface Case {
  name: string;
  command: readonly string[];
  times: number[];
  cpu_ms: number;
}

async function call({ command: [program, ...args] }: Case, env: NodeJS.ProcessEnv, message: string): Promise<number> {
  const start = performance.now();
  const child = spawn(program!, args, { env, stdio: ['pipe', 'ignore', 'inherit'] });
  // `node -e 0` may end before it has been told anything.
  child.stdin.on('error', () => {});
  child.stdin.end(message);
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`);
  return performance.now() - start;
}

const folder = await scratchFolder();
mkdirSync(folder.path, { recursive: true });
const data = join(folder.path, 'data');
const transcript_path = join(folder.path, 'transcript.jsonl');
writeTranscript(transcript_path);
const installed = installPackage(folder.path);
const server = await startServer(httpCases('', data).find(({ key }) => key === 'embedded')!);
try {
  const hook = ['hook', 'claude-code', '--state-dir', join(folder.path, 'state')];
  const make = (name: string, ...command: string[]): Case => ({ name, command, times: [], cpu_ms: 0 });
  const cases = [
    make('`node -e 0`', process.execPath, '-e', '0'),
    make('`weir hook claude-code`, the package', installed, ...hook),
    make('`weir hook claude-code`, the checkout', join(ROOT, 'bin/weir'), ...hook),
  ];
  const env = { ...process.env, WEIR_URL: server.url, WEIR_API_KEY: API_KEY };
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    const { tool, input } = everyday[(round + WARM_UP_ROUNDS) % everyday.length]!;
    for (const one of cases) {
      const message = {
        session_id: `bench-${one.name}`,
        transcript_path,
        cwd: '/home/ana/shop',
        hook_event_name: 'PreToolUse',
        tool_name: tool,
        tool_input: input,
      };
      const before = childrenCpu();
      const ms = await call(one, env, JSON.stringify(message));
      if (round < 0) continue;
      one.times.push(ms);
      one.cpu_ms += childrenCpu() - before;
    }
  }
  const [bare] = cases;
  const load = loadavg()[1]!.toFixed(1);
  process.stdout.write(
    `Node ${process.version}, ${availableParallelism()} cores, load ${load}; ${ROUNDS} calls of each, in turns.\n\n`,
  );
  process.stdout.write('| command | p50 ms | p95 ms | p50 of bare | processor time, ms |\n|---|---:|---:|---:|---:|\n');
  for (const { name, times, cpu_ms } of cases) {
    const { p50, p95 } = percentiles(times);
    const ratio = p50 / percentiles(bare!.times).p50;
    const cells = [name, p50.toFixed(0), p95.toFixed(0), ratio.toFixed(1), (cpu_ms / ROUNDS).toFixed(0)];
    process.stdout.write(`| ${cells.join(' | ')} |\n`);
  }
} finally {
  await server.stop();
  await folder.remove();
}
